/**
 * Telling those who listen: after a change, in the order of the changes, and never in the middle of one.
 *
 * While a call carries out several changes (`hold`), what there is to tell waits until all are made, so that a listener
 * finds the tree as the call leaves it and may change it. What listeners change is told in turn, after the rest.
 */
import type { Entity } from "../../ecs/index.ts";
import type { WorldState } from "../../ecs/internal.ts";
import { InvalidEditError } from "../errors.ts";
import type { Dependents, Links } from "../links/links.ts";
import type { SubtreeWatcher } from "./events.ts";

/** Gets an entity whose list of children changed; `null` for the roots. */
export type ChildrenListener = (parent: Entity | null) => void;

/** Listeners that cause each other's notices more often than this are taken for an endless loop. */
const MAX_DEPTH = 100;

export interface Watching {
  readonly watcher: SubtreeWatcher;
  ended: boolean;
}

export class Notices {
  /** Whether anybody listens. */
  active = false;
  private readonly ecs: WorldState;
  private readonly links: Links;
  private readonly dependents: Dependents;
  private readonly watchings = new Map<number, Set<Watching>>();
  private listeners: readonly ChildrenListener[] = [];
  private queue: { readonly tell: () => void; readonly depth: number }[] = [];
  private held = 0;
  /** Those whose list changed since a hold began; each is told of once. */
  private readonly changedInHold = new Set<Entity | null>();
  private telling = false;
  private depth = 0;

  constructor(ecs: WorldState, links: Links, dependents: Dependents) {
    this.ecs = ecs;
    this.links = links;
    this.dependents = dependents;
  }

  watch(node: number, watcher: SubtreeWatcher): () => void {
    const watching = { watcher, ended: false };
    const set = this.watchings.get(node) ?? new Set();
    this.watchings.set(node, set.add(watching));
    this.updateActive();
    return () => {
      watching.ended = true;
      set.delete(watching);
      if (set.size === 0 && this.watchings.get(node) === set) this.forget(node);
    };
  }

  listen(listener: ChildrenListener): () => void {
    // One entry per call, so that ending one of two equal listeners leaves the other.
    const own: ChildrenListener = (parent) => listener(parent);
    this.listeners = [...this.listeners, own];
    this.updateActive();
    return () => {
      this.listeners = this.listeners.filter((other) => other !== own);
      this.updateActive();
    };
  }

  /** `node` is no longer there to be watched. */
  forget(node: number): void {
    if (this.watchings.delete(node)) this.updateActive();
  }

  private updateActive(): void {
    const active = this.watchings.size > 0 || this.listeners.length > 0;
    if (active !== this.active) this.dependents.count += active ? 1 : -1;
    this.active = active;
  }

  /** Those who watch `node` or something above it. */
  above(node: number): Set<Watching> {
    const found = new Set<Watching>();
    if (this.watchings.size === 0) return found;
    for (let up = node; up > 0; up = this.links.parent(up)) {
      for (const watching of this.watchings.get(up) ?? []) found.add(watching);
    }
    return found;
  }

  /** `child` is under `parent` now; `before` watched it until then. */
  placed(child: Entity, before: Set<Watching>, from: number, parent: number): void {
    const after = this.above(parent);
    this.left(child, before, after, "detach");
    for (const watching of after) {
      if (!before.has(watching)) this.tell(watching, (watcher) => watcher.joined?.(child));
    }
    this.changed(from);
    if (from !== parent) this.changed(parent);
  }

  /** `child` is gone from under those who watched it. */
  left(
    child: Entity,
    before: Set<Watching>,
    after: ReadonlySet<Watching>,
    cause: "detach" | "destroy",
  ): void {
    for (const watching of before) {
      if (!after.has(watching)) this.tell(watching, (watcher) => watcher.left?.(child, cause));
    }
  }

  /** The list of children of `node` (0: of the roots) is another one. */
  changed(node: number): void {
    if (this.listeners.length === 0 || node === -1) return;
    const parent = node === 0 ? null : this.ecs.handleAt(node);
    if (this.held !== 0) {
      if (this.changedInHold.has(parent)) return;
      this.changedInHold.add(parent);
    }
    for (const listener of this.listeners) {
      this.later(() => {
        // A parent that died meanwhile has no list any more.
        const isThere = parent === null || this.ecs.isAlive(parent);
        if (isThere && this.listeners.includes(listener)) listener(parent);
      });
    }
  }

  /** Tells when the present change, and those before it, are told. */
  later(tell: () => void): void {
    this.queue.push({ tell, depth: this.telling ? this.depth + 1 : 0 });
  }

  /** How much waits to be told, for `cut`. */
  get mark(): number {
    return this.queue.length;
  }

  /** Forgets what was queued since `mark`: it was taken back. */
  cut(mark: number): void {
    this.queue.length = mark;
    this.changedInHold.clear();
  }

  hold(): void {
    this.held++;
  }

  release(): void {
    this.unhold();
    this.drain();
  }

  /** Ends a hold without telling yet: somebody else will. */
  unhold(): void {
    if (--this.held === 0) this.changedInHold.clear();
  }

  /** Tells what waits, unless something is being told or held back already. */
  drain(): void {
    if (this.held !== 0 || this.telling || this.queue.length === 0) return;
    this.telling = true;
    try {
      for (let k = 0; k < this.queue.length; k++) {
        const notice = this.queue[k];
        if (notice.depth > MAX_DEPTH) {
          this.report(
            new InvalidEditError(
              `Stopped telling of changes: listeners caused each other's notices ${MAX_DEPTH} times over. Look for one that changes what it listens to.`,
            ),
          );
          break;
        }
        this.depth = notice.depth;
        try {
          notice.tell();
        } catch (error) {
          this.report(error);
        }
      }
    } finally {
      this.queue = [];
      this.telling = false;
      this.depth = 0;
    }
  }

  private report(error: unknown): void {
    this.ecs.onError(error instanceof Error ? error : new Error(String(error)));
  }

  private tell(watching: Watching, call: (watcher: SubtreeWatcher) => void): void {
    this.later(() => {
      if (!watching.ended) call(watching.watcher);
    });
  }
}

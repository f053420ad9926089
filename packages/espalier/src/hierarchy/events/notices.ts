/**
 * Telling the listeners of lists and subtrees: when a call is done, in the order of the changes, and never in the middle of one.
 *
 * During a call (`hold`, or a destroy under way) this only notes which nodes moved, who watched each of them before the call, and
 * whose list of children changed. When the call is done, that is compared with the tree as it is then: so a listener finds the tree
 * as the call leaves it, is told of each list once, and of every node that came or went, also where several of one branch moved.
 * What listeners change is told in turn, after the rest.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK, type WorldState } from "../../ecs/internal.ts";
import { InvalidEditError } from "../errors.ts";
import type { Dependents, Links } from "../links/links.ts";
import type { SubtreeWatcher } from "./events.ts";

/** Gets an entity whose list of children changed; `null` for the roots. */
export type ChildrenListener = (parent: Entity | null) => void;

/** Listeners that cause each other's notices more often than this are taken for an endless loop. */
const MAX_ROUNDS = 100;

interface Watching {
  readonly watcher: SubtreeWatcher;
  ended: boolean;
}

type Watchers = ReadonlySet<Watching>;

const NOBODY: Watchers = new Set();

/** What waits to be told, for `cut`. */
export interface NoticeMark {
  readonly queued: number;
  readonly moves: number;
  readonly lists: number;
}

export class Notices {
  /** Whether anybody listens. */
  active = false;
  private readonly ecs: WorldState;
  private readonly links: Links;
  private readonly dependents: Dependents;
  private readonly watchings = new Map<number, Set<Watching>>();
  private listeners: readonly ChildrenListener[] = [];
  private held = 0;
  /** Whether there is something to tell: asked at the end of every call. */
  private waits = false;
  /** What moved in the present call, with those who watched it before the call. */
  private readonly moves = new Map<Entity, Watchers>();
  /** Whose list changed in the present call, and the children that came or left; nothing where others changed it too. */
  private readonly lists = new Map<Entity | null, Set<Entity> | undefined>();
  /** By node: those who watched it or something above it before the present call. */
  private readonly before = new Map<number, Watchers>();
  /** The names of what was destroyed, until all are told. */
  private readonly names = new Map<Entity, string | undefined>();
  private queue: (() => void)[] = [];
  private telling = false;

  constructor(ecs: WorldState, links: Links, dependents: Dependents) {
    this.ecs = ecs;
    this.links = links;
    this.dependents = dependents;
  }

  // Who listens ----------------------------------------------------------------------------------------------------------

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

  private forget(node: number): void {
    if (this.watchings.delete(node)) this.updateActive();
  }

  private updateActive(): void {
    const active = this.watchings.size > 0 || this.listeners.length > 0;
    if (active !== this.active) this.dependents.count += active ? 1 : -1;
    this.active = active;
  }

  // What changes ---------------------------------------------------------------------------------------------------------

  /** A node that was created is under `parent`. */
  created(node: number, parent: number): void {
    this.waits = true;
    this.before.delete(node);
    const child = this.ecs.handleAt(node);
    if (this.watchings.size !== 0) this.moves.set(child, NOBODY);
    this.changed(parent, child);
  }

  /** A node is about to get the parent `to` (-1: to be destroyed). */
  moving(node: number, to: number): void {
    this.waits = true;
    const from = this.links.parent(node);
    const child = this.ecs.handleAt(node);
    if (from !== to && this.watchings.size !== 0) {
      const before = this.watchersOf(node, this.before);
      if (!this.moves.has(child)) this.moves.set(child, before);
    }
    this.changed(from, child);
    if (from !== to && to !== -1) this.changed(to, child);
  }

  /** A node is about to be destroyed. */
  leaving(node: number, name: string | undefined): void {
    this.moving(node, -1);
    if (this.watchings.size === 0) return;
    this.names.set(this.ecs.handleAt(node), name);
    this.forget(node);
  }

  /** The list of children of `node` (0: of the roots) is another one; because of `child`, if it came or left. */
  changed(node: number, child?: Entity): void {
    if (this.listeners.length === 0) return;
    this.waits = true;
    const parent = node === 0 ? null : this.ecs.handleAt(node);
    const children = this.lists.get(parent);
    if (child === undefined) this.lists.set(parent, undefined);
    else if (children !== undefined) children.add(child);
    else if (!this.lists.has(parent)) this.lists.set(parent, new Set([child]));
  }

  /**
   * Those who watch something above `node`; `known` keeps what was found, per node with its own watchers. In `before`, a node
   * that moved stays known with those of its former place, so that a call costs what it moves and not its square.
   */
  private watchersOf(node: number, known: Map<number, Watchers>): Watchers {
    const way: number[] = [node];
    let up = this.links.parent(node);
    for (; up > 0 && !known.has(up); up = this.links.parent(up)) way.push(up);
    let found = known.get(up) ?? NOBODY;
    let above = found;
    for (let k = way.length - 1; k >= 0; k--) {
      above = found;
      const own = this.watchings.get(way[k]);
      if (own !== undefined) found = new Set([...found, ...own]);
      if (!known.has(way[k])) known.set(way[k], found);
    }
    return above;
  }

  // Telling --------------------------------------------------------------------------------------------------------------

  /** Tells `tell` when the present change, and those before it, are told. */
  later(tell: () => void): void {
    this.waits = true;
    this.queue.push(tell);
  }

  /** The name of something destroyed that is being told of; `undefined` also where nothing is known. */
  nameOf(entity: Entity): string | undefined {
    return this.names.get(entity);
  }

  /** Whether something destroyed is being told of. */
  knows(entity: Entity): boolean {
    return this.names.has(entity);
  }

  get mark(): NoticeMark {
    return { queued: this.queue.length, moves: this.moves.size, lists: this.lists.size };
  }

  /** Forgets what was noted since `mark` about entities that were taken back; without a list all of it. */
  cut({ queued, moves, lists }: NoticeMark, takenBack?: ReadonlySet<Entity>): void {
    this.queue.length = queued;
    const isBack = (entity: Entity) => takenBack?.has(entity) ?? true;
    for (const entity of [...this.moves.keys()].slice(moves)) if (isBack(entity)) this.moves.delete(entity);
    for (const [parent, children] of [...this.lists].slice(lists)) {
      const isAllBack = takenBack === undefined || (children !== undefined && [...children].every(isBack));
      if (isAllBack) this.lists.delete(parent);
    }
  }

  /** A call begins that makes several changes. */
  hold(): void {
    this.held++;
  }

  /** The call is done. */
  release(): void {
    this.held--;
    this.drain();
  }

  /** Ends a hold inside of a call that will `drain` when it is done. */
  unhold(): void {
    this.held--;
  }

  /** Tells what waits, unless a call is under way or something is being told already. */
  drain(): void {
    if (this.waits) this.tellWaiting();
  }

  private tellWaiting(): void {
    if (this.held !== 0 || this.ecs.doomed.size !== 0) return;
    if (this.moves.size !== 0 || this.lists.size !== 0) this.queueChanges();
    // What is being told tells the rest, too.
    if (this.telling) return;
    this.waits = false;
    this.telling = true;
    try {
      // What listeners cause is told in the next round.
      for (let round = 0; this.queue.length > 0; round++) {
        if (round > MAX_ROUNDS) {
          this.report(
            new InvalidEditError(
              `Stopped telling of changes: listeners caused each other's notices ${MAX_ROUNDS} times over. Look for one that changes what it listens to.`,
            ),
          );
          break;
        }
        const notices = this.queue;
        this.queue = [];
        for (const tell of notices) {
          try {
            tell();
          } catch (error) {
            this.report(error);
          }
        }
      }
    } finally {
      this.queue = [];
      this.names.clear();
      this.telling = false;
    }
  }

  private queueChanges(): void {
    const after = new Map<number, Watchers>();
    for (const [entity, before] of this.moves) {
      const isAlive = this.ecs.isAlive(entity);
      const now = isAlive ? this.watchersOf(entity & INDEX_MASK, after) : NOBODY;
      const cause = isAlive ? "detach" : "destroy";
      for (const watching of before)
        if (!now.has(watching)) this.tell(watching, (watcher) => watcher.left?.(entity, cause));
      for (const watching of now)
        if (!before.has(watching)) this.tell(watching, (watcher) => watcher.joined?.(entity));
    }
    for (const parent of this.lists.keys()) {
      for (const listener of this.listeners) {
        this.later(() => {
          // A parent that died meanwhile has no list any more.
          const isThere = parent === null || this.ecs.isAlive(parent);
          if (isThere && this.listeners.includes(listener)) listener(parent);
        });
      }
    }
    this.moves.clear();
    this.lists.clear();
    this.before.clear();
  }

  private tell(watching: Watching, call: (watcher: SubtreeWatcher) => void): void {
    this.later(() => {
      if (!watching.ended) call(watching.watcher);
    });
  }

  private report(error: unknown): void {
    this.ecs.onError(error instanceof Error ? error : new Error(String(error)));
  }
}

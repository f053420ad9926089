/**
 * Notifying the listeners of lists and subtrees, when a call is done.
 *
 * During a call this only notes which nodes moved, their watchers before the call, and whose list of children changed. When
 * the call is done (`settled`), that is compared with the tree as it is then: so a listener finds the tree as the call leaves it, and
 * is notified once of each list and of every node that came or went, also where several of one branch moved. The notices go into the
 * queue of the world, behind those of its observers.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK, type Notice, type WorldState } from "../../ecs/internal.ts";
import { errorOf } from "../error-of.ts";
import { InvalidEditError } from "../errors.ts";
import type { Dependents, Links } from "../links/links.ts";
import type { SubtreeWatcher } from "./events.ts";

/** Gets an entity whose list of children changed; `null` for the roots. */
export type ChildrenListener = (parent: Entity | null) => void;

/** Gets at once whose list changes (`null`: that of the roots), and the child that comes, goes or moves, if it is one. */
export type ListNoter = (parent: Entity | null, child: Entity | undefined) => void;

interface Watching {
  readonly watcher: SubtreeWatcher;
  ended: boolean;
}

type Watchers = ReadonlySet<Watching>;

const NO_WATCHERS: Watchers = new Set();

/** A call of one listener. What it throws is reported as it is. */
class ListenerNotice implements Notice {
  private readonly ecs: WorldState;
  private readonly call: () => void;

  constructor(ecs: WorldState, call: () => void) {
    this.ecs = ecs;
    this.call = call;
  }

  deliver(): void {
    try {
      this.call();
    } catch (error) {
      this.ecs.notices.report(this.ecs, errorOf(error));
    }
  }

  stopped(rounds: number): Error {
    return new InvalidEditError(
      `Stopped notifying the listeners of a tree: they caused each other's notices ${rounds} times over. Look for one that changes what it listens to.`,
    );
  }
}

export class Notices {
  /** Whether there are listeners. */
  active = false;
  private readonly ecs: WorldState;
  private readonly links: Links;
  private readonly dependents: Dependents;
  private readonly watchings = new Map<number, Set<Watching>>();
  private listeners: readonly ChildrenListener[] = [];
  private noters: readonly ListNoter[] = [];
  /** What moved in the present call, with its watchers before the call. */
  private readonly moves = new Map<Entity, Watchers>();
  /** Whose list changed in the present call, and the children that came or left; nothing where others changed it too. */
  private readonly lists = new Map<Entity | null, Set<Entity> | undefined>();
  /** By node: the watchers of it, or of something above it, before the present call. */
  private readonly before = new Map<number, Watchers>();

  constructor(ecs: WorldState, links: Links, dependents: Dependents) {
    this.ecs = ecs;
    this.links = links;
    this.dependents = dependents;
  }

  // Listeners ------------------------------------------------------------------------------------------------------------

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

  /** The same, and `noter` notes each change while the call is under way: events would wait for the end of a transaction. */
  listenAndNote(listener: ChildrenListener, noter: ListNoter): () => void {
    const end = this.listen(listener);
    this.noters = [...this.noters, noter];
    return () => {
      end();
      this.noters = this.noters.filter((other) => other !== noter);
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
    this.ecs.notices.waits = true;
    this.before.delete(node);
    const child = this.ecs.handleAt(node);
    if (this.watchings.size !== 0) this.moves.set(child, NO_WATCHERS);
    this.changed(parent, child);
  }

  /** A node is about to get the parent `to` (-1: to be destroyed). */
  moving(node: number, to: number): void {
    this.ecs.notices.waits = true;
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
  leaving(node: number): void {
    this.moving(node, -1);
    if (this.watchings.size !== 0) this.forget(node);
  }

  /** The child list of `node` (0: of the roots) changed; `child` is the one added or removed, if known. */
  changed(node: number, child?: Entity): void {
    if (this.listeners.length === 0) return;
    this.ecs.notices.waits = true;
    const parent = node === 0 ? null : this.ecs.handleAt(node);
    for (const note of this.noters) note(parent, child);
    const children = this.lists.get(parent);
    if (child === undefined) this.lists.set(parent, undefined);
    else if (children !== undefined) children.add(child);
    else if (!this.lists.has(parent)) this.lists.set(parent, new Set([child]));
  }

  /**
   * The watchers of something above `node`; `known` keeps what was found, per node with its own watchers. In `before`, a node
   * that moved stays known with those of its former position, so that a call costs what it moves and not its square.
   */
  private watchersOf(node: number, known: Map<number, Watchers>): Watchers {
    const way: number[] = [node];
    let up = this.links.parent(node);
    for (; up > 0 && !known.has(up); up = this.links.parent(up)) way.push(up);
    let found = known.get(up) ?? NO_WATCHERS;
    let above = found;
    for (let k = way.length - 1; k >= 0; k--) {
      above = found;
      const own = this.watchings.get(way[k]);
      if (own !== undefined) found = new Set([...found, ...own]);
      if (!known.has(way[k])) known.set(way[k], found);
    }
    return above;
  }

  // When a call is done --------------------------------------------------------------------------------------------------

  /** Queues a call of a listener. */
  later(call: () => void): void {
    this.ecs.notices.add(new ListenerNotice(this.ecs, call), this.ecs.isReplaying);
  }

  /** Gives what forgets everything that is noted from now on: it is taken back. */
  mark(): () => void {
    const moves = this.moves.size;
    const lists = this.lists.size;
    return () => {
      for (const entity of [...this.moves.keys()].slice(moves)) this.moves.delete(entity);
      for (const parent of [...this.lists.keys()].slice(lists)) this.lists.delete(parent);
    };
  }

  /** A call is done: queues the notices of what it changed. */
  settled(): void {
    if (this.moves.size === 0 && this.lists.size === 0) return;
    const after = new Map<number, Watchers>();
    for (const [entity, before] of this.moves) {
      const isAlive = this.ecs.isAlive(entity);
      const now = isAlive ? this.watchersOf(entity & INDEX_MASK, after) : NO_WATCHERS;
      const cause = isAlive ? "detach" : "destroy";
      for (const watching of before)
        if (!now.has(watching)) this.notify(watching, (watcher) => watcher.left?.(entity, cause));
      for (const watching of now)
        if (!before.has(watching)) this.notify(watching, (watcher) => watcher.joined?.(entity));
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

  private notify(watching: Watching, call: (watcher: SubtreeWatcher) => void): void {
    this.later(() => {
      if (!watching.ended) call(watching.watcher);
    });
  }
}

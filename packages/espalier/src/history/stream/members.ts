/**
 * Which entities a stream reports, and under which keys, when it is not simply all of them by their handles.
 *
 * Membership is decided when the stream is read, for the entities in the records; `flips` keeps its changes since the oldest
 * position that can still be requested, so that readers at different positions each get the entities that entered and left for them.
 */
import { describeValue, type Entity, type Query } from "../../ecs/index.ts";
import { INDEX_MASK, type WorldState } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { DuplicateKeyError } from "../errors.ts";
import type { KeyFunction, StateReader } from "../patch/keyed-state.ts";
import type { Key } from "../patch/patch.ts";
import type { Traces } from "./traces.ts";

/** An entity that entered the part, or left it. */
interface Flip {
  /** The position of the read that found it. */
  readonly at: number;
  readonly entity: Entity;
  readonly key: Key;
  readonly entered: boolean;
}

export interface MemberOptions {
  readonly tree: Hierarchy | undefined;
  readonly root: Entity | undefined;
  readonly where: Query | ((entity: Entity) => boolean) | undefined;
  readonly key: KeyFunction | undefined;
}

export class Members {
  /** The current members, with their keys. */
  readonly keys = new Map<Entity, Key>();
  private readonly byKey = new Map<Key, Entity>();
  private readonly state: WorldState;
  private readonly options: MemberOptions;
  private readonly reader: StateReader;
  private flips: Flip[] = [];
  private recheckAll = false;

  constructor(state: WorldState, options: MemberOptions, reader: StateReader) {
    this.state = state;
    this.options = options;
    this.reader = reader;
    this.check(this.everyone(), 0);
    this.flips = [];
  }

  /** Makes the next read test every entity again. */
  refresh(): void {
    this.recheckAll = true;
  }

  /** Decides again for all entities in the traces; returns whether any entered or left. */
  update(traces: Traces, at: number): boolean {
    const { tree, root, where } = this.options;
    const candidates = new Set<Entity>();
    const { entities } = this.recheckAll ? { entities: new Map() } : traces;
    for (const [entity, trace] of entities) {
      if (entity === 0) continue;
      candidates.add(entity);
      // Its descendants move with it.
      if (root !== undefined && tree !== undefined && trace.moved.has(0) && this.state.isAlive(entity))
        for (const each of tree.descendants(entity)) candidates.add(each);
    }
    if (where !== undefined && !this.recheckAll) {
      for (const { indices } of traces.rows.values())
        for (const index of indices) candidates.add(this.state.handleAt(index));
    }
    if (this.recheckAll) for (const entity of this.everyone()) candidates.add(entity);
    this.recheckAll = false;
    const before = this.flips.length;
    this.check(candidates, at);
    return this.flips.length > before;
  }

  /** The key of an entity that was in the part at a position that is still kept; `undefined` for others. */
  at(position: number): (entity: Entity) => Key | undefined {
    const first = new Map<Entity, Flip>();
    for (const flip of this.flips)
      if (flip.at > position && !first.has(flip.entity)) first.set(flip.entity, flip);
    return (entity) => {
      const flip = first.get(entity);
      if (flip === undefined) return this.keys.get(entity);
      return flip.entered ? undefined : flip.key;
    };
  }

  /** The entities that entered or left since a position, each once. */
  flippedSince(position: number): Set<Entity> {
    return new Set(this.flips.filter(({ at }) => at > position).map(({ entity }) => entity));
  }

  forget(position: number): void {
    this.flips = this.flips.filter(({ at }) => at > position);
  }

  private everyone(): Set<Entity> {
    const all = new Set<Entity>(this.keys.keys());
    const { graph, table } = this.state;
    for (const { ids, count } of graph.all)
      for (const index of ids.subarray(0, count)) all.add(table.handleAt(index));
    return all;
  }

  private check(candidates: Iterable<Entity>, at: number): void {
    const isInside = this.insideTest();
    const come: Entity[] = [];
    for (const entity of candidates) {
      const is = this.state.isAlive(entity) && isInside(entity);
      const key = this.keys.get(entity);
      if (is && key === undefined) come.push(entity);
      else if (!is && key !== undefined) {
        this.keys.delete(entity);
        this.byKey.delete(key);
        this.flips.push({ at, entity, key, entered: false });
      }
    }
    // After those that leave: a key may pass from one entity to another.
    for (const entity of come) {
      const { key: keyOf } = this.options;
      const key = keyOf === undefined ? entity : keyOf(entity, this.reader);
      if (key === undefined) continue;
      this.claim(key, entity);
      this.flips.push({ at, entity, key, entered: true });
    }
  }

  private claim(key: Key, entity: Entity): void {
    const other = this.byKey.get(key);
    if (other !== undefined) {
      throw new DuplicateKeyError(
        `Cannot follow changes: two entities have the key ${describeValue(key)}. Give each a key of its own.`,
        { key, entities: [other, entity] },
      );
    }
    this.byKey.set(key, entity);
    this.keys.set(entity, key);
  }

  private insideTest(): (entity: Entity) => boolean {
    const { where, root, tree } = this.options;
    const chosen =
      where === undefined
        ? () => true
        : typeof where === "function"
          ? where
          : (entity: Entity) => where.includes(entity);
    if (root === undefined || tree === undefined) return chosen;
    const isBelow = belowTest(this.state, tree, root);
    return (entity) => isBelow(entity) && chosen(entity);
  }
}

/** Whether an entity is `root` or below it. Each walk up caches its result for the next, so that a long chain costs its length once. */
function belowTest(state: WorldState, tree: Hierarchy, root: Entity): (entity: Entity) => boolean {
  const known = new Map<number, boolean>([[root & INDEX_MASK, state.isAlive(root)]]);
  return (entity) => {
    const way: number[] = [];
    let up: Entity | null = entity;
    let found: boolean | undefined;
    while (up !== null) {
      found = known.get(up & INDEX_MASK);
      if (found !== undefined) break;
      way.push(up & INDEX_MASK);
      up = tree.parentOf(up);
    }
    for (const index of way) known.set(index, found ?? false);
    return found ?? false;
  };
}

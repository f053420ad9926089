/**
 * A state whose entities have keys, so that it can be compared with another one.
 */
import { type Column, describeValue, type Entity, formatEntity, type World } from "../../ecs/index.ts";
import { INDEX_MASK } from "../../ecs/internal.ts";
import { requireParts, requireWorld } from "../arguments.ts";
import { DuplicateKeyError, InvalidHistoryError } from "../errors.ts";
import { capture } from "../snapshot/capture.ts";
import { decodeState } from "../snapshot/state-codec.ts";
import {
  type ComponentState,
  forEachFamily,
  type GroupState,
  type StateOptions,
  startsOf,
  type WorldState,
  type WorldWithTrees,
} from "../state.ts";
import type { ValueCodec } from "../values/value-codec.ts";
import type { Key } from "./patch.ts";

/** A snapshot, or a world as it is now. */
export type StateSource = ArrayBuffer | ArrayBufferView | WorldWithTrees;

/** What a `key` function may ask of the state that the entity is in. */
export interface StateReader {
  /** The values of a component by its name, as snapshots hold them; nothing if the entity lacks it. */
  get(entity: Entity, component: string): { readonly [field: string]: unknown } | undefined;
  /** The name of the entity in a hierarchy. */
  nameOf(entity: Entity, tree: string): string | undefined;
}

/**
 * Tells which entities of two states are the same one: two with the same key are. Nothing: the entity takes no part, as
 * if it were not there.
 */
export type KeyFunction = (entity: Entity, state: StateReader) => Key | undefined;

/** The place of an entity: its parent's key (`null`: none, nothing: one that takes no part), and its list. */
export interface KeyedPlace {
  readonly parent: Key | null | undefined;
  /** Position among the children of that parent that take part. */
  readonly at: number;
}

export class KeyedState implements StateReader {
  readonly state: WorldState;
  /** Entity by key, in the order of the state. */
  readonly entities = new Map<Key, Entity>();
  private readonly keys = new Map<number, Key>();
  /** By place: the position in `state.entities`, counted from 1. */
  private readonly positions: Int32Array;
  private readonly groupStarts: readonly number[];
  private readonly byName: ReadonlyMap<string, number>;
  private readonly offsets: readonly ReadonlyMap<number, number>[];

  constructor(
    source: StateSource,
    key: KeyFunction | undefined,
    codecs: { readonly [field: string]: ValueCodec },
  ) {
    requireSource(source);
    this.state = isWorld(source) ? capture(source.world, source, undefined) : decodeState(source, codecs);
    const { entities, groups, components } = this.state;
    this.byName = new Map(components.map(({ name }, k) => [name, k]));
    this.groupStarts = groups.map(({ from }) => from);
    this.offsets = startsOf(groups);
    let highest = 0;
    for (const entity of entities) highest = Math.max(highest, entity & INDEX_MASK);
    this.positions = new Int32Array(highest + 1);
    entities.forEach((entity, at) => {
      this.positions[entity & INDEX_MASK] = at + 1;
    });
    for (const entity of entities as unknown as Iterable<Entity>) {
      const own = key === undefined ? entity : key(entity, this);
      if (own === undefined) continue;
      const other = this.entities.get(own);
      if (other !== undefined) throw sameKey(own, other, entity);
      this.entities.set(own, entity);
      this.keys.set(entity, own);
    }
  }

  /** The key of an entity; nothing for one that takes no part or is not in the state. */
  keyOf(entity: number): Key | undefined {
    return this.keys.get(entity);
  }

  get(entity: Entity, component: string): { [field: string]: unknown } | undefined {
    const number = this.byName.get(component);
    const at = number === undefined ? -1 : this.rowOf(entity, number);
    if (number === undefined || at < 0) return undefined;
    const { fields, columns } = this.state.components[number] as ComponentState;
    return Object.fromEntries(fields.map(({ name }, k) => [name, (columns[k] as Column)[at]]));
  }

  nameOf(entity: Entity, tree: string): string | undefined {
    return this.state.trees.find(({ name }) => name === tree)?.names.get(entity);
  }

  componentNumber(name: string): number | undefined {
    return this.byName.get(name);
  }

  /** The components of an entity, as numbers. */
  componentsOf(entity: Entity): readonly number[] {
    return this.groupAt(this.groupOf(entity)).components;
  }

  /** Where the values of an entity stand in the columns of a component; -1 if it lacks it. */
  rowOf(entity: Entity, component: number): number {
    const group = this.groupOf(entity);
    const offset = this.offsets[group]?.get(component);
    return offset === undefined ? -1 : offset + this.positionOf(entity) - this.groupAt(group).from;
  }

  /** The places of all that take part in a hierarchy, parents first. The root of a subtree has none. */
  placesIn(tree: number): Map<Key, KeyedPlace> {
    const places = new Map<Key, KeyedPlace>();
    const { root, trees } = this.state;
    const family = trees[tree];
    if (family === undefined) return places;
    forEachFamily(family, (parent, children) => {
      const parentKey = parent === 0 ? null : this.keyOf(parent);
      let at = 0;
      for (let k = 0; k < children.length; k++) {
        const key = children[k] === root ? undefined : this.keyOf(children[k] as number);
        if (key !== undefined) places.set(key, { parent: parentKey, at: at++ });
      }
    });
    return places;
  }

  private positionOf(entity: Entity): number {
    return (this.positions[entity & INDEX_MASK] as number) - 1;
  }

  private groupAt(number: number): GroupState {
    return this.state.groups[number] as GroupState;
  }

  private groupOf(entity: Entity): number {
    const at = this.positionOf(entity);
    let low = 0;
    let high = this.groupStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.groupStarts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** @throws InvalidHistoryError for what is neither a snapshot nor a world. */
function requireSource(source: unknown): void {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return;
  if (typeof source === "object" && source !== null && "world" in source) {
    requireWorld(source.world, "compare states");
    requireParts(source as StateOptions, "compare states");
    return;
  }
  throw new InvalidHistoryError(
    `Cannot compare states: expected a snapshot or { world, trees }, got ${describeValue(source)}.`,
  );
}

export function sameKey(key: Key, a: Entity, b: Entity): DuplicateKeyError {
  return new DuplicateKeyError(
    key,
    `Cannot tell ${formatEntity(a)} and ${formatEntity(b)} apart: both have the key ${JSON.stringify(key)}. Give each a key of its own, or none.`,
    [a, b],
  );
}

function isWorld(source: StateSource): source is WorldWithTrees {
  return typeof (source as { world?: World }).world === "object";
}

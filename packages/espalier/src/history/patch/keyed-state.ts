/**
 * A state whose entities have keys, so that it can be compared with another state.
 */
import { type Column, describeValue, type Entity, formatEntity } from "../../ecs/index.ts";
import { INDEX_MASK } from "../../ecs/internal.ts";
import { isObject, requireOptions, requireWorld } from "../arguments.ts";
import { DuplicateKeyError, InvalidHistoryError } from "../errors.ts";
import { capture } from "../snapshot/capture.ts";
import { type Codecs, decodeState } from "../snapshot/state-codec.ts";
import {
  type ComponentState,
  forEachFamily,
  startsOf,
  type TreeState,
  type WorldState,
  type WorldWithTrees,
} from "../state.ts";
import type { Key } from "./patch.ts";

/** A snapshot, or a world in its current state. */
export type StateSource = ArrayBuffer | ArrayBufferView | WorldWithTrees;

/** What a `key` function can read of the state that contains the entity. */
export interface StateReader {
  /** The values of a component by its name, as in snapshots; `undefined` if the entity lacks it. */
  get(entity: Entity, component: string): { readonly [field: string]: unknown } | undefined;
  /** The name of the entity in a hierarchy. */
  nameOf(entity: Entity, tree: string): string | undefined;
}

/**
 * The key of an entity: two entities with the same key in two states are the same one. `undefined` excludes the entity, as
 * if it did not exist.
 */
export type KeyFunction = (entity: Entity, state: StateReader) => Key | undefined;

export class KeyedState implements StateReader {
  readonly state: WorldState;
  /** Entity by key, in the order of the state. */
  readonly entities = new Map<Key, Entity>();
  /** By index: the handle of the entity and its key. */
  private readonly handles: Float64Array;
  private readonly keys: (Key | undefined)[];
  /** By index: the number of the group, and the position in that group. */
  private readonly groups: Int32Array;
  private readonly positions: Int32Array;
  private readonly byName: ReadonlyMap<string, number>;
  private readonly starts: readonly ReadonlyMap<number, number>[];
  /** The components of each group. */
  private readonly componentsIn: readonly (readonly ComponentState[])[];

  constructor(source: StateSource, key: KeyFunction | undefined, codecs: Codecs) {
    this.state = stateOf(source, codecs);
    const { entities, groups, components } = this.state;
    this.byName = new Map(components.map(({ name }, k) => [name, k]));
    this.starts = startsOf(groups);
    this.componentsIn = groups.map((group) => group.components.map((k) => components[k] as ComponentState));
    const highest = entities.reduce((most, entity) => Math.max(most, entity & INDEX_MASK), 0);
    this.handles = new Float64Array(highest + 1);
    this.keys = new Array<Key | undefined>(highest + 1).fill(undefined);
    this.groups = new Int32Array(highest + 1);
    this.positions = new Int32Array(highest + 1);
    groups.forEach(({ from, to }, g) => {
      for (let at = from; at < to; at++) {
        const index = (entities[at] as number) & INDEX_MASK;
        this.groups[index] = g;
        this.positions[index] = at - from;
      }
    });
    for (const entity of entities as unknown as Iterable<Entity>) {
      const own = key === undefined ? entity : key(entity, this);
      if (own === undefined) continue;
      setDistinct(this.entities, own, entity);
      const index = entity & INDEX_MASK;
      this.handles[index] = entity;
      this.keys[index] = own;
    }
  }

  /** The key of an entity; `undefined` for one that is excluded or not in the state. */
  keyOf(entity: number): Key | undefined {
    const index = entity & INDEX_MASK;
    return this.handles[index] === entity ? this.keys[index] : undefined;
  }

  get(entity: Entity, name: string): { [field: string]: unknown } | undefined {
    const at = this.rowOf(entity, name);
    if (at < 0) return undefined;
    const { fields, columns } = this.component(name);
    return Object.fromEntries(fields.map((field, k) => [field.name, (columns[k] as Column)[at]]));
  }

  nameOf(entity: Entity, tree: string): string | undefined {
    return this.tree(tree)?.names.get(entity);
  }

  /** A component that some entity has. */
  component(name: string): ComponentState {
    return this.state.components[this.byName.get(name) as number] as ComponentState;
  }

  componentsOf(entity: Entity): readonly ComponentState[] {
    return this.componentsIn[this.groups[entity & INDEX_MASK] as number] as readonly ComponentState[];
  }

  /** The row of an entity in the columns of a component; -1 if it lacks the component. */
  rowOf(entity: Entity, component: string): number {
    const index = entity & INDEX_MASK;
    const start = this.starts[this.groups[index] as number]?.get(this.byName.get(component) as number);
    return start === undefined ? -1 : start + (this.positions[index] as number);
  }

  /**
   * Calls `fn` with the included children of each parent (`null`: none, `undefined`: an excluded one) in a hierarchy, in
   * order, parents first. The root of a subtree is not included.
   */
  forEachFamilyIn(
    tree: string,
    fn: (parent: Key | null | undefined, children: readonly Key[]) => void,
  ): void {
    const state = this.tree(tree);
    if (state === undefined) return;
    forEachFamily(state, (parent, children) => {
      const family: Key[] = [];
      for (let k = 0; k < children.length; k++) {
        const key = children[k] === this.state.root ? undefined : this.keyOf(children[k] as number);
        if (key !== undefined) family.push(key);
      }
      fn(parent === 0 ? null : this.keyOf(parent), family);
    });
  }

  private tree(name: string): TreeState | undefined {
    return this.state.trees.find((tree) => tree.name === name);
  }
}

/** @throws InvalidHistoryError for what is neither a snapshot nor a world. */
function stateOf(source: StateSource, codecs: Codecs): WorldState {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return decodeState(source, codecs);
  if (!isObject(source) || !("world" in source)) {
    throw new InvalidHistoryError(
      `Cannot compare states: expected a snapshot or { world, trees }, got ${describeValue(source)}.`,
      { value: source },
    );
  }
  requireWorld(source.world, "compare states");
  requireOptions(false, source, "compare states", []);
  return capture(source.world, source, undefined);
}

/** @throws DuplicateKeyError when another entity has the key. */
export function setDistinct(entities: Map<Key, Entity>, key: Key, entity: Entity): void {
  const other = entities.get(key);
  if (other !== undefined) {
    throw new DuplicateKeyError(
      `Cannot distinguish ${formatEntity(other)} and ${formatEntity(entity)}: both have the key ${describeValue(key)}. Give each a key of its own, or none.`,
      { entities: [other, entity], key },
    );
  }
  entities.set(key, entity);
}

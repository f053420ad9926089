/**
 * The state of a world as plain columns, independent of the world: the content of snapshots, and the input of differences.
 */
import {
  type Column,
  type Entity,
  type Field,
  type FieldKind,
  fieldTypeOf,
  type Resource,
  type World,
} from "../ecs/index.ts";
import type { IndexState } from "../ecs/internal.ts";
import type { Hierarchy, UpHierarchy } from "../hierarchy/index.ts";
import type { ValueCodec } from "./values/value-codec.ts";

/** Any hierarchy, including those with parents only. */
export type AnyTree = Hierarchy | UpHierarchy;

/** Whether a hierarchy has children with an order and names, or parents only. */
export function hasChildren(tree: AnyTree): tree is Hierarchy {
  return "childrenOf" in tree;
}

export interface FieldState {
  readonly name: string;
  readonly kind: FieldKind;
  /** For choices: the names of the numbers in the column. */
  readonly names?: readonly string[];
}

/** A field as text, for messages and for comparing two. */
export function fieldText({ name, kind, names }: FieldState): string {
  return `${name}: ${kind}${names === undefined ? "" : ` (${names.join(", ")})`}`;
}

/** A field in the form of states. */
export function fieldState(name: string, field: Field): FieldState {
  const kind = field.kind as FieldKind;
  const { names } = field;
  // Numbers that have names stay numbers in snapshots and patches.
  return names !== undefined && fieldTypeOf(field).valueKind === "choice"
    ? { name, kind, names }
    : { name, kind };
}

export interface ComponentState {
  readonly name: string;
  /** Whether only its owner writes it. */
  readonly isReserved: boolean;
  readonly fields: readonly FieldState[];
  /** By field: the values of all entities with the component, in the order of `WorldState.entities`. */
  readonly columns: readonly Column[];
}

/** Entities with exactly the same components: a range of `WorldState.entities`. */
export interface GroupState {
  /** Indices of the components in `WorldState.components`, increasing. */
  readonly components: readonly number[];
  readonly from: number;
  readonly to: number;
}

export interface TreeState {
  readonly name: string;
  /** Whether it has parents only: no order, no names. */
  readonly isUp: boolean;
  /** Every parent (0: above the roots) whose children are listed; parents first. */
  readonly parents: readonly number[] | Float64Array;
  /** How many children each of them has. */
  readonly counts: readonly number[] | Int32Array;
  /** All children, one list after the other. */
  readonly children: readonly number[] | Float64Array;
  readonly names: ReadonlyMap<number, string>;
}

export interface WorldState {
  /** The root, when this is the state of a subtree. */
  readonly root: Entity | undefined;
  /** All handles, group by group. */
  readonly entities: Float64Array;
  readonly groups: readonly GroupState[];
  readonly components: readonly ComponentState[];
  readonly trees: readonly TreeState[];
  readonly resources: readonly { readonly name: string; readonly value: unknown }[];
  /** Only for a whole world. */
  readonly indices: IndexState | undefined;
}

/** The parts of a state besides entities and components. */
export interface StateOptions {
  /** The hierarchies to include, each under its name. */
  readonly trees?: readonly AnyTree[];
  /** The resources to include, each under its name. */
  readonly resources?: readonly Resource<unknown>[];
  /** Codecs for values that cannot be written otherwise, by `"Component.field"` or the name of a resource. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
}

/** A world with its hierarchies and resources, for `diff`. */
export interface WorldWithTrees extends StateOptions {
  /** The world whose state it is. */
  readonly world: World;
}

/** Calls `fn` for every list of children. */
export function forEachFamily(
  { parents, counts, children }: TreeState,
  fn: (parent: number, children: ArrayLike<number>) => void,
): void {
  let at = 0;
  for (let k = 0; k < parents.length; k++) {
    const end = at + (counts[k] as number);
    fn(parents[k] as number, partOf(children, at, end));
    at = end;
  }
}

/** A part of a list, copied only where it must be. */
export function partOf<List extends Column | readonly number[]>(list: List, from: number, to: number): List {
  return (ArrayBuffer.isView(list) ? list.subarray(from, to) : list.slice(from, to)) as List;
}

/** By group and component: the row of the group's first entity in the component's columns. */
export function startsOf(groups: readonly GroupState[]): ReadonlyMap<number, number>[] {
  const totals = new Map<number, number>();
  return groups.map(({ components, from, to }) => {
    const starts = new Map<number, number>();
    for (const component of components) {
      const total = totals.get(component) ?? 0;
      starts.set(component, total);
      totals.set(component, total + to - from);
    }
    return starts;
  });
}

/**
 * The same entities, each after its ancestors.
 * @param isPassed - Whether to continue above this parent. Always if left out: a chain costs its length, once.
 */
export function parentsFirst<Listed extends Entity | null>(
  tree: AnyTree | undefined,
  entities: ReadonlySet<Listed>,
  isPassed: (entity: Entity) => boolean = () => true,
): Listed[] {
  const listed = new Set<Entity | null>([null]);
  for (const entity of entities) {
    const way: Entity[] = [];
    let up: Entity | null = entity;
    while (up !== null && !listed.has(up) && isPassed(up)) {
      way.push(up);
      up = tree === undefined ? null : tree.parentOf(up);
    }
    for (const each of way.reverse()) listed.add(each);
  }
  return [...listed].filter((entity): entity is Listed => entities.has(entity as Listed));
}

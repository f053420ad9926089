/**
 * Whole trees from a nested literal.
 */

import { type ComponentInit, describeValue, type Entity, type EntityLike, holdEvents } from "../ecs/index.ts";
import {
  archetypeOfNew,
  asOneCallOrNone,
  complete,
  destroyAlone,
  handleIn,
  makeDefaults,
  requireList,
  requireObject,
  requireText,
  type WorldState,
} from "../ecs/internal.ts";
import { requireTree } from "./arguments.ts";
import { attachNew } from "./edit/attach.ts";
import { InvalidEditError } from "./errors.ts";
import type { Hierarchy } from "./hierarchy.ts";
import { treeOf } from "./hierarchy-reader.ts";

/** A node of the literal: its name, its components, its children. All may be left out. */
export interface TreeLiteral {
  /** The name of the entity; it has none if left out. */
  readonly name?: string;
  /** The components it starts with. */
  readonly with?: readonly ComponentInit[];
  /** Its children, in order. */
  readonly children?: readonly TreeLiteral[];
}

/** The names of a literal, all levels, as keys of the handles. */
export type NamesIn<T> = T extends { readonly name: infer N extends string }
  ? N | ChildNames<T>
  : ChildNames<T>;
type ChildNames<T> = T extends { readonly children: infer C extends readonly unknown[] }
  ? NamesIn<C[number]>
  : never;

/** The entities of a spawned tree: the top one, all in pre-order, and those with names by name. */
export interface SpawnedTree<Names extends string = string> {
  /** The entity of the literal itself. */
  readonly root: Entity;
  /** All entities in pre-order, the root first. */
  readonly all: readonly Entity[];
  /** Where a name is used twice, the first in pre-order. */
  readonly named: { readonly [N in Names]: Entity };
}

/**
 * Creates the tree that `literal` describes, under `parent` or as a root. All or nothing: if one node is refused,
 * those created before it are rolled back, and no event reports them.
 *
 * @example
 * ```ts
 * const { named } = spawnTree(tree, { name: "tank", children: [{ name: "turret" }, { name: "tracks" }] });
 * tree.childrenOf(named.tank); // → [named.turret, named.tracks]
 * ```
 */
export function spawnTree<const T extends TreeLiteral>(
  hierarchy: Hierarchy,
  literal: T,
  parent: EntityLike | null = null,
): SpawnedTree<NamesIn<T>> {
  requireTree(hierarchy, "spawn a tree");
  const nodes = flatten(literal);
  const all: Entity[] = [];
  const t = treeOf(hierarchy);
  const { ecs, world } = t;
  const top = handleIn(ecs, parent);
  // Functions that make defaults may change the world, which is not part of this call.
  const inits = nodes.map(({ literal }) => withDefaults(ecs, literal.with ?? []));
  const events = holdEvents(world);
  asOneCallOrNone(ecs, () => {
    try {
      nodes.forEach(({ literal, parentIndex }, k) => {
        const above = parentIndex < 0 ? top : (all[parentIndex] as Entity);
        const entity = attachNew(t, above, inits[k] as readonly ComponentInit[], undefined, true);
        all.push(entity);
        if (literal.name !== undefined) hierarchy.setName(entity, literal.name);
      });
      events.release();
    } catch (error) {
      for (const entity of all.reverse()) destroyAlone(ecs, entity, true);
      events.discard();
      throw error;
    }
  });
  return handlesOf(nodes, all) as SpawnedTree<NamesIn<T>>;
}

/** Components with the defaults that functions make. */
function withDefaults(ecs: WorldState, given: readonly ComponentInit[]): readonly ComponentInit[] {
  const inits = complete(ecs, given, 0);
  return archetypeOfNew(ecs, inits).areMade ? makeDefaults(ecs, inits) : inits;
}

/** A node of a literal, and which node before it is its parent; -1 for the top. */
export interface FlatLiteral {
  readonly literal: TreeLiteral;
  readonly parentIndex: number;
}

/** @throws InvalidEditError when a literal contains itself. */
export function flatten(top: TreeLiteral): FlatLiteral[] {
  const nodes: FlatLiteral[] = [];
  const path = new Set<TreeLiteral>();
  // A literal without a parent index marks the way back up.
  const stack: { literal: TreeLiteral; parentIndex: number | undefined }[] = [
    { literal: top, parentIndex: -1 },
  ];
  while (stack.length > 0) {
    const { literal, parentIndex } = stack.pop() as (typeof stack)[number];
    if (parentIndex === undefined) {
      path.delete(literal);
      continue;
    }
    requireLiteral(literal);
    if (path.has(literal)) {
      throw new InvalidEditError(
        `Cannot spawn a tree whose literal contains itself${literal.name === undefined ? "" : `: ${describeValue(literal.name)}`}. Leave the inner one out.`,
      );
    }
    const children = literal.children ?? [];
    if (children.length > 0) {
      path.add(literal);
      stack.push({ literal, parentIndex: undefined });
    }
    for (let k = children.length - 1; k >= 0; k--) {
      stack.push({ literal: children[k], parentIndex: nodes.length });
    }
    nodes.push({ literal, parentIndex });
  }
  return nodes;
}

function requireLiteral(literal: TreeLiteral): void {
  requireObject(literal, "spawn a tree", "a node of it");
  const { name, with: inits = [], children = [] } = literal;
  if (name !== undefined) requireText(name, "spawn a tree", "a name");
  requireList(inits, "spawn a tree", "what a node has");
  requireList(children, "spawn a tree", "the children of a node");
}

export function handlesOf(nodes: readonly FlatLiteral[], all: readonly Entity[]): SpawnedTree {
  // Without a prototype: "constructor" is a name like any other.
  const named: { [name: string]: Entity } = Object.create(null);
  nodes.forEach(({ literal: { name } }, k) => {
    if (name !== undefined) named[name] ??= all[k];
  });
  return { root: all[0], all, named };
}

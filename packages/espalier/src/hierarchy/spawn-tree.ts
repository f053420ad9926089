/**
 * Whole trees from a nested literal.
 */
import type { ComponentInit, Entity } from "../ecs/index.ts";
import { InvalidEditError } from "./errors.ts";
import type { Hierarchy } from "./hierarchy.ts";

/** A node of the literal: its name, its components, its children. All may be left out. */
export interface TreeLiteral {
  readonly name?: string;
  readonly with?: readonly ComponentInit[];
  readonly children?: readonly TreeLiteral[];
}

/** The names of a literal, all levels, as keys of the handles. */
type NamesIn<T> = T extends { readonly name: infer N extends string } ? N | ChildNames<T> : ChildNames<T>;
type ChildNames<T> = T extends { readonly children: infer C extends readonly unknown[] }
  ? NamesIn<C[number]>
  : never;

/** The entities of a spawned tree: the top one, all in pre-order, and those with names by name. */
export interface SpawnedTree<Names extends string = string> {
  readonly root: Entity;
  readonly all: readonly Entity[];
  readonly named: { readonly [N in Names]: Entity };
}

/**
 * Creates the tree that `literal` describes, under `parent` or as a root. All or nothing: if one node is refused,
 * those created before it are taken back.
 */
export function spawnTree<const T extends TreeLiteral>(
  hierarchy: Hierarchy,
  literal: T,
  parent: Entity | null = null,
): SpawnedTree<NamesIn<T>> {
  const all: Entity[] = [];
  const named: { [name: string]: Entity } = {};
  const stack: { literal: TreeLiteral; parent: Entity | null }[] = [{ literal, parent }];
  const path = new Set<TreeLiteral>();
  try {
    while (stack.length > 0) {
      const next = stack.pop() as { literal: TreeLiteral; parent: Entity | null };
      if (path.has(next.literal)) {
        throw new InvalidEditError(
          "Cannot spawn a tree that contains the same literal object twice. Copy it, or make it in a function.",
        );
      }
      path.add(next.literal);
      const entity = hierarchy.attachNew(next.parent, ...(next.literal.with ?? []));
      all.push(entity);
      const { name } = next.literal;
      if (name !== undefined) {
        hierarchy.setName(entity, name);
        named[name] ??= entity;
      }
      const children = next.literal.children ?? [];
      for (let k = children.length - 1; k >= 0; k--) stack.push({ literal: children[k], parent: entity });
    }
  } catch (error) {
    for (let k = all.length - 1; k >= 0; k--)
      if (hierarchy.world.isAlive(all[k])) hierarchy.world.unspawn(all[k]);
    throw error;
  }
  return { root: all[0], all, named: named as { readonly [N in NamesIn<T>]: Entity } };
}

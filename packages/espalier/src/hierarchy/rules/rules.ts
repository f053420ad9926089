/**
 * Rules of a hierarchy for users: adding them, and asking what they would say.
 */
import type { EntityLike } from "../../ecs/index.ts";
import * as attaching from "../edit/attach.ts";
import * as keeping from "../edit/keep.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import type { Keeper } from "../state.ts";
import * as rules from "./constrain.ts";
import type { Constraint } from "./constraints.ts";

/**
 * The error that `tree.attach(child, parent)` would throw, or `null`. `tree.canAttach` answers yes or no.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * whyNotAttach(tree, tank, turret)?.name; // → "CircularHierarchyError"
 * whyNotAttach(tree, turret, null); // → null
 * ```
 */
export function whyNotAttach(tree: Hierarchy, child: EntityLike, parent: EntityLike | null): Error | null {
  return attaching.whyNotAttach(treeOf(tree), child, parent);
}

/**
 * Adds a rule. Nodes that break it already stay; it holds for attaching, detaching and adding components from now on.
 * Returns a function that ends it.
 *
 * @example
 * ```ts
 * const Sealed = tag("Sealed");
 * const end = constrain(tree, {
 *   name: "sealed",
 *   attach: (child, parent) => (parent !== null && world.has(parent, Sealed) ? "it is sealed" : undefined),
 * });
 * const box = world.spawn(Sealed);
 * tree.canAttach(world.spawn(), box); // → false
 * end();
 * ```
 */
export function constrain(tree: Hierarchy, constraint: Constraint): () => void {
  return rules.constrain(treeOf(tree), constraint);
}

/**
 * Says what `{ keep: name }` means in the calls that change a parent.
 * @throws InvalidEditError when the name means something already.
 */
export function addKeeper(tree: Hierarchy, name: string, keeper: Keeper): void {
  keeping.addKeeper(treeOf(tree), name, keeper);
}

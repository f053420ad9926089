/**
 * Inherited values that several parts of a program share: one per tree and definition.
 */
import { type Resource, resource, type Schema } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { createInherited, defineInherited, type Inherited } from "./inherited.ts";
import type { InheritedDefinition } from "./inherited-values.ts";
import { requireTree } from "./require-tree.ts";

const Shared: Resource<Map<Hierarchy, Map<object, unknown>>> = /* @__PURE__ */ resource(
  "espalier/inherited values",
  () => new Map(),
);

/**
 * The inherited value of a tree by its definition, made when first asked for. Inherited values live as long as their world: rooms that
 * come and go share them this way.
 *
 * @example
 * ```ts
 * const active = inheritedOf(tree, activity);
 * inheritedOf(tree, activity) === active; // → true
 * ```
 */
export function inheritedOf<S extends Schema, Value>(
  tree: Hierarchy,
  definition: InheritedDefinition<S, Value>,
): Inherited<S, Value> {
  requireTree(tree);
  defineInherited(definition);
  const all = tree.world.resource(Shared);
  let ofTree = all.get(tree);
  if (ofTree === undefined) {
    ofTree = new Map();
    all.set(tree, ofTree);
  }
  let value = ofTree.get(definition) as Inherited<S, Value> | undefined;
  if (value === undefined) {
    value = createInherited(tree, definition);
    ofTree.set(definition, value);
  }
  return value;
}

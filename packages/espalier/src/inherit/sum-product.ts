/**
 * The combinations of numbers that have a kernel.
 */
import { FoldedValues } from "./folded-values.ts";
import type { FoldingCombine } from "./inherited-values.ts";

/**
 * Adds a field to the parent's value.
 *
 * @example
 * ```ts
 * const Weight = component("Weight", { kg: f32(0) });
 * const load = createInherited(
 *   tree,
 *   defineInherited({ name: "load", component: Weight, initial: 0, combine: sum("kg") }),
 * );
 * const cart = world.spawn(Weight({ kg: 50 }));
 * load.of(tree.attachNew(cart, Weight({ kg: 5 }))); // → 55
 * ```
 */
export function sum<Field extends string>(field: Field): FoldingCombine<Field> {
  const add = (parent: number, own: { readonly [F in Field]: number }) => parent + own[field];
  return Object.assign(add, { fold: "sum", field, createValues } as const);
}

/** Multiplies the parent's value by a field: opacity, volume, the scale of time. */
export function product<Field extends string>(field: Field): FoldingCombine<Field> {
  const multiply = (parent: number, own: { readonly [F in Field]: number }) => parent * own[field];
  return Object.assign(multiply, { fold: "product", field, createValues } as const);
}

const createValues: FoldingCombine["createValues"] = (tree, definition, kernel) =>
  new FoldedValues(tree, definition, kernel);

/**
 * What an `Inherited` stands on: values that flow down, and a way to read one of them.
 */
import type { Component, Schema, ValueOf } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { Flow } from "./flow.ts";
import type { FlowValues, Rows } from "./flow-values.ts";
import type { Fold } from "./fold-kernel.ts";
import type { KernelChoice } from "./kernel.ts";

/** How one value flows: what the roots start from, and what an entity makes of its parent's value. */
export interface Rule<S extends Schema, Value> {
  /** The value above all roots. */
  readonly initial: Value;
  /**
   * The value of an entity that has the component. `own` reads its fields. Entities without the component have their
   * parent's value. Must depend on nothing else. `sum(field)` and `product(field)` make ones that have a kernel.
   */
  readonly combine: (parent: Value, own: Readonly<ValueOf<S>>) => Value;
  /** Whether two values are the same. Needed where `combine` makes objects; `Object.is` if left out. */
  readonly equals?: (a: Value, b: Value) => boolean;
}

/** A value that flows down, described once and used with any number of trees. */
export interface InheritedDefinition<S extends Schema, Value> extends Rule<S, Value> {
  /** Its name, for messages and tools; unique in a hierarchy. */
  readonly name: string;
  /** The component that holds an entity's own value. */
  readonly component: Component<S>;
}

/** A `combine` of one field that a kernel computes, too. */
export interface FoldingCombine<Field extends string = string> {
  (parent: number, own: { readonly [F in Field]: number }): number;
  /** How values are combined: a sum or a product. */
  readonly fold: Fold;
  /** The field of the component that is folded. */
  readonly field: Field;
  /**
   * Makes its values. Here, so that programs without `sum` and `product` do not carry their kernel.
   * @internal
   */
  readonly createValues: (
    tree: Hierarchy,
    definition: InheritedDefinition<Schema, number> & { readonly combine: FoldingCombine },
    kernel: KernelChoice,
  ) => InheritedValues<number>;
}

/** Whether a `combine` was made by `sum` or `product`. */
export function isFolding(combine: unknown): combine is FoldingCombine {
  return typeof combine === "function" && "fold" in combine && "createValues" in combine;
}

/** The values of one `Inherited`, by slot. */
export interface InheritedValues<Value> extends FlowValues<Rows & ArrayLike<Value>> {
  readonly flow: Flow<Rows & ArrayLike<Value>>;
  readonly usesWasm: boolean;
  /** Loads the kernel and starts to use it; missing where there is none. */
  loadKernel?(): Promise<void>;
  /** The node got, changed or lost the component or its ghost tag. */
  written(node: number): void;
  /** Everything may have been written. */
  touchAll(): void;
}

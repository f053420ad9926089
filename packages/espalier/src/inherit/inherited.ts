/**
 * Any value of the user's that flows down: opacity multiplies, z adds, a team is taken from the nearest ancestor.
 */
import { type Entity, type EntityLike, isComponent, type Schema } from "../ecs/index.ts";
import {
  type ChangeReader,
  checkOptions,
  DEVELOPMENT,
  describeValue,
  followComponent,
  provideCheck,
  provideComputed,
  requireObject,
  stateOf,
} from "../ecs/internal.ts";
import { Ghost, type Hierarchy } from "../hierarchy/index.ts";
import { staleValues, wrongInherited } from "./check-values.ts";
import { CombinedValues } from "./combined-values.ts";
import type { ComputedRuns } from "./computed-runs.ts";
import { InvalidInheritedError } from "./errors.ts";
import { findRow } from "./find-row.ts";
import { type InheritedDefinition, type InheritedValues, isFolding } from "./inherited-values.ts";
import type { KernelChoice } from "./kernel.ts";
import { propagate } from "./pass.ts";
import { requireTree } from "./require-tree.ts";

/**
 * Describes a value that flows down.
 *
 * @example
 * ```ts
 * const Opacity = component("Opacity", { value: f32(1) });
 * const opacity = defineInherited({
 *   name: "opacity",
 *   component: Opacity,
 *   initial: 1,
 *   combine: (parent, own) => parent * own.value,
 * });
 * const effective = createInherited(tree, opacity);
 * const panel = world.spawn(Opacity({ value: 0.5 }));
 * const button = tree.attachNew(panel, Opacity({ value: 0.5 }));
 * effective.of(button); // → 0.25
 * ```
 */
export function defineInherited<S extends Schema, Value>(
  definition: InheritedDefinition<S, Value>,
): InheritedDefinition<S, Value> {
  requireObject(definition, "define an inherited value", "it");
  const { name, component, combine, equals } = definition;
  const refuse = (why: string) =>
    new InvalidInheritedError(`Cannot define the inherited value ${describeValue(name)}: ${why}.`, {
      value: name,
    });
  if (!isComponent(component) || typeof combine !== "function")
    throw refuse("it needs a component and a combine(parent, own) function");
  if (!("initial" in definition)) throw refuse("it needs an initial value, which roots start from");
  if (equals !== undefined && typeof equals !== "function")
    throw refuse("equals must be a function of two values");
  if (isFolding(combine) && !Object.hasOwn(component.schema, combine.field))
    throw refuse(`${component.name} has no field ${describeValue(combine.field)}`);
  if (isFolding(combine) && typeof definition.initial !== "number")
    throw refuse(`the initial value of a ${combine.fold} must be a number`);
  return definition;
}

/** How an inherited value is computed. */
export interface InheritedOptions {
  /**
   * Which code computes a `sum` or a `product`: `auto` (the default), `javascript` or `wasm`. Both give the same bits. Any
   * other `combine` is a function of yours and runs in JavaScript.
   */
  readonly kernel?: KernelChoice;
}

const inheritedOptions = { kernel: ["auto", "javascript", "wasm"] } as const;

/**
 * Computes an inherited value over a tree and keeps it up to date, for as long as the world lives.
 *
 * @example
 * ```ts
 * const visible = createInherited(tree, visibility);
 * const panel = world.spawn(Visibility({ mode: HIDDEN }));
 * const button = tree.attachNew(panel);
 * visible.of(button); // → false
 * ```
 */
export function createInherited<S extends Schema, Value>(
  tree: Hierarchy,
  definition: InheritedDefinition<S, Value>,
  options: InheritedOptions = {},
): Inherited<S, Value> {
  defineInherited(definition);
  return new Inherited(tree, definition, options);
}

/** Values that flow down a tree: each is computed from the parent's and the entity's own. */
export class Inherited<_S extends Schema, Value> {
  /** The hierarchy that the values flow down. */
  readonly tree: Hierarchy;
  /** The name of the definition. */
  readonly name: string;
  /** @internal Runs after every pass, also after one that had nothing to compute. */
  afterPass: (() => void) | undefined;
  private readonly values: InheritedValues<Value>;

  /** @internal Use `createInherited`. */
  constructor(tree: Hierarchy, definition: InheritedDefinition<_S, Value>, options: InheritedOptions) {
    this.tree = requireTree(tree);
    this.name = definition.name;
    const state = stateOf(tree.world);
    checkOptions(state.checks, `create the inherited value ${this.name}`, options, inheritedOptions);
    this.values = createValues(tree, definition, options.kernel ?? "auto");
    const written = (index: number) => this.values.written(index);
    followComponent(state, definition.component, written);
    followComponent(state, Ghost, written);
    const { flow } = this.values;
    flow.start();
    const of = (entity: Entity) => this.of(entity);
    if (DEVELOPMENT) {
      provideCheck(state, {
        name: this.name,
        *check() {
          yield* wrongInherited(tree, definition, of);
          yield* staleValues(flow, "inherit/inconsistent");
        },
      });
    }
    provideComputed(tree.world, tree.name, { name: this.name, compute: of });
  }

  /** The entity's value. Right at once after any change, without a pass. */
  of(entity: EntityLike): Value {
    const { flow } = this.values;
    const at = findRow(flow, flow.nodeOf(entity, `read ${this.name}`));
    return flow.found[at];
  }

  /** All values by slot, as of the last `propagate()`. For loops over everything: `flatOrder(tree).slotOf` leads to them. */
  get column(): ArrayLike<Value> {
    return this.values.rows;
  }

  /** Whether long runs are computed by WebAssembly: by itself only in worlds of some thousand, once its code is loaded. */
  get usesWasm(): boolean {
    return this.values.usesWasm;
  }

  /** @internal See `loadKernel`. */
  async loadKernel(): Promise<boolean> {
    await this.values.loadKernel?.();
    return this.usesWasm;
  }

  /** Whether nothing was written since the last pass. */
  get isClean(): boolean {
    return this.values.flow.isClean;
  }

  /**
   * Brings every value up to date, parents first, and touches only what is below a change. Costs nothing when nothing
   * changed. Returns the number of values it computed.
   */
  propagate(): number {
    const computed = propagate(this.values.flow);
    this.afterPass?.();
    return computed;
  }

  /** @internal Lists to which passes add the slots that they compute. */
  get watchers(): ComputedRuns[] {
    return this.values.flow.watchers;
  }

  /**
   * A reader of what passes do from now on: `changed` are exactly the entities whose value differs;
   * `added` those that got their first; `removed` those that were destroyed. Without a reader nothing is compared.
   */
  changes(): ChangeReader {
    return this.values.flow.changes();
  }

  /** Says that the value an entity contributes was changed in a way this could not see. */
  touch(entity: EntityLike): void {
    this.values.written(this.values.flow.nodeOf(entity, "touch a value"));
  }

  /** Says that everything may have changed: the next pass computes all. Cheaper than `touch` for each. */
  touchAll(): void {
    this.values.touchAll();
  }
}

function createValues<S extends Schema, Value>(
  tree: Hierarchy,
  definition: InheritedDefinition<S, Value>,
  kernel: KernelChoice,
): InheritedValues<Value> {
  const { combine } = definition;
  if (isFolding(combine)) {
    return combine.createValues(tree, definition as never, kernel) as unknown as InheritedValues<Value>;
  }
  if (kernel === "wasm") {
    throw new InvalidInheritedError(
      `Cannot use kernel: "wasm" for ${definition.name}: its combine is a function. Make it with sum(field) or product(field), or use kernel: "auto".`,
      { subject: definition.name, option: "kernel", value: "wasm" },
    );
  }
  return new CombinedValues(tree, definition);
}

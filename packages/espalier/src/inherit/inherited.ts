/**
 * Any value of the user's that flows down: opacity multiplies, z adds, a team is taken from the nearest ancestor.
 */
import { type Component, type Entity, isComponent, type Schema, type ValueOf } from "../ecs/index.ts";
import { createLastingView, describeValue, followComponent, stateOf, type View } from "../ecs/internal.ts";
import { Ghost, type Hierarchy } from "../hierarchy/index.ts";
import { InvalidInheritedError } from "./errors.ts";
import { Flow } from "./flow.ts";
import { permute } from "./permute.ts";
import { createRun, type Run, type Step } from "./run.ts";

/** How one value flows: what the roots start from, and what an entity makes of its parent's value. */
export interface Rule<S extends Schema, Value> {
  /** The value above all roots. */
  readonly initial: Value;
  /**
   * The value of an entity that has the component. `own` reads its fields. Entities without the component have their
   * parent's value. Must depend on nothing else.
   */
  readonly combine: (parent: Value, own: Readonly<ValueOf<S>>) => Value;
  /** Whether two values are the same. Needed where `combine` makes objects; `Object.is` if left out. */
  readonly equals?: (a: Value, b: Value) => boolean;
}

/** A value that flows down, described once and used with any number of trees. */
export interface InheritedDefinition<S extends Schema, Value> extends Rule<S, Value> {
  readonly name: string;
  readonly component: Component<S>;
}

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
  const { name, component, combine, equals } = definition;
  if (!isComponent(component) || typeof combine !== "function") {
    throw new InvalidInheritedError(
      `Cannot define the inherited value ${describeValue(name)}: it needs a component and a combine(parent, own) function.`,
    );
  }
  if (!("initial" in definition)) {
    throw new InvalidInheritedError(
      `Cannot define the inherited value ${describeValue(name)}: it needs an initial value, which roots start from.`,
    );
  }
  if (equals !== undefined && typeof equals !== "function") {
    throw new InvalidInheritedError(
      `Cannot define the inherited value ${describeValue(name)}: equals must be a function of two values.`,
    );
  }
  return definition;
}

/** Computes an inherited value over a tree and keeps it up to date, for as long as the world lives. */
export function createInherited<S extends Schema, Value>(
  tree: Hierarchy,
  definition: InheritedDefinition<S, Value>,
): Inherited<S, Value> {
  return new Inherited(tree, definition);
}

/** Values that flow down a tree: each is computed from the parent's and one's own. */
export class Inherited<S extends Schema, Value> extends Flow {
  readonly name: string;
  private readonly definition: InheritedDefinition<S, Value>;
  private readonly step: Step<S, Value>;
  private readonly loop: Run<Value>;
  /** By slot. Numbers are kept in a typed array, everything else in a plain one. */
  private values: Float64Array | Value[];
  /** Room for the values of one run; grows to the longest. */
  private kept: Float64Array | Value[];
  private keptFrom = 0;
  private readonly way: number[] = [];

  constructor(tree: Hierarchy, definition: InheritedDefinition<S, Value>) {
    super(tree);
    const state = stateOf(tree.world);
    this.name = definition.name;
    this.definition = definition;
    const store = state.store(definition.component);
    this.step = {
      state,
      componentId: store.id,
      ghostId: state.store(Ghost).id,
      own: createLastingView(state, store) as View & Readonly<ValueOf<S>>,
      initial: definition.initial,
      combine: definition.combine,
      equals: definition.equals,
    };
    this.loop = createRun(this.step);
    this.values = typeof definition.initial === "number" ? new Float64Array(0) : [];
    this.kept = typeof definition.initial === "number" ? new Float64Array(0) : [];
    const mark = (index: number) => this.mark(this.order.slotOf[index]);
    followComponent(state, definition.component, mark);
    followComponent(state, Ghost, mark);
    this.start();
  }

  /** The entity's value. Right at once after any change, without a pass. */
  of(entity: Entity): Value {
    const node = this.nodeOf(entity, `read ${this.name}`);
    const length = this.staleWay(node, this.way);
    if (length === 0) return this.values[this.order.slotOf[node]] as Value;
    const above = this.parentSlotNow(this.way[length - 1]);
    let value = above === 0 ? this.definition.initial : (this.values[above] as Value);
    for (let k = length - 1; k >= 0; k--) value = this.combined(value, this.order.nodeAt[this.way[k]]);
    return value;
  }

  /** All values by slot, as of the last `propagate()`. For loops over everything: `tree.order.slotOf` leads to them. */
  get column(): ArrayLike<Value> {
    return this.values as ArrayLike<Value>;
  }

  private combined(parent: Value, node: number): Value {
    const { state, componentId, ghostId, own, combine } = this.step;
    const has = state.archetypeAt(node)?.has;
    if (has === undefined || has[componentId] !== 1 || has[ghostId] === 1) return parent;
    own.index$ = node;
    return combine(parent, own);
  }

  protected computeRun(from: number, to: number): void {
    const { nodeAt, parentSlot } = this.order;
    this.loop(this.values as Value[], nodeAt, parentSlot, from, to);
  }

  protected computeSlot(slot: number): boolean {
    const before = this.values[slot];
    this.computeRun(slot, slot + 1);
    return !Object.is(before, this.values[slot]);
  }

  protected remember(from: number, to: number): void {
    this.keptFrom = from;
    if (this.kept instanceof Float64Array && this.kept.length < to - from)
      this.kept = new Float64Array(Math.max(to - from, this.kept.length * 2));
    for (let slot = from; slot < to; slot++) this.kept[slot - from] = this.values[slot] as never;
  }

  protected differs(slot: number): boolean {
    return !Object.is(this.kept[slot - this.keptFrom], this.values[slot]);
  }

  protected growColumns(capacity: number): void {
    if (!(this.values instanceof Float64Array)) return;
    const values = new Float64Array(capacity);
    values.set(this.values);
    this.values = values;
  }

  protected moveColumns(from: number, to: number): void {
    this.values[to] = this.values[from] as never;
    this.values[from] = this.definition.initial as never;
  }

  protected permuteColumns(old: Int32Array, count: number): void {
    if (this.values instanceof Float64Array) {
      permute(this.values, 1, old, count);
      return;
    }
    const before = this.values.slice();
    for (let slot = 1; slot < count; slot++) this.values[slot] = before[old[slot]] as Value;
    this.values.length = count;
  }

  protected resetSlots(from: number, to: number): void {
    const { initial } = this.definition;
    if (this.values instanceof Float64Array) this.values.fill(initial as number, from, to);
    else for (let slot = from; slot < to; slot++) this.values[slot] = initial;
  }

  override released(slot: number, node: number): void {
    super.released(slot, node);
    // Lets go of an object.
    this.values[slot] = this.definition.initial as never;
  }

  override releasedRun(from: number, to: number): void {
    super.releasedRun(from, to);
    this.values.fill(this.definition.initial as never, from, to);
  }
}

/**
 * The general space: world values as rows of numbers in slot order, computed by what `defineTransform` was given.
 */
import type { Component, Entity, InputOf, Schema, ValueOf } from "../ecs/index.ts";
import {
  checkOptions,
  createLastingView,
  followComponent,
  INDEX_MASK,
  stateOf,
  type View,
} from "../ecs/internal.ts";
import { Ghost, type Hierarchy } from "../hierarchy/index.ts";
import { Flow, permute } from "../inherit/internal.ts";
import type { Inherits, SpaceDefinition, SpaceOptions } from "./define-transform.ts";
import {
  InvalidSpaceError,
  InvalidTransformError,
  SingularTransformError,
  UnrepresentableTransformError,
} from "./errors.ts";
import {
  EVERYTHING,
  flagsOf,
  type InheritMask,
  InheritTransform,
  type MaskSchema,
  maskBits,
  POSITION,
  ROTATION,
  SCALE,
  setMask,
  setTopLevel,
  TOP_LEVEL,
} from "./inherit-mask.ts";
import { keepPlaces, requireSolid } from "./keep-places.ts";
import { UnrootedWarning } from "./unrooted.ts";

const WHOLE: Inherits = { position: true, rotation: true, scale: true };

const spaceOptions = { inherit: "anything", name: "string", onWarn: "function" } as const;

/** Gives the entities of a hierarchy places in a space that `defineTransform` described. */
export function createSpace<S extends Schema>(
  tree: Hierarchy,
  definition: SpaceDefinition<S>,
  options: SpaceOptions = {},
): Space<S> {
  return new Space(tree, definition, options);
}

/** Local and world transforms of one kind along one tree. */
export class Space<S extends Schema> extends Flow {
  readonly name: string;
  readonly component: Component<S>;
  protected readonly definition: SpaceDefinition<S>;
  private readonly spaceFlags: number;
  private readonly width: number;
  /** World values by slot. Slot 0 holds the one above all roots. */
  private values = new Float64Array(0);
  private kept = new Float64Array(0);
  private keptFrom = 0;
  private readonly own: View & Readonly<ValueOf<S>>;
  private readonly mask: View & Readonly<ValueOf<MaskSchema>>;
  private readonly inherits = { position: true, rotation: true, scale: true };
  private readonly ids: { readonly own: number; readonly ghost: number; readonly mask: number };
  private readonly way: number[] = [];
  private readonly scratch: Float64Array;
  private readonly unrooted: UnrootedWarning;

  constructor(tree: Hierarchy, definition: SpaceDefinition<S>, options: SpaceOptions = {}) {
    super(tree);
    const state = stateOf(tree.world);
    checkOptions(state.checks, "create a space", options, spaceOptions);
    this.name = options.name ?? definition.name;
    this.component = definition.local;
    this.definition = definition;
    this.spaceFlags = maskBits(options.inherit ?? "all", state.checks);
    if (this.spaceFlags !== EVERYTHING && definition.masks !== true) {
      throw new InvalidSpaceError(
        `Cannot create the space ${this.name} with inherit: it was defined without masks: true, so that children take over everything.`,
      );
    }
    this.width = definition.world.length;
    this.scratch = new Float64Array(this.width * 2);
    const store = state.store(this.component);
    const masks = state.store(InheritTransform);
    this.ids = { own: store.id, ghost: state.store(Ghost).id, mask: masks.id };
    this.own = createLastingView(state, store) as View & Readonly<ValueOf<S>>;
    this.mask = createLastingView(state, masks) as View & Readonly<ValueOf<MaskSchema>>;
    this.unrooted = new UnrootedWarning(tree, this.component, options.onWarn);
    this.observe();
    this.start();
    if (definition.invert !== undefined)
      tree.addKeeper(this.name, (child, parent) =>
        keepPlaces(
          tree,
          child,
          (entity) => this.localFor(entity, this.worldOf(entity), parent),
          (entity, local) => this.write(entity, local),
          (local) => this.component(local),
        ),
      );
  }

  private observe(): void {
    const state = stateOf(this.tree.world);
    const mark = (index: number) => this.mark(this.order.slotOf[index]);
    for (const component of [this.component, Ghost, InheritTransform])
      followComponent(state, component, mark);
  }

  override propagate(): number {
    this.unrooted.check();
    return super.propagate();
  }

  /** Changes the value above all roots: the screen for rectangles, the origin for large worlds. */
  setRoot(values: readonly number[]): void {
    this.requireWorld(undefined, values);
    this.values.set(values, 0);
    this.touchAll();
  }

  /** The world value, right at once after any change. Pass `out` to have no array made. */
  worldOf(entity: Entity, out: Float64Array = new Float64Array(this.width)): Float64Array {
    const node = this.nodeOf(entity, "read the world value");
    const length = this.staleWay(node, this.way);
    const { width } = this;
    let from: Float64Array = this.values;
    let at = this.order.slotOf[node] * width;
    if (length > 0) {
      at = this.parentSlotNow(this.way[length - 1]) * width;
      for (let k = length - 1; k >= 0; k--) {
        const to = k & 1 ? width : 0;
        this.compute(this.order.nodeAt[this.way[k]], from, at, this.scratch, to);
        from = this.scratch;
        at = to;
      }
    }
    for (let k = 0; k < width; k++) out[k] = from[at + k];
    return out;
  }

  /** Makes the world value what is given. An entity without local values gets them. */
  setWorld(entity: Entity, wanted: ArrayLike<number>): void {
    this.write(entity, this.localFor(entity, wanted, this.tree.parentOf(entity)));
  }

  /** Writes some local fields; an entity without them gets all. */
  setLocal(entity: Entity, values: InputOf<S>): void {
    this.write(entity, values);
  }

  /** What the entity takes over from its parent. Stays when it gets another parent. */
  setInherit(entity: Entity, mask: InheritMask): void {
    setMask(this.tree.world, entity, maskBits(mask, this.tree.world.checks));
  }

  /** A top-level entity ignores its parent's value and keeps its lifetime. */
  setTopLevel(entity: Entity, topLevel: boolean): void {
    setTopLevel(this.tree.world, entity, topLevel, this.spaceFlags);
  }

  /** World values by slot, as of the last `propagate()`, at `worlds[worldRowOf(entity)]`. */
  get worlds(): Float64Array {
    return this.values;
  }

  /** Where the value of an entity begins in `worlds`. */
  worldRowOf(entity: Entity): number {
    return this.order.slotOf[this.nodeOf(entity, "read the world value")] * this.width;
  }

  // The way back ---------------------------------------------------------------------------------------------------------

  /** The value that the entity would take over from `parent`, before its mask. */
  protected above(entity: Entity, parent: Entity | null): Float64Array {
    requireSolid(this.tree, entity);
    const isTop = parent === null || (this.flagsAt(entity & INDEX_MASK) & TOP_LEVEL) !== 0;
    return isTop ? this.values.slice(0, this.width) : this.worldOf(parent);
  }

  protected localFor(entity: Entity, wanted: ArrayLike<number>, parent: Entity | null): InputOf<S> {
    const { invert } = this.definition;
    if (invert === undefined) {
      throw new InvalidSpaceError(
        `Cannot set the world value in ${this.name}: it was defined without invert().`,
      );
    }
    const node = this.nodeOf(entity, "set the world value");
    this.requireWorld(entity, wanted);
    const above = this.above(entity, parent);
    this.own.index$ = node;
    const local = this.hasLocal(node) ? this.own : this.defaults();
    try {
      const values = invert(above, 0, Float64Array.from(wanted), 0, local, this.inheritsOf(node));
      this.requireFinite(entity, values);
      return values;
    } catch (error) {
      throw this.about(error, entity, parent);
    }
  }

  /** The error of an `invert`, with whom it is about. */
  private about(error: unknown, entity: Entity, parent: Entity | null): unknown {
    const entities = parent === null ? [entity] : [entity, parent];
    const under = parent === null ? "" : ` under ${this.tree.label(parent)}`;
    const why = error instanceof Error ? error.message.replace(/ \[[^\]]*\]$/, "") : "";
    const message = `Cannot place ${this.tree.label(entity)}${under}: ${why}`;
    if (error instanceof SingularTransformError) return new SingularTransformError(message, entities);
    if (error instanceof UnrepresentableTransformError)
      return new UnrepresentableTransformError(message, entities, error.residue);
    return error;
  }

  protected write(entity: Entity, values: InputOf<S>): void {
    const { world } = this.tree;
    this.nodeOf(entity, "set the transform");
    this.requireFinite(entity, values);
    if (world.has(entity, this.component)) world.set(entity, this.component, values);
    else world.add(entity, this.component(values));
  }

  // Checks that stay in every build --------------------------------------------------------------------------------------

  protected requireFinite(entity: Entity | undefined, values: InputOf<S>): void {
    for (const [field, value] of Object.entries(values)) {
      if (typeof value !== "number" || Number.isFinite(value)) continue;
      const of = entity === undefined ? "" : ` of ${this.tree.label(entity)}`;
      throw new InvalidTransformError(
        field,
        `Cannot set ${this.component.name}.${field}${of} to ${value}: a transform holds finite numbers. Check the computation that gave it.`,
        entity === undefined ? [] : [entity],
      );
    }
  }

  private requireWorld(entity: Entity | undefined, values: ArrayLike<number>): void {
    const of = entity === undefined ? "the root" : this.tree.label(entity);
    if (values.length !== this.width) {
      throw new InvalidSpaceError(
        `Cannot set the world value of ${of} in ${this.name}: it takes ${this.width} numbers, got ${values.length}.`,
      );
    }
    for (let k = 0; k < values.length; k++) {
      if (Number.isFinite(values[k])) continue;
      throw new InvalidTransformError(
        `world[${k}]`,
        `Cannot set the world value of ${of} in ${this.name}: number ${k} is ${values[k]}, and a transform holds finite numbers. Check the computation that gave it.`,
        entity === undefined ? [] : [entity],
      );
    }
  }

  // --------------------------------------------------------------------------------------------------------------------

  private hasLocal(node: number): boolean {
    return stateOf(this.tree.world).archetypeAt(node)?.has[this.ids.own] === 1;
  }

  private defaults(): Readonly<ValueOf<S>> {
    const entries = Object.entries(this.component.schema).map(([name, field]) => [
      name,
      typeof field.initial === "function" ? (field.initial as () => unknown)() : field.initial,
    ]);
    return Object.fromEntries(entries) as ValueOf<S>;
  }

  private flagsAt(node: number): number {
    if (stateOf(this.tree.world).archetypeAt(node)?.has[this.ids.mask] !== 1) return this.spaceFlags;
    this.mask.index$ = node;
    return flagsOf(this.mask);
  }

  /** What a node takes over of its parent's value. One object for all: for use at once. */
  protected inheritsOf(node: number): Inherits {
    return this.inheritsBy(this.flagsAt(node));
  }

  private inheritsBy(flags: number): Inherits {
    // Top-level nodes take over the value above all roots.
    const isWhole = flags === EVERYTHING || (flags & TOP_LEVEL) !== 0;
    if (isWhole || this.definition.masks !== true) return WHOLE;
    const { inherits } = this;
    inherits.position = (flags & POSITION) !== 0;
    inherits.rotation = (flags & ROTATION) !== 0;
    inherits.scale = (flags & SCALE) !== 0;
    return inherits;
  }

  private compute(node: number, parent: Float64Array, p: number, out: Float64Array, o: number): void {
    const has = stateOf(this.tree.world).archetypeAt(node)?.has;
    if (has === undefined || has[this.ids.own] !== 1 || has[this.ids.ghost] === 1) {
      for (let k = 0; k < this.width; k++) out[o + k] = parent[p + k];
      return;
    }
    const flags = has[this.ids.mask] === 1 ? this.flagsAt(node) : this.spaceFlags;
    const isTop = (flags & TOP_LEVEL) !== 0;
    this.own.index$ = node;
    const inherits = this.inheritsBy(flags);
    this.definition.compose(isTop ? this.values : parent, isTop ? 0 : p, this.own, out, o, inherits);
  }

  // Flow ---------------------------------------------------------------------------------------------------------------

  protected computeRun(from: number, to: number): void {
    for (let slot = from; slot < to; slot++) this.computeSlot(slot);
  }

  protected computeSlot(slot: number): boolean {
    const node = this.order.nodeAt[slot];
    if (node === 0) return false;
    this.compute(node, this.values, this.order.parentSlot[slot] * this.width, this.values, slot * this.width);
    return true;
  }

  protected remember(from: number, to: number): void {
    const length = (to - from) * this.width;
    if (this.kept.length < length) this.kept = new Float64Array(Math.max(length, this.kept.length * 2));
    this.keptFrom = from;
    for (let k = 0; k < length; k++) this.kept[k] = this.values[from * this.width + k];
  }

  protected differs(slot: number): boolean {
    const before = (slot - this.keptFrom) * this.width;
    for (let k = 0; k < this.width; k++) {
      if (this.kept[before + k] !== this.values[slot * this.width + k]) return true;
    }
    return false;
  }

  protected growColumns(capacity: number): void {
    const values = new Float64Array(capacity * this.width);
    values.set(this.values);
    if (this.values.length === 0) values.set(this.definition.world, 0);
    this.values = values;
  }

  protected moveColumns(from: number, to: number): void {
    this.values.copyWithin(to * this.width, from * this.width, (from + 1) * this.width);
  }

  protected permuteColumns(old: Int32Array, count: number): void {
    permute(this.values, this.width, old, count);
  }

  protected resetSlots(from: number, to: number): void {
    this.values.fill(0, from * this.width, to * this.width);
  }
}

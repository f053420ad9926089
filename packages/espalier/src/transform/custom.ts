/**
 * Spaces of the user's own: other numbers, other geometry, the same propagation.
 */
import {
  type Component,
  createView,
  type Entity,
  INDEX_MASK,
  type InputOf,
  type Schema,
  type ValueOf,
  type View,
} from "../ecs/index.ts";
import { Ghost, type Hierarchy } from "../hierarchy/index.ts";
import { Flow } from "../inherit/index.ts";
import { InvalidSpaceError } from "./errors.ts";
import { EVERYTHING, InheritTransform, POSITION, ROTATION, SCALE, TOP_LEVEL } from "./inherit-mask.ts";

/** World values are numbers in an array: `width` of them per entity, from an offset on. */
export interface SpaceDefinition<S extends Schema> {
  readonly name: string;
  /** The component that holds the local values. */
  readonly local: Component<S>;
  /** How many numbers a world value has. */
  readonly width: number;
  /** The world value above all roots. */
  readonly identity: readonly number[];
  /** Computes a world value from the parent's (`parent[p]` on) and the local ones, into `out[o]` on. */
  readonly compose: (
    parent: Float64Array,
    p: number,
    local: Readonly<ValueOf<S>>,
    out: Float64Array,
    o: number,
  ) => void;
  /**
   * The local values that give the wanted world value under that parent; needed for `setWorld` and `keep: "world"`. May
   * throw where there are none.
   */
  readonly invert?: (
    parent: Float64Array,
    p: number,
    wanted: Float64Array,
    w: number,
    local: Readonly<ValueOf<S>>,
  ) => InputOf<S>;
  /** Leaves of a parent's value what a child with this mask takes over; needed only if masks shall be heeded. */
  readonly mask?: (
    parent: Float64Array,
    p: number,
    inherit: { readonly position: boolean; readonly rotation: boolean; readonly scale: boolean },
    out: Float64Array,
  ) => void;
}

/** Describes a space. `createSpace` makes one for a tree. */
export function defineTransform<const S extends Schema>(definition: SpaceDefinition<S>): SpaceDefinition<S> {
  const { name, width, identity, compose } = definition;
  if (!Number.isInteger(width) || width < 1 || identity.length !== width || typeof compose !== "function") {
    throw new InvalidSpaceError(
      `Cannot define the space ${String(name)}: it needs a width of at least 1, an identity of that many numbers, and compose(). Got width ${String(width)} and ${identity?.length} numbers.`,
    );
  }
  return definition;
}

/** Gives the entities of a hierarchy places in a space that `defineTransform` described. */
export function createSpace<S extends Schema>(tree: Hierarchy, definition: SpaceDefinition<S>): Space<S> {
  return new Space(tree, definition);
}

export class Space<S extends Schema> extends Flow {
  readonly name: string;
  readonly component: Component<S>;
  protected readonly definition: SpaceDefinition<S>;
  private readonly width: number;
  /** World values by slot. */
  private values = new Float64Array(0);
  private kept = new Float64Array(0);
  private keptFrom = 0;
  private readonly own: View & Readonly<ValueOf<S>>;
  private readonly ids: { readonly own: number; readonly ghost: number; readonly mask: number };
  private readonly way: number[] = [];
  private readonly scratch: Float64Array;
  private readonly maskedParent: Float64Array;

  constructor(tree: Hierarchy, definition: SpaceDefinition<S>) {
    super(tree);
    const { world } = tree;
    this.name = definition.name;
    this.component = definition.local;
    this.definition = definition;
    this.width = definition.width;
    this.scratch = new Float64Array(this.width * 2);
    this.maskedParent = new Float64Array(this.width);
    const store = world.store(this.component);
    this.ids = { own: store.id, ghost: world.store(Ghost).id, mask: world.store(InheritTransform).id };
    this.own = createView(store, world, world.generates) as View & Readonly<ValueOf<S>>;
    const mark = (entity: Entity) => this.mark(this.order.slotOf[entity & INDEX_MASK]);
    const leaving = (entity: Entity) => {
      if (!world.isDying(entity)) mark(entity);
    };
    const observer = { name: `space ${this.name}`, order: Number.NEGATIVE_INFINITY };
    for (const component of [this.component, Ghost, InheritTransform]) {
      world.observe(component, { ...observer, add: mark, set: mark, remove: leaving });
    }
    this.start();
    if (definition.invert !== undefined)
      tree.addKeeper(this.keepName, (child, parent) => this.keepWorld(child, parent));
  }

  /** What `attach(…, { keep })` calls this space: `"world"`, or for further spaces of a tree the space's own name. */
  protected get keepName(): string {
    return this.name;
  }

  /** Changes the value above all roots: the screen for rectangles, the origin for large worlds. */
  setRoot(values: readonly number[]): void {
    if (values.length !== this.width || !values.every((value) => Number.isFinite(value))) {
      throw new InvalidSpaceError(
        `Cannot set the root of ${this.name}: it takes ${this.width} finite numbers.`,
      );
    }
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

  /** World values by slot, as of the last `propagate()`. */
  get worlds(): Float64Array {
    return this.values;
  }

  protected localFor(entity: Entity, wanted: ArrayLike<number>, parent: Entity | null): InputOf<S> {
    const { invert } = this.definition;
    if (invert === undefined) {
      throw new InvalidSpaceError(
        `Cannot set the world value in ${this.name}: it was defined without invert().`,
      );
    }
    const values = Float64Array.from(wanted);
    if (values.length !== this.width || !values.every((value) => Number.isFinite(value))) {
      throw new InvalidSpaceError(
        `Cannot set the world value in ${this.name}: it takes ${this.width} finite numbers.`,
      );
    }
    const above = parent === null ? this.values.slice(0, this.width) : this.worldOf(parent);
    const from = this.masked(entity & INDEX_MASK, above, 0) ? this.maskedParent : above;
    this.own.index$ = entity & INDEX_MASK;
    const local = this.hasLocal(entity & INDEX_MASK) ? this.own : this.defaults();
    return invert(from, 0, values, 0, local);
  }

  protected write(entity: Entity, values: InputOf<S>): void {
    const { world } = this.tree;
    if (world.has(entity, this.component)) world.set(entity, this.component, values);
    else world.add(entity, this.component(values));
  }

  private keepWorld(child: Entity, parent: Entity | null): () => void {
    const local = this.localFor(child, this.worldOf(child), parent);
    return () => this.write(child, local);
  }

  private hasLocal(node: number): boolean {
    return this.tree.world.archetypeAt(node)?.has[this.ids.own] === 1;
  }

  private defaults(): Readonly<ValueOf<S>> {
    const entries = Object.entries(this.component.schema).map(([name, field]) => [
      name,
      typeof field.initial === "function" ? (field.initial as () => unknown)() : field.initial,
    ]);
    return Object.fromEntries(entries) as ValueOf<S>;
  }

  /** Puts what `node` takes over into `maskedParent`; `false` when that is all of it. */
  private masked(node: number, parent: Float64Array, p: number): boolean {
    const { mask } = this.definition;
    const { world } = this.tree;
    if (world.archetypeAt(node)?.has[this.ids.mask] !== 1) return false;
    const own = world.get(world.handleAt(node), InheritTransform);
    if (own === undefined) return false;
    if (own.topLevel) {
      for (let k = 0; k < this.width; k++) this.maskedParent[k] = this.values[k];
      return true;
    }
    const bits = (own.position ? POSITION : 0) | (own.rotation ? ROTATION : 0) | (own.scale ? SCALE : 0);
    if (mask === undefined || (bits & EVERYTHING) === EVERYTHING || (bits & TOP_LEVEL) !== 0) return false;
    mask(parent, p, own, this.maskedParent);
    return true;
  }

  private compute(node: number, parent: Float64Array, p: number, out: Float64Array, o: number): void {
    const has = this.tree.world.archetypeAt(node)?.has;
    if (has === undefined || has[this.ids.own] !== 1 || has[this.ids.ghost] === 1) {
      for (let k = 0; k < this.width; k++) out[o + k] = parent[p + k];
      return;
    }
    const special = has[this.ids.mask] === 1 && this.masked(node, parent, p);
    this.own.index$ = node;
    this.definition.compose(special ? this.maskedParent : parent, special ? 0 : p, this.own, out, o);
  }

  // Flow ---------------------------------------------------------------------------------------------------------------

  protected computeRun(from: number, to: number): void {
    for (let slot = from; slot < to; slot++) this.computeSlot(slot);
  }

  protected computeSlot(slot: number): void {
    const node = this.order.nodeAt[slot];
    if (node === 0) return;
    this.compute(node, this.values, this.order.parentSlot[slot] * this.width, this.values, slot * this.width);
  }

  protected remember(from: number, to: number): void {
    this.keptFrom = from;
    this.kept = this.values.slice(from * this.width, to * this.width);
  }

  protected differs(slot: number): boolean {
    const before = (slot - this.keptFrom) * this.width;
    for (let k = 0; k < this.width; k++) {
      if (!Object.is(this.kept[before + k], this.values[slot * this.width + k])) return true;
    }
    return false;
  }

  protected growColumns(capacity: number): void {
    const values = new Float64Array(capacity * this.width);
    values.set(this.values);
    if (this.values.length === 0) values.set(this.definition.identity, 0);
    this.values = values;
  }

  protected moveColumns(from: number, to: number): void {
    this.values.copyWithin(to * this.width, from * this.width, (from + 1) * this.width);
  }

  protected permuteColumns(old: Int32Array, count: number): void {
    const before = this.values.slice();
    for (let slot = 1; slot < count; slot++) {
      for (let k = 0; k < this.width; k++)
        this.values[slot * this.width + k] = before[old[slot] * this.width + k];
    }
  }

  protected resetSlot(slot: number): void {
    this.values.fill(0, slot * this.width, (slot + 1) * this.width);
  }
}

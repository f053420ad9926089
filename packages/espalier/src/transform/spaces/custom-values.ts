/**
 * World values of a space that `defineTransform` described: rows of 64-bit numbers by slot, computed by the user's `compose`.
 */
import type { Schema, ValueOf } from "../../ecs/index.ts";
import { createLastingView, followComponent, type View } from "../../ecs/internal.ts";
import { Ghost, type Hierarchy } from "../../hierarchy/index.ts";
import type { SlotMoves } from "../../hierarchy/internal.ts";
import {
  Flow,
  type FlowValues,
  NEW,
  parentSlotNow,
  permute,
  staleWay,
  WRITTEN,
} from "../../inherit/internal.ts";
import type { Inherits, SpaceDefinition } from "./define-transform.ts";
import {
  EVERYTHING,
  flagsOf,
  InheritTransform,
  type MaskSchema,
  POSITION,
  ROTATION,
  SCALE,
  TOP_LEVEL,
} from "./inherit-mask.ts";

const WHOLE: Inherits = { position: true, rotation: true, scale: true };

export class CustomValues<S extends Schema> implements FlowValues {
  readonly flow: Flow;
  readonly freshMarks = NEW | WRITTEN;
  readonly width: number;
  readonly spaceFlags: number;
  /** World values by slot. Slot 0 holds the one above all roots. */
  rows = new Float64Array(0);
  private kept = new Float64Array(0);
  private keptFrom = 0;
  private readonly definition: SpaceDefinition<S>;
  private readonly own: View & Readonly<ValueOf<S>>;
  private readonly mask: View & Readonly<ValueOf<MaskSchema>>;
  private readonly inherits = { position: true, rotation: true, scale: true };
  private readonly ids: { readonly own: number; readonly ghost: number; readonly mask: number };
  private readonly way: number[] = [];
  private readonly scratch: Float64Array;

  constructor(tree: Hierarchy, definition: SpaceDefinition<S>, spaceFlags: number) {
    this.flow = new Flow(tree, this);
    const state = this.flow.ecs;
    this.definition = definition;
    this.spaceFlags = spaceFlags;
    this.width = definition.world.length;
    this.scratch = new Float64Array(this.width * 2);
    const store = state.store(definition.local);
    const masks = state.store(InheritTransform);
    this.ids = { own: store.id, ghost: state.store(Ghost).id, mask: masks.id };
    this.own = createLastingView(state, store) as View & Readonly<ValueOf<S>>;
    this.mask = createLastingView(state, masks) as View & Readonly<ValueOf<MaskSchema>>;
    const mark = (index: number) => this.flow.mark(this.flow.order.slotOf[index]);
    for (const component of [definition.local, Ghost, InheritTransform])
      followComponent(state, component, mark);
    this.flow.start();
  }

  /** The world value of a node, right at once after any change, into `out`. */
  read(node: number, out: Float64Array): void {
    const { width, way, flow, scratch } = this;
    const length = staleWay(flow, node, way);
    let from: Float64Array = this.rows;
    let at = flow.order.slotOf[node] * width;
    if (length > 0) {
      at = parentSlotNow(flow, way[length - 1]) * width;
      for (let k = length - 1; k >= 0; k--) {
        const to = k & 1 ? width : 0;
        this.compute(flow.order.nodeAt[way[k]], from, at, scratch, to);
        from = scratch;
        at = to;
      }
    }
    for (let k = 0; k < width; k++) out[k] = from[at + k];
  }

  /** A view of the local values of a node, or the values of a new component where it has none. For use at once. */
  localOf(node: number): Readonly<ValueOf<S>> {
    if (this.flow.ecs.archetypeAt(node)?.has[this.ids.own] !== 1) return this.defaults();
    this.own.index$ = node;
    return this.own;
  }

  private defaults(): Readonly<ValueOf<S>> {
    const entries = Object.entries(this.definition.local.schema).map(([name, field]) => [
      name,
      typeof field.initial === "function" ? (field.initial as () => unknown)() : field.initial,
    ]);
    return Object.fromEntries(entries) as ValueOf<S>;
  }

  /** What the link of a node takes over, see `inherit-mask.ts`. */
  flagsAt(node: number): number {
    if (this.flow.ecs.archetypeAt(node)?.has[this.ids.mask] !== 1) return this.spaceFlags;
    this.mask.index$ = node;
    return flagsOf(this.mask);
  }

  /** The same as the user's functions get it. One object for all: for use at once. */
  inheritsBy(flags: number): Inherits {
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
    const has = this.flow.ecs.archetypeAt(node)?.has;
    if (has === undefined || has[this.ids.own] !== 1 || has[this.ids.ghost] === 1) {
      for (let k = 0; k < this.width; k++) out[o + k] = parent[p + k];
      return;
    }
    const flags = has[this.ids.mask] === 1 ? this.flagsAt(node) : this.spaceFlags;
    const isTop = (flags & TOP_LEVEL) !== 0;
    this.own.index$ = node;
    const inherits = this.inheritsBy(flags);
    this.definition.compose(isTop ? this.rows : parent, isTop ? 0 : p, this.own, out, o, inherits);
  }

  // FlowValues -----------------------------------------------------------------------------------------------------------

  computeRun(from: number, to: number): void {
    for (let slot = from; slot < to; slot++) this.computeSlot(slot);
  }

  computeSlot(slot: number): boolean {
    const { nodeAt, parentSlot } = this.flow.order;
    if (nodeAt[slot] === 0) return false;
    const { rows, width } = this;
    this.compute(nodeAt[slot], rows, parentSlot[slot] * width, rows, slot * width);
    return true;
  }

  remember(from: number, to: number): void {
    const { width } = this;
    const length = (to - from) * width;
    if (this.kept.length < length) this.kept = new Float64Array(Math.max(length, this.kept.length * 2));
    this.keptFrom = from;
    for (let k = 0; k < length; k++) this.kept[k] = this.rows[from * width + k];
  }

  differs(slot: number): boolean {
    const { width } = this;
    const before = (slot - this.keptFrom) * width;
    for (let k = 0; k < width; k++) if (this.kept[before + k] !== this.rows[slot * width + k]) return true;
    return false;
  }

  grow(capacity: number): void {
    const rows = new Float64Array(capacity * this.width);
    rows.set(this.rows);
    if (this.rows.length === 0) rows.set(this.definition.world, 0);
    this.rows = rows;
  }

  move(from: number, to: number): void {
    this.rows.copyWithin(to * this.width, from * this.width, (from + 1) * this.width);
  }

  permute(moves: SlotMoves): void {
    permute(this.rows, this.width, moves);
  }

  reset(from: number, to: number): void {
    this.rows.fill(0, from * this.width, to * this.width);
  }
}

/**
 * World values of a space that `defineTransform` described: rows of 64-bit numbers by slot, computed by the user's `compose`.
 */
import type { Schema, ValueOf } from "../../ecs/index.ts";
import { createLastingView, followComponent, grown, type View } from "../../ecs/internal.ts";
import { Ghost, type Hierarchy } from "../../hierarchy/index.ts";
import type { SlotMoves } from "../../hierarchy/internal.ts";
import { Flow, type FlowValues, NEW, OwnValues, permute, WRITTEN } from "../../inherit/internal.ts";
import type { Inherits, SpaceDefinition } from "./define-transform.ts";
import { EVERYTHING, flagsOf, InheritTransform, type MaskSchema, maskOf, TOP_LEVEL } from "./inherit-mask.ts";

const WHOLE: Inherits = { position: true, rotation: true, scale: true };

export class CustomValues<S extends Schema> implements FlowValues<Float64Array> {
  readonly flow: Flow<Float64Array>;
  readonly freshMarks = NEW | WRITTEN;
  readonly width: number;
  readonly size: number;
  readonly spaceFlags: number;
  rows = new Float64Array(0);
  readonly scratch: Float64Array;
  private readonly definition: SpaceDefinition<S>;
  private readonly own: OwnValues<S>;
  private readonly mask: View & Readonly<ValueOf<MaskSchema>>;
  private readonly maskId: number;

  constructor(tree: Hierarchy, definition: SpaceDefinition<S>, spaceFlags: number) {
    this.flow = new Flow(tree, this);
    const state = this.flow.ecs;
    this.definition = definition;
    this.spaceFlags = spaceFlags;
    this.width = definition.world.length;
    this.size = this.width;
    this.scratch = new Float64Array(this.width * 2);
    this.own = new OwnValues(state, definition.local);
    const masks = state.store(InheritTransform);
    this.maskId = masks.id;
    this.mask = createLastingView(state, masks) as View & Readonly<ValueOf<MaskSchema>>;
    const mark = (index: number) => this.flow.mark(this.flow.order.slotOf[index]);
    for (const component of [definition.local, Ghost, InheritTransform])
      followComponent(state, component, mark);
    this.flow.start();
  }

  /** A view of the local values of a node, or the values of a new component where it has none. For use at once. */
  localOf(node: number): Readonly<ValueOf<S>> {
    return this.own.at(node) ?? this.defaults();
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
    if (this.flow.ecs.archetypeAt(node)?.has[this.maskId] !== 1) return this.spaceFlags;
    this.mask.index$ = node;
    return flagsOf(this.mask);
  }

  /** The same as the user's functions get it. */
  inheritsBy(flags: number): Inherits {
    // Top-level nodes take over the value above all roots.
    const isWhole = flags === EVERYTHING || (flags & TOP_LEVEL) !== 0;
    if (isWhole || this.definition.masks !== true) return WHOLE;
    return maskOf(flags);
  }

  // FlowValues -----------------------------------------------------------------------------------------------------------

  compose(slot: number, parent: Float64Array, p: number, out: Float64Array, o: number): void {
    const node = this.flow.order.nodeAt[slot];
    const own = this.own.at(node);
    if (own === undefined) {
      for (let k = 0; k < this.width; k++) out[o + k] = parent[p + k];
      return;
    }
    const flags = this.flagsAt(node);
    const isTop = (flags & TOP_LEVEL) !== 0;
    this.definition.compose(isTop ? this.rows : parent, isTop ? 0 : p, own, out, o, this.inheritsBy(flags));
  }

  computeRun(from: number, to: number): void {
    const { nodeAt, parentSlot } = this.flow.order;
    const { rows, width } = this;
    for (let slot = from; slot < to; slot++) {
      if (nodeAt[slot] !== 0) this.compose(slot, rows, parentSlot[slot] * width, rows, slot * width);
    }
  }

  grow(capacity: number): void {
    const isNew = this.rows.length === 0;
    this.rows = grown(this.rows, capacity * this.width);
    if (isNew) this.rows.set(this.definition.world, 0);
  }

  move(from: number, to: number, results: boolean): void {
    if (results) this.rows.copyWithin(to * this.width, from * this.width, (from + 1) * this.width);
  }

  permute(moves: SlotMoves, results: boolean): void {
    if (results) permute(this.rows, this.width, moves);
  }

  reset(from: number, to: number): void {
    this.rows.fill(0, from * this.width, to * this.width);
  }
}

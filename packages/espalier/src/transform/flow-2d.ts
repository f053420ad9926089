/**
 * The propagation of 2D transforms: records by slot, computed by the kernels, with the special cases in between.
 */
import {
  type Component,
  component,
  type Entity,
  type ExternalStorage,
  type Field,
  f32,
  finite,
  INDEX_MASK,
} from "../ecs/index.ts";
import { Ghost, type Hierarchy } from "../hierarchy/index.ts";
import { Flow } from "../inherit/index.ts";
import { composeRecord } from "./compose-record.ts";
import { InvalidSpaceError } from "./errors.ts";
import {
  EVERYTHING,
  GHOST,
  type InheritMask,
  InheritTransform,
  maskBits,
  POSITION,
  ROTATION,
  SCALE,
  TOP_LEVEL,
} from "./inherit-mask.ts";
import { type KernelChoice, Records2D } from "./records-2d.ts";
import { writeCosSin } from "./sincos.ts";

export type Schema2D = {
  x: Field<number, "f32">;
  y: Field<number, "f32">;
  rotation: Field<number, "f32">;
  scaleX: Field<number, "f32">;
  scaleY: Field<number, "f32">;
  skew: Field<number, "f32">;
};

/**
 * The local transform in the plane: where an entity is as seen from its parent. `rotation` in radians, positive from +x
 * towards +y; `skew` is the tangent of the angle by which +y leans towards +x. 32-bit floats, kept in tree order.
 */
export const Transform2D: Component<Schema2D> = /* @__PURE__ */ component("Transform2D", {
  x: /* @__PURE__ */ finite(/* @__PURE__ */ f32(0)),
  y: /* @__PURE__ */ finite(/* @__PURE__ */ f32(0)),
  rotation: /* @__PURE__ */ finite(/* @__PURE__ */ f32(0)),
  scaleX: /* @__PURE__ */ finite(/* @__PURE__ */ f32(1)),
  scaleY: /* @__PURE__ */ finite(/* @__PURE__ */ f32(1)),
  skew: /* @__PURE__ */ finite(/* @__PURE__ */ f32(0)),
});

export interface Transforms2DOptions {
  /** What children take over from their parents, where they have no `InheritTransform` of their own. Everything if left out. */
  readonly inherit?: InheritMask;
  /** `affine` (the default) multiplies matrices. `separable` adds rotations and multiplies scales: nothing ever leans. */
  readonly compose?: "affine" | "separable";
  /** Which code computes long runs. `auto`: WebAssembly where there is one. Both give the same bits. */
  readonly kernel?: KernelChoice;
  /** The component that holds the local values. `Transform2D` if left out; a second space needs another. */
  readonly component?: Component<Schema2D>;
  /** Gets warnings; the console if left out. */
  readonly onWarn?: (message: string) => void;
}

const fields = ["x", "y", "rotation", "scaleX", "scaleY", "skew"] as const;

export class Flow2D extends Flow {
  readonly component: Component<Schema2D>;
  protected readonly records: Records2D;
  protected readonly separable: boolean;
  private readonly defaultFlags: number;
  /** What each slot takes over from its parent. */
  protected flags = new Uint8Array(0);
  private specials: number[] = [];
  private specialsValid = false;
  private specialCount = 0;
  private kept = new Float32Array(0);
  private keptFrom = 0;
  private readonly columns: { [field: string]: Float32Array } = {};

  constructor(tree: Hierarchy, options: Transforms2DOptions) {
    super(tree);
    if (options.compose !== undefined && options.compose !== "affine" && options.compose !== "separable") {
      throw new InvalidSpaceError(
        `Cannot compose transforms by ${JSON.stringify(options.compose)}. Use "affine" or "separable".`,
      );
    }
    this.component = options.component ?? Transform2D;
    this.separable = options.compose === "separable";
    this.defaultFlags = maskBits(options.inherit ?? "all");
    this.records = new Records2D(options.kernel ?? "auto");
    tree.world.useStorage(this.component, this.storage());
    this.start();
    this.followMasks();
  }

  /** Whether long runs are computed by WebAssembly. */
  get usesWasm(): boolean {
    return this.records.usesWasm;
  }

  private storage(): ExternalStorage {
    const rowOf = (index: number) => this.order.slotOf[index] << 3;
    return {
      columns: this.columns,
      rowOf,
      occupy: rowOf,
      vacate: (index) => {
        const slot = this.order.slotOf[index];
        this.resetLocal(slot);
        this.mark(slot);
      },
      written: (index) => this.localWritten(this.order.slotOf[index]),
    };
  }

  /** Local values of a slot were written by other means than the setters. */
  protected localWritten(slot: number): void {
    const { local } = this.records;
    writeCosSin(local[(slot << 3) + 2], local, (slot << 3) + 6);
    this.mark(slot);
  }

  private followMasks(): void {
    const { world } = this.tree;
    const update = (entity: Entity) => this.updateFlags(entity & INDEX_MASK, undefined, undefined);
    const observer = { name: "transform masks", order: Number.NEGATIVE_INFINITY };
    world.observe(InheritTransform, {
      ...observer,
      add: update,
      set: update,
      remove: (entity) => this.updateFlags(entity & INDEX_MASK, false, undefined),
    });
    world.observe(Ghost, {
      ...observer,
      add: update,
      remove: (entity) => this.updateFlags(entity & INDEX_MASK, undefined, false),
    });
    for (const entity of world.query(InheritTransform)) update(entity);
    for (const entity of world.query(Ghost)) update(entity);
  }

  /** @param masked, ghost `false` while that component is about to go. */
  private updateFlags(node: number, masked: boolean | undefined, ghost: boolean | undefined): void {
    const { world } = this.tree;
    const entity = world.handleAt(node);
    let flags = this.defaultFlags;
    if (masked !== false && world.has(entity, InheritTransform)) {
      const own = world.get(entity, InheritTransform);
      if (own !== undefined) {
        flags =
          (own.position ? POSITION : 0) |
          (own.rotation ? ROTATION : 0) |
          (own.scale ? SCALE : 0) |
          (own.topLevel ? TOP_LEVEL : 0);
      }
    }
    if (ghost !== false && world.has(entity, Ghost)) flags |= GHOST;
    // Top-level nodes take over nothing, whatever else is set.
    if (flags & TOP_LEVEL) flags &= ~EVERYTHING;
    const slot = this.order.slotOf[node];
    if (this.flags[slot] === flags) return;
    this.setFlags(slot, flags);
    this.mark(slot);
  }

  private setFlags(slot: number, flags: number): void {
    this.specialCount +=
      (flags === EVERYTHING ? 0 : 1) - (this.flags[slot] === EVERYTHING || this.flags[slot] === 32 ? 0 : 1);
    this.flags[slot] = flags;
    this.specialsValid = false;
  }

  // Flow ---------------------------------------------------------------------------------------------------------------

  protected computeRun(from: number, to: number): void {
    const { order } = this;
    if (this.separable || this.specialCount * 8 > to - from) {
      for (let slot = from; slot < to; slot++) if (order.nodeAt[slot] !== 0) this.computeSlot(slot);
      return;
    }
    if (this.specialCount === 0) {
      this.records.run(order.parentSlot, order.version, order.tail, from, to);
      return;
    }
    // The kernel from one special slot to the next.
    let at = from;
    for (const special of this.specialSlots()) {
      if (special < from) continue;
      if (special >= to) break;
      if (special > at) this.records.run(order.parentSlot, order.version, order.tail, at, special);
      this.computeSlot(special);
      at = special + 1;
    }
    if (at < to) this.records.run(order.parentSlot, order.version, order.tail, at, to);
  }

  protected computeSlot(slot: number): void {
    const { local, world } = this.records;
    const parent = this.order.parentSlot[slot] << 3;
    composeRecord(local, slot << 3, world, parent, world, slot << 3, this.flags[slot], this.separable);
  }

  private specialSlots(): readonly number[] {
    if (this.specialsValid) return this.specials;
    this.specials = [];
    const { nodeAt, tail } = this.order;
    for (let slot = 1; slot < tail; slot++) {
      if (this.flags[slot] !== EVERYTHING && nodeAt[slot] !== 0) this.specials.push(slot);
    }
    this.specialsValid = true;
    return this.specials;
  }

  protected remember(from: number, to: number): void {
    const length = (to - from) << 3;
    if (this.kept.length < length) this.kept = new Float32Array(Math.max(length, this.kept.length * 2));
    this.kept.set(this.records.world.subarray(from << 3, to << 3));
    this.keptFrom = from;
  }

  protected differs(slot: number): boolean {
    const { world } = this.records;
    const before = (slot - this.keptFrom) << 3;
    const now = slot << 3;
    for (let k = 0; k < 6; k++) if (this.kept[before + k] !== world[now + k]) return true;
    return false;
  }

  protected growColumns(capacity: number): void {
    this.records.grow(capacity);
    const flags = new Uint8Array(capacity).fill(32);
    flags.set(this.flags);
    this.flags = flags;
    // Columns of the component: views into the records, one float apart, so that `row = slot * 8` finds each field.
    fields.forEach((name, k) => {
      this.columns[name] = this.records.local.subarray(k);
    });
  }

  protected moveColumns(from: number, to: number): void {
    this.records.move(from, to);
    this.flags[to] = this.flags[from];
    this.flags[from] = 32;
    this.specialsValid = false;
  }

  protected permuteColumns(old: Int32Array, count: number): void {
    this.records.permute(old, count);
    const before = this.flags;
    this.flags = new Uint8Array(before.length).fill(32);
    for (let slot = 1; slot < count; slot++) this.flags[slot] = before[old[slot]];
    this.specialsValid = false;
  }

  protected resetSlot(slot: number): void {
    this.resetLocal(slot);
    this.records.world.fill(0, slot << 3, (slot << 3) + 8);
    this.setFlags(slot, this.defaultFlags);
  }

  override released(slot: number, node: number): void {
    super.released(slot, node);
    // 32 is no flag: it marks slots that belong to nobody.
    if (this.flags[slot] !== EVERYTHING && this.flags[slot] !== 32) this.specialCount--;
    this.flags[slot] = 32;
    this.specialsValid = false;
  }

  private resetLocal(slot: number): void {
    const { local } = this.records;
    const l = slot << 3;
    local.fill(0, l, l + 8);
    local[l + 3] = 1;
    local[l + 4] = 1;
    local[l + 6] = 1;
  }
}

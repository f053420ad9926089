/**
 * What spaces of the plane and of three dimensions have in common for users.
 */
import type { Component, Entity, InputOf, Schema } from "../../ecs/index.ts";
import { announce, type ChangeReader, checkOptions } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { type ComputedRuns, propagate, WRITTEN } from "../../inherit/internal.ts";
import { TURNED } from "../maths/geometry.ts";
import { showWorlds } from "../world-terms/show-worlds.ts";
import { TransformBatch } from "./batch.ts";
import { type InheritMask, maskBits, setMask, setTopLevel } from "./inherit-mask.ts";
import type { SpaceState } from "./space-state.ts";
import { setLocal } from "./write-local.ts";

const touchOptions = { only: ["position"] } as const;

/** Local transforms, and the world transforms that follow from them. */
export abstract class TransformSpace<S extends Schema> {
  /** The hierarchy whose entities have transforms. */
  readonly tree: Hierarchy;
  /** What `attach(…, { keep })` calls this space. */
  readonly name: string;
  /** The component that holds the local values. */
  readonly component: Component<S>;
  /** @internal */
  protected readonly state: SpaceState;

  /** @internal */
  protected constructor(state: SpaceState, component: Component<S>) {
    this.state = state;
    this.tree = state.tree;
    this.name = state.name;
    this.component = component;
    showWorlds(this);
  }

  /** @internal */
  abstract worldOf(entity: Entity): object;

  /** Whether nothing was written since the last pass. */
  get isClean(): boolean {
    return this.state.flow.isClean;
  }

  /** Whether long runs are computed by WebAssembly: by itself only in worlds of some thousand, once its code is loaded. */
  get usesWasm(): boolean {
    return this.state.kernel.usesWasm;
  }

  /** @internal See `loadKernel`. */
  async loadKernel(): Promise<boolean> {
    await this.state.kernel.load();
    this.state.beforeSync();
    return this.usesWasm;
  }

  /**
   * Brings every world value up to date, parents first, and touches only what is below a change. Costs nothing when nothing
   * changed. Returns the number of values it computed.
   */
  propagate(): number {
    return propagate(this.state.flow);
  }

  /** @internal Lists to which passes add the slots that they compute. */
  get watchers(): ComputedRuns[] {
    return this.state.flow.watchers;
  }

  /**
   * A reader of what passes do from now on: `changed` are exactly the entities whose world value differs;
   * `added` those that got their first; `removed` those that were destroyed. Without a reader nothing is compared.
   */
  changes(): ChangeReader {
    return this.state.flow.changes();
  }

  // Local ----------------------------------------------------------------------------------------------------------------

  /** Writes some local fields; an entity without a transform gets one. `setLocal(e, localOf(e))` changes nothing. */
  setLocal(entity: Entity, values: InputOf<S>): void {
    setLocal(this.state, entity, values);
  }

  /**
   * A list of entities with transforms, to write all of them in one call. Make it once and use it every frame.
   *
   * @example
   * ```ts
   * const space = createTransforms2D(tree);
   * const crates = [world.spawn(space.at(0, 0)), world.spawn(space.at(5, 0))];
   * const batch = space.batch(crates);
   * batch.write(Float32Array.of(1, 2, 6, 2));
   * space.localOf(crates[1]!).x; // → 6
   * ```
   */
  batch(entities: readonly Entity[]): TransformBatch {
    return new TransformBatch(this.state, entities);
  }

  /** What the entity inherits of its parent's transform. Stays when it gets another parent. */
  setInherit(entity: Entity, mask: InheritMask): void {
    setMask(this.tree.world, entity, maskBits(mask, this.tree.world.checks));
  }

  /** A top-level entity ignores its parent's transform and keeps its lifetime. */
  setTopLevel(entity: Entity, topLevel: boolean): void {
    setTopLevel(this.tree.world, entity, topLevel, this.state.flags.spaceFlags);
  }

  // Raw ------------------------------------------------------------------------------------------------------------------

  /**
   * The local records, for loops over everything: `locals[rowOf(entity)]` and the numbers behind it are the fields of the
   * component in their order. What follows in a record is the space's own. After writing call `touchAll()`, or
   * `touch(entity)` for each. Nothing is checked, and `touchAll` notifies no listener of the component. The array is
   * replaced when the world grows or gives room back, and rows change with the tree: fetch both each time.
   */
  get locals(): Float32Array | Float64Array {
    const { flow, order } = this.state;
    flow.claim(order.tail);
    return this.state.local;
  }

  /** Numbers per row of `locals`: a slot's row is its number times this. */
  get localWidth(): number {
    return this.state.localWidth;
  }

  /** Where the record of an entity begins in `locals`. */
  rowOf(entity: Entity): number {
    return this.state.flow.slotOf(entity, "read the transform") * this.state.localWidth;
  }

  /** The world records as of the last `propagate()`, at `worlds[worldRowOf(entity)]`. */
  get worlds(): Float32Array | Float64Array {
    return this.state.rows;
  }

  /** Numbers per row of `worlds`. */
  get worldWidth(): number {
    return this.state.width;
  }

  /** Where the record of an entity begins in `worlds`. */
  worldRowOf(entity: Entity): number {
    return this.state.flow.slotOf(entity, "read the world transform") * this.state.width;
  }

  /** Says that the entity's record was written through `locals`. */
  touch(entity: Entity): void {
    const { flow, store } = this.state;
    const node = flow.nodeOf(entity, "touch a transform");
    flow.mark(flow.order.slotOf[node], WRITTEN | TURNED);
    if (store.watched && this.state.hasTransform(node)) announce(flow.ecs, entity, this.component);
  }

  /**
   * Says that records were written through `locals`: the next pass computes all. With `{ only: "position" }` no rotation,
   * scale or skew was, which saves computing them again.
   */
  touchAll(options: { readonly only?: "position" } = {}): void {
    checkOptions(this.tree.world.checks, "touch all transforms", options, touchOptions);
    this.state.flow.isStale = true;
    if (options.only !== "position") this.state.deriveRange(1, this.state.order.tail);
  }
}

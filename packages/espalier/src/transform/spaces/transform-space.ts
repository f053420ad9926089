/**
 * What spaces of the plane and of three dimensions have in common for users.
 */
import type { Component, EntityLike, InputOf, Schema } from "../../ecs/index.ts";
import type { ChangeReader } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { type ComputedRuns, propagate } from "../../inherit/internal.ts";
import { showWorlds } from "../world-terms/show-worlds.ts";
import { SPACE } from "./space-key.ts";
import type { SpaceState } from "./space-state.ts";
import { setLocal } from "./write-local.ts";

/** Local transforms, and the world transforms that follow from them. */
export abstract class TransformSpace<S extends Schema> {
  /** The hierarchy whose entities have transforms. */
  readonly tree: Hierarchy;
  /** What `attach(…, { keep })` calls this space. */
  readonly name: string;
  /** The component that holds the local values. */
  readonly component: Component<S>;
  /** @internal */
  readonly [SPACE]: SpaceState;

  /** @internal */
  protected constructor(state: SpaceState, component: Component<S>) {
    this[SPACE] = state;
    this.tree = state.tree;
    this.name = state.name;
    this.component = component;
    showWorlds(this);
  }

  /** @internal */
  abstract worldOf(entity: EntityLike): object;

  /** Whether nothing was written since the last pass. */
  get isClean(): boolean {
    return this[SPACE].flow.isClean;
  }

  /** Whether long runs are computed by WebAssembly: by itself only in worlds of some thousand, once its code is loaded. */
  get usesWasm(): boolean {
    return this[SPACE].kernel.usesWasm;
  }

  /** @internal See `loadKernel`. */
  async loadKernel(): Promise<boolean> {
    await this[SPACE].kernel.load();
    this[SPACE].beforeSync();
    return this.usesWasm;
  }

  /**
   * Brings every world value up to date, parents first, and touches only what is below a change. Costs nothing when nothing
   * changed. Returns the number of values it computed.
   */
  propagate(): number {
    return propagate(this[SPACE].flow);
  }

  /** @internal Lists to which passes add the slots that they compute. */
  get watchers(): ComputedRuns[] {
    return this[SPACE].flow.watchers;
  }

  /**
   * A reader of what passes do from now on: `changed` are exactly the entities whose world value differs;
   * `added` those that got their first; `removed` those that were destroyed. Without a reader nothing is compared.
   */
  changes(): ChangeReader {
    return this[SPACE].flow.changes();
  }

  // Local ----------------------------------------------------------------------------------------------------------------

  /** Writes some local fields; an entity without a transform gets one. `setLocal(e, localOf(e))` changes nothing. */
  setLocal(entity: EntityLike, values: InputOf<S>): void {
    setLocal(this[SPACE], entity, values);
  }
}

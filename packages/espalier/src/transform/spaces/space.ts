/**
 * Spaces that `defineTransform` described: what users call.
 */
import type { Component, EntityLike, InputOf, Schema } from "../../ecs/index.ts";
import {
  type ChangeReader,
  checkOptions,
  DEVELOPMENT,
  provideCheck,
  requireObject,
  requireText,
} from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { findRow, propagate, requireTree, staleValues } from "../../inherit/internal.ts";
import { requireRow } from "../checks/arguments.ts";
import { requireAllFinite, requireWorld } from "../checks/check-numbers.ts";
import { addSpaceKeeper } from "../checks/check-space.ts";
import { keepError } from "../checks/keep-error.ts";
import { InvalidSpaceError } from "../errors.ts";
import { showWorlds } from "../world-terms/show-worlds.ts";
import { CustomValues } from "./custom-values.ts";
import { defineTransform, type SpaceDefinition, type SpaceOptions } from "./define-transform.ts";
import { EVERYTHING, maskBits, TOP_LEVEL } from "./inherit-mask.ts";
import { keepWorld, requireSolid } from "./keep-world.ts";
import { SPACE } from "./space-key.ts";

const spaceOptions = { inherit: "anything", name: "string" } as const;

/** Gives the entities of a hierarchy values in a space that `defineTransform` described. */
export function createSpace<S extends Schema>(
  tree: Hierarchy,
  definition: SpaceDefinition<S>,
  options: SpaceOptions = {},
): Space<S> {
  requireTree(tree);
  defineTransform(definition);
  return new Space(tree, definition, options);
}

/** Local and world values of a space that `defineTransform` described. */
export class Space<S extends Schema> {
  /** The hierarchy whose entities have values in the space. */
  readonly tree: Hierarchy;
  /** What `attach(…, { keep })` calls this space. */
  readonly name: string;
  /** The component that holds the local values. */
  readonly component: Component<S>;
  private readonly definition: SpaceDefinition<S>;
  /** @internal */
  readonly [SPACE]: CustomValues<S>;

  /** @internal Use `createSpace`. */
  constructor(tree: Hierarchy, definition: SpaceDefinition<S>, options: SpaceOptions) {
    const { checks } = tree.world;
    checkOptions(checks, "create a space", options, spaceOptions);
    this.tree = tree;
    this.name = options.name ?? definition.name;
    requireText(this.name, "create a space", "its name");
    this.component = definition.local;
    this.definition = definition;
    const flags = maskBits(options.inherit ?? "all", checks);
    if (flags !== EVERYTHING && definition.masks !== true) {
      throw new InvalidSpaceError(
        `Cannot create the space ${this.name} with inherit: it was defined without masks: true, so children take over everything.`,
        { subject: this.name, option: "inherit" },
      );
    }
    if (definition.invert !== undefined)
      addSpaceKeeper(tree, this.name, (child, parent) =>
        keepWorld(
          tree,
          child,
          this.component,
          (entity) => this.localFor(entity, this.worldOf(entity), parent),
          (entity, local) => this.setLocal(entity, local),
        ),
      );
    this[SPACE] = new CustomValues(tree, definition, flags);
    const { flow } = this[SPACE];
    if (DEVELOPMENT)
      provideCheck(flow.ecs, { name: this.name, check: () => staleValues(flow, "transform/inconsistent") });
    showWorlds(this);
  }

  /** Whether nothing was written since the last pass. */
  get isClean(): boolean {
    return this[SPACE].flow.isClean;
  }

  /**
   * Brings every world value up to date, parents first, and touches only what is below a change. Costs nothing when nothing
   * changed. Returns the number of values it computed.
   */
  propagate(): number {
    return propagate(this[SPACE].flow);
  }

  /**
   * A reader of what passes do from now on: `changed` are exactly the entities whose world value differs;
   * `added` those that got their first; `removed` those that were destroyed. Without a reader nothing is compared.
   */
  changes(): ChangeReader {
    return this[SPACE].flow.changes();
  }

  /** Changes the value above all roots: the screen for rectangles, the origin for large worlds. */
  setRoot(values: readonly number[]): void {
    requireWorld(this, undefined, this[SPACE].width, values);
    this[SPACE].rows.set(values, 0);
    this.touchAll();
  }

  /** The world value, right at once after any change. Pass `out` to have no array made. */
  worldOf(entity: EntityLike, out: Float64Array = new Float64Array(this[SPACE].width)): Float64Array {
    requireRow(out, this[SPACE].width, "read the world value");
    const { flow, width } = this[SPACE];
    const at = findRow(flow, flow.nodeOf(entity, "read the world value"));
    const { found } = flow;
    for (let k = 0; k < width; k++) out[k] = found[at + k];
    return out;
  }

  /** Makes the world value what is given. An entity without local values gets them. */
  setWorld(entity: EntityLike, wanted: ArrayLike<number>): void {
    this.setLocal(entity, this.localFor(entity, wanted, this.tree.parentOf(entity)));
  }

  /** Writes some local fields; an entity without them gets all. */
  setLocal(entity: EntityLike, values: InputOf<S>): void {
    const { world } = this.tree;
    this[SPACE].flow.nodeOf(entity, "set the transform");
    requireObject(values, "set the transform", "what to set");
    requireAllFinite(this, entity, numbersOf(values));
    if (world.has(entity, this.component)) world.set(entity, this.component, values);
    else world.add(entity, this.component(values));
  }

  /** Says that the local values of an entity were changed in a way this could not see. */
  touch(entity: EntityLike): void {
    this[SPACE].flow.mark(this[SPACE].flow.slotOf(entity, "touch a value"));
  }

  /** Says that everything may have changed: the next pass computes all. Cheaper than `touch` for each. */
  touchAll(): void {
    this[SPACE].flow.isStale = true;
  }

  /** World values by slot, as of the last `propagate()`, at `worlds[worldRowOf(entity)]`. */
  get worlds(): Float64Array {
    return this[SPACE].rows;
  }

  /** Where the value of an entity begins in `worlds`. */
  worldRowOf(entity: EntityLike): number {
    return this[SPACE].flow.slotOf(entity, "read the world value") * this[SPACE].width;
  }

  // The way back ---------------------------------------------------------------------------------------------------------

  private localFor(entity: EntityLike, wanted: ArrayLike<number>, parent: EntityLike | null): InputOf<S> {
    const { invert } = this.definition;
    if (invert === undefined) {
      throw new InvalidSpaceError(
        `Cannot set the world value in ${this.name}: it was defined without invert().`,
        { subject: this.name },
      );
    }
    const values = this[SPACE];
    const node = values.flow.nodeOf(entity, "set the world value");
    requireWorld(this, entity, values.width, wanted);
    requireSolid(this.tree, entity);
    const flags = values.flagsAt(node);
    const isTop = parent === null || (flags & TOP_LEVEL) !== 0;
    const above = isTop ? values.rows.slice(0, values.width) : this.worldOf(parent);
    const own = values.localOf(node);
    try {
      const local = invert(above, 0, Float64Array.from(wanted), 0, own, values.inheritsBy(flags));
      requireAllFinite(this, entity, numbersOf(local));
      return local;
    } catch (error) {
      throw keepError(error, this.tree, entity, parent);
    }
  }
}

/** The fields that are numbers; others are the component's to check. */
function numbersOf(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "number"));
}

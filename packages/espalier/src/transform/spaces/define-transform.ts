/**
 * Describing a space of one's own: other numbers, other geometry, the same propagation.
 */
import { type Component, type InputOf, isComponent, type Schema, type ValueOf } from "../../ecs/index.ts";
import { describeValue, requireObject, requireText } from "../../ecs/internal.ts";
import { InvalidSpaceError } from "../errors.ts";
import type { InheritMask } from "./inherit-mask.ts";

/** World values are numbers in an array, the same number of them per entity, from an offset on. */
export interface SpaceDefinition<S extends Schema> {
  /** What `attach(…, { keep })` calls the space, unless `createSpace` says otherwise. */
  readonly name: string;
  /** The component that holds the local values. */
  readonly local: Component<S>;
  /** The world value above all roots. Its length is that of all world values. */
  readonly world: readonly number[];
  /**
   * Computes a world value from the parent's (`parent[p]` on) and the local ones, into `out[o]` on. Must depend on
   * nothing else; `out` and `parent` may be one array, at different offsets.
   */
  readonly compose: (
    parent: Float64Array,
    p: number,
    local: Readonly<ValueOf<S>>,
    out: Float64Array,
    o: number,
    inherit: Inherits,
  ) => void;
  /**
   * The local values that give the wanted world value under that parent; needed for `setWorld` and `keep`. Where there
   * are none it throws a `SingularTransformError` or an `UnrepresentableTransformError`; the space adds the entity.
   */
  readonly invert?: (
    parent: Float64Array,
    p: number,
    wanted: Float64Array,
    w: number,
    local: Readonly<ValueOf<S>>,
    inherit: Inherits,
  ) => InputOf<S>;
  /** Says that `compose` and `invert` heed `inherit`. Otherwise it is always all of it, whatever masks say. */
  readonly masks?: boolean;
}

/** What a child inherits of its parent's value. */
export interface Inherits {
  /** Whether it follows the position of the parent. */
  readonly position: boolean;
  /** Whether it turns with the parent. */
  readonly rotation: boolean;
  /** Whether it grows with the parent. */
  readonly scale: boolean;
}

/** Options of a space. */
export interface SpaceOptions {
  /** What children inherit from their parents, where they have no `InheritTransform` of their own. Everything if left out. */
  readonly inherit?: InheritMask;
  /** What `attach(…, { keep })` calls this space. The definition's name if left out. */
  readonly name?: string;
}

/** Describes a space. `createSpace` makes one for a tree. */
export function defineTransform<const S extends Schema>(definition: SpaceDefinition<S>): SpaceDefinition<S> {
  requireObject(definition, "define a space", "the definition");
  const { name, local, world, compose } = definition;
  requireText(name, "define a space", "its name");
  if (!isComponent(local)) {
    throw new InvalidSpaceError(
      `Cannot define the space ${name}: local is ${describeValue(local)}, not the component that holds the local values.`,
      { subject: name, option: "local", value: local },
    );
  }
  if (!Array.isArray(world) || world.length === 0 || !world.every((value) => Number.isFinite(value))) {
    throw new InvalidSpaceError(
      `Cannot define the space ${name}: world must list at least one finite number, the value above all roots.`,
      { subject: name, option: "world" },
    );
  }
  if (typeof compose !== "function") {
    throw new InvalidSpaceError(
      `Cannot define the space ${name}: it needs compose(parent, p, local, out, o).`,
      { subject: name, option: "compose" },
    );
  }
  return definition;
}

/**
 * What a child takes over from its parent's transform. Belongs to the link: it stays when the child gets another
 * parent.
 */
import {
  bool,
  type Component,
  component,
  type EntityLike,
  type Field,
  type ValueOf,
  type World,
} from "../../ecs/index.ts";
import { checkOptions, describeValue } from "../../ecs/internal.ts";
import { InvalidSpaceError } from "../errors.ts";

export type MaskSchema = {
  position: Field<boolean, "bool">;
  rotation: Field<boolean, "bool">;
  scale: Field<boolean, "bool">;
  topLevel: Field<boolean, "bool">;
};

/**
 * What an entity inherits of its parent's transform; one without it inherits what its space says. With `topLevel`
 * nothing: only its lifetime hangs on the parent.
 */
export const InheritTransform: Component<MaskSchema> = /* @__PURE__ */ component(
  "InheritTransform",
  {
    position: /* @__PURE__ */ bool(true),
    rotation: /* @__PURE__ */ bool(true),
    scale: /* @__PURE__ */ bool(true),
    topLevel: /* @__PURE__ */ bool(false),
  },
  { storage: "sparse" },
);

// Flags of a link, as spaces keep them.
export const POSITION = 1;
export const ROTATION = 2;
export const SCALE = 4;
export const EVERYTHING = POSITION | ROTATION | SCALE;
export const TOP_LEVEL = 8;
/** The parent's value passes through unchanged: ghosts, and entities without a transform. */
export const GHOST = 16;

/** `"all"`; `"position"`: follow, but neither turn nor grow; or each by itself. */
export type InheritMask =
  | "all"
  | "position"
  | {
      /** Whether it follows the position of the parent. It does if left out. */
      readonly position?: boolean;
      /** Whether it turns with the parent. It does if left out. */
      readonly rotation?: boolean;
      /** Whether it grows with the parent. It does if left out. */
      readonly scale?: boolean;
    };

const maskOptions = { position: "boolean", rotation: "boolean", scale: "boolean" } as const;

export function maskBits(mask: InheritMask, checks: boolean): number {
  if (mask === "all") return EVERYTHING;
  if (mask === "position") return POSITION;
  if (typeof mask !== "object" || mask === null) {
    throw new InvalidSpaceError(
      `Cannot inherit ${describeValue(mask)}. Use "all", "position" or { position, rotation, scale }.`,
      { option: "inherit", value: mask },
    );
  }
  checkOptions(checks, "inherit", mask, maskOptions);
  return bitsOf(mask.position ?? true, mask.rotation ?? true, mask.scale ?? true);
}

/** The flags of an entity's own mask. */
export function flagsOf(mask: Readonly<ValueOf<MaskSchema>>): number {
  // Top-level nodes take over nothing, whatever else is set.
  return mask.topLevel ? TOP_LEVEL : bitsOf(mask.position, mask.rotation, mask.scale);
}

export function bitsOf(position: boolean, rotation: boolean, scale: boolean): number {
  return (position ? POSITION : 0) | (rotation ? ROTATION : 0) | (scale ? SCALE : 0);
}

/** Gives an entity a mask; whether it is top-level stays. */
export function setMask(world: World, entity: EntityLike, bits: number): void {
  const topLevel = world.get(entity, InheritTransform)?.topLevel ?? false;
  world.add(entity, InheritTransform({ ...maskOf(bits), topLevel }));
}

/** Makes an entity top-level or not; its mask, or else the one of its space, stays for when it no longer is. */
export function setTopLevel(world: World, entity: EntityLike, topLevel: boolean, spaceBits: number): void {
  if (world.has(entity, InheritTransform)) world.set(entity, InheritTransform, { topLevel });
  else if (topLevel) world.add(entity, InheritTransform({ ...maskOf(spaceBits), topLevel }));
}

/** The other way round. */
export function maskOf(bits: number): { position: boolean; rotation: boolean; scale: boolean } {
  return {
    position: (bits & POSITION) !== 0,
    rotation: (bits & ROTATION) !== 0,
    scale: (bits & SCALE) !== 0,
  };
}

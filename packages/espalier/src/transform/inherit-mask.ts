/**
 * What a child takes over from its parent's transform. Belongs to the link: it stays when the child gets another
 * parent.
 */
import { bool, type Component, component, type Field } from "../ecs/index.ts";
import { InvalidSpaceError } from "./errors.ts";

/** What to inherit; all of it, unless an entity has this. With `topLevel` nothing: only its lifetime hangs on the parent. */
export const InheritTransform: Component<{
  position: Field<boolean, "bool">;
  rotation: Field<boolean, "bool">;
  scale: Field<boolean, "bool">;
  topLevel: Field<boolean, "bool">;
}> = /* @__PURE__ */ component(
  "InheritTransform",
  {
    position: /* @__PURE__ */ bool(true),
    rotation: /* @__PURE__ */ bool(true),
    scale: /* @__PURE__ */ bool(true),
    topLevel: /* @__PURE__ */ bool(false),
  },
  { storage: "sparse" },
);

export const POSITION = 1;
export const ROTATION = 2;
export const SCALE = 4;
export const EVERYTHING = POSITION | ROTATION | SCALE;
export const TOP_LEVEL = 8;
export const GHOST = 16;

/** `"all"`; `"position"`: follow, but neither turn nor grow; or each by itself. */
export type InheritMask =
  | "all"
  | "position"
  | { readonly position?: boolean; readonly rotation?: boolean; readonly scale?: boolean };

export function maskBits(mask: InheritMask): number {
  if (mask === "all") return EVERYTHING;
  if (mask === "position") return POSITION;
  if (typeof mask !== "object" || mask === null) {
    throw new InvalidSpaceError(
      `Cannot inherit ${JSON.stringify(mask)}. Use "all", "position" or { position, rotation, scale }.`,
    );
  }
  return (
    ((mask.position ?? true) ? POSITION : 0) |
    ((mask.rotation ?? true) ? ROTATION : 0) |
    ((mask.scale ?? true) ? SCALE : 0)
  );
}

/**
 * Tint and alpha as inherited values: tinting or fading a group tints or fades everything in it.
 */
import { type Component, component, type Field, f32, finite } from "../../ecs/index.ts";
import { defineInherited, type InheritedDefinition } from "../../inherit/index.ts";
import { type ColorField, color, multiplyColors } from "./color.ts";

/** Own tint: multiplied with the parent's. White, the default, changes nothing. */
export const Tint: Component<{ color: ColorField }> = /* @__PURE__ */ component("Tint", {
  color: /* @__PURE__ */ color(0xffffff),
});

/** Effective tint: the product of the entity's and all its ancestors'. */
export const tint: InheritedDefinition<{ color: ColorField }, number> = /* @__PURE__ */ defineInherited({
  name: "tint",
  component: Tint,
  initial: 0xffffff as number,
  combine: (parent, own) => multiplyColors(parent, own.color),
});

/** Own alpha: multiplied with the parent's. 1, the default, changes nothing. */
export const Alpha: Component<{ value: Field<number, "f32"> }> = /* @__PURE__ */ component("Alpha", {
  value: /* @__PURE__ */ finite(/* @__PURE__ */ f32(1)),
});

/** Effective alpha: the product of the entity's and all its ancestors'. */
export const alpha: InheritedDefinition<{ value: Field<number, "f32"> }, number> =
  /* @__PURE__ */ defineInherited({
    name: "alpha",
    component: Alpha,
    initial: 1 as number,
    combine: (parent, own) => parent * own.value,
  });

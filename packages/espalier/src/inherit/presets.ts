/**
 * The inherited values most programs want.
 */
import {
  type AnyComponent,
  bool,
  type Component,
  component,
  type Field,
  f64,
  named,
  u8,
} from "../ecs/index.ts";
import { atLeast } from "../ecs/internal.ts";
import { defineInherited } from "./inherited.ts";
import type { InheritedDefinition } from "./inherited-values.ts";

/** Takes the parent's visibility. */
export const INHERIT = 0;
/** Visible, whatever is above. */
export const VISIBLE = 1;
/** Hidden, with everything below that inherits. */
export const HIDDEN = 2;

/** Own visibility: INHERIT (the default), VISIBLE or HIDDEN. Roots that inherit are visible. */
export const Visibility: Component<{ mode: Field<number, "u8"> }> = /* @__PURE__ */ component("Visibility", {
  mode: /* @__PURE__ */ named(/* @__PURE__ */ u8(INHERIT), ["inherit", "visible", "hidden"]),
});

/** Effective visibility. */
export const visibility: InheritedDefinition<{ mode: Field<number, "u8"> }, boolean> =
  /* @__PURE__ */ defineInherited({
    name: "visibility",
    component: Visibility,
    initial: true as boolean,
    combine: (parent, own) => (own.mode === INHERIT ? parent : own.mode === VISIBLE),
  });

/** Own activity. Turning a parent off never writes to its children. */
export const Active: Component<{ on: Field<boolean, "bool"> }> = /* @__PURE__ */ component("Active", {
  on: /* @__PURE__ */ bool(true),
});

/** Effective activity: on when the entity and all its ancestors are on. */
export const activity: InheritedDefinition<{ on: Field<boolean, "bool"> }, boolean> =
  /* @__PURE__ */ defineInherited({
    name: "activity",
    component: Active,
    initial: true as boolean,
    combine: (parent, own) => parent && own.on,
  });

/** Own pace of time, multiplied down the tree: 0.5 is half as fast, 0 stands still. Refuses numbers below 0. */
export const TimeScale: Component<{ value: Field<number, "f64"> }> = /* @__PURE__ */ component(
  "TimeScale",
  { value: /* @__PURE__ */ atLeast(0, /* @__PURE__ */ f64(1)) },
  { storage: "sparse" },
);

/** Effective pace of time, of active entities: multiply `dt` by it. */
export const timeScale: InheritedDefinition<{ value: Field<number, "f64"> }, number> =
  /* @__PURE__ */ defineInherited({
    name: "timeScale",
    component: TimeScale,
    initial: 1 as number,
    combine: (parent, own) => parent * own.value,
  });

/** Own depth: added to the parent's, or with `zRelative: false` taken as it is. Ancestors without it count 0. */
export const ZIndex: Component<{ z: Field<number, "f64">; zRelative: Field<boolean, "bool"> }> =
  /* @__PURE__ */ component("ZIndex", { z: /* @__PURE__ */ f64(0), zRelative: /* @__PURE__ */ bool(true) });

/** The components of this room, for scene formats: `createSceneFormat({ components: [inheritComponents] })`. */
export const inheritComponents: readonly AnyComponent[] = [Visibility, Active, TimeScale, ZIndex];

/** Effective depth. */
export const zIndex: InheritedDefinition<
  { z: Field<number, "f64">; zRelative: Field<boolean, "bool"> },
  number
> = /* @__PURE__ */ defineInherited({
  name: "zIndex",
  component: ZIndex,
  initial: 0 as number,
  combine: (parent, own) => (own.zRelative ? parent + own.z : own.z),
});

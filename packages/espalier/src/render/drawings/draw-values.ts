/**
 * The inherited values that drawing depends on, one set per tree, shared by all its renderers.
 */
import { expectArguments, type Resource, resource, type World } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import {
  type Activity,
  activityOf,
  createInherited,
  type Inherited,
  visibility,
  zIndex,
} from "../../inherit/index.ts";
import { alpha, tint } from "./presets.ts";

type ValueFor<Definition> = Definition extends {
  readonly component: unknown;
  readonly initial: infer Value;
}
  ? Value
  : never;

/** Effective visibility, z, tint and alpha of the entities of a tree. */
export interface DrawValues {
  /** Which entities are active: the others are neither drawn nor found. */
  readonly active: Activity;
  /** Which entities are shown. */
  readonly visible: Inherited<(typeof visibility.component)["schema"], ValueFor<typeof visibility>>;
  /** The effective z, which decides what is in front. */
  readonly z: Inherited<(typeof zIndex.component)["schema"], number>;
  /** The inherited colour, multiplied. */
  readonly tint: Inherited<(typeof tint.component)["schema"], number>;
  /** The inherited opacity, multiplied. */
  readonly alpha: Inherited<(typeof alpha.component)["schema"], number>;
}

/** Inherited values exist as long as their world, so renderers that are created and disposed must share them. */
const Shared: Resource<Map<Hierarchy, DrawValues>> = /* @__PURE__ */ resource(
  "espalier/render values",
  () => new Map(),
);

/** Visibility, z, tint and alpha of a tree, created on first use. */
export function drawValues(tree: Hierarchy): DrawValues {
  const world: World = Object(tree).world;
  expectArguments("read what drawing depends on", ["the world of the tree", world, "world"]);
  const all = world.resource(Shared);
  let values = all.get(tree);
  if (values === undefined) {
    values = {
      active: activityOf(tree),
      visible: createInherited(tree, visibility),
      z: createInherited(tree, zIndex),
      tint: createInherited(tree, tint),
      alpha: createInherited(tree, alpha),
    };
    all.set(tree, values);
  }
  return values;
}

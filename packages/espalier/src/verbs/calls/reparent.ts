/** Moves entities under another parent. */
import type { Entity } from "../../ecs/index.ts";
import { topmost } from "../../hierarchy/index.ts";
import { shownPath } from "../targets.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { type Placement, placementParameters, positionOf } from "./placement.ts";

/** The parameters of `reparent`. */
export interface ReparentParameters extends Placement {
  /** The entities; those inside others of them go along. */
  readonly entities: readonly string[];
  /** The new parent; `null` makes them roots. */
  readonly parent: string | null;
  /** What stays: the world transform, or the values relative to the parent. */
  readonly keep?: "world" | "local";
}

export const reparent: Verb<ReparentParameters> = {
  name: "reparent",
  aliases: ["move"],
  summary: "move entities under another parent",
  isReadOnly: false,
  parameters: {
    entities: {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      description: "The entities; those inside others of them go along.",
    },
    parent: { type: ["string", "null"], description: "The new parent; null makes them roots." },
    keep: {
      type: "string",
      enum: ["world", "local"],
      description: "What stays: the transform in the world (default), or the values relative to the parent.",
    },
    ...placementParameters,
  },
  required: ["entities", "parent"],
  operands: ["entities"],
  run(context, { entities, parent, keep = "world", ...placement }) {
    const { find, scene, tree } = context;
    const under = parent === null ? scene.parent : find(parent);
    const position = positionOf(context, placement, "reparent");
    let last: Entity | undefined;
    for (const entity of topmost(tree, entities.map(find))) {
      const where = last === undefined ? position : position === undefined ? undefined : { after: last };
      const space = keep === "world" ? spaceOf(context, entity) : undefined;
      if (keep === "world" && space === undefined) warnNotKept(context, entity);
      tree.attach(entity, under, { ...where, ...(space === undefined ? {} : { keep: space }) });
      last = entity;
    }
    return null;
  },
};

/** The name of the space of an entity's transform, for `keep`; `undefined` if it has no transform. */
export function spaceOf({ document, world }: VerbContext, entity: Entity): string | undefined {
  const { flat, solid } = document.state.spaces;
  if (flat !== undefined && world.has(entity, flat.component)) return flat.name;
  if (solid !== undefined && world.has(entity, solid.component)) return solid.name;
  return undefined;
}

function warnNotKept(context: VerbContext, entity: Entity): void {
  const { tree, scene, warn } = context;
  for (const below of tree.descendants(entity)) {
    if (spaceOf(context, below) === undefined) continue;
    warn({
      code: "moved-in-world",
      message: `${shownPath(scene, entity)} has no transform, so its position could not be kept, and what is below it may have moved.`,
      ...(scene.idOf(entity) === undefined ? {} : { entity: scene.idOf(entity) as string }),
    });
    return;
  }
}

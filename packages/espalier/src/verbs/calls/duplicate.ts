/** Duplicates an entity with everything below it. */

import { descendantCount } from "../../hierarchy/index.ts";
import type { Verb } from "../verb.ts";
import { type Placement, placementParameters, positionOf } from "./placement.ts";

/** The parameters of `duplicate`. */
export interface DuplicateParameters extends Placement {
  /** The original. */
  readonly entity: string;
  /** The name of the copy; that of the original if left out. */
  readonly name?: string;
  /** The id of the copy; made from its name if left out. */
  readonly id?: string;
  /** The parent of the copy; that of the original if left out. */
  readonly parent?: string | null;
}

export const duplicate: Verb<DuplicateParameters> = {
  name: "duplicate",
  aliases: ["cp"],
  summary: "duplicate an entity with everything below it",
  isReadOnly: false,
  parameters: {
    entity: { type: "string", description: "The original." },
    name: { type: "string", description: "The name of the copy; that of the original if left out." },
    id: { type: "string", description: "The id of the copy; made from its name if left out." },
    parent: { type: ["string", "null"], description: "Its parent; that of the original if left out." },
    ...placementParameters,
  },
  required: ["entity"],
  operands: ["entity", "name"],
  run(context, { entity, name, id, parent, ...placement }) {
    const { find, format, tree, scene } = context;
    const original = find(entity);
    const above = parent === undefined ? {} : { parent: parent === null ? scene.parent : find(parent) };
    const copy = format.clone(tree, original, {
      ...above,
      ...(name === undefined ? {} : { name }),
      ...positionOf(context, placement, "duplicate"),
    });
    const own = scene.add(copy, id);
    context.giveIds();
    return { id: own, copied: descendantCount(tree, copy) + 1 };
  },
};

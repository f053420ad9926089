/** Moves an entity among its siblings. */
import { VerbError } from "../errors.ts";
import type { Verb } from "../verb.ts";
import { moveTo, type Placement, placementParameters, positionOf } from "./placement.ts";

/** The parameters of `reorder`. */
export interface ReorderParameters extends Placement {
  /** The entity. */
  readonly entity: string;
}

export const reorder: Verb<ReorderParameters> = {
  name: "reorder",
  aliases: [],
  summary: "move an entity among its siblings",
  isReadOnly: false,
  parameters: { entity: { type: "string", description: "The entity." }, ...placementParameters },
  required: ["entity"],
  operands: ["entity", "at"],
  run(context, { entity, ...placement }) {
    const position = positionOf(context, placement, "reorder");
    if (position === undefined) {
      throw new VerbError("Cannot run reorder: give at, before or after.", "verbs/invalid-parameters", {
        verb: "reorder",
      });
    }
    moveTo(context.tree, context.find(entity), position);
    return null;
  },
};

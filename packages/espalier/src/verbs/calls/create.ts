/** Creates an entity. */
import type { ComponentEntries, EntityEntry } from "../../scene/index.ts";
import type { Verb } from "../verb.ts";
import { freshId } from "./fresh-id.ts";
import { moveTo, type Placement, placementParameters, positionOf } from "./placement.ts";

/** The parameters of `create`. */
export interface CreateParameters extends Placement {
  /** Its parent; a root if left out. */
  readonly parent?: string | null;
  /** Its name. */
  readonly name?: string;
  /** Its id; made from the name if left out. */
  readonly id?: string;
  /** Its components with their values. */
  readonly components?: ComponentEntries;
}

export const create: Verb<CreateParameters> = {
  name: "create",
  aliases: ["add"],
  summary: "create an entity",
  isReadOnly: false,
  parameters: {
    name: { type: "string", description: "Its name." },
    parent: { type: ["string", "null"], description: "Its parent; a root if left out." },
    id: { type: "string", description: "Its id; made from the name if left out." },
    components: { type: "object", form: "components", description: "Its components with their values." },
    ...placementParameters,
  },
  required: [],
  operands: ["name"],
  run(context, { parent = null, name, id, components, ...placement }) {
    const above = context.parentId(parent);
    const position = positionOf(context, placement, "create");
    const own = freshId(context, "create", id, name);
    const entry: EntityEntry = {
      id: own,
      ...(name === undefined ? {} : { name }),
      ...(above === undefined ? {} : { parent: above }),
      ...(components === undefined ? {} : { components }),
    };
    context.edit({
      id: own,
      isNew: true,
      names: name === undefined ? [own] : [own, name],
      mentions: components,
      make: (file) => ({ ...file, entities: [...file.entities, entry] }),
    });
    if (position !== undefined) moveTo(context.tree, context.scene.entity(own), position);
    return { id: own };
  },
};

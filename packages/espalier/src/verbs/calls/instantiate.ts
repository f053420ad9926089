/** Makes an instance of a prefab. */
import type { ComponentEntries, EntityEntry, OverrideEntry } from "../../scene/index.ts";
import type { Verb } from "../verb.ts";
import { freshId } from "./fresh-id.ts";
import { moveTo, type Placement, placementParameters, positionOf } from "./placement.ts";

/** The parameters of `instantiate`. */
export interface InstantiateParameters extends Placement {
  /** The prefab, as the scene refers to it. */
  readonly prefab: string;
  /** The parent of the instance; a root if left out. */
  readonly parent?: string | null;
  /** Its name; that of the prefab if left out. */
  readonly name?: string;
  /** Its id; made from the name if left out. */
  readonly id?: string;
  /** Values of its root that differ from the prefab. */
  readonly components?: ComponentEntries;
  /** Differences inside it, by id in the prefab. */
  readonly overrides?: { readonly [target: string]: OverrideEntry | null };
}

export const instantiate: Verb<InstantiateParameters> = {
  name: "instantiate",
  aliases: [],
  summary: "create an instance of a prefab",
  isReadOnly: false,
  parameters: {
    prefab: { type: "string", description: "The prefab, as the scene refers to it: tank.prefab.json." },
    parent: { type: ["string", "null"], description: "Its parent; a root if left out." },
    name: { type: "string", description: "Its name; that of the prefab if left out." },
    id: { type: "string", description: "Its id; made from the name if left out." },
    components: {
      type: "object",
      form: "components",
      description: "Values of its root that differ from the prefab.",
    },
    overrides: {
      type: "object",
      description: "Differences inside it, by id in the prefab: { turret: { components: { … } } }.",
    },
    ...placementParameters,
  },
  required: ["prefab"],
  operands: ["prefab", "name"],
  run(context, { prefab, parent = null, name, id, components, overrides, ...placement }) {
    const above = context.parentId(parent);
    const position = positionOf(context, placement, "instantiate");
    const own = freshId(context, "instantiate", id, name ?? prefab);
    const entry: EntityEntry = {
      id: own,
      ...(name === undefined ? {} : { name }),
      ...(above === undefined ? {} : { parent: above }),
      prefab,
      ...(components === undefined ? {} : { components }),
      ...(overrides === undefined ? {} : { overrides }),
    };
    context.edit({
      id: own,
      isNew: true,
      mentions: [components, overrides],
      make: (file) => ({ ...file, entities: [...file.entities, entry] }),
    });
    if (position !== undefined) moveTo(context.tree, context.scene.entity(own), position);
    return { id: own };
  },
};

/** Renames an entity. Its id stays. */
import type { Verb } from "../verb.ts";

/** The parameters of `rename`. */
export interface RenameParameters {
  /** The entity. */
  readonly entity: string;
  /** Its name; `null` for none. */
  readonly name: string | null;
}

export const rename: Verb<RenameParameters> = {
  name: "rename",
  aliases: [],
  summary: "give an entity another name",
  isReadOnly: false,
  parameters: {
    entity: { type: "string", description: "The entity." },
    name: { type: ["string", "null"], description: "Its name; null takes it away." },
  },
  required: ["entity", "name"],
  operands: ["entity", "name"],
  run({ find, tree }, { entity, name }) {
    tree.setName(find(entity), name ?? undefined);
    return null;
  },
};

/** Turns an instance into plain entities. */
import { unpackInstance } from "../../scene/index.ts";
import type { Verb } from "../verb.ts";
import { requireInstance } from "./instances.ts";

/** The parameters of `unpack`. */
export interface UnpackParameters {
  /** The instance: its root, or an entity inside. */
  readonly entity: string;
}

export const unpack: Verb<UnpackParameters> = {
  name: "unpack",
  aliases: [],
  summary: "turn an instance of a prefab into plain entities",
  isReadOnly: false,
  parameters: { entity: { type: "string", description: "The instance: its root, or an entity inside." } },
  required: ["entity"],
  operands: ["entity"],
  run(context, { entity }) {
    const { root } = requireInstance(context, "unpack", context.find(entity));
    unpackInstance(context.tree, root);
    context.giveIds();
    return { id: context.idOf(root) };
  },
};

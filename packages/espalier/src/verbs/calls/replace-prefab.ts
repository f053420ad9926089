/** Makes an instance follow another prefab. */

import { VerbError } from "../errors.ts";
import { shownPath } from "../targets.ts";
import type { Verb } from "../verb.ts";
import { withEntry } from "./edit-entry.ts";
import { requireInstance } from "./instances.ts";

/** The parameters of `replace-prefab`. */
export interface ReplacePrefabParameters {
  /** The instance: its root, or an entity inside. */
  readonly entity: string;
  /** The other prefab, as the scene refers to it. */
  readonly prefab: string;
  /** What happens to overrides. */
  readonly overrides?: "keep" | "drop";
}

export const replacePrefab: Verb<ReplacePrefabParameters> = {
  name: "replace-prefab",
  aliases: [],
  summary: "make an instance follow another prefab",
  isReadOnly: false,
  parameters: {
    entity: { type: "string", description: "The instance: its root, or an entity inside." },
    prefab: { type: "string", description: "The other prefab, as the scene refers to it." },
    overrides: {
      type: "string",
      enum: ["keep", "drop"],
      description:
        "keep (default) refuses where one does not fit the other prefab; drop leaves out those inside.",
    },
  },
  required: ["entity", "prefab"],
  operands: ["entity", "prefab"],
  run(context, { entity, prefab, overrides = "keep" }) {
    const { root } = requireInstance(context, "replace-prefab", context.find(entity));
    const id = context.idOf(root);
    if (id.includes("/")) {
      throw new VerbError(
        `Cannot run replace-prefab on ${shownPath(context.scene, root)}: it is inside another instance. Open that prefab, or unpack the outer instance first.`,
        "verbs/not-an-instance",
        { verb: "replace-prefab", ids: [id] },
      );
    }
    const file = withEntry(context.file(), id, (entry) => {
      const { overrides: inner, order, ...rest } = { ...entry, prefab };
      const kept = {
        ...(inner === undefined ? {} : { overrides: inner }),
        ...(order === undefined ? {} : { order }),
      };
      return overrides === "keep" ? { ...rest, ...kept } : rest;
    });
    context.reload(file);
    return { id };
  },
};

/** Reverts overrides of an instance. */
import type { Verb } from "../verb.ts";
import { chosenOverrides, overrideParameters, requireInstance } from "./instances.ts";

/** The parameters of `revert`. */
export interface RevertParameters {
  /** The instance: its root, or an entity inside. */
  readonly entity: string;
  /** Some of its overrides; all but the name and transform of its root if left out. */
  readonly overrides?: readonly string[];
}

export const revert: Verb<RevertParameters> = {
  name: "revert",
  aliases: [],
  summary: "revert overrides of an instance to the values of the prefab",
  isReadOnly: false,
  parameters: overrideParameters,
  required: ["entity"],
  operands: ["entity", "overrides"],
  run(context, { entity, overrides }) {
    const instance = requireInstance(context, "revert", context.find(entity));
    const { added, removed, moved, changed } = instance.revert(
      chosenOverrides(instance, "revert", overrides),
    );
    context.giveIds();
    return { added, removed, moved, changed };
  },
};

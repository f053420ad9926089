/** Makes an existing entity, with everything below it, an instance of a prefab. */
import { describeValue } from "../../ecs/index.ts";
import { makeInstance as makeInstanceOf } from "../../scene/index.ts";
import { prefabNamed } from "../../scene/internal.ts";
import { VerbError } from "../errors.ts";
import { shownPath } from "../targets.ts";
import type { Verb } from "../verb.ts";

/** The parameters of `make-instance`. */
export interface MakeInstanceParameters {
  /** The entity. */
  readonly entity: string;
  /** The prefab, as the scene refers to it. */
  readonly prefab: string;
}

export const makeInstance: Verb<MakeInstanceParameters> = {
  name: "make-instance",
  aliases: [],
  summary: "make an entity an instance of a prefab; every difference is an override",
  isReadOnly: false,
  parameters: {
    entity: { type: "string", description: "The entity that becomes the root of the instance." },
    prefab: { type: "string", description: "The prefab, as the scene refers to it: tank.prefab.json." },
  },
  required: ["entity", "prefab"],
  operands: ["entity", "prefab"],
  run(context, { entity, prefab }) {
    const { document, format, scene, tree } = context;
    const root = context.find(entity);
    const found = prefabNamed(format, prefab, document.state.reading);
    if (found === undefined) {
      throw new VerbError(
        `Cannot run make-instance on ${shownPath(scene, root)}: there is no prefab ${describeValue(prefab)}. Check its name.`,
        "verbs/invalid-parameters",
        { verb: "make-instance", option: "prefab", value: prefab },
      );
    }
    const instance = makeInstanceOf(tree, root, found);
    context.giveIds();
    return { id: context.idOf(root), overrides: instance.overrides().length };
  },
};

/** Makes overrides of an instance part of its prefab. */
import { type Override, prefabOf, printScene, type SceneFile } from "../../scene/index.ts";
import type { Verb } from "../verb.ts";
import { chosenOverrides, keyOf, overrideParameters, requireInstance } from "./instances.ts";

/** The parameters of `apply`. */
export interface ApplyParameters {
  /** The instance: its root, or an entity inside. */
  readonly entity: string;
  /** Some of its overrides; all but the name and transform of its root if left out. */
  readonly overrides?: readonly string[];
}

export const apply: Verb<ApplyParameters> = {
  name: "apply",
  aliases: [],
  summary: "make overrides of an instance part of its prefab",
  isReadOnly: false,
  parameters: overrideParameters,
  required: ["entity"],
  operands: ["entity", "overrides"],
  run(context, { entity, overrides }) {
    const instance = requireInstance(context, "apply", context.find(entity));
    const chosen = chosenOverrides(instance, "apply", overrides);
    const applied: readonly Override[] = chosen ?? instance.overrides().filter(({ own }) => own !== true);
    const prefab = prefabOf(instance);
    const { file, source } = prefab.form;
    const before = source.text ?? printScene(source.value as unknown as SceneFile);
    const names = applied.map(keyOf);
    const next = prefab.apply(instance, applied);
    const target = file ?? context.document.state.prefabFile(prefab.name);
    context.writePrefab(target, next.save(), before);
    return { prefab: target, applied: names };
  },
};

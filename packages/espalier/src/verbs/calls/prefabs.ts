/** Lists the prefabs that a scene uses, and what they are variants of. */
import {
  basePrefabOf,
  composedOf,
  instancesIn,
  type Json,
  type Prefab,
  prefabOf,
} from "../../scene/index.ts";
import type { Verb } from "../verb.ts";

export const prefabs: Verb<object> = {
  name: "prefabs",
  aliases: [],
  summary: "list the prefabs of the scene's instances, and which are variants of which",
  isReadOnly: true,
  parameters: {},
  required: [],
  operands: [],
  run({ scene, tree }) {
    const found = new Map<string, { readonly prefab: Prefab; instances: number }>();
    for (const instance of instancesIn(tree)) {
      if (scene.idOf(instance.root) === undefined) continue;
      const known = found.get(instance.prefab);
      if (known === undefined) found.set(instance.prefab, { prefab: prefabOf(instance), instances: 1 });
      else known.instances++;
    }
    return Array.from(
      found,
      ([name, { prefab, instances }]): Json => ({
        prefab: name,
        instances,
        entities: prefab.size,
        variantOf: basesOf(prefab),
        composedOf: composedOf(prefab).map((part) => part.name),
      }),
    );
  },
};

/** The prefabs that a prefab is a variant of, the nearest first. Prefabs cannot contain themselves, so it terminates. */
function basesOf(prefab: Prefab): string[] {
  const names: string[] = [];
  for (let base = basePrefabOf(prefab); base !== undefined; base = basePrefabOf(base)) names.push(base.name);
  return names;
}

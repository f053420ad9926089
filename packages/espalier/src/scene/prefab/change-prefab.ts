/**
 * Making an instance follow another prefab.
 */
import type { OptionKinds } from "../../ecs/internal.ts";
import { requireInstanceOf, requireOptions } from "../arguments.ts";
import { changeForms } from "./change-forms.ts";
import { followForm } from "./follow-form.ts";
import { Instance } from "./instance.ts";
import { Prefab } from "./prefab.ts";

/** Options of `changePrefab`. */
export interface ChangePrefabOptions {
  /**
   * What happens to overrides that do not fit the other prefab, such as one of an entity that it does not have: an error that
   * lists all of them (`"keep"`, the default), or they are dropped (`"drop"`).
   */
  readonly overrides?: "keep" | "drop";
}

export const changePrefabOptions: OptionKinds = { overrides: ["keep", "drop"] };

/**
 * Makes an instance one of another prefab. Entities with the same id in both stay the same entities, with their overrides and with entities
 * added to them; the others are created or destroyed. All or nothing; a step of its own in a history, unless one is open.
 *
 * `prefab.replace(tree, next)` makes all instances of a prefab follow.
 *
 * @throws SceneError when an override does not fit the other prefab; nothing has changed then.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const format = createSceneFormat({ components: [Health] });
 * const tank = format.prefab(`{ "entities": [{ "id": "tank", "children": [{ "id": "gun" }] }] }`, { file: "tank" });
 * const tiger = format.prefab(`{ "entities": [{ "id": "tiger", "children": [{ "id": "gun" }, { "id": "hatch" }] }] }`, { file: "tiger" });
 * const instance = tank.instantiate(tree);
 * const gun = instance.find("gun")!;
 * tree.world.add(gun, Health({ hp: 5 }));
 * changePrefab(instance, tiger);
 * instance.prefab; // → "tiger"
 * instance.find("gun"); // → gun
 * instance.overrides().map(({ target }) => target); // → ["gun"]
 * ```
 */
export function changePrefab(instance: Instance, prefab: Prefab, options: ChangePrefabOptions = {}): void {
  const doing = "change the prefab of an instance";
  requireInstanceOf(instance, Instance, "an instance", doing);
  requireInstanceOf(prefab, Prefab, "a prefab", doing);
  const { tree } = instance;
  const { overrides = "keep" } = requireOptions(options, doing, changePrefabOptions, true);
  const { form, name, registry } = prefab;
  changeForms(tree, `Change to ${name}`, () => {
    followForm(instance, form, { reference: name, registry, refuses: overrides === "keep" });
  });
}

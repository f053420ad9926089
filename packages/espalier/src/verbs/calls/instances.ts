/** The instance that a caller means. */
import { describeValue, type Entity } from "../../ecs/index.ts";
import { type Instance, instanceOf, type Override } from "../../scene/index.ts";
import { VerbError } from "../errors.ts";
import type { ParameterSchemas } from "../parameters/schema.ts";
import { shownPath } from "../targets.ts";
import type { VerbContext } from "../verb.ts";

/** The parameters of the verbs about overrides. */
export const overrideParameters: ParameterSchemas<"entity" | "overrides"> = {
  entity: { type: "string", description: "The instance: its root, or an entity inside." },
  overrides: {
    type: "array",
    items: { type: "string" },
    description:
      "Some of its overrides, such as Health.hp or turret Health.hp; all but the own ones if left out.",
  },
};

/** The instance that an entity is the root of, or inside of. @throws VerbError `verbs/not-an-instance` */
export function requireInstance({ tree, scene }: VerbContext, verb: string, entity: Entity): Instance {
  const instance = instanceOf(tree, entity);
  if (instance !== undefined) return instance;
  const id = scene.idOf(entity);
  throw new VerbError(
    `Cannot run ${verb} on ${shownPath(scene, entity)}: it is not part of an instance of a prefab. Name one; find lists them.`,
    "verbs/not-an-instance",
    { verb, entities: [entity], ...(id === undefined ? {} : { ids: [id] }) },
  );
}

/** The named overrides, as `Health.hp`, `turret Health.hp`, `turret name`; all if none was named. */
export function chosenOverrides(
  instance: Instance,
  verb: string,
  named: readonly string[] | undefined,
): readonly Override[] | undefined {
  if (named === undefined) return undefined;
  const all = instance.overrides();
  return named.map((name) => {
    const found = all.find((override) => keyOf(override) === name);
    if (found !== undefined) return found;
    throw new VerbError(
      `Cannot run ${verb}: the instance has no override ${describeValue(name)}. It has ${all.map((one) => describeValue(keyOf(one))).join(", ") || "none"}.`,
      "verbs/invalid-parameters",
      { verb, option: "overrides", value: name },
    );
  });
}

/** The name of an override: the part (omitted for the root), and what differs. */
export function keyOf({ kind, target, component, field }: Override): string {
  const what = [component, field].filter((step) => step !== undefined).join(".") || kind;
  return target === "." ? what : `${target} ${what}`;
}

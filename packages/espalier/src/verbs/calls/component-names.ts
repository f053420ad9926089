/** Components that callers name. */
import { type AnyComponent, describeValue, type Entity } from "../../ecs/index.ts";
import type { SceneFormat } from "../../scene/index.ts";
import { isRecord, suggest } from "../../scene/internal.ts";
import { VerbError } from "../errors.ts";
import type { VerbContext } from "../verb.ts";

/** Refuses names of components that do not exist, or that an entity does not have. @throws VerbError `verbs/invalid-parameters` */
export function requireComponents(
  { format, has, pathOf }: Pick<VerbContext, "format" | "has" | "pathOf">,
  verb: string,
  entity: Entity,
  names: readonly string[],
): void {
  for (const name of names) {
    const component = requireKnown(format, verb, name);
    if (!has(entity, component)) {
      throw refusal(verb, name, `${pathOf(entity)} has no ${name}. Add it first, with add-component.`);
    }
  }
}

/** Refuses the name of a component that does not exist. @throws VerbError `verbs/invalid-parameters` */
export function requireKnown(format: SceneFormat, verb: string, name: string): AnyComponent {
  const component = format.component(name);
  if (component !== undefined) return component;
  const known = suggest(name, format.components, "components");
  throw refusal(verb, name, `there is no component ${describeValue(name)}. ${known}`);
}

/** Refuses values of components that are not fields by name. @throws VerbError `verbs/invalid-parameters` */
export function requireFields(verb: string, values: { readonly [component: string]: unknown }): void {
  for (const [component, fields] of Object.entries(values)) {
    if (fields === null || isRecord(fields)) continue;
    const why = `the values of ${component} are an object with its fields, got ${describeValue(fields)}.`;
    throw refusal(verb, component, why);
  }
}

/** An error about a component that a caller named. */
export function refusal(verb: string, component: string, why: string): VerbError {
  return new VerbError(`Cannot run ${verb}: ${why}`, "verbs/invalid-parameters", { verb, component });
}

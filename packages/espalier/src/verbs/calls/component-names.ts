/** Components that callers name. */
import { describeValue, type Entity } from "../../ecs/index.ts";
import { suggest } from "../../scene/internal.ts";
import { VerbError } from "../errors.ts";
import { shownPath } from "../targets.ts";
import type { VerbContext } from "../verb.ts";

/** Refuses names of components that do not exist, or that an entity does not have. @throws VerbError `verbs/invalid-parameters` */
export function requireComponents(
  { format, world, tree }: VerbContext,
  verb: string,
  entity: Entity,
  names: readonly string[],
): void {
  for (const name of names) {
    const component = format.component(name);
    const refuse = (why: string) =>
      new VerbError(`Cannot run ${verb}: ${why}`, "verbs/invalid-parameters", { verb, component: name });
    if (component === undefined) {
      throw refuse(
        `there is no component ${describeValue(name)}. ${suggest(name, format.components, "components")}`,
      );
    }
    if (!world.has(entity, component)) {
      throw refuse(`${shownPath(tree, entity)} has no ${name}. Add it first, with add-component.`);
    }
  }
}

/** Gives an entity a component. */
import { describeValue } from "../../ecs/index.ts";
import { setOwn } from "../../history/internal.ts";
import type { JsonObject } from "../../scene/index.ts";
import { suggest } from "../../scene/internal.ts";
import { VerbError } from "../errors.ts";
import { shownPath } from "../targets.ts";
import type { Verb } from "../verb.ts";
import { withComponents } from "./edit-entry.ts";

/** What is added. */
export interface AddComponentParameters {
  /** The entity. */
  readonly entity: string;
  /** The component. */
  readonly component: string;
  /** Fields that differ from their defaults. */
  readonly values?: JsonObject;
}

export const addComponent: Verb<AddComponentParameters> = {
  name: "add-component",
  aliases: [],
  summary: "give an entity a component",
  isReadOnly: false,
  parameters: {
    entity: { type: "string", description: "The entity." },
    component: { type: "string", form: "component", description: "The component." },
    values: { type: "object", description: "Fields that differ from their defaults." },
  },
  required: ["entity", "component"],
  operands: ["entity", "component", "values"],
  run(context, { entity, component, values = {} }) {
    const { format, world, tree } = context;
    const target = context.find(entity);
    const kind = format.component(component);
    const refuse = (why: string) =>
      new VerbError(`Cannot run add-component: ${why}`, "verbs/invalid-parameters", {
        verb: "add-component",
        component,
      });
    if (kind === undefined) {
      throw refuse(
        `there is no component ${describeValue(component)}. ${suggest(component, format.components, "components")}`,
      );
    }
    if (world.has(target, kind))
      throw refuse(`${shownPath(tree, target)} has ${component}. Change it with set.`);
    context.reload(
      withComponents(context.file(), context.idOf(target), (components) =>
        setOwn(components, component, values),
      ),
    );
    return null;
  },
};

/** Gives an entity a component. */
import { setOwn } from "../../history/internal.ts";
import type { JsonObject } from "../../scene/index.ts";
import type { Verb } from "../verb.ts";
import { refusal, requireKnown } from "./component-names.ts";
import { withComponents } from "./edit-entry.ts";

/** The parameters of `add-component`. */
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
    const target = context.entry(entity);
    const kind = requireKnown(context.format, "add-component", component);
    if (context.has(target.entity, kind)) {
      const why = `${context.pathOf(target.entity)} has ${component}. Change it with set.`;
      throw refusal("add-component", component, why);
    }
    const change = withComponents(target.id, (components) => setOwn(components, component, values));
    context.edit({ id: target.id, isNew: false, mentions: values, make: change });
    return null;
  },
};

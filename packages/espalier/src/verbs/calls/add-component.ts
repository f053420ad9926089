/** Gives an entity a component. */
import { setOwn } from "../../history/internal.ts";
import type { JsonObject } from "../../scene/index.ts";
import { shownPath } from "../targets.ts";
import type { Verb } from "../verb.ts";
import { refusal, requireKnown } from "./component-names.ts";
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
    const { format, scene, world } = context;
    const target = context.find(entity);
    const kind = requireKnown(format, "add-component", component);
    if (world.has(target, kind)) {
      const why = `${shownPath(scene, target)} has ${component}. Change it with set.`;
      throw refusal("add-component", component, why);
    }
    context.reload(
      withComponents(context.file(), context.idOf(target), (components) =>
        setOwn(components, component, values),
      ),
    );
    return null;
  },
};

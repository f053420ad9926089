/** Removes a component from an entity. */
import type { AnyComponent } from "../../ecs/index.ts";
import type { Verb } from "../verb.ts";
import { requireComponents } from "./component-names.ts";

/** The parameters of `remove-component`. */
export interface RemoveComponentParameters {
  /** The entity. */
  readonly entity: string;
  /** The component. */
  readonly component: string;
}

export const removeComponent: Verb<RemoveComponentParameters> = {
  name: "remove-component",
  aliases: [],
  summary: "remove a component from an entity",
  isReadOnly: false,
  parameters: {
    entity: { type: "string", description: "The entity." },
    component: { type: "string", form: "component", description: "The component." },
  },
  required: ["entity", "component"],
  operands: ["entity", "component"],
  run(context, { entity, component }) {
    const target = context.find(entity);
    requireComponents(context, "remove-component", target, [component]);
    context.world.remove(target, context.format.component(component) as AnyComponent);
    return null;
  },
};

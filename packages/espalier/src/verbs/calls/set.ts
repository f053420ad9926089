/** Sets fields of components that an entity has. */

import { ownOf, setOwn } from "../../history/internal.ts";
import type { ComponentEntries } from "../../scene/index.ts";
import type { Verb } from "../verb.ts";
import { requireComponents, requireFields } from "./component-names.ts";
import { withComponents } from "./edit-entry.ts";

/** The parameters of `set`. */
export interface SetParameters {
  /** The entity. */
  readonly entity: string;
  /** The fields to set, by component. */
  readonly values: ComponentEntries;
}

export const set: Verb<SetParameters> = {
  name: "set",
  aliases: [],
  summary: "set fields of components",
  isReadOnly: false,
  parameters: {
    entity: { type: "string", description: "The entity." },
    values: { type: "object", form: "components", description: "The fields to set, by component." },
  },
  required: ["entity", "values"],
  operands: ["entity", "values"],
  run(context, { entity, values }) {
    const target = context.entry(entity);
    requireComponents(context, "set", target.entity, Object.keys(values));
    requireFields("set", values);
    const change = withComponents(target.id, (components) => {
      for (const [name, fields] of Object.entries(values)) {
        setOwn(components, name, fields === null ? null : { ...ownOf(components, name), ...fields });
      }
    });
    context.edit({ id: target.id, isNew: false, mentions: values, make: change });
    return null;
  },
};

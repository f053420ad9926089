/** Resets fields to their defaults; in an instance, to the values of the prefab. */
import { describeValue } from "../../ecs/index.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import { suggest } from "../../scene/internal.ts";
import { VerbError } from "../errors.ts";
import type { Verb } from "../verb.ts";
import { requireComponents } from "./component-names.ts";
import { withComponents } from "./edit-entry.ts";

/** The parameters of `unset`. */
export interface UnsetParameters {
  /** The entity. */
  readonly entity: string;
  /** Components, or fields of them: `Health.hp`. */
  readonly fields: readonly string[];
}

export const unset: Verb<UnsetParameters> = {
  name: "unset",
  aliases: [],
  summary: "reset fields to their defaults, or to the values of the prefab",
  isReadOnly: false,
  parameters: {
    entity: { type: "string", description: "The entity." },
    fields: {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      description: "Components, or fields of them: Health.hp.",
    },
  },
  required: ["entity", "fields"],
  operands: ["entity", "fields"],
  run(context, { entity, fields }) {
    const target = context.entry(entity);
    const split = fields.map((field) => {
      const at = field.indexOf(".");
      return at < 0 ? ([field, undefined] as const) : ([field.slice(0, at), field.slice(at + 1)] as const);
    });
    requireComponents(
      context,
      "unset",
      target.entity,
      split.map(([component]) => component),
    );
    for (const [component, field] of split) {
      const known = Object.keys(context.format.component(component)?.schema ?? {});
      if (field === undefined || known.includes(field)) continue;
      throw new VerbError(
        `Cannot run unset: ${component} has no field ${describeValue(field)}. ${suggest(field, known, "fields")}`,
        "verbs/invalid-parameters",
        { verb: "unset", component, field },
      );
    }
    const change = withComponents(target.id, (components) => {
      for (const [component, field] of split) {
        const values = ownOf(components, component);
        if (values === undefined || values === null) continue;
        const { [field ?? ""]: _, ...rest } = values;
        setOwn(components, component, field === undefined ? {} : rest);
      }
    });
    context.edit({ id: target.id, isNew: false, mentions: null, make: change });
    return null;
  },
};

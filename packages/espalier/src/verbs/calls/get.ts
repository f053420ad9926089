/** Reads the values of an entity. */
import { describeValue } from "../../ecs/index.ts";
import { suggest } from "../../scene/internal.ts";
import { VerbError } from "../errors.ts";
import type { Verb } from "../verb.ts";
import { valueAt, valuesOf } from "./entity-values.ts";

/** The parameters of `get`. */
export interface GetParameters {
  /** The entity. */
  readonly entity: string;
  /** A component, or a field of one: `Health.hp`. Everything if left out. */
  readonly value?: string;
}

export const get: Verb<GetParameters> = {
  name: "get",
  aliases: [],
  summary: "read the values of an entity",
  isReadOnly: true,
  parameters: {
    entity: { type: "string", description: "The entity: its id, or a path of names." },
    value: { type: "string", description: "A component, or a field of one: Health.hp. All if left out." },
  },
  required: ["entity"],
  operands: ["entity", "value"],
  run({ document, find }, { entity, value }) {
    const values = valuesOf(document, find(entity));
    if (value === undefined) return values;
    const found = valueAt(values, value.split("."));
    if (found !== undefined) return found;
    const [component = ""] = value.split(".");
    const names = Object.hasOwn(values, component)
      ? Object.keys(Object(values[component])).map((field) => `${component}.${field}`)
      : Object.keys(values);
    throw new VerbError(
      `Cannot read ${describeValue(value)} of ${describeValue(entity)}: it has no such value. ${suggest(value, names, "values")}`,
      "verbs/invalid-parameters",
      { verb: "get", option: "value", value },
    );
  },
};

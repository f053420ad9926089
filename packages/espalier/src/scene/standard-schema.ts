/**
 * The part of the Standard Schema interface (https://standardschema.dev) that scenes use, so that components can be
 * checked with zod, valibot, arktype and similar libraries without depending on any of them.
 */

import { reasonOf } from "./arguments.ts";
import { copyValue } from "./copies/copy-value.ts";
import { isJsonObject, type JsonObject, type JsonStep } from "./json/json.ts";
import { toJson } from "./json/to-json.ts";
import { equalJson } from "./json/values.ts";

/** A validator of the Standard Schema family: zod, valibot, arktype. */
export interface StandardSchema {
  /** The members that validators of this family have. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    /** Some validators can describe what they accept as JSON Schema. */
    readonly jsonSchema?:
      | { readonly input: (options: { readonly target: "draft-07" }) => Record<string, unknown> }
      | undefined;
  };
}

export interface StandardResult {
  readonly issues?: readonly StandardIssue[] | undefined;
  /** The resulting value; `undefined` from a validator that only checks. */
  readonly value?: unknown;
}

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export interface Complaint {
  readonly message: string;
  readonly path: readonly JsonStep[];
}

/** The result of a validator for a component. */
export interface Verdict {
  /** Empty when the component is valid. */
  readonly complaints: readonly Complaint[];
  /** The resulting component: all given fields, with the validator's replacements. */
  readonly value: JsonObject;
}

/**
 * Runs a validator on a whole component. Its result is used if it differs from its input. A validator that changes or refuses its
 * own result is refused, because every save would change the value again.
 */
export function verdictOn(schema: StandardSchema, given: JsonObject): Verdict {
  const first = ask(schema, given);
  if (first.complaints.length > 0 || first.value === given) return first;
  const { complaints, value } = ask(schema, first.value);
  if (complaints.length === 0 && equalJson(value, first.value)) return first;
  const message = "the validator changes or refuses its own result; give one that leaves its result as it is";
  return { complaints: [{ message, path: [] }], value: given };
}

function ask(schema: StandardSchema, given: JsonObject): Verdict {
  const refuse = (message: string): Verdict => ({ complaints: [{ message, path: [] }], value: given });
  let result: StandardResult | Promise<StandardResult>;
  try {
    // A copy, because the validator may change it.
    result = schema["~standard"].validate(copyValue(given));
  } catch (error) {
    return refuse(`the validator threw: ${reasonOf(error)}`);
  }
  if (result instanceof Promise) {
    return refuse("the validator is asynchronous; scenes need a synchronous one");
  }
  if (typeof result !== "object" || result === null) return refuse("the validator gave no result");
  if (result.issues !== undefined && result.issues.length > 0) {
    return { complaints: result.issues.map(complaintOf), value: given };
  }
  if (result.value === undefined) return { complaints: [], value: given };
  try {
    const made = toJson(result.value, "it returned");
    if (!isJsonObject(made)) return refuse("the validator returned something that is not a component");
    const value = { ...given, ...made };
    return { complaints: [], value: equalJson(value, given) ? given : value };
  } catch (error) {
    return refuse(`the validator returned what a file cannot hold: ${(error as Error).message}`);
  }
}

function complaintOf({ message, path = [] }: StandardIssue): Complaint {
  return {
    message,
    path: path.map((step) => {
      const key = typeof step === "object" ? step.key : step;
      return typeof key === "symbol" ? String(key) : key;
    }),
  };
}

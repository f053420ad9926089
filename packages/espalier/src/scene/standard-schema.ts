/**
 * The part of the Standard Schema interface (https://standardschema.dev) that scenes use, so that components can be
 * checked with zod, valibot, arktype and others without depending on any of them.
 */
import type { JsonStep } from "./json/json.ts";

export interface StandardSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    /** Some validators can say what they accept as JSON Schema. */
    readonly jsonSchema?:
      | { readonly input: (options: { readonly target: "draft-07" }) => Record<string, unknown> }
      | undefined;
  };
}

export interface StandardResult {
  readonly issues?: readonly StandardIssue[] | undefined;
}

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export interface Complaint {
  readonly message: string;
  readonly path: readonly JsonStep[];
}

/** What the validator says against a value; empty when it is content. */
export function complaintsOf(schema: StandardSchema, value: unknown): Complaint[] {
  let result: StandardResult | Promise<StandardResult>;
  try {
    result = schema["~standard"].validate(value);
  } catch (error) {
    return [
      { message: `the validator threw: ${error instanceof Error ? error.message : String(error)}`, path: [] },
    ];
  }
  if (result instanceof Promise) {
    return [{ message: "the validator is asynchronous; scenes need one that answers at once", path: [] }];
  }
  return (result.issues ?? []).map(({ message, path = [] }) => ({
    message,
    path: path.map((step) => {
      const key = typeof step === "object" ? step.key : step;
      return typeof key === "symbol" ? String(key) : key;
    }),
  }));
}

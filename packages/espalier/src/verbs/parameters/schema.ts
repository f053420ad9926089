/**
 * How the parameters of verbs are declared: the part of JSON Schema that they need.
 */
/** The schema of one parameter. */
export interface ParameterSchema {
  /** What it is, in a sentence. */
  readonly description: string;
  /** Its type in JSON; several if it may be any of them; any value if left out. */
  readonly type?: ParameterType | readonly ParameterType[];
  /** The values that it may have. */
  readonly enum?: readonly string[];
  /** For an array: the type of its items. */
  readonly items?: { readonly type: ParameterType };
  /** The lowest allowed number. */
  readonly minimum?: number;
  /** The minimum number of items. */
  readonly minItems?: number;
  /**
   * The meaning of the value, if it is more than its type: the values of components by name, as in a scene file; one of these with
   * `null` for components that are removed; the names of components.
   */
  readonly form?: "components" | "overrides" | "component" | "scene";
}

/** A type of JSON. */
export type ParameterType = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/** The parameters of a verb by name. */
export type ParameterSchemas<Names extends string = string> = { readonly [Name in Names]-?: ParameterSchema };

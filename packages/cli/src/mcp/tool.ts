/**
 * A tool of agents, and the checks of its parameters.
 */
import type { Json, JsonObject } from "espalier/scene";
import { exitCodes, Stop } from "../exit-codes.ts";

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The parameters that are checked here. The library checks those of verbs. */
  readonly own: ToolParameters;
  readonly isReadOnly: boolean;
  readonly call: (given: { readonly [name: string]: Json }) => Promise<unknown>;
}

/** The result of a drawing tool: a picture, and notes about it. */
export class PictureResult {
  readonly png: Uint8Array;
  readonly facts: object;
  constructor(png: Uint8Array, facts: object) {
    this.png = png;
    this.facts = facts;
  }
}

export interface ToolParameter {
  readonly type: "string" | "boolean" | "integer" | "number" | "object" | "array";
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: "string" | "object"; readonly [key: string]: Json | undefined };
}

export type ToolParameters = { readonly [name: string]: ToolParameter };

/** Refuses parameters that do not fit the schema, so that a typo is not silently ignored. */
export function requireFitting(
  { name, inputSchema, own }: Tool,
  given: { readonly [name: string]: Json },
): void {
  const { properties, required } = inputSchema as unknown as {
    properties: JsonObject;
    required?: readonly string[];
  };
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(properties, key)) continue;
    throw new Stop(
      exitCodes.usage,
      `Cannot call ${name}: it has no parameter ${JSON.stringify(key)}. It has ${Object.keys(properties).join(", ") || "none"}.`,
    );
  }
  for (const key of required ?? []) {
    if (given[key] === undefined) throw new Stop(exitCodes.usage, `Cannot call ${name}: ${key} is missing.`);
  }
  for (const [key, schema] of Object.entries(own)) {
    const why = given[key] === undefined ? undefined : misfit(schema, given[key]);
    if (why !== undefined) throw new Stop(exitCodes.usage, `Cannot call ${name}: ${key} ${why}.`);
  }
}

function misfit({ type, enum: values, items }: ToolParameter, value: Json): string | undefined {
  if (values !== undefined)
    return values.includes(value as string) ? undefined : `is one of ${values.join(", ")}`;
  if (type === "integer") return Number.isInteger(value) ? undefined : "is an integer";
  if (type === "object") return isObject(value) ? undefined : "is an object";
  if (type !== "array") return typeof value === type ? undefined : `is a ${type}`;
  if (!Array.isArray(value)) return "is an array";
  const fits = items?.type === "object" ? isObject : (item: Json) => typeof item === "string";
  return value.every(fits) ? undefined : `is an array of ${items?.type === "object" ? "objects" : "strings"}`;
}

function isObject(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectSchema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}

/** A tool whose parameters are all checked here. */
export function ownTool(
  parameters: ToolParameters,
  required: readonly string[],
  tool: Omit<Tool, "inputSchema" | "own">,
): Tool {
  return { ...tool, own: parameters, inputSchema: objectSchema(parameters as never, required) };
}

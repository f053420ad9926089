/**
 * Validates input events: they come from bots, tests and recordings, not only from devices.
 */
import { describeValue } from "../../ecs/index.ts";
import type { AnyInput } from "./input-event.ts";

type FieldKind = "text" | "number" | "boolean" | "numbers" | "device events";

/** The fields of each type of event. */
const fields: { readonly [Type in AnyInput["type"]]: { readonly [field: string]: FieldKind } } = {
  key: { code: "text", down: "boolean" },
  pointer: {
    phase: "text",
    id: "number",
    kind: "text",
    x: "number",
    y: "number",
    button: "number",
    pressure: "number",
  },
  wheel: { x: "number", y: "number" },
  gamepad: { index: "number", axes: "numbers", buttons: "numbers" },
  blur: {},
  resize: { width: "number", height: "number" },
  gesture: {
    kind: "text",
    phase: "text",
    x: "number",
    y: "number",
    dx: "number",
    dy: "number",
    scale: "number",
    angle: "number",
  },
  paused: { events: "device events", isOver: "boolean" },
};

const tests: { readonly [Kind in FieldKind]: (value: unknown) => boolean } = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  numbers: (value) => Array.isArray(value) && value.every((number) => typeof number === "number"),
  "device events": (value) =>
    Array.isArray(value) &&
    value.every(
      (event) => (event as AnyInput | null)?.type !== "paused" && inputProblem(event) === undefined,
    ),
};

/** Why it is not a valid input event; `undefined` if it is. */
export function inputProblem(event: unknown): string | undefined {
  if (typeof event !== "object" || event === null) return `it is ${describeValue(event)}`;
  const { type } = event as { readonly type?: unknown };
  if (typeof type !== "string" || !Object.hasOwn(fields, type)) return `its type is ${describeValue(type)}`;
  for (const [name, kind] of Object.entries(fields[type as AnyInput["type"]])) {
    const value = (event as { readonly [field: string]: unknown })[name];
    if (!tests[kind](value)) return `its ${name} is ${describeValue(value)}`;
  }
  return undefined;
}

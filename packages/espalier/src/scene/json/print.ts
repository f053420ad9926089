/**
 * JSON values to text, on one line where it fits. Nothing recurses.
 */
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** Columns a line may have before a value is broken over several. */
export const widest = 110;
/** Deeper levels are not indented further: they would be unreadable, and the spaces alone would fill the disk. */
const deepest = 120;

/** A new line that is indented by `columns`. */
export function lineAt(columns: number): string {
  return newLines.slice(0, 1 + Math.min(columns, deepest));
}

const newLines = /* @__PURE__ */ "\n".padEnd(121);

/** A value on one line: `{ "x": 1, "tags": ["a", "b"] }`. */
export function printInline(value: Json): string {
  if (typeof value !== "object" || value === null) return printScalar(value);
  return printFlat(value) ?? print(value, undefined);
}

/** A value that begins at column `indent`, with `used` columns taken on its first line. */
export function printAt(value: Json, indent: number, used: number): string {
  if (typeof value !== "object" || value === null) return printScalar(value);
  const line = printFlat(value) ?? print(value, undefined);
  return used + line.length <= widest ? line : print(value, indent);
}

export function printScalar(value: string | number | boolean | null): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  return typeof value === "string" ? printString(value) : String(value);
}

/** The usual case, plain fields or a list of plain values, without a stack; `undefined` for anything else. */
function printFlat(value: object): string | undefined {
  if (Array.isArray(value)) {
    let list = "";
    for (const item of value as readonly Json[]) {
      if (typeof item === "object" && item !== null) return undefined;
      list = list === "" ? printScalar(item) : `${list}, ${printScalar(item)}`;
    }
    return `[${list}]`;
  }
  let text = "";
  for (const key in value) {
    const item = (value as JsonObject)[key];
    if (typeof item === "object" && item !== null) return undefined;
    text = `${text === "" ? "{ " : `${text}, `}${printKeyName(key)}${printScalar(item)}`;
  }
  return text === "" ? "{}" : `${text} }`;
}

/** `"key": `. */
export function printKeyName(key: string): string {
  return `${printString(key)}: `;
}

/** Short plain strings, such as ids and keys, in half the time of `JSON.stringify`. */
function printString(text: string): string {
  if (text.length > 40) return JSON.stringify(text);
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k);
    if (code < 32 || code === 34 || code === 92 || code > 126) return JSON.stringify(text);
  }
  return `"${text}"`;
}

interface Frame {
  readonly entries: readonly (readonly [string, Json])[];
  readonly isObject: boolean;
  at: number;
}

/** @param indent - The indentation of the line it begins on, if each entry gets a line; `undefined` to print all on one line. */
function print(top: object, indent: number | undefined): string {
  let text = "";
  const stack: Frame[] = [];
  const open = (value: object) => {
    const isObject = isJsonObject(value);
    const entries = isObject
      ? Object.keys(value).map((key) => [printKeyName(key), (value as JsonObject)[key]] as const)
      : (value as readonly Json[]).map((item) => ["", item] as const);
    if (entries.length === 0) {
      text += isObject ? "{}" : "[]";
      return;
    }
    text += isObject ? "{" : "[";
    stack.push({ entries, isObject, at: 0 });
  };
  const newLine = () => lineAt((indent as number) + 2 * stack.length);
  open(top);
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    if (frame.at === frame.entries.length) {
      stack.pop();
      if (indent !== undefined) text += newLine();
      else if (frame.isObject) text += " ";
      text += frame.isObject ? "}" : "]";
      continue;
    }
    const [key, value] = frame.entries[frame.at];
    if (frame.at++ > 0) text += indent === undefined ? ", " : ",";
    else if (indent === undefined && frame.isObject) text += " ";
    if (indent !== undefined) text += newLine();
    text += key;
    if (typeof value !== "object" || value === null) {
      text += printScalar(value);
      continue;
    }
    // Plain values stay on one line even where the rest is broken up.
    const flat = indent === undefined ? undefined : printFlat(value);
    const used = (indent ?? 0) + 2 * stack.length + key.length;
    if (flat !== undefined && used + flat.length <= widest) text += flat;
    else open(value);
  }
  return text;
}

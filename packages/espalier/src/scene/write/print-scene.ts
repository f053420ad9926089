/**
 * Scene files as text, always the same way: an entity with components takes a line per component, so that a change of
 * one value is a change of one line.
 */
import type { EntityEntry, SceneFile } from "../file.ts";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { lineAt, printAt, printInline, printKeyName, widest } from "../json/print.ts";

/** Keys whose value gets a line per entry. */
const blocks = new Set(["components", "overrides"]);

/** The text of a scene file, nested or flat. Ends with a line break. Nothing recurses. */
export function printScene(file: SceneFile): string {
  const parts: string[] = ["{"];
  let first = true;
  for (const [key, value] of Object.entries(file) as [string, Json][]) {
    if (key === "entities" || value === undefined) continue;
    parts.push(first ? "" : ",", lineAt(2), JSON.stringify(key), ": ", printAt(value, 2, key.length + 6));
    first = false;
  }
  parts.push(first ? "" : ",", '\n  "entities": ');
  printEntities(parts, file.entities);
  parts.push("\n}\n");
  return parts.join("");
}

interface Frame {
  readonly list: readonly EntityEntry[];
  readonly indent: number;
  at: number;
}

function printEntities(parts: string[], top: readonly EntityEntry[]): void {
  if (top.length === 0) {
    parts.push("[]");
    return;
  }
  parts.push("[");
  const stack: Frame[] = [{ list: top, indent: 4, at: 0 }];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    if (frame.at === frame.list.length) {
      stack.pop();
      parts.push(lineAt(frame.indent - 2), "]");
      if (stack.length > 0) parts.push(lineAt(frame.indent - 4), "}");
      continue;
    }
    if (frame.at > 0) parts.push(",");
    parts.push(lineAt(frame.indent));
    const entry = frame.list[frame.at++];
    const children = Array.isArray(entry.children) ? (entry.children as readonly EntityEntry[]) : [];
    if (children.length === 0) {
      printEntry(parts, entry, frame.indent, false);
      continue;
    }
    // Everything but the children, with the closing bracket left for later.
    printEntry(parts, entry, frame.indent, true);
    parts.push(`,${lineAt(frame.indent + 2)}"children": [`);
    stack.push({ list: children, indent: frame.indent + 4, at: 0 });
  }
}

function printEntry(parts: string[], entry: EntityEntry, indent: number, open: boolean): void {
  const values = entry as unknown as JsonObject;
  if (
    !open &&
    entry.components === undefined &&
    entry.overrides === undefined &&
    entry.children === undefined
  ) {
    const line = printInline(values);
    if (indent + line.length <= widest) {
      parts.push(line);
      return;
    }
  }
  const newLine = lineAt(indent + 2);
  const nextLine = `,${newLine}`;
  let between = newLine;
  parts.push("{");
  for (const key in values) {
    if (key === "children" && open) continue;
    parts.push(between);
    printKey(parts, key, values[key], indent + 2);
    between = nextLine;
  }
  if (!open) parts.push(lineAt(indent), "}");
}

function printKey(parts: string[], key: string, value: Json, indent: number): void {
  const start = printKeyName(key);
  parts.push(start);
  if (!blocks.has(key) || !isJsonObject(value)) {
    parts.push(printAt(value, indent, indent + start.length));
    return;
  }
  const newLine = lineAt(indent + 2);
  const nextLine = `,${newLine}`;
  let between = newLine;
  parts.push("{");
  for (const name in value) {
    const inner = printKeyName(name);
    parts.push(between, inner, printAt(value[name], indent + 2, indent + 2 + inner.length));
    between = nextLine;
  }
  parts.push(between === newLine ? "}" : `${lineAt(indent)}}`);
}

/**
 * Scene files as text, in a canonical form: an entity with components takes a line per component, so that changing
 * one value changes one line.
 */
import { type EntityEntry, requireFile, type SceneFile } from "../file.ts";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { lineAt, printAt, printInline, printKeyName, printScalar, widest } from "../json/print.ts";

/** Keys whose value gets a line per entry. */
const blocks = new Set(["components", "overrides"]);

/** The text of a scene file, nested or flat. Ends with a line break. Nothing recurses. */
export function printScene(file: SceneFile): string {
  const { entities, ...header } = requireFile(file, "print a scene");
  return printEntries(header, entities);
}

/** The beginning of an entity with components, in the list of entities: up to the bracket of its components. */
export function printEntryStart(id: string, name: string | undefined, parent: string | undefined): string {
  const named = name === undefined ? "" : `,\n      "name": ${printScalar(name)}`;
  const below = parent === undefined ? "" : `,\n      "parent": ${printScalar(parent)}`;
  return `{\n      "id": ${printScalar(id)}${named}${below},\n      "components": {`;
}

/** The same for entities from an iterator, so that only one of them need exist at a time. Some may be text already. */
export function printEntries(
  header: Omit<SceneFile, "entities">,
  entities: Iterable<EntityEntry | string>,
): string {
  const printing = printInSlices(header, entities);
  for (;;) {
    const { done, value } = printing.next();
    if (done === true) return value;
  }
}

/** Entities per slice: a few milliseconds. */
export const SLICE = 500;

/** The same in slices, for programs that must respond in between: yields how many entities are printed. */
export function* printInSlices(
  header: Omit<SceneFile, "entities">,
  entities: Iterable<EntityEntry | string>,
): Generator<number, string> {
  const text = new LongText();
  let comma = "{";
  for (const [key, value] of Object.entries(header) as [string, Json][]) {
    if (value === undefined) continue;
    text.add(`${comma}${lineAt(2)}${printKeyName(key)}${printAt(value, 2, key.length + 6)}`);
    comma = ",";
  }
  text.add(`${comma}\n  "entities": [`);
  const newLine = lineAt(4);
  let between = newLine;
  let count = 0;
  for (const entry of entities) {
    if (++count % SLICE === 0) yield count;
    text.add(between);
    if (typeof entry === "string") text.add(entry);
    else printTree(text, entry);
    between = `,${newLine}`;
  }
  text.add(between === newLine ? "]\n}\n" : "\n  ]\n}\n");
  return text.toString();
}

/** A text made of very many pieces. They are joined from time to time, so that the garbage collector visits few. */
class LongText {
  private pieces: string[] = [];
  private readonly chunks: string[] = [];

  add(piece: string): void {
    if (this.pieces.push(piece) < 4096) return;
    this.chunks.push(this.pieces.join(""));
    this.pieces = [];
  }

  toString(): string {
    return this.chunks.join("") + this.pieces.join("");
  }
}

interface Frame {
  readonly list: readonly EntityEntry[];
  readonly indent: number;
  at: number;
}

/** An entity with everything that is nested in it. */
function printTree(text: LongText, top: EntityEntry): void {
  const stack: Frame[] = [];
  const print = (entry: EntityEntry, indent: number) => {
    const children = Array.isArray(entry.children) ? (entry.children as readonly EntityEntry[]) : [];
    printEntry(text, entry, indent, children.length > 0);
    if (children.length === 0) return;
    // The closing bracket of the entry is left for later.
    text.add(`,${lineAt(indent + 2)}"children": [`);
    stack.push({ list: children, indent: indent + 4, at: 0 });
  };
  print(top, 4);
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    if (frame.at === frame.list.length) {
      stack.pop();
      text.add(`${lineAt(frame.indent - 2)}]${lineAt(frame.indent - 4)}}`);
      continue;
    }
    text.add(`${frame.at > 0 ? "," : ""}${lineAt(frame.indent)}`);
    print(frame.list[frame.at++], frame.indent);
  }
}

/** @param open - Without the children and the closing bracket. */
function printEntry(text: LongText, entry: EntityEntry, indent: number, open: boolean): void {
  const values = entry as unknown as JsonObject;
  if (
    !open &&
    entry.components === undefined &&
    entry.overrides === undefined &&
    entry.children === undefined
  ) {
    const line = printInline(values);
    if (indent + line.length <= widest) {
      text.add(line);
      return;
    }
  }
  const newLine = lineAt(indent + 2);
  const nextLine = `,${newLine}`;
  let between = newLine;
  text.add("{");
  for (const key in values) {
    if (key === "children" && open) continue;
    text.add(between);
    printKey(text, key, values[key], indent + 2);
    between = nextLine;
  }
  if (!open) text.add(`${lineAt(indent)}}`);
}

function printKey(text: LongText, key: string, value: Json, indent: number): void {
  const start = printKeyName(key);
  if (!blocks.has(key) || !isJsonObject(value)) {
    text.add(start + printAt(value, indent, indent + start.length));
    return;
  }
  const newLine = lineAt(indent + 2);
  const nextLine = `,${newLine}`;
  let between = newLine;
  text.add(`${start}{`);
  for (const name in value) {
    const inner = printKeyName(name);
    text.add(between + inner + printAt(value[name], indent + 2, indent + 2 + inner.length));
    between = nextLine;
  }
  text.add(between === newLine ? "}" : `${lineAt(indent)}}`);
}

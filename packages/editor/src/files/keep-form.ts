/**
 * Writes a scene into the text of its file: what did not change stays as it is written, with its comments, its nesting and its
 * spacing.
 */

import { parseScene, printScene, type SceneFile, toFlat, toNested } from "espalier/scene";
import { type Node, parseTree } from "jsonc-parser";
import { type Gaps, gapsOf } from "./json-gaps.ts";

type Value = unknown;
type Fields = { readonly [key: string]: Value };

/** The text to write, and whether comments of the file were lost. */
export interface KeptForm {
  readonly text: string;
  readonly areCommentsLost: boolean;
}

/**
 * @param text - The file as it is on disk.
 * @param before - The scene of that file, as saving writes it.
 * @param after - The scene to write, as saving writes it.
 */
export function keepForm(text: string, before: string, after: string): KeptForm {
  // Written by the editor, and not changed since.
  if (text === before) return { text: after, areCommentsLost: false };
  try {
    const [root, tree] = [parseTree(text), parseScene(text)];
    if (root === undefined) throw new Error("The file is empty.");
    const isNested = tree.entities.some(({ children }) => children !== undefined);
    const form = (saved: string) => withoutVersion(tree, (isNested ? toNested : toFlat)(parseScene(saved)));
    const writer = new FormWriter(text, root, tree, form(before), form(after));
    return { text: writer.write(), areCommentsLost: false };
  } catch {
    // Nested deeper than the parser supports, or not as expected: keeping the scene matters more than its formatting.
    return { text: after, areCommentsLost: hasComments(text) };
  }
}

/** Whether there is a comment in a JSON text. */
export function hasComments(text: string): boolean {
  if (!text.includes("//") && !text.includes("/*")) return false;
  // String by string: one expression for the whole text would overflow the stack on a large file.
  for (const [found] of text.matchAll(/"(?:[^"\\]|\\.)*"|\/[/*]/gs)) if (found[0] === "/") return true;
  return false;
}

/** A file without a version has the first one. */
function withoutVersion(file: SceneFile, saved: SceneFile): Fields {
  const { version, ...rest } = saved;
  return (file.version === undefined && version === 1 ? rest : saved) as unknown as Fields;
}

/** The key under which entries without an id are found again. */
const MARK = "\u0000entry";

class FormWriter {
  private readonly text: string;
  private readonly root: Node;
  private readonly before: Fields;
  private readonly after: Fields;
  /** The node of each entity, by id. */
  private readonly nodes = new Map<string, Node>();
  private readonly entries = new Map<string, Fields>();
  /** Whether some entities have no id. They get one once something changes: the ids that loading generates depend on all others. */
  private hasAnonymous = false;

  constructor(text: string, root: Node, file: SceneFile, before: Fields, after: Fields) {
    this.text = text;
    this.root = root;
    this.before = before;
    this.after = after;
    this.findNodes(file);
    for (const entry of entitiesIn(before)) this.entries.set(entry.id as string, entry);
  }

  write(): string {
    if (isSame(this.before, this.after)) return this.text;
    const end = this.root.offset + this.root.length;
    const body = this.render(this.root, this.before, this.after);
    return this.text.slice(0, this.root.offset) + body + this.text.slice(end);
  }

  /** Entities without an id get the one that loading gives them. */
  private findNodes(file: SceneFile): void {
    const found: Node[] = [];
    const mark = (list: readonly Fields[], nodes: readonly Node[]): Fields[] =>
      list.map((entry, k) => {
        const node = nodes[k] as Node;
        const at = found.push(node) - 1;
        if (entry.id === undefined) this.hasAnonymous = true;
        const children = entry.children as readonly Fields[] | undefined;
        const below = valueNode(node, "children")?.children ?? [];
        return {
          ...entry,
          [MARK]: at,
          ...(children === undefined ? {} : { children: mark(children, below) }),
        };
      });
    const entities = mark(
      file.entities as unknown as readonly Fields[],
      valueNode(this.root, "entities")?.children ?? [],
    );
    for (const entry of toFlat({ ...file, entities } as unknown as SceneFile).entities) {
      this.nodes.set(entry.id as string, found[(entry as unknown as Fields)[MARK] as number] as Node);
    }
  }

  /** The text of a value that changes from `before` to `after`. */
  private render(node: Node, before: Value, after: Value): string {
    if (isSame(before, after) && !(this.hasAnonymous && holdsEntities(after))) return this.slice(node);
    if (node.type === "object" && isFields(after))
      return this.renderObject(node, isFields(before) ? before : {}, after);
    if (node.type === "array" && isEntities(after)) return this.renderEntities(node, after);
    return this.renderNew(after, this.indentOf(node));
  }

  private renderObject(node: Node, before: Fields, after: Fields): string {
    const properties = node.children ?? [];
    if (properties.length === 0) return inline(after);
    const gaps = this.gaps(node, properties);
    const keys = properties.map((property) => property.children?.[0]?.value as string);
    const items: Item[] = [];
    properties.forEach((property, k) => {
      const key = keys[k] as string;
      const value = property.children?.[1];
      const isGone = !Object.hasOwn(after, key) && Object.hasOwn(before, key);
      if (value === undefined || isGone) return;
      // Text that loading ignores, such as an explicit default, is kept.
      const text = Object.hasOwn(after, key)
        ? this.render(value, before[key], after[key])
        : this.slice(value);
      const name = this.text.slice(property.offset, value.offset);
      items.push({ key, lead: gaps.leads[k] as string, text: name + text, trail: gaps.trails[k] as string });
    });
    const lead = gaps.leads[gaps.leads.length - 1] as string;
    let last: string | undefined;
    for (const key of Object.keys(after)) {
      if (!keys.includes(key)) {
        const at = items.findIndex((item) => item.key === last) + 1;
        const text = `${JSON.stringify(key)}: ${this.renderNew(after[key], this.indentAfter(node, lead))}`;
        items.splice(at, 0, { key, lead: bare(lead), text, trail: "" });
      }
      last = key;
    }
    return join("{", "}", gaps, items);
  }

  private renderEntities(node: Node, after: readonly Fields[]): string {
    const items = node.children ?? [];
    if (items.length === 0) return this.renderNew(after, this.indentOf(node));
    const gaps = this.gaps(node, items);
    const lead = gaps.leads[0] as string;
    const indent = this.indentAfter(node, lead);
    const list = after.map((entry): Item => {
      const key = entry.id as string;
      const at = items.indexOf(this.nodes.get(key) as Node);
      const text = this.renderEntity(entry, indent);
      if (at < 0) return { key, lead: bare(lead), text, trail: "" };
      return { key, lead: gaps.leads[at] as string, text, trail: gaps.trails[at] as string };
    });
    return list.length === 0 ? "[]" : join("[", "]", gaps, list);
  }

  /** A value that is new at this location; entities in it may be moved from elsewhere. */
  private renderNew(value: Value, indent: string): string {
    if (!isEntities(value) || value.length === 0) return inline(value);
    const deeper = `${indent}  `;
    const entries = value.map((entry) => `\n${deeper}${this.renderEntity(entry, deeper)}`);
    return `[${entries.join(",")}\n${indent}]`;
  }

  /** An entity moved from elsewhere brings its comments, and takes the indentation of its new location. */
  private renderEntity(entry: Fields, indent: string): string {
    const id = entry.id as string;
    const [own, before] = [this.nodes.get(id), this.entries.get(id)];
    if (own !== undefined && before !== undefined) {
      return indented(this.render(own, before, entry), this.indentOf(own), indent);
    }
    const { children, ...rest } = entry;
    const text = printEntry(rest, indent);
    if (children === undefined) return text;
    return text.replace(/\s*\}$/, `, "children": ${this.renderNew(children, indent)} }`);
  }

  private slice({ offset, length }: Node): string {
    return this.text.slice(offset, offset + length);
  }

  private gaps(node: Node, items: readonly Node[]): Gaps {
    return gapsOf(this.text, node, items);
  }

  /** The indentation of the text after a lead inside a node. */
  private indentAfter(node: Node, lead: string): string {
    return lead.includes("\n") ? indentIn(lead) : this.indentOf(node);
  }

  /** The spaces at the start of the line on which a value begins. */
  private indentOf({ offset }: Node): string {
    const line = this.text.slice(this.text.lastIndexOf("\n", offset - 1) + 1, offset);
    return /^[ \t]*/.exec(line)?.[0] ?? "";
  }
}

interface Item {
  readonly key: string;
  readonly lead: string;
  readonly text: string;
  readonly trail: string;
}

function join(open: string, close: string, gaps: Gaps, items: readonly Item[]): string {
  const { head, tail, hasLastComma } = gaps;
  const body = items.map(
    ({ lead, text, trail }, k) => `${lead}${text}${k < items.length - 1 || hasLastComma ? "," : ""}${trail}`,
  );
  return `${open}${head}${body.join("")}${tail}${close}`;
}

/** The line break and the indentation of a lead, without its comments. */
function bare(lead: string): string {
  return lead.includes("\n") ? `\n${indentIn(lead)}` : " ";
}

function indentIn(lead: string): string {
  return lead.slice(lead.lastIndexOf("\n") + 1).replace(/[^ \t].*$/, "");
}

function indented(text: string, from: string, to: string): string {
  return text.replaceAll(`\n${from}`, `\n${to}`);
}

/** One entity as saving writes it, at another indentation. */
function printEntry(entry: Fields, indent: string): string {
  const text = printScene({ entities: [entry] } as unknown as SceneFile);
  const start = text.indexOf("[") + 1;
  return indented(text.slice(start, text.lastIndexOf("]")).trim(), "    ", indent);
}

/** `{ "x": 1, "tags": ["a"] }`. */
function inline(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (!isFields(value)) return Object.is(value, -0) ? "-0" : JSON.stringify(value);
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${inline(one)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** All entities of a file, nested or not. */
function entitiesIn(file: Fields): Fields[] {
  const found: Fields[] = [];
  const stack = [...((file.entities ?? []) as readonly Fields[])];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    found.push(entry);
    for (const child of (entry.children ?? []) as readonly Fields[]) stack.push(child);
  }
  return found;
}

function valueNode(node: Node, key: string): Node | undefined {
  return node.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1];
}

function isFields(value: Value): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a list of entities: objects with ids, which saving gives to all. */
function isEntities(value: Value): value is readonly Fields[] {
  return Array.isArray(value) && value.every((item) => isFields(item) && typeof item.id === "string");
}

/** Whether a value is a file, an entity, or a list of entities. */
function holdsEntities(value: Value): boolean {
  if (isEntities(value)) return true;
  return isFields(value) && (typeof value.id === "string" || value.entities !== undefined);
}

function isSame(a: Value, b: Value): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

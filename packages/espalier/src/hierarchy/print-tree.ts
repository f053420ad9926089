/**
 * Trees as text, for people.
 */
import type { AnyComponent, Entity, EntityLike } from "../ecs/index.ts";
import { checkOptions, INDEX_MASK, requireFunction, requireNumber } from "../ecs/internal.ts";
import { requireTree } from "./arguments.ts";
import type { Hierarchy } from "./hierarchy.ts";
import { treeOf } from "./hierarchy-reader.ts";

/** Options of `printTree`. */
export interface PrintOptions {
  /** Only this entity and what is below it; the whole forest if left out. */
  readonly from?: EntityLike;
  /** Show which components an entity has. On unless `false`. */
  readonly components?: boolean;
  /** Something to add behind an entity, such as its position. */
  readonly note?: (entity: Entity) => string;
  /** Draw at most this many levels below the start. */
  readonly maxDepth?: number;
  /** Draw at most this many lines; the rest is counted. 1,000 if left out. */
  readonly maxLines?: number;
}

const printOptions = {
  from: "anything",
  components: "boolean",
  note: "function",
  maxDepth: "number",
  maxLines: "number",
} as const;

/**
 * Draws a tree:
 * ```text
 * tank#1 [Health]
 * ├─ turret#2
 * │  └─ barrel#3
 * └─ tracks#4
 * ```
 *
 * @example
 * ```ts
 * spawnTree(tree, { name: "tank", children: [{ name: "turret" }] });
 * console.log(printTree(tree));
 * // → tank#1
 * //   └─ turret#2
 * ```
 */
export function printTree(hierarchy: Hierarchy, options: PrintOptions = {}): string {
  requireTree(hierarchy, "print a tree");
  checkOptions(hierarchy.world.checks, "print a tree", options, printOptions);
  const { note, maxDepth = 0, maxLines = 1000 } = options;
  if (note !== undefined) requireFunction(note, "print a tree", "note");
  requireNumber(maxDepth, "print a tree", "maxDepth");
  requireNumber(maxLines, "print a tree", "maxLines");
  const { links, ecs } = treeOf(hierarchy);
  const top = options.from === undefined ? 0 : ecs.require(options.from, "print");
  const lines: string[] = [];
  let left = 0;
  // Below `top` the walk keeps, per level, the text in front of the children. Deep chains share prefixes by length only,
  // so the indent is cut at 40 levels: more cannot be read.
  const stack: { node: number; prefix: string; depth: number }[] = [];
  const push = (parent: number, prefix: string, depth: number) => {
    for (let child = links.last(parent); child !== 0; child = links.prev(child))
      stack.push({ node: child, prefix, depth });
  };
  const text = (node: number) => describeNode(hierarchy, ecs.handleAt(node), options);
  if (top === 0) push(0, "", 0);
  else {
    lines.push(text(top));
    if (options.maxDepth !== 0) push(top, "", 1);
  }
  while (stack.length > 0) {
    const { node, prefix, depth } = stack.pop() as { node: number; prefix: string; depth: number };
    if (lines.length >= maxLines) {
      left++;
    } else if (depth === 0) {
      lines.push(text(node));
    } else {
      lines.push(`${prefix}${links.next(node) === 0 ? "└─ " : "├─ "}${text(node)}`);
    }
    if (depth >= (options.maxDepth ?? Number.POSITIVE_INFINITY)) continue;
    const inner = depth === 0 ? "" : depth < 40 ? prefix + (links.next(node) === 0 ? "   " : "│  ") : prefix;
    push(node, inner, depth + 1);
  }
  if (left > 0) lines.push(`… and ${left} more`);
  return lines.join("\n");
}

function describeNode(hierarchy: Hierarchy, entity: Entity, options: PrintOptions): string {
  let text = hierarchy.label(entity);
  if (options.components !== false) {
    const stores = treeOf(hierarchy).ecs.archetypeAt(entity & INDEX_MASK)?.stores ?? [];
    const names = stores.map((store): AnyComponent["name"] => store.component.name);
    if (names.length > 0) text += ` [${names.join(" ")}]`;
  }
  const note = options.note?.(entity);
  return note === undefined || note === "" ? text : `${text} ${note}`;
}

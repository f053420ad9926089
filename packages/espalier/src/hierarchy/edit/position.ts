/**
 * Where among its siblings a child is to stand.
 */
import type { EntityLike } from "../../ecs/index.ts";
import { checkOptions, describeValue, needCheck } from "../../ecs/internal.ts";
import { InvalidEditError, NotAChildError } from "../errors.ts";
import { labelAt, labelOf, nodeOf } from "../nodes.ts";
import { type AttachOptions, attachOptions } from "../options.ts";
import type { TreeState } from "../state.ts";

/**
 * The child of `parent` before which a moved node is to be placed; 0 for last.
 * @param moving The node, 0 if it does not exist yet.
 * @param several Those that move together, where that is more than one.
 */
export function beforeNode(
  t: TreeState,
  moving: number,
  parent: number,
  options: AttachOptions,
  several?: ReadonlySet<number>,
): number {
  const { links, positions } = t;
  if (needCheck(options, t.optionKinds?.attach))
    checkOptions(t.ecs.checks, "place a child", options, attachOptions);
  const { at, before, after } = options;
  const hasTwo =
    before !== undefined ? at !== undefined || after !== undefined : at !== undefined && after !== undefined;
  if (hasTwo)
    throw new InvalidEditError("Cannot place a child: give one of at, before and after, not several.");
  if (before !== undefined) return siblingNode(t, before, parent);
  if (after !== undefined) return links.next(siblingNode(t, after, parent));
  if (at === undefined || at === "last") return 0;
  if (at === "first") return links.first(parent);
  if (!Number.isInteger(at)) {
    throw new InvalidEditError(
      `Cannot place a child at ${describeValue(at)}: an index is an integer, "first" or "last".`,
      { option: "at", value: at },
    );
  }
  if (several !== undefined) return beforeNodeWithout(t, several, parent, at);
  const isThere = moving !== 0 && links.parent(moving) === parent;
  const staying = links.count(parent) - (isThere ? 1 : 0);
  const index = clampedIndex(at, staying);
  if (index === staying) return 0;
  if (index === 0) {
    const first = links.first(parent);
    return first === moving ? links.next(first) : first;
  }
  const found = positions.at(parent, index);
  // Positions count without the moved one.
  const isBehind = isThere && index >= positions.indexOf(moving);
  return isBehind ? links.next(found) : found;
}

/** Costs the number of those that move, not of those that stay. */
function beforeNodeWithout(t: TreeState, moving: ReadonlySet<number>, parent: number, at: number): number {
  const { links, positions } = t;
  const inside = [...moving].filter((node) => links.parent(node) === parent);
  const staying = links.count(parent) - inside.length;
  let index = clampedIndex(at, staying);
  if (index === staying) return 0;
  if (index === 0) {
    let first = links.first(parent);
    while (moving.has(first)) first = links.next(first);
    return first;
  }
  // Positions count without the moved ones.
  const own = inside.map((node) => positions.indexOf(node)).sort((a, b) => a - b);
  for (const position of own) if (position <= index) index++;
  return positions.at(parent, index);
}

function siblingNode(t: TreeState, sibling: EntityLike, parent: number): number {
  const node = nodeOf(t, sibling, "place a child beside a sibling");
  if (t.links.parent(node) === parent) return node;
  throw new NotAChildError(
    `Cannot place a child beside ${labelOf(t, sibling)}: it is not ${parent === 0 ? "a root" : `a child of ${labelAt(t, parent)}`}. Name one of its children, or leave the position out.`,
    { entities: [sibling] },
  );
}

/** An index among `count` that stay: from 0 to `count`; a negative one counts from the end. */
function clampedIndex(at: number, count: number): number {
  return Math.min(Math.max(at < 0 ? count + 1 + at : at, 0), count);
}

/** Whether options say where among the siblings. */
export function hasPosition({ at, before, after }: AttachOptions): boolean {
  return at !== undefined || before !== undefined || after !== undefined;
}

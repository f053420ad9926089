/**
 * The short ways of `attach`, `detach` and every other move as text of their own. With links and recorder as constants V8 neither
 * looks for them nor checks what they are, and the parts are small enough to become one with the caller: `detach` takes 6 ns
 * in place of 9, a recorded one 10 in place of 18. The long ways, beside which these are tested, are in `core.ts` and
 * `hierarchy.ts`.
 */
import { compile, type Entity, INDEX_MASK, type Recorder, type World } from "../ecs/index.ts";
import {
  COUNT,
  type Extras,
  FIRST,
  HANDLE,
  LAST,
  type LinkedLinks,
  NEXT,
  PARENT_HANDLE,
  PREV,
} from "./links.ts";

export interface QuickEdits {
  /** Puts a node under `parent`, before its child `before`, where it is not yet. */
  move(node: number, parent: number, before: number): void;
  /** `false`, with nothing changed, where the short way must not be taken or there is nothing to do. */
  attach(child: Entity, parent: Entity): boolean;
  detach(child: Entity): boolean;
}

/**
 * Valid until the world grows, as long as its handles are narrow.
 * @param tree The hierarchy whose links these are.
 * @param recorder Is told where a node was, if there is one; it has a tape.
 * @param head What such a record ends with.
 */
export function generateEdits(
  tree: object,
  { records }: LinkedLinks,
  extras: Extras,
  { table }: World,
  recorder: Recorder | undefined,
  head: number,
): QuickEdits {
  const take = `
      const left = r[n | ${PREV}], right = r[n | ${NEXT}];
      ${recorder === undefined ? "" : "record(n, right);"}
      r[left === 0 ? f | ${FIRST} : left << 3 | ${NEXT}] = right;
      r[right === 0 ? f | ${LAST} : right << 3 | ${PREV}] = left;
      r[f | ${COUNT}]--;`;
  const putBetween = (prev: string, before: string, back: string) => `
      const prev = ${prev};
      r[n] = to;
      r[n | ${PARENT_HANDLE}] = r[p | ${HANDLE}];
      r[n | ${PREV}] = prev;
      r[n | ${NEXT}] = ${before};
      r[prev === 0 ? p | ${FIRST} : prev << 3 | ${NEXT}] = node;
      r[${back}] = node;
      r[p | ${COUNT}]++;`;
  const last = `p | ${LAST}`;
  const back = `before << 3 | ${PREV}`;
  const put = putBetween(
    `before === 0 ? r[${last}] : r[${back}]`,
    "before",
    `before === 0 ? ${last} : ${back}`,
  );
  // V8 lets only short texts become part of others.
  const moveLast = `${take}${putBetween(`r[${last}]`, "0", last)}
      tree.version++;
      if (tree.order_ !== undefined) tree.order_.linked(node, from, to);
      return true;`;
  const isLong = "table.wide === true || extras.count !== 0 || tree.isPlain !== true";
  return compile(
    ["tree", "records", "extras", "table", "recorder"],
    `const record = (n, right) => {
      const { tape } = recorder, r = records;
      if (tape.count + 4 > tape.numbers.length) tape.reserve(4);
      const { numbers, count } = tape;
      numbers[count] = Math.max(r[n | ${PARENT_HANDLE}], 0);
      numbers[count + 1] = right === 0 ? 0 : r[right << 3 | ${HANDLE}];
      numbers[count + 2] = r[n | ${HANDLE}];
      numbers[count + 3] = ${head};
      tape.count = count + 4;
    };
    const move = (node, to, before) => {
      const r = records, n = node << 3, p = to << 3, from = r[n], f = from << 3;${take}${put}
    };
    const attach = (child, parent) => {
      const r = records, node = child & ${INDEX_MASK}, to = parent & ${INDEX_MASK}, n = node << 3, p = to << 3;
      if (r[n | ${HANDLE}] !== child || r[p | ${HANDLE}] !== parent || ${isLong}) return false;
      const from = r[n], f = from << 3;
      // Whatever has children may be above its new parent.
      if (r[n | ${FIRST}] !== 0 || node === to || (from === to && r[n | ${NEXT}] === 0)) return false;${moveLast}
    };
    const detach = (child) => {
      const r = records, node = child & ${INDEX_MASK}, n = node << 3, to = 0, p = 0;
      if (r[n | ${HANDLE}] !== child || ${isLong}) return false;
      const from = r[n], f = from << 3;
      if (from === 0) return false;${moveLast}
    };
    return { move, attach, detach };`,
  )(tree, records, extras, table, recorder) as QuickEdits;
}

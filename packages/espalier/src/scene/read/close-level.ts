/**
 * The end of a file that was read in place: its ids, parents, references and orders, as if it had been read by itself.
 *
 * It costs as much as the file says, not as many entities as its instances bring. An entity of a prefab that it moves to another parent
 * costs the number of its new siblings and the way to it.
 */
import type { Entity } from "../../ecs/index.ts";
import type { Json } from "../json/json.ts";
import type { Level } from "./level.ts";
import { assignIds, reportCycle, resolveParent, wantedOrder } from "./link.ts";
import { IdSuggestions } from "./nearest.ts";
import type { SceneNode } from "./node.ts";
import { checkReferences } from "./references.ts";
import type { Report } from "./report.ts";
import type { Siblings } from "./siblings.ts";

export interface CloseHost {
  readonly nodes: (SceneNode | undefined)[];
  readonly siblings: Siblings;
  readonly report: Report;
  readonly options: { readonly lenient: boolean };
}

export function closeLevel(host: CloseHost, level: Level): void {
  const { nodes, report, siblings } = host;
  const { lenient } = host.options;
  const own = level.ownSlots(nodes.length);
  assignIds(nodes, own, level, report);
  const suggestions = new IdSuggestions({ keys: () => level.overridable() });
  const ids = { get: (id: string) => level.find(id), has: (id: string) => level.find(id) !== undefined };

  const said = [...own, ...new Set(level.touched)].filter((slot) => nodes[slot] !== undefined);
  const before = said.map((slot) => (nodes[slot] as SceneNode).parent);
  let isFlat = false;
  for (const slot of said) {
    const node = nodes[slot] as SceneNode;
    if (node.parentId !== undefined) isFlat = true;
    resolveParent(node, { ...ids, suggestions }, report, lenient);
    node.parentId = undefined;
    // A file in which something else has no parent is refused; until then it is below the root.
    if (node.parent < 0 && slot !== level.slot) node.parent = level.slot;
  }
  if (isFlat) breakCycles(host, level, said);
  const moves = new Map<number, number>();
  said.forEach((slot, k) => {
    const { parent } = nodes[slot] as SceneNode;
    if (k >= own.length && parent !== before[k]) moves.set(slot, parent);
  });
  siblings.move(moves);
  for (const slot of own) if (slot !== level.slot) siblings.add((nodes[slot] as SceneNode).parent, slot);

  const known = { byId: ids, externals: noEntities, suggestions };
  for (const slot of said) {
    const node = nodes[slot] as SceneNode;
    checkReferences(node, known, level, report, lenient);
    if (node.order !== undefined) arrange(host, level, slot, node.order);
    node.order = undefined;
    if (node.instance !== undefined) node.instance = undefined;
  }
}

const noEntities: ReadonlyMap<string, Entity> = /* @__PURE__ */ new Map();

function arrange(
  { nodes, siblings, report }: CloseHost,
  level: Level,
  slot: number,
  wanted: readonly Json[],
): void {
  const find = (id: string) => level.find(id);
  const order = wantedOrder(slot, wanted, siblings.of(slot), { nodes, find, report, source: level.source });
  siblings.reorder(slot, order);
}

/** Finds entities that are their own ancestors. They become children of the root. */
function breakCycles({ nodes, report }: CloseHost, level: Level, said: readonly number[]): void {
  const moves = level.touched.length > 0;
  // Inside an instance that nothing was moved in, all ways up lead to its root.
  const above = (slot: number) => {
    const { parent } = nodes[slot] as SceneNode;
    return moves || parent < 0 ? parent : level.ownerAt(parent);
  };
  const done = new Map<number, boolean>();
  for (const slot of said) {
    const walked: number[] = [];
    let at = slot;
    for (; at >= 0 && !done.has(at); at = above(at)) {
      done.set(at, false);
      walked.push(at);
    }
    if (at >= 0 && done.get(at) === false) {
      reportCycle(nodes, at, report);
      (nodes[at] as SceneNode).parent = at === level.slot ? -1 : level.slot;
    }
    for (const index of walked) done.set(index, true);
  }
}

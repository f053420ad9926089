/**
 * Completes a file that was read in place: its ids, parents, references and orders, as if it had been read separately.
 *
 * The cost depends on the size of the file, not on the number of entities in its instances. An entity of a prefab that it moves to
 * another parent costs O(new siblings + depth).
 */
import type { Entity } from "../../ecs/index.ts";
import type { Json } from "../json/json.ts";
import type { Level } from "./level.ts";
import { assignIds, breakCycles, resolveParent, wantedOrder } from "./link.ts";
import { IdSuggestions } from "./nearest.ts";
import type { SceneNode } from "./node.ts";
import type { Reading } from "./reading.ts";
import { checkReferences } from "./references.ts";
import type { Siblings } from "./siblings.ts";

export interface CloseHost {
  readonly nodes: (SceneNode | undefined)[];
  readonly siblings: Siblings;
  readonly reading: Reading;
}

export function closeLevel(host: CloseHost, level: Level): void {
  const { nodes, siblings, reading } = host;
  const { report } = reading;
  const own = level.ownSlots(nodes.length);
  assignIds(nodes, own, level, report);
  const suggestions = new IdSuggestions(level);

  const said = [...own, ...new Set(level.touched)].filter((slot) => nodes[slot] !== undefined);
  const before = said.map((slot) => (nodes[slot] as SceneNode).parent);
  let isFlat = false;
  for (const slot of said) {
    const node = nodes[slot] as SceneNode;
    if (node.parentId !== undefined) isFlat = true;
    resolveParent(node, level, suggestions, reading);
    node.parentId = undefined;
    // A file in which another entity has no parent is refused; until then it is put below the root.
    if (node.parent < 0 && slot !== level.slot) node.parent = level.slot;
  }
  if (isFlat) breakCycles(nodes, said, report, level.slot);
  const moves = new Map<number, number>();
  said.forEach((slot, k) => {
    const { parent } = nodes[slot] as SceneNode;
    if (k >= own.length && parent !== before[k]) moves.set(slot, parent);
  });
  siblings.move(moves);
  for (const slot of own) if (slot !== level.slot) siblings.add((nodes[slot] as SceneNode).parent, slot);

  const known = { byId: level, externals: noEntities, suggestions };
  for (const slot of said) {
    const node = nodes[slot] as SceneNode;
    checkReferences(node, known, level, reading);
    const { order } = node.rare;
    if (order !== undefined) arrange(host, level, slot, order);
    node.parts.order = node.parts.instance = undefined;
  }
}

const noEntities: ReadonlyMap<string, Entity> = /* @__PURE__ */ new Map();

function arrange(
  { nodes, siblings, reading }: CloseHost,
  level: Level,
  slot: number,
  wanted: readonly Json[],
): void {
  const { source } = level;
  const order = wantedOrder(slot, wanted, siblings.of(slot), {
    nodes,
    byId: level,
    report: reading.report,
    source,
  });
  siblings.reorder(slot, order);
}

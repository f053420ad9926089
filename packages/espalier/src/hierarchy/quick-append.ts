/**
 * The short way to a new last child as text of its own, with the links as a constant; the long one is
 * `HierarchyCore.spawnQuietly`, beside which it is tested.
 */
import { type Entity, generateBareSpawn, INDEX_MASK, type World } from "../ecs/index.ts";
import {
  COUNT,
  type Extras,
  FIRST,
  HANDLE,
  LAST,
  type LinkedLinks,
  NEXT,
  PARENT,
  PARENT_HANDLE,
  PREV,
} from "./links.ts";

/** Gives the new entity; 0, with nothing changed, where the short way must not be taken. */
export type QuickAppend = (parent: Entity) => number;

/** Valid until the world grows. `tree` is the hierarchy whose links these are. */
export function generateAppend(
  world: World,
  tree: object,
  { records }: LinkedLinks,
  extras: Extras,
): QuickAppend {
  return generateBareSpawn(world, {
    parameter: "parent",
    constants: { tree, records, extras },
    // A handle that is kept with the links belongs to a living entity.
    before: `
      const to = parent & ${INDEX_MASK};
      if (extras.count !== 0 || !tree.isPlain || records[to << 3 | ${HANDLE}] !== parent) return 0;`,
    after: `
      const n = node << 3, p = to << 3, prev = records[p | ${LAST}];
      records[n | ${PARENT}] = to;
      records[n | ${PREV}] = prev;
      records[n | ${NEXT}] = 0;
      records[n | ${HANDLE}] = entity;
      records[n | ${PARENT_HANDLE}] = parent;
      records[prev === 0 ? p | ${FIRST} : prev << 3 | ${NEXT}] = node;
      records[p | ${LAST}] = node;
      records[p | ${COUNT}]++;
      tree.version++;
      if (tree.order_ !== undefined) tree.order_.spawned(node, to, 0);`,
  });
}

/**
 * The merged entities as a file, parents first.
 */
import { deepEqual } from "../../history/internal.ts";
import type { EntityEntry, SceneFile } from "../file.ts";
import type { JsonObject } from "../json/json.ts";
import type { Placement } from "./merge-parents.ts";
import { bareEntry, bareOverride, type MutableEntry, putOverride } from "./merged-entry.ts";
import { instanceIdOf, type NodeRecord, type SideNode } from "./side.ts";
import { nodesOf, type Triple } from "./triple.ts";

export interface Merged {
  readonly header: JsonObject;
  readonly placements: ReadonlyMap<string, Placement>;
  readonly records: ReadonlyMap<string, NodeRecord>;
  readonly children: ReadonlyMap<string | null, readonly string[]>;
}

export function writeMerged(triple: Triple, { header, placements, records, children }: Merged): SceneFile {
  const entries = new Map<string, MutableEntry>();
  const inner: string[] = [];
  const stack = [...(children.get(null) ?? [])].reverse();
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const { parent } = placements.get(id) as Placement;
    if (instanceIdOf(id) === undefined) entries.set(id, bareEntry(id, parent, records.get(id) as NodeRecord));
    else inner.push(id);
    const below = children.get(id) ?? [];
    for (let k = below.length - 1; k >= 0; k--) stack.push(below[k]);
  }
  const override = (id: string, values: MutableEntry | undefined) => {
    const instance = instanceIdOf(id) as string;
    putOverride(entries.get(instance) as MutableEntry, id.slice(instance.length + 1), values);
  };
  for (const id of inner) {
    const record = records.get(id) as NodeRecord;
    const givenParent = givenParentOf(triple, id, (placements.get(id) as Placement).parent);
    override(id, bareOverride({ ...record, givenParent }));
  }
  let rootOrder: readonly string[] | undefined;
  for (const [parent, list] of children) {
    if (!needsOrder(triple, parent, list)) continue;
    if (parent === null) rootOrder = list;
    else if (instanceIdOf(parent) !== undefined) override(parent, { order: list });
    else (entries.get(parent) as MutableEntry).order = list;
  }
  return {
    ...header,
    version: triple.registry.version,
    ...(rootOrder === undefined ? {} : { order: rootOrder }),
    entities: [...entries.values()] as unknown as EntityEntry[],
  };
}

/** The parent that an instance gives an entity inside it: `undefined` where it equals that of the prefab. */
function givenParentOf(triple: Triple, id: string, parent: string | null): string | null | undefined {
  const { base, ours, theirs } = nodesOf(triple, id);
  const found = [ours, theirs, base].find((node) => node !== undefined && node.parent === parent);
  return found === undefined ? parent : (found as SideNode).record.givenParent;
}

/** Whether the order must be written, because a loader would not derive it: entities of a prefab among others, or reordered. */
function needsOrder(triple: Triple, parent: string | null, list: readonly string[]): boolean {
  const isInner = (id: string) => instanceIdOf(id) !== undefined;
  if (list.length < 2 || !list.some(isInner)) return false;
  if (!list.every(isInner)) return true;
  return [triple.base, triple.ours, triple.theirs].some((side) => {
    const saysSo = parent === null ? side.hasRootOrder : side.nodes.get(parent)?.record.hasOrder;
    return saysSo === true || !deepEqual(side.children.get(parent) ?? [], list);
  });
}

/**
 * Entities that both sides added under the same id. Ids are made from names, so two people who each add a crate mean two crates;
 * by default both stay, and the one of `theirs` gets another id.
 */
import { deepEqual, setOwn } from "../../history/internal.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { idMaker } from "../read/link.ts";
import type { Registry } from "../registry.ts";
import { entryOf } from "./merged-entry.ts";
import { renameReferences } from "./references.ts";
import {
  type ComponentValues,
  insideOf,
  instanceIdOf,
  type NodeRecord,
  type Side,
  type SideNode,
} from "./side.ts";
import type { Triple } from "./triple.ts";

/** Resolves these conflicts. @returns the triple to continue with, in which different entities have different ids. */
export function separateAdded(triple: Triple): Triple {
  const { base, ours, theirs, conflicts, forced } = triple;
  const renamed = new Map<string, string>();
  const make = idMaker(
    (id) => base.nodes.has(id) || ours.nodes.has(id) || theirs.nodes.has(id) || taken.has(id),
  );
  const taken = new Set<string>();
  for (const [id, node] of theirs.nodes) {
    const own = ours.nodes.get(id);
    if (own === undefined || base.nodes.has(id) || instanceIdOf(id) !== undefined) continue;
    const above = node.parent === null ? undefined : renamed.get(instanceIdOf(node.parent) ?? node.parent);
    // Entities added below an entity that gets another id belong to that one.
    if (above === undefined) {
      if (isSameEntity(ours, theirs, own, node)) continue;
      const choice = conflicts.add({
        kind: "added",
        entity: id,
        base: undefined,
        ours: entryOf(ours, id) as unknown as Json,
        theirs: entryOf(theirs, id) as unknown as Json,
        default: "both",
      });
      if (choice !== "both") {
        forced.set(id, choice);
        continue;
      }
    }
    const fresh = make(node.record.name ?? id);
    taken.add(fresh);
    renamed.set(id, fresh);
  }
  return renamed.size === 0 ? triple : { ...triple, theirs: renameIds(triple.registry, theirs, renamed) };
}

/** Whether they are equal, including their content if they are instances. */
function isSameEntity(ours: Side, theirs: Side, a: SideNode, b: SideNode): boolean {
  if (a.parent !== b.parent || !deepEqual(a.record, b.record)) return false;
  return a.record.prefab === undefined || deepEqual(entryOf(ours, a.id), entryOf(theirs, b.id));
}

/** The side with other ids for some entities, wherever these occur. */
function renameIds(registry: Registry, side: Side, renamed: ReadonlyMap<string, string>): Side {
  const rename = (id: string) => {
    const instance = instanceIdOf(id);
    if (instance === undefined) return renamed.get(id) ?? id;
    const fresh = renamed.get(instance);
    return fresh === undefined ? id : fresh + id.slice(instance.length);
  };
  const renameOrNone = (id: string | null) => (id === null ? null : rename(id));
  const nodes = new Map<string, SideNode>();
  for (const node of side.nodes.values()) {
    const id = rename(node.id);
    nodes.set(id, { id, parent: renameOrNone(node.parent), record: renameIn(registry, node.record, rename) });
  }
  const children = new Map<string | null, readonly string[]>();
  for (const [parent, list] of side.children) children.set(renameOrNone(parent), list.map(rename));
  return { ...side, nodes, children, inside: insideOf(nodes.keys()) };
}

function renameIn(registry: Registry, record: NodeRecord, rename: (id: string) => string): NodeRecord {
  const components: { [component: string]: JsonObject | null } = {};
  for (const [component, values] of Object.entries(record.components)) {
    const next: { [field: string]: Json } = {};
    for (const [field, value] of Object.entries(values ?? {})) {
      setOwn(next, field, renameReferences(registry, component, field, value, rename));
    }
    setOwn(components, component, values === null ? null : next);
  }
  const { givenParent } = record;
  return {
    ...record,
    components: components as ComponentValues,
    givenParent: typeof givenParent === "string" ? rename(givenParent) : givenParent,
  };
}

/**
 * The entries that turn the state of a follower into that of a snapshot: existing entities stay the same.
 */
import type { Component, Schema, World } from "../../ecs/index.ts";
import { stateOf } from "../../ecs/internal.ts";
import { InvalidPatchError } from "../errors.ts";
import type { PatchOptions } from "../patch/apply-patch.ts";
import type { IdMap } from "../patch/id-map.ts";
import {
  type AddEntry,
  type Key,
  type PatchEntry,
  requireStreamPatch,
  type StreamPatch,
} from "../patch/patch.ts";
import { hasChildren } from "../state.ts";
import { ownOf } from "../values/own-keys.ts";

/** @param covers - The names of the components that the snapshot contains; all other components are the follower's own. */
export function patchToSnapshot(
  world: World,
  patch: StreamPatch,
  covers: readonly string[],
  { ids, trees = [] }: PatchOptions,
): StreamPatch {
  const map = ids as IdMap;
  const entries: PatchEntry[] = [];
  const wanted = new Set<Key>();
  for (const entry of requireStreamPatch(patch)) {
    if (entry.op !== "add") {
      throw new InvalidPatchError(
        `Cannot receive a snapshot: it has an entry of kind "${entry.op}", and a snapshot only adds. Pass what snapshot() gave.`,
      );
    }
    wanted.add(entry.id);
    const entity = map.entityOf(entry.id);
    if (entity === undefined || !world.isAlive(entity)) {
      if (entity !== undefined) map.drop(entity);
      entries.push(entry);
      continue;
    }
    const has = (name: string) => {
      const component = stateOf(world).componentNamed(name) as Component<Schema> | undefined;
      return component !== undefined && world.has(entity, component);
    };
    entries.push(
      ...setsOf(
        entry,
        covers.filter((name) => has(name)),
      ),
    );
    for (const tree of trees) {
      const position = ownOf(entry.positions, tree.name) ?? { parent: null };
      const { parent, after, name = null } = position as AddEntry["positions"][string];
      entries.push({
        op: "move",
        id: entry.id,
        tree: tree.name,
        parent,
        ...(after === undefined ? {} : { after }),
      });
      if (hasChildren(tree)) entries.push({ op: "set", id: entry.id, tree: tree.name, name });
    }
  }
  for (const [key, entity] of [...map.entries()]) {
    if (wanted.has(key)) continue;
    if (world.isAlive(entity)) entries.push({ op: "remove", id: key });
    else map.drop(entity);
  }
  return entries;
}

/** Entries for the components of an existing entity: all values, and removals of extra components. */
function setsOf({ id, components }: AddEntry, present: readonly string[]): PatchEntry[] {
  const sets: PatchEntry[] = Object.entries(components).map(([component, values]) => ({
    op: "set",
    id,
    component,
    values,
  }));
  for (const component of present) {
    if (!Object.hasOwn(components, component)) sets.push({ op: "set", id, component, values: null });
  }
  return sets;
}

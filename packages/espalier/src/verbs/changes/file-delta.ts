/**
 * The exact difference between two saved versions of a scene, in both directions: the entries that differ, and the order.
 */
import { deepEqual } from "../../history/internal.ts";
import type { EntityEntry, SceneFile } from "../../scene/index.ts";
import { entriesById } from "./file-entities.ts";

type Header = Omit<SceneFile, "entities">;

/** The exact difference of two flat files, in both directions. Plain data. */
export interface FileDelta {
  /** Entries that differ, by id; `null` if a side does not have it. */
  readonly entries: readonly {
    readonly id: string;
    readonly before: EntityEntry | null;
    readonly after: EntityEntry | null;
  }[];
  /** The ids of both sides, from the first position at which they differ to the last. */
  readonly sequence?: {
    readonly at: number;
    readonly before: readonly string[];
    readonly after: readonly string[];
  };
  /** The keys of the file besides its entities, if they differ. */
  readonly header?: { readonly before: Header; readonly after: Header };
}

/** `after` with the entries of `before` where they are equal, so that versions of a scene share them. */
export function shareEntries(before: SceneFile, after: SceneFile): SceneFile {
  const known = entriesById(before);
  const entities = after.entities.map((entry) => {
    const former = known.get(entry.id ?? "");
    return former !== undefined && deepEqual(former, entry) ? former : entry;
  });
  return { ...after, entities };
}

export function deltaOf(before: SceneFile, after: SceneFile): FileDelta {
  const [was, is] = [entriesById(before), entriesById(after)];
  const entries: { id: string; before: EntityEntry | null; after: EntityEntry | null }[] = [];
  for (const [id, entry] of was) {
    const next = is.get(id) ?? null;
    if (next !== entry && !deepEqual(next, entry)) entries.push({ id, before: entry, after: next });
  }
  for (const [id, entry] of is) if (!was.has(id)) entries.push({ id, before: null, after: entry });
  const sequence = sequenceOf([...was.keys()], [...is.keys()]);
  const { entities: _, ...old } = before;
  const { entities: __, ...next } = after;
  return {
    entries,
    ...(sequence === undefined ? {} : { sequence }),
    ...(deepEqual(old, next) ? {} : { header: { before: old, after: next } }),
  };
}

function sequenceOf(before: readonly string[], after: readonly string[]): FileDelta["sequence"] {
  let at = 0;
  while (at < before.length && at < after.length && before[at] === after[at]) at++;
  let [end, stop] = [before.length, after.length];
  while (end > at && stop > at && before[end - 1] === after[stop - 1]) {
    end--;
    stop--;
  }
  if (at === end && at === stop) return undefined;
  return { at, before: before.slice(at, end), after: after.slice(at, stop) };
}

/** The version before, given the version after. The file must be the one that the delta leads to. */
export function revertDelta(file: SceneFile, { entries, sequence, header }: FileDelta): SceneFile {
  const known = entriesById(file);
  const ids = [...known.keys()];
  for (const { id, before } of entries) {
    if (before === null) known.delete(id);
    else known.set(id, before);
  }
  if (sequence !== undefined) {
    const { at, before, after } = sequence;
    const rest = ids.slice(at + after.length);
    ids.length = at;
    for (const id of before) ids.push(id);
    for (const id of rest) ids.push(id);
  }
  const { entities: _, ...kept } = file;
  return { ...(header?.before ?? kept), entities: ids.map((id) => known.get(id) as EntityEntry) };
}

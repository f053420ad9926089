/**
 * The differences between two saved versions of a scene, for people and programs to read.
 */
import { deepEqual, longestIncreasing, ownOf } from "../../history/internal.ts";
import type { EntityEntry, Json, JsonObject, SceneFile } from "../../scene/index.ts";
import type { Change } from "./change.ts";
import { entitiesIn, entriesById, type FileEntity, pathsIn } from "./file-entities.ts";

/** The default of a field as JSON; `undefined` if unknown. */
export type Defaults = (component: string, field: string) => Json | undefined;

/** The differences of two flat files. O(entities); entries that are the same object are skipped. */
export function compareFiles(before: SceneFile, after: SceneFile, defaults: Defaults): Change[] {
  const was = entriesById(before);
  const is = entriesById(after);
  const changed = (entries: ReadonlyMap<string, EntityEntry>, others: ReadonlyMap<string, EntityEntry>) =>
    byId(
      entitiesIn([...entries].filter(([id, entry]) => others.get(id) !== entry).map(([, entry]) => entry)),
    );
  const [old, next] = [changed(was, is), changed(is, was)];
  const [pathBefore, pathAfter] = [pathsIn(was), pathsIn(is)];
  const changes: Change[] = [...compareHeaders(before, after)];
  for (const [id, entity] of old) {
    if (next.has(id) || entity.isInside) continue;
    changes.push({ kind: "deleted", entity: id, path: pathBefore(id), before: asJson(was.get(id)) });
  }
  for (const [id, entity] of next) {
    const former = old.get(id);
    if (former === undefined && !entity.isInside) {
      changes.push({ kind: "created", entity: id, path: pathAfter(id), after: asJson(is.get(id)) });
    } else compareEntity(former, entity, pathAfter(id), defaults, changes);
  }
  for (const [id, entity] of old) {
    // An override of a part that was removed.
    if (entity.isInside && !next.has(id) && is.has(id.slice(0, id.indexOf("/")))) {
      compareEntity(entity, undefined, pathAfter(id), defaults, changes);
    }
  }
  changes.push(...compareOrder(before, after, is, pathAfter));
  return changes;
}

function byId(entities: Iterable<FileEntity>): Map<string, FileEntity> {
  return new Map(Array.from(entities, (entity) => [entity.id, entity]));
}

function compareEntity(
  before: FileEntity | undefined,
  after: FileEntity | undefined,
  path: string,
  defaults: Defaults,
  changes: Change[],
): void {
  const { id, isInside } = (after ?? before) as FileEntity;
  const isInstance = isInside || after?.prefab !== undefined || before?.prefab !== undefined;
  const add = (
    kind: Change["kind"],
    a: Json | undefined,
    b: Json | undefined,
    rest: Partial<Change> = {},
  ) => {
    const isInherited = isInstance && (a === undefined || b === undefined) && kind !== "prefab";
    changes.push({
      kind,
      entity: id,
      path,
      ...rest,
      ...(a === undefined ? {} : { before: a }),
      ...(b === undefined ? {} : { after: b }),
      ...(isInherited ? { inherited: true as const } : {}),
    });
  };
  if (before?.isRemoved !== after?.isRemoved && (before?.isRemoved || after?.isRemoved)) {
    add(after?.isRemoved === true ? "deleted" : "created", undefined, undefined);
    if (after?.isRemoved === true) return;
  }
  if (before?.name !== after?.name) add("renamed", nameOf(before, isInside), nameOf(after, isInside));
  if (before?.parent !== after?.parent) add("moved", before?.parent, after?.parent);
  if (before?.prefab !== after?.prefab) add("prefab", before?.prefab ?? null, after?.prefab ?? null);
  const [old, next] = [before?.components ?? {}, after?.components ?? {}];
  for (const component of new Set([...Object.keys(old), ...Object.keys(next)])) {
    const [a, b] = [ownOf(old, component), ownOf(next, component)];
    if (deepEqual(a, b)) continue;
    if (b === undefined || b === null) {
      if (!isInstance || b === null) {
        add("component-removed", a ?? undefined, undefined, { component });
        continue;
      }
    } else if ((a === undefined && !isInstance) || a === null) {
      add("component-added", undefined, b, { component });
      continue;
    }
    for (const field of new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])) {
      const [from, to] = [ownOf(a ?? undefined, field), ownOf(b ?? undefined, field)];
      if (deepEqual(from, to)) continue;
      const standard = isInstance ? undefined : defaults(component, field);
      add("set", from ?? standard, to ?? standard, { component, field });
    }
  }
}

function nameOf(entity: FileEntity | undefined, isInside: boolean): Json | undefined {
  return entity?.name ?? (isInside && entity?.name === undefined ? undefined : null);
}

function* compareHeaders(before: SceneFile, after: SceneFile): IterableIterator<Change> {
  const { entities: _, order: __, ...old } = before;
  const { entities: ___, order: ____, ...next } = after;
  for (const field of new Set([...Object.keys(old), ...Object.keys(next)])) {
    const [a, b] = [ownOf(old as JsonObject, field), ownOf(next as JsonObject, field)];
    if (deepEqual(a, b)) continue;
    const sides = { ...(a === undefined ? {} : { before: a }), ...(b === undefined ? {} : { after: b }) };
    yield { kind: "file", entity: null, path: "", field, ...sides };
  }
}

/** Entities that kept their parent and have another position among the siblings that did too. */
function* compareOrder(
  before: SceneFile,
  after: SceneFile,
  is: ReadonlyMap<string, EntityEntry>,
  pathOf: (id: string) => string,
): IterableIterator<Change> {
  const old = childLists(before);
  for (const [parent, list] of childLists(after)) {
    const former = old.get(parent);
    if (former === undefined || deepEqual(former, list)) continue;
    const position = new Map(former.map((id, k) => [id, k]));
    const ranks = list.map((id) => position.get(id) ?? -1);
    const stays = longestIncreasing(ranks);
    for (const [k, id] of list.entries()) {
      const rank = ranks[k] as number;
      if (rank < 0 || stays[k] === 1) continue;
      if (id.includes("/") ? false : !is.has(id)) continue;
      yield { kind: "reordered", entity: id, path: pathOf(id), before: rank, after: k };
    }
  }
}

/** The children that have entries, in order, by parent; `order` holds it where it is not that of the file. */
function childLists({ entities, order }: SceneFile): Map<string | null, readonly string[]> {
  const lists = new Map<string | null, string[]>();
  for (const { id = "", parent = null } of entities) {
    const list = lists.get(parent);
    if (list === undefined) lists.set(parent, [id]);
    else list.push(id);
  }
  const given: Map<string | null, readonly string[]> = lists;
  if (order !== undefined) given.set(null, order);
  for (const { id = "", order: own, overrides = {} } of entities) {
    if (own !== undefined) given.set(id, own);
    for (const [target, override] of Object.entries(overrides)) {
      if (override?.order !== undefined) given.set(`${id}/${target}`, override.order);
    }
  }
  return given;
}

function asJson(entry: EntityEntry | undefined): Json {
  return (entry ?? null) as unknown as Json;
}

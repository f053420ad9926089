/**
 * A saved scene by entities: entries, and the overrides for entities inside instances, each with its id.
 */
import { quoteSegment } from "../../hierarchy/internal.ts";
import { ownOf } from "../../history/internal.ts";
import type { ComponentEntries, EntityEntry, SceneFile } from "../../scene/index.ts";

/** The content of a file about one entity. */
export interface FileEntity {
  readonly id: string;
  readonly name: string | null | undefined;
  /** As written; for an entity inside an instance only if it was moved. */
  readonly parent: string | null | undefined;
  readonly prefab: string | undefined;
  readonly components: ComponentEntries;
  /** Whether it is inside an instance of a prefab, so that missing values come from there. */
  readonly isInside: boolean;
  /** Whether the instance removes it. */
  readonly isRemoved: boolean;
}

/** The id of the instance that contains an entity, and the rest: `tank/gun/sight` is `gun/sight` of `tank`. */
export function splitId(id: string): readonly [instance: string, target: string | undefined] {
  const at = id.indexOf("/");
  return at < 0 ? [id, undefined] : [id.slice(0, at), id.slice(at + 1)];
}

/** All entities in a flat file, in order. */
export function* entitiesIn(entries: Iterable<EntityEntry>): IterableIterator<FileEntity> {
  for (const entry of entries) {
    const { id = "", name, parent, prefab, components = {}, overrides = {} } = entry;
    yield { id, name, parent: parent ?? null, prefab, components, isInside: false, isRemoved: false };
    for (const target of Object.keys(overrides)) {
      const override = ownOf(overrides, target) ?? null;
      yield {
        id: `${id}/${target}`,
        name: override?.name,
        parent: override?.parent,
        prefab: undefined,
        components: override?.components ?? {},
        isInside: true,
        isRemoved: override === null,
      };
    }
  }
}

/** The entries of a flat file by id. */
export function entriesById({ entities }: SceneFile): Map<string, EntityEntry> {
  return new Map(entities.map((entry) => [entry.id ?? "", entry]));
}

/** How many names of a path are shown before it is shortened. */
const mostNames = 32;

/**
 * Paths for people and programs: names, or ids where a name is missing or equals that of an earlier sibling. Deep ones are shortened
 * from the top.
 */
export function pathsIn(entries: ReadonlyMap<string, EntityEntry>): (id: string) => string {
  let namesakes: ReadonlySet<string> | undefined;
  return (id) => {
    namesakes ??= namesakesIn(entries);
    const steps: string[] = [];
    let at: string | undefined = id;
    while (at !== undefined && steps.length <= mostNames) {
      const [instance, target] = splitId(at);
      const entry = entries.get(instance);
      if (target !== undefined) {
        steps.unshift(target.split("/").map(quoteSegment).join("/"));
        at = instance;
        continue;
      }
      steps.unshift(quoteSegment(namesakes.has(instance) ? instance : (entry?.name ?? instance)));
      at = entry?.parent;
    }
    if (steps.length > mostNames) return `…/${steps.slice(-8).join("/")}`;
    return `/${steps.join("/")}`;
  };
}

/** The entities with the name of an earlier sibling. */
function namesakesIn(entries: ReadonlyMap<string, EntityEntry>): Set<string> {
  const taken = new Map<string | undefined, Set<string>>();
  const namesakes = new Set<string>();
  for (const [id, { name, parent }] of entries) {
    if (name === undefined || name === null) continue;
    const names = taken.get(parent) ?? new Set();
    taken.set(parent, names);
    if (names.has(name)) namesakes.add(id);
    names.add(name);
  }
  return namesakes;
}

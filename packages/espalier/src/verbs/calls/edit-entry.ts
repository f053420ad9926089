/** Changes the content of a file about one entity, wherever that is: in its entry, or among the overrides of an instance. */
import { ownOf, setOwn } from "../../history/internal.ts";
import type { EntityEntry, Json, OverrideEntry, SceneFile } from "../../scene/index.ts";
import { splitId } from "../changes/file-entities.ts";

type Fields = { readonly [field: string]: Json };

/** The components of an entity in a file, by name. */
export type EntryComponents = { [component: string]: Fields | null };

/** A copy of a file with changed components of one entity. `change` receives a copy of them and changes it. */
export function withComponents(
  id: string,
  change: (components: EntryComponents) => void,
): (file: SceneFile) => SceneFile {
  const [owner, target] = splitId(id);
  const edit = <Entry extends EntityEntry | OverrideEntry>(entry: Entry): Entry => {
    const components: EntryComponents = {};
    for (const [name, values] of Object.entries(entry.components ?? {})) setOwn(components, name, values);
    change(components);
    return { ...entry, components };
  };
  return (file) =>
    withEntry(file, owner, (entry) => {
      if (target === undefined) return edit(entry);
      const overrides: { [target: string]: OverrideEntry | null } = {};
      for (const [name, values] of Object.entries(entry.overrides ?? {})) setOwn(overrides, name, values);
      setOwn(overrides, target, edit(ownOf(overrides, target) ?? {}));
      return { ...entry, overrides };
    });
}

/** The file with another entry for that id. */
export function withEntry(
  file: SceneFile,
  id: string,
  change: (entry: EntityEntry) => EntityEntry,
): SceneFile {
  return { ...file, entities: file.entities.map((entry) => (entry.id === id ? change(entry) : entry)) };
}

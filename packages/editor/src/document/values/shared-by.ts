/**
 * How many entities share the same stored values in shared storage.
 */
import { type AnyComponent, type Entity, inspect } from "espalier";
import type { EditorDocument } from "../document.ts";

/** The number for the entity that shares with the most; `undefined` for a component whose values are not shared. */
export function mostSharedBy(
  { world }: EditorDocument,
  entities: readonly Entity[],
  component: AnyComponent,
): number | undefined {
  // Computed for each entity only where the answer is shown.
  if (component.storage !== "shared") return undefined;
  const counts = entities.flatMap((entity) =>
    inspect(world, entity)
      .components.filter((one) => one.component === component)
      .map(({ sharedBy = 1 }) => sharedBy),
  );
  return counts.length === 0 ? undefined : Math.max(...counts);
}

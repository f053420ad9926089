/**
 * Change readers of a component.
 */
import { requireFunction } from "../checks/arguments.ts";
import type { AnyComponent } from "../components/component.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import type { WorldState } from "../state.ts";
import { ChangeLog, ChangeReader } from "./changes.ts";

/** A reader of the changes of a component of this world. */
export function readChanges(
  s: WorldState,
  component: AnyComponent,
  filter: ((entity: Entity) => boolean) | undefined,
): ChangeReader {
  s.requireUsable("read changes");
  const store = s.store(component);
  if (filter !== undefined) requireFunction(filter, "read changes", "the filter");
  if (store.log === undefined) {
    store.log = new ChangeLog();
    s.countListener(store, 1);
  }
  const log = store.log;
  const there = (entity: Entity) =>
    s.isAlive(entity) && s.hasAt(entity & INDEX_MASK, store) && (filter === undefined || filter(entity));
  return new ChangeReader(log, there, () => {
    if (log.readers.size > 0 || store.log !== log) return;
    store.log = undefined;
    s.countListener(store, -1);
  });
}

/**
 * Refuses references to entities that are not alive in this world, wherever users write them. What the world itself brings back (undo,
 * snapshots) is not asked.
 */
import type { Store } from "../components/store.ts";
import { type Entity, formatEntity } from "../entities/entity.ts";
import type { WorldState } from "../state.ts";

type Values = { readonly [field: string]: unknown };

/** Makes a component with indexed fields refuse them. */
export function refuseDeadTargets(s: WorldState, store: Store): void {
  const names = store.names.filter((_, k) => store.fields[k]?.relation !== undefined);
  store.refuse = (index, values) => {
    for (let k = 0; k < names.length; k++) {
      const value = (values as Values)[names[k] as string];
      if (value === undefined || value === null) continue;
      if (!Array.isArray(value)) requireTarget(s, store, names[k] as string, value, index);
      else for (const item of value) requireTarget(s, store, names[k] as string, targetIn(item), index);
    }
  };
}

function targetIn(item: unknown): unknown {
  return typeof item === "object" && item !== null ? (item as { target?: unknown }).target : item;
}

/** Refuses a target that is dead, or of another world. `owner` is an index, 0 for an entity that is still to be created. */
export function requireTarget(
  s: WorldState,
  store: Store,
  field: string,
  target: unknown,
  owner: number,
): void {
  if (s.table.isAlive(target as Entity)) return;
  const of = owner === 0 ? "" : ` of ${formatEntity(s.handleAt(owner))}`;
  throw s.table.whyNotAlive(target, `set ${store.component.name}.${field}${of}`);
}

/**
 * Refuses references to entities that are not alive in this world, wherever users write them.
 */
import type { Store } from "../components/store.ts";
import { type Entity, formatEntity } from "../entities/entity.ts";
import type { WorldState } from "../state.ts";

type Values = { readonly [field: string]: unknown };

/** Guards a component with indexed fields. What the world itself brings back (undo, snapshots) passes by guards. */
export function refuseDeadTargets(s: WorldState, store: Store): void {
  const fields = store.fields.flatMap((field, k) =>
    field.relation === undefined ? [] : [{ name: store.names[k] as string, field }],
  );
  const refuse = (values: Values | undefined, owner: Entity | undefined) => {
    if (values === undefined) return;
    for (const { name } of fields) {
      const value = values[name];
      if (value === undefined || value === null) continue;
      if (!Array.isArray(value)) requireTarget(s, store, name, value, owner);
      else {
        for (const item of value as unknown[])
          requireTarget(s, store, name, typeof item === "object" ? (item as { target: unknown }).target : item, owner);
      }
    }
  };
  store.guards = [
    ...(store.guards ?? []),
    (index, values) => refuse(values as Values | undefined, index === 0 ? undefined : s.handleAt(index)),
  ];
  store.writeGuards = [...(store.writeGuards ?? []), (owner, values) => refuse(values, owner)];
}

/** Whether guards of users want to be asked about writes: that of relations is the first. */
export function hasOtherGuards({ writeGuards }: Store): boolean {
  return writeGuards !== undefined && writeGuards.length > 1;
}

/** Refuses a target that is dead, or of another world. */
export function requireTarget(
  s: WorldState,
  store: Store,
  field: string,
  target: unknown,
  owner: Entity | undefined,
): void {
  if (s.table.isAlive(target as Entity)) return;
  const of = owner === undefined ? "" : ` of ${formatEntity(owner)}`;
  throw s.table.whyNotAlive(target as Entity, `set ${store.component.name}.${field}${of}`);
}

/**
 * Readers of queries end with their query. A reader is held by the log that it reads, so without this a query that is made in each frame
 * would leave one behind each time, and the log would keep what none of them reads.
 */
import type { AnyComponent } from "../components/component.ts";
import type { WorldState } from "../state.ts";
import type { ChangeLog, ChangeReader } from "./changes.ts";

let registry: FinalizationRegistry<readonly ChangeReader[]> | undefined;

/** Closes readers when `owner` is collected as garbage. They must not refer to it. */
export function closeWhenDropped(owner: object, readers: readonly ChangeReader[]): void {
  registry ??= new FinalizationRegistry((dropped) => {
    for (const reader of dropped) reader.close();
  });
  registry.register(owner, readers, owner);
}

/** The owner closed them. */
export function keepNoLonger(owner: object): void {
  registry?.unregister(owner);
}

/** So many readers of one component are a sign of a query that is made again and again. */
const MANY = 500;
const warned = new WeakSet<ChangeLog>();

/** Warns in development, once for each component, when it has very many readers. */
export function warnOfMany(s: WorldState, component: AnyComponent): void {
  const { log } = s.store(component);
  if (!s.isDevelopment || log === undefined || log.readers.size < MANY || warned.has(log)) return;
  warned.add(log);
  console.warn(
    `${component.name} has ${log.readers.size} open readers of changes. Each query with changed(), added() or removed(), and each sortedQuery(), is a reader of its own, and such a term sees only what changes after its query was made: make the query once and keep it.`,
  );
}

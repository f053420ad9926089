/**
 * Running observers of entities that are about to be destroyed. They may save some of them, and destroy others.
 */
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import type { IndexList } from "../index-list.ts";
import { gatherAll } from "../mutate/destroy.ts";
import type { WorldState } from "../state.ts";
import { runDestroying } from "./notify.ts";

/**
 * Runs the observers of all that go, in the order of the list, while everything is still there. What they move out before its turn
 * lives on, and is taken off the list; an entity whose observers have run goes for certain.
 */
export function runBefore(s: WorldState, roots: readonly Entity[], list: IndexList): void {
  const { doomed, table } = s;
  const call = doomed.begin();
  const again = () => {
    doomed.release(call);
    gatherAll(s, roots, list);
    doomed.add(list, call);
  };
  /** Those that go for certain, in order. */
  const going = new Set<Entity>();
  try {
    doomed.add(list, call);
    if (s.hooks.destruction.some((hook) => hook.hasDestroying())) runParentsFirst(s, list, call, again);
    for (let k = 0; k < list.count && !table.disposed; k++) {
      const entity = table.handleAt(list.ids[k]);
      if (going.has(entity)) continue;
      going.add(entity);
      // A call around this one may have run its observers.
      if (doomed.isCertain(list.ids[k])) continue;
      doomed.makeCertain(list.ids[k]);
      runDestroying(s, entity);
      if (!doomed.isChanged(call) || table.disposed) continue;
      again();
      k = -1;
    }
    list.count = 0;
    for (const hook of s.hooks.destruction) hook.confirm(roots);
    for (const entity of going) if (table.isAlive(entity)) list.push(entity & INDEX_MASK);
  } finally {
    doomed.end(call);
  }
}

/** Lets rooms notify their listeners of all that go, parents first. What is saved by then is passed over. */
function runParentsFirst(s: WorldState, list: IndexList, call: number, again: () => void): void {
  const notified = new Set<number>();
  for (let k = list.count - 1; k >= 0 && !s.table.disposed; k--) {
    const index = list.ids[k];
    if (notified.has(index)) continue;
    notified.add(index);
    const entity = s.table.handleAt(index);
    for (const hook of s.hooks.destruction) hook.destroying(entity);
    if (!s.doomed.isChanged(call) || s.table.disposed) continue;
    again();
    k = list.count;
  }
}

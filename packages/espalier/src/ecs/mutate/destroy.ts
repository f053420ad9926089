/**
 * Destroying entities, with everything that must go with them.
 *
 * First the list of all that go is made, each behind what must go before it. Where no observer has to hear of them, they leave
 * as one range. Where one has, each is told of and leaves by itself, and what observers save from the list lives on.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { ARCHETYPE } from "../entities/place-record.ts";
import { IndexList } from "../index-list.ts";
import type { RoomHooks } from "../listeners/hooks.ts";
import { hasLeaveObservers, logLeaving, settle, tellLeaving } from "../listeners/notify.ts";
import type { WorldState } from "../state.ts";

/** Destroys an entity and what must go with it; `false` when it is dead or being destroyed. */
export function destroy(s: WorldState, entity: Entity): boolean {
  if (!s.table.isAlive(entity)) {
    s.requireEntityLike(entity, "destroy");
    return false;
  }
  s.requireUnlocked("destroy an entity");
  const index = entity & INDEX_MASK;
  if (s.doomed.size !== 0 && s.doomed.has(index)) return false;
  if (s.dying.length !== 0 && s.dying.includes(index)) return false;
  destroyRoots(s, index);
  return true;
}

function destroyRoots(s: WorldState, index: number): void {
  const list = takeList(s);
  collect(s, index, list);
  if (isQuiet(s, list)) leave(s, list, false);
  else destroyLoudly(s, s.table.handleAt(index), list);
  giveList(s, list);
  if (s.hooks.length !== 0) settle(s);
}

/** Destroys living entities, each named once, and what must go with them; those that are dead by their turn are passed over. */
export function destroyEach(s: WorldState, entities: readonly Entity[]): void {
  const list = takeList(s);
  // Where a room sends some of them elsewhere instead, each is destroyed in the state that the one before left.
  const isOneRange = s.doomed.size === 0 && s.dying.length === 0 && !s.hooks.some((hook) => hook.spares);
  if (isOneRange) {
    const met = takeMarks(s);
    for (let k = 0; k < entities.length; k++) gather(s, (entities[k] as Entity) & INDEX_MASK, list, met);
    giveMarks(s, met, list);
  }
  if (isOneRange && isQuiet(s, list)) {
    leave(s, list, false);
    if (s.hooks.length !== 0) settle(s);
  } else for (const entity of entities) destroy(s, entity);
  giveList(s, list);
}

/** Destroys one entity and nothing that would go with it. `takenBack`: as if it had never been. */
export function destroyAlone(s: WorldState, entity: Entity, takenBack: boolean): void {
  const doing = takenBack ? "undo a spawn" : "destroy an entity";
  s.requireUnlocked(doing);
  const index = s.table.require(entity, doing);
  const archetype = s.archetypeAt(index) as Archetype;
  if (hasLeaveObservers(s, archetype)) tellLeaving(s, entity, index);
  if (s.table.disposed) return;
  for (const hook of s.hooks) hook.unbind?.(index, true);
  const list = takeList(s);
  list.push(index);
  leave(s, list, takenBack);
  giveList(s, list);
  if (s.hooks.length !== 0) settle(s);
}

// Which --------------------------------------------------------------------------------------------------------------------

/** Lists what must go with the entity at `index`, in the order in which they go; itself last. */
function collect(s: WorldState, index: number, list: IndexList): void {
  list.count = 0;
  gather(s, index, list, undefined);
}

/** Adds these to the list, but for those that are in it, which `met` marks. `undefined`: the list is empty. */
function gather(s: WorldState, index: number, list: IndexList, met: Uint8Array | undefined): void {
  if (met !== undefined && met[index] === 1) return;
  let only: RoomHooks | undefined;
  for (let k = 0; k < s.hooks.length; k++) {
    const hook = s.hooks[k] as RoomHooks;
    if (!hook.cascades) continue;
    if (only !== undefined) {
      gatherFromAll(s, index, list, met);
      return;
    }
    only = hook;
  }
  if (only === undefined) list.push(index);
  else only.collect?.(index, list, met);
}

/** The same where several rooms have a say: each entity after all that any of them names, and each once. */
function gatherFromAll(s: WorldState, first: number, list: IndexList, given: Uint8Array | undefined): void {
  const met = given ?? takeMarks(s);
  const stack = [first];
  while (stack.length > 0) {
    const index = stack.pop() as number;
    // A negative entry marks the way back up: everything that goes before it is in the list by now.
    if (index < 0) list.push(-index);
    else if (met[index] === 0) {
      met[index] = 1;
      stack.push(-index);
      for (const hook of s.hooks) hook.dependents?.(index, stack);
    }
  }
  if (given === undefined) giveMarks(s, met, list);
}

/** Whether no user code has to run before they leave. */
function isQuiet(s: WorldState, { ids, count }: IndexList): boolean {
  if (s.onDestroy.length !== 0) return false;
  for (let k = 0; k < s.hooks.length; k++) if (s.hooks[k]?.hasDestroying?.() === true) return false;
  if (s.listeners === 0) return true;
  const { info } = s.table;
  let asked = -1;
  for (let k = 0; k < count; k++) {
    const id = info[(ids[k] << 2) | ARCHETYPE];
    if (id === asked) continue;
    asked = id;
    if (s.isObserved(s.graph.all[id] as Archetype)) return false;
  }
  return true;
}

// One by one, with observers -----------------------------------------------------------------------------------------------

function destroyLoudly(s: WorldState, first: Entity, list: IndexList): void {
  const one = takeList(s);
  const call = ++s.destroying;
  try {
    s.doomed.add(list, call);
    let structure = structureOf(s);
    for (const hook of s.hooks) hook.destroying?.(list);
    if (structure !== structureOf(s)) collectAgain(s, first, list, call);
    for (let k = 0; k < list.count; k++) {
      const index = list.ids[k];
      const archetype = s.archetypeAt(index);
      if (archetype === undefined || s.dying.includes(index)) continue;
      structure = structureOf(s);
      if (hasLeaveObservers(s, archetype)) tellLeaving(s, s.table.handleAt(index), index);
      if (s.table.disposed) return;
      const isChanged = structure !== structureOf(s);
      if (s.archetypeAt(index) !== undefined) {
        for (const hook of s.hooks) hook.unbind?.(index, true);
        one.count = 0;
        one.push(index);
        leave(s, one, false);
      }
      s.doomed.delete(index);
      if (!isChanged || !s.table.isAlive(first)) continue;
      // Observers moved something: those that are no longer below are saved.
      collectAgain(s, first, list, call);
      k = -1;
    }
  } finally {
    s.doomed.release(list, call);
    s.destroying--;
    giveList(s, one);
  }
}

function collectAgain(s: WorldState, first: Entity, list: IndexList, call: number): void {
  s.doomed.release(list, call);
  collect(s, first & INDEX_MASK, list);
  s.doomed.add(list, call);
}

/** Changes whenever a room may give another list. */
function structureOf(s: WorldState): number {
  let version = 0;
  for (let k = 0; k < s.hooks.length; k++) version += s.hooks[k]?.structure?.() ?? 0;
  return version;
}

// Leaving ------------------------------------------------------------------------------------------------------------------

/** Lets the entities of a list go, in its order. */
function leave(s: WorldState, list: IndexList, takenBack: boolean): void {
  const { table, graph, hooks, recorder } = s;
  for (let h = 0; h < hooks.length; h++) {
    const hook = hooks[h] as RoomHooks;
    if (hook.spares) for (let k = 0; k < list.count; k++) hook.unbind?.(list.ids[k], false);
  }
  const { ids, count } = list;
  for (let h = 0; h < hooks.length; h++) hooks[h]?.leaving?.(ids, 0, count);
  const { info } = table;
  for (let k = 0; k < count; k++) {
    const index = ids[k];
    const archetype = graph.all[info[(index << 2) | ARCHETYPE]] as Archetype;
    // Where it stands when those before it have gone: then undoing, last one first, leads back.
    if (recorder.wanted) recorder.destroyed(table.handleAt(index), archetype, takenBack);
    if (s.listeners !== 0) logLeaving(s, table.handleAt(index), index, archetype);
    const { releasing } = archetype;
    for (let r = 0; r < releasing.length; r++) releasing[r]?.vacate(index);
    archetype.drop(index, info);
  }
  for (let k = 0; k < count; k++) {
    if (takenBack) table.untake(ids[k]);
    else table.release(ids[k]);
  }
  table.alive -= count;
  s.version += count;
}

// Lists are used again. Destroys may be nested, because observers destroy in turn.

function takeList(s: WorldState): IndexList {
  const list = s.idleLists.pop() ?? new IndexList();
  list.count = 0;
  return list;
}

function giveList(s: WorldState, list: IndexList): void {
  s.idleLists.push(list);
}

/** A mark for each place, none of which is set. */
function takeMarks(s: WorldState): Uint8Array {
  const marks = s.idleMarks;
  s.idleMarks = undefined;
  return marks !== undefined && marks.length >= s.table.capacity ? marks : new Uint8Array(s.table.capacity);
}

/** Gives marks back that are set for those in the list only. */
function giveMarks(s: WorldState, marks: Uint8Array, { ids, count }: IndexList): void {
  for (let k = 0; k < count; k++) marks[ids[k]] = 0;
  s.idleMarks = marks;
}

/**
 * Destroying entities, with everything that must go with them.
 *
 * First the list of all that go is made, each behind what must go before it. Observers that run before the edit are called with
 * everything still there, and may save some. Then all leave as one range, without any code of the user's in between.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { ARCHETYPE } from "../entities/index-record.ts";
import { IndexList } from "../index-list.ts";
import { asOneCall, settle } from "../listeners/notices.ts";
import { areReadLater, hasLeavingObservers, notifyLeaving, runDestroying } from "../listeners/notify.ts";
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
  const list = takeList(s);
  if (s.hooks.areSparing) notifyGoing(s, [entity]);
  gather(s, index, list, undefined);
  permit(s, list);
  if (runsBefore(s, list)) {
    s.observing?.runBefore(s, [entity], list);
    permit(s, list);
  }
  leave(s, list, false);
  giveList(s, list);
  if (s.notices.waits) settle(s);
  return true;
}

/** Destroys entities, and what must go with them, as one call; those that are dead are passed over. `false` when all are. */
export function destroyEach(s: WorldState, entities: readonly Entity[]): boolean {
  s.requireUnlocked("destroy an entity");
  const list = takeList(s);
  gatherAll(s, entities, list);
  const isOne = list.count !== 0;
  permit(s, list);
  if (isOne && runsBefore(s, list)) {
    s.observing?.runBefore(s, entities, list);
    permit(s, list);
  }
  leave(s, list, false);
  giveList(s, list);
  if (s.notices.waits) settle(s);
  return isOne;
}

/** Destroys entities, and what must go with them, whose observers before it have run. */
export function letGo(s: WorldState, entities: readonly Entity[]): void {
  s.requireUnlocked("destroy an entity");
  const list = takeList(s);
  gatherAll(s, entities, list);
  leave(s, list, false);
  giveList(s, list);
  if (s.notices.waits) settle(s);
}

/** Destroys one entity and nothing that would go with it. `takenBack`: as if it had never been. */
export function destroyAlone(s: WorldState, entity: Entity, takenBack: boolean): void {
  destroyTheseAlone(s, [entity], takenBack);
}

/** The same for several, in their order, as one range. */
export function destroyTheseAlone(s: WorldState, entities: readonly Entity[], takenBack: boolean): void {
  const doing = takenBack ? "undo a spawn" : "destroy an entity";
  s.requireUnlocked(doing);
  const list = takeList(s);
  for (let k = 0; k < entities.length; k++) list.push(s.table.require(entities[k] as Entity, doing));
  leave(s, list, takenBack, true);
  giveList(s, list);
  if (s.notices.waits) settle(s);
}

// Which --------------------------------------------------------------------------------------------------------------------

/** Lists what must go with these entities, in the order in which they go, each once. The dead are passed over. */
export function gatherAll(s: WorldState, entities: readonly Entity[], list: IndexList): void {
  list.count = 0;
  const met = takeMarks(s);
  const isDoomed = (index: number) => s.doomed.size !== 0 && s.doomed.has(index);
  const roots = entities.filter((entity) => s.table.isAlive(entity) && !isDoomed(entity & INDEX_MASK));
  notifyGoing(s, roots);
  for (const entity of roots) gather(s, entity & INDEX_MASK, list, met);
  giveMarks(s, met, list);
}

/** Rooms that find another home for some must not choose one that goes too. */
function notifyGoing(s: WorldState, roots: readonly Entity[]): void {
  const { destruction } = s.hooks;
  for (let k = 0; k < destruction.length; k++) if (destruction[k].spares()) destruction[k].going(roots);
}

/** Adds these to the list, but for those that are in it, which `met` marks. `undefined`: the list is empty. */
function gather(s: WorldState, index: number, list: IndexList, met: Uint8Array | undefined): void {
  if (met !== undefined && met[index] === 1) return;
  const { cascade } = s.hooks;
  if (cascade.length === 1) cascade[0].collect(index, list, met);
  else if (cascade.length > 1) gatherFromAll(s, index, list, met);
  else {
    list.push(index);
    if (met !== undefined) met[index] = 1;
  }
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
      for (const hook of s.hooks.cascade) hook.dependents(index, stack);
    }
  }
  if (given === undefined) giveMarks(s, met, list);
}

/** Runs edits of a description that lists itself what goes with what: relations neither refuse nor take further entities along. */
export function overrule<Result>(s: WorldState, work: () => Result): Result {
  const was = s.isOverruled;
  s.isOverruled = true;
  try {
    return work();
  } finally {
    s.isOverruled = was;
  }
}

/** Lets rooms refuse. */
function permit(s: WorldState, list: IndexList): void {
  const { destruction } = s.hooks;
  for (let k = 0; k < destruction.length; k++) destruction[k].permit(list);
}

// Before anything goes -----------------------------------------------------------------------------------------------------

/** Whether code of the user's runs before they leave. */
function runsBefore(s: WorldState, { ids, count }: IndexList): boolean {
  const { destruction } = s.hooks;
  for (let k = 0; k < destruction.length; k++) if (destruction[k].hasDestroying()) return true;
  return hasLeavingObservers(s, ids, count);
}

/**
 * Runs the observers of entities that a larger edit is going to destroy whatever they do: `letGo` follows. `false` when there are
 * none.
 */
export function runDestroyingOf(s: WorldState, entities: readonly Entity[]): boolean {
  const list = takeList(s);
  gatherAll(s, entities, list);
  const runs = runsBefore(s, list);
  const named = new Set(entities);
  const going = Array.from(list.ids.subarray(0, list.count), (index) => s.table.handleAt(index));
  giveList(s, list);
  if (!runs) return false;
  const isStill = (entity: Entity) => named.has(entity) && s.table.isAlive(entity);
  for (const entity of [...going].reverse()) {
    if (isStill(entity)) for (const hook of s.hooks.destruction) hook.destroying(entity);
  }
  for (const entity of going) if (isStill(entity)) runDestroying(s, entity);
  return true;
}

// Leaving ------------------------------------------------------------------------------------------------------------------

/** Lets the entities of a list go, in its order. `alone`: what would go with them stays. */
function leave(s: WorldState, list: IndexList, takenBack: boolean, alone = false): void {
  const { table, graph, hooks, recorder, gone } = s;
  if (list.count === 0) return;
  const finishes = alone || hooks.areSparing ? unbind(s, list, alone) : nothing;
  const { ids, count } = list;
  const { info } = table;
  gone.isKeeping = areReadLater(s, ids, count);
  if (gone.isKeeping) {
    // What is kept is forgotten when the call has ended.
    s.notices.waits = true;
    for (let k = 0; k < count; k++)
      gone.keepEntity(table.handleAt(ids[k]), s.archetypeAt(ids[k]) as Archetype);
  }
  for (let h = 0; h < hooks.life.length; h++) hooks.life[h].leaving(ids, 0, count);
  const isHeard = gone.isKeeping || s.listeners !== 0;
  for (let k = 0; k < count; k++) {
    const index = ids[k];
    const archetype = graph.all[info[(index << 2) | ARCHETYPE]] as Archetype;
    // Where it stands when those before it have gone: then undoing, last one first, leads back.
    if (recorder.wanted) recorder.destroyed(table.handleAt(index), archetype, takenBack);
    if (isHeard) notifyLeaving(s, table.handleAt(index), index, archetype);
    const { releasing } = archetype;
    for (let r = 0; r < releasing.length; r++) releasing[r]?.vacate(index);
    archetype.drop(index, info);
  }
  gone.isKeeping = false;
  for (let k = 0; k < count; k++) {
    if (s.doomed.size !== 0) s.doomed.left(ids[k]);
    if (takenBack) table.untake(ids[k]);
    else table.release(ids[k]);
  }
  table.alive -= count;
  s.version += count;
  if (finishes.length !== 0) asOneCall(s, () => finishes.forEach((finish) => void finish()));
}

/** What follows where nothing lives on. */
const nothing: readonly (() => void)[] = [];

/** Lets rooms send those away that are bound to the entities of a list and live on. Gives what to call when all of it is done. */
function unbind(s: WorldState, list: IndexList, alone: boolean): readonly (() => void)[] {
  const call = s.doomed.begin();
  s.doomed.add(list, call);
  s.notices.held++;
  try {
    return s.hooks.destruction.flatMap((hook) => (alone || hook.spares() ? hook.unbind(list, alone) : []));
  } finally {
    s.notices.held--;
    s.doomed.end(call);
  }
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

/** A mark for each index, none of which is set. */
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

// biome-ignore-all lint/complexity/useLiteralKeys: brackets reach private state, and the compiler still checks them
/**
 * The self-test of a world: everything that must hold between its parts, asked the slow and obvious way.
 *
 * For tests, tools and bug reports. A violation is a fault of Espalier or of code that wrote into its internals.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { MatchSet } from "../archetypes/match-set.ts";
import { SPAWN } from "../commands/command-list.ts";
import { commandsOf } from "../commands/flush.ts";
import type { Entities } from "../entities/entities.ts";
import { type Entity, formatEntity, NARROW_GENERATIONS } from "../entities/entity.ts";
import { ARCHETYPE, GENERATION, NO_ENTITY, RESERVED, ROW, WORN } from "../entities/index-record.ts";
import type { WorldState } from "../state.ts";
import { stateOf, type World } from "../world.ts";
import { checkStores, type Say } from "./check-stores.ts";
import { checksIn, type Finding, findingsOf } from "./findings.ts";

/**
 * Everything that is wrong inside the world, with a code and, where it is about one, the entity; empty when all is well. Looks
 * at every entity and every value, so it takes its time. Trees, spaces, inherited values, scenes, histories, physics
 * and renderers add what they find, and programs may with `registerCheck`.
 *
 * @example
 * ```ts
 * world.spawn();
 * checkWorld(world); // → []
 * ```
 */
export function checkWorld(owner: World): Finding[] {
  const world = stateOf(owner);
  world.requireUsable("check the world");
  const found: Finding[] = [];
  const say: Say = (message, entity) =>
    void found.push({ code: "ecs/inconsistent", message, ...(entity === undefined ? {} : { entity }) });
  checkIndices(world, say);
  for (const archetype of world.graph.all) checkArchetype(world, archetype, say);
  checkGraph(world, say);
  for (const set of world.graph.matchSets.values()) checkMatches(world, set, say);
  checkStores(world, say);
  checkPassing(world, say);
  checkPromises(owner, say);
  for (const source of checksIn(world)) found.push(...findingsOf(source));
  return found;
}

/** The table of indices: each one is in use, free, waiting to be free, or reserved. */
function checkIndices(world: WorldState, say: Say): void {
  const { table, graph } = world;
  const { info, used, capacity } = table;
  const free = stacked(table, "free", say);
  const waiting = stacked(table, "limbo", say);
  const rested = stacked(table, "rested", say);
  if (info.length !== capacity * 4)
    say(`The table has room for ${info.length / 4} indices, not for ${capacity}.`);
  if (info[ARCHETYPE] !== NO_ENTITY) say("Index 0, which stands for no entity, is in use.");
  let alive = 0;
  for (let index = 1; index < capacity; index++) {
    const id = info[(index << 2) | ARCHETYPE];
    const generation = info[(index << 2) | GENERATION];
    const isStacked = free.has(index) || waiting.has(index) || rested.has(index);
    if (generation < 0) say(`Index ${index} has generation ${generation}.`);
    if (generation >= NARROW_GENERATIONS && !table.wide && !rested.has(index)) {
      say(`Index ${index} has generation ${generation}, but the world still makes handles of 32 bits.`);
    }
    if (index > used && (id !== NO_ENTITY || isStacked))
      say(`Index ${index} is in use, but only ${used} were given out.`);
    if (free.has(index) && waiting.has(index))
      say(`Index ${index} is free and waits to be free at the same time.`);
    if (id >= 0) {
      alive++;
      checkSeat(world, index, say);
      const entity = table.handleAt(index);
      if (isStacked) say(`Index ${index} is free, but ${formatEntity(entity)} lives there.`, entity);
    } else if (id === WORN) {
      if (isStacked) say(`Index ${index} is free, but it is worn out.`);
    } else if (id === RESERVED) {
      if (isStacked) say(`Index ${index} is free, but it is reserved for a command buffer.`);
    } else if (id !== NO_ENTITY) say(`Index ${index} is marked with ${id}, which means nothing.`);
    else if (index <= used && !isStacked) say(`Index ${index} is lost: no entity has it and it is not free.`);
  }
  if (alive !== table.alive) say(`${alive} entities live, but the world counts ${table.alive}.`);
  if (table.iterating === 0 && waiting.size > 0) {
    say(`${waiting.size} indices wait for the end of an iteration, but none is under way.`);
  }
  const listed = graph.all.reduce((sum, archetype) => sum + archetype.count, 0);
  if (listed !== alive) say(`${alive} entities live, but the lists hold ${listed}.`);
}

/** The indices of one of the stacks. */
function stacked(table: Entities, which: "free" | "limbo" | "rested", say: Say): Set<number> {
  const { ids, count } = table[which];
  const seen = new Set<number>();
  for (const index of ids.subarray(0, count)) {
    if (seen.has(index)) say(`The ${which} indices name ${index} twice.`);
    if (index < 1 || index >= table.capacity)
      say(`The ${which} indices name ${index}, which does not exist.`);
    seen.add(index);
  }
  return seen;
}

/** That a living entity stands in the list the table says, at the row the table says. */
function checkSeat({ table, graph }: WorldState, index: number, say: Say): void {
  const entity = table.handleAt(index);
  const name = formatEntity(entity);
  const archetype = graph.all[table.info[(index << 2) | ARCHETYPE]];
  const row = table.info[(index << 2) | ROW];
  if (archetype === undefined) {
    say(`${name} is in archetype ${table.info[(index << 2) | ARCHETYPE]}, which does not exist.`, entity);
  } else if (row < 0 || row >= archetype.count) {
    say(`${name} is in row ${row} of ${archetype}, which has ${archetype.count} rows.`, entity);
  } else if (archetype.ids[row] !== index) {
    say(`${name} is in row ${row} of ${archetype}, but that row holds index ${archetype.ids[row]}.`, entity);
  }
}

function checkArchetype({ table, stores }: WorldState, archetype: Archetype, say: Say): void {
  const { ids, count, pins } = archetype;
  if (count < 0 || count > ids.length)
    say(`${archetype} has ${count} rows in an array of length ${ids.length}.`);
  if (pins < 0 || (pins > 0 && table.iterating === 0)) {
    say(`${archetype} is pinned ${pins} times, but ${table.iterating} iterations are under way.`);
  }
  for (let row = 0; row < Math.min(count, ids.length); row++) {
    const index = ids[row];
    const seat = table.info[(index << 2) | ARCHETYPE] === archetype.id;
    if (!seat || table.info[(index << 2) | ROW] !== row) {
      say(`Row ${row} of ${archetype} holds index ${index}, which the table puts elsewhere.`);
    }
  }
  for (const store of stores) {
    if ((archetype.has[store.id] === 1) !== archetype.stores.includes(store)) {
      say(`${archetype} is marked wrongly for ${store.component.name}.`);
    }
  }
  if (archetype.stores.some((store, k) => k > 0 && store.id <= (archetype.stores[k - 1]?.id ?? -1))) {
    say(`${archetype} does not have its components in order.`);
  }
  const releasing = archetype.stores.filter((store) => store.releases && !store.external?.followsDeath);
  if (releasing.join() !== archetype.releasing.join() || releasing.length !== archetype.releasing.length) {
    say(`${archetype} does not know which of its components hold references.`);
  }
}

/** That every set of components has one archetype, and that the ways between them lead where they should. */
function checkGraph({ graph, stores }: WorldState, say: Say): void {
  const keyOf = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b).join();
  const byKey = new Map<string, Archetype>();
  graph.all.forEach((archetype, k) => {
    const key = keyOf(archetype.stores.map((store) => store.id));
    if (archetype.id !== k) say(`${archetype} has number ${archetype.id}, but stands at ${k}.`);
    if (graph.ordered[archetype.rank] !== archetype) say(`${archetype} is not where its rank says.`);
    if (byKey.has(key)) say(`There are two archetypes ${archetype}.`);
    byKey.set(key, archetype);
  });
  for (const archetype of graph.all) {
    for (const store of stores) {
      const own = new Set(archetype.stores.map(({ id }) => id));
      const name = store.component.name;
      const { [store.id]: grown } = archetype.withComponent;
      if (grown !== undefined && (own.has(store.id) || byKey.get(keyOf([...own, store.id])) !== grown))
        say(`Adding ${name} to ${archetype} leads to ${grown}.`);
      const { [store.id]: shrunk } = archetype.withoutComponent;
      if (shrunk === undefined) continue;
      const had = own.delete(store.id);
      if (!had || byKey.get(keyOf(own)) !== shrunk)
        say(`Removing ${name} from ${archetype} leads to ${shrunk}.`);
    }
  }
}

/** That a query's archetypes are exactly those that match, in order and once each. */
function checkMatches({ graph }: WorldState, set: MatchSet, say: Say): void {
  const right = graph.all.filter(
    (archetype) =>
      set["all"].every((store) => archetype.stores.includes(store)) &&
      set["none"].every((store) => !archetype.stores.includes(store)) &&
      set["some"].every((group) => group.some((store) => archetype.stores.includes(store))),
  );
  for (const archetype of graph.all) {
    const should = right.includes(archetype);
    const name = `query(${set.key})`;
    if (set.archetypes.includes(archetype) !== should)
      say(`The matches of ${name} ${should ? "lack" : "include"} ${archetype}.`);
    if ((set.matched[archetype.id] === 1) !== should) say(`The marks of ${name} are wrong for ${archetype}.`);
  }
  const isBehind = (archetype: Archetype, k: number) => archetype.rank <= (set.archetypes[k - 1]?.rank ?? -1);
  if (set.archetypes.some(isBehind)) {
    say(`The matches of query(${set.key}) are not in order.`);
  }
}

/** What is only true for the length of a call must not outlast it. */
function checkPassing(world: WorldState, say: Say): void {
  const { table } = world;
  if (table.iterating < 0) say(`${table.iterating} iterations are under way.`);
  if (world.locked < 0) say(`Structure is locked ${world.locked} times.`);
  if (world.observerDepth < 0) say(`${world.observerDepth} observers are running.`);
  if (world.observerDepth === 0 && world.doomed.size > 0)
    say(`${world.doomed.size} entities are marked as doomed.`);
  const { notices } = world;
  if (notices.held < 0) say(`${notices.held} calls hold their notices back.`);
  if (notices.held === 0 && world.locked === 0 && !notices.isDelivering && notices.count > 0)
    say(`${notices.count} notices wait, but no call is under way.`);
}

function checkPromises(world: World, say: Say): void {
  for (const { name, pending } of commandsOf(world).queues) {
    for (let at = 0; at < pending.count; at++) {
      const entity = pending.entities[at] as Entity;
      if (pending.kinds[at] === SPAWN && !stateOf(world).table.isReserved(entity)) {
        say(`Buffer ${name} will create ${formatEntity(entity)}, but its index is not held.`, entity);
      }
    }
  }
}

import {
  any,
  bool,
  changesOf,
  checkWorld,
  component,
  createCommands,
  createWorld,
  entityRef,
  f32,
  i8,
  not,
  object,
  observe,
  string,
  tag,
  type World,
} from "espalier";
import { type Archetype, releaseReserved, type Store, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Label = component("Label", { text: string("?") });
const Bag = component("Bag", { items: object((): string[] => []) }, { storage: "sparse" });
const Flags = component("Flags", { on: bool(), target: entityRef() });
const Rare = component("Rare", { n: i8() }, { storage: "sparse" });
const Frozen = tag("Frozen");

/** #1 Position, #2 Position Frozen, #3 Label Bag Rare, #4 Flags, #5v1 reserved, index 6 free. */
function populated() {
  const world = createWorld({ capacity: 15 });
  world.query(Position, not(Frozen));
  world.query(any(Label, Frozen));
  world.spawn(Position);
  world.spawn(Position, Frozen);
  world.spawn(Label, Bag, Rare);
  world.spawn(Flags);
  world.destroy(world.spawn());
  createCommands(world, { name: "later" }).spawn();
  world.destroy(world.spawn());
  return world;
}

/** The insides of a world, which are private. */
interface Insides {
  locked: number;
  listeners: number;
  observerDepth: number;
  dying: number[];
  byName: Map<string, Store>;
}
const insides = (world: World) => stateOf(world) as unknown as Insides;
const storeOf = (world: World, name: string) =>
  stateOf(world).stores.find((it) => it.component.name === name) as Store;
const archetype = (world: World, name: string) =>
  stateOf(world).graph.all.find((it) => `${it}` === name) as Archetype;
const GENERATION = 0;
const ARCHETYPE = 1;
const ROW = 2;

describe("check", () => {
  it.each<[string, (world: World) => void, string]>([
    [
      "a row that another entity has",
      (w) => void (stateOf(w).table.info[(2 << 2) | ROW] = 5),
      "#2 is in row 5 of Position Frozen, which has 1 rows.",
    ],
    [
      "an entity in the wrong list",
      (w) => void (stateOf(w).table.info[(1 << 2) | ARCHETYPE] = archetype(w, "Flags").id),
      "#1 is in row 0 of Flags, but that row holds index 4.",
    ],
    [
      "an archetype that does not exist",
      (w) => void (stateOf(w).table.info[(1 << 2) | ARCHETYPE] = 99),
      "#1 is in archetype 99, which does not exist.",
    ],
    [
      "an array that holds a stranger",
      (w) => void (archetype(w, "Flags").ids[0] = 9),
      "Row 0 of Flags holds index 9, which the table puts elsewhere.",
    ],
    [
      "an array that lost an entity",
      (w) => void archetype(w, "Flags").count--,
      "4 entities live, but the lists hold 3.",
    ],
    [
      "an array that is too short",
      (w) => void (archetype(w, "Flags").count = 99),
      "Flags has 99 rows in an array of length 8.",
    ],
    ["a wrong count", (w) => void stateOf(w).table.alive++, "4 entities live, but the world counts 5."],
    [
      "an index that is lost",
      (w) => void (stateOf(w).table.free.count = 0),
      "Index 6 is lost: no entity has it and it is not free.",
    ],
    [
      "a free index that is lived in",
      (w) => void (stateOf(w).table.free.ids[0] = 1),
      "Index 1 is free, but #1 lives there.",
    ],
    [
      "a free index that is reserved",
      (w) => void (stateOf(w).table.free.ids[0] = 5),
      "Index 5 is free, but it is reserved for a command buffer.",
    ],
    [
      "a free index that does not exist",
      (w) => void (stateOf(w).table.free.ids[0] = 999),
      "The free indices name 999, which does not exist.",
    ],
    [
      "an index that is free twice over",
      (w) => stateOf(w).table.free.push(6),
      "The free indices name 6 twice.",
    ],
    [
      "an index that waits for no iteration",
      (w) => stateOf(w).table.limbo.push(6),
      "1 indices wait for the end of an iteration, but none is under way.",
    ],
    [
      "an index that is free twice",
      (w) => stateOf(w).table.limbo.push(6),
      "Index 6 is free and waits to be free at the same time.",
    ],
    [
      "an index beyond those given out",
      (w) => void (stateOf(w).table.used = 5),
      "Index 6 is in use, but only 5 were given out.",
    ],
    [
      "a mark without a meaning",
      (w) => void (stateOf(w).table.info[(1 << 2) | ARCHETYPE] = -7),
      "Index 1 is marked with -7, which means nothing.",
    ],
    [
      "index 0 in use",
      (w) => void (stateOf(w).table.info[ARCHETYPE] = 0),
      "Index 0, which stands for no entity, is in use.",
    ],
    [
      "a table that is too short",
      (w) => void stateOf(w).table.capacity--,
      "The table has room for 16 indices, not for 15.",
    ],
    [
      "a generation below 0",
      (w) => void (stateOf(w).table.info[(1 << 2) | GENERATION] = -1),
      "Index 1 has generation -1.",
    ],
    [
      "handles that have become too short",
      (w) => void (stateOf(w).table.info[(1 << 2) | GENERATION] = 512),
      "Index 1 has generation 512, but the world still makes handles of 32 bits.",
    ],
    [
      "a pin left behind",
      (w) => void archetype(w, "Flags").pins++,
      "Flags is pinned 1 times, but 0 iterations are under way.",
    ],
    [
      "a wrong mark of an archetype",
      (w) => void (archetype(w, "Flags").has[0] = 1),
      "Flags is marked wrongly for Position.",
    ],
    [
      "components out of order",
      (w) => void (archetype(w, "Position Frozen").stores as Store[]).reverse(),
      "Frozen Position does not have its components in order.",
    ],
    [
      "forgotten references",
      (w) => void (archetype(w, "Label Bag Rare").releasing as Store[]).pop(),
      "Label Bag Rare does not know which of its components hold references.",
    ],
    [
      "a way that leads astray",
      (w) => void (archetype(w, "Position").withComponent[1] = archetype(w, "Flags")),
      "Adding Frozen to Position leads to Flags.",
    ],
    [
      "a way back that leads astray",
      (w) => void (archetype(w, "Position").withoutComponent[1] = archetype(w, "Position")),
      "Removing Frozen from Position leads to Position.",
    ],
    [
      "a wrong number of an archetype",
      (w) => void ((archetype(w, "Flags") as { id: number }).id = 1),
      "Flags has number 1, but stands at",
    ],
    [
      "two archetypes for one set",
      (w) => void ((archetype(w, "Flags") as { stores: readonly Store[] }).stores = [storeOf(w, "Position")]),
      "There are two archetypes Position.",
    ],
    [
      "a match that is missing",
      (w) => void [...stateOf(w).graph.matchSets.values()][0]?.archetypes.pop(),
      "The matches of query(0|1) lack Position.",
    ],
    [
      "a match too many",
      (w) => void [...stateOf(w).graph.matchSets.values()][0]?.archetypes.push(archetype(w, "Flags")),
      "The matches of query(0|1) include Flags.",
    ],
    [
      "a wrong mark of a match",
      (w) => void [...stateOf(w).graph.matchSets.values()][0]?.matched.fill(0),
      "The marks of query(0|1) are wrong for Position.",
    ],
    [
      "matches out of order",
      (w) => void [...stateOf(w).graph.matchSets.values()][1]?.archetypes.reverse(),
      "The matches of query(||1,2) are not in order.",
    ],
    [
      "a component under a wrong number",
      (w) => void ((storeOf(w, "Bag") as { id: number }).id = 0),
      "Bag has number 0, but stands at 3.",
    ],
    [
      "a component that is not found",
      (w) => void insides(w).byName.delete("Bag"),
      "Bag is not found by its definition or its name.",
    ],
    [
      "a column that is too short",
      (w) => void (storeOf(w, "Position").columns.x = new Float32Array(3)),
      "Column Position.x has room for 3 entities, not for 16.",
    ],
    [
      "a column that is missing",
      (w) => void delete storeOf(w, "Position").columns.x,
      "Position has no column x.",
    ],
    [
      "a sparse row that is missing",
      (w) => void storeOf(w, "Rare").rows?.delete(3),
      "Index 3 has Rare but no row in it.",
    ],
    [
      "a sparse row too many",
      (w) => void storeOf(w, "Rare").rows?.set(1, 1),
      "Index 1 has a row in Rare but not the component.",
    ],
    [
      "a sparse row that does not exist",
      (w) => void storeOf(w, "Rare").rows?.set(3, 77),
      "Row 77 of Rare does not exist.",
    ],
    [
      "a sparse row that is free",
      (w) => void (storeOf(w, "Rare") as unknown as { freeRows: number[] }).freeRows.push(0),
      "Row 0 of Rare, held by index 3, is free or held by another.",
    ],
    [
      "a sparse row that is free twice",
      (w) => void (storeOf(w, "Rare") as unknown as { freeRows: number[] }).freeRows.push(1, 1),
      "A row of Rare is free twice.",
    ],
    [
      "a value of the wrong type",
      (w) => void ((w.columns(Label).text as unknown[])[3] = 5),
      "Label.text of #3: it takes a string, got 5.",
    ],
    [
      "a boolean that is neither",
      (w) => void (w.columns(Flags).on[4] = 7),
      "Flags.on of #4: it takes true or false, got 7.",
    ],
    [
      "a reference to nothing",
      (w) => void (w.columns(Flags).target[4] = 0.5),
      "Flags.target of #4: it takes an entity or null, got 0.5.",
    ],
    [
      "a value without an owner",
      (w) => void ((w.columns(Label).text as unknown[])[1] = "leak"),
      "Column Label.text still holds a value in row 1, which belongs to no entity.",
    ],
    [
      "a wrong mark for writes",
      (w) => void (storeOf(w, "Label").guard.on = true),
      "Label has a wrong flag for listeners that need every write.",
    ],
    [
      "a wrong mark for recording",
      (w) => void (storeOf(w, "Label").recorded = true),
      "Label does not know whether it is recorded.",
    ],
    [
      "a log without a reader",
      (w) => {
        changesOf(w, Label);
        storeOf(w, "Label").log?.readers.clear();
      },
      "Label keeps a log of changes without a reader.",
    ],
    [
      "listeners that are not counted",
      (w) => {
        observe(w, Label, { add: () => {} });
        insides(w).listeners = 0;
      },
      "Label has listeners, but the world counts none.",
    ],
    ["iterations below zero", (w) => void stateOf(w).table.iterating--, "-1 iterations are under way."],
    ["locks below zero", (w) => void insides(w).locked--, "Structure is locked -1 times."],
    ["observers below zero", (w) => void insides(w).observerDepth--, "-1 observers are running."],
    [
      "notices that are never delivered",
      (w) => stateOf(w).notices.add({ deliver: () => {}, stopped: () => new Error() }, false),
      "1 notices wait, but no call is under way.",
    ],
    ["holds below zero", (w) => void stateOf(w).notices.held--, "-1 calls hold their notices back."],
    [
      "a reserved handle that was released",
      (w) => releaseReserved(stateOf(w), stateOf(w).handleAt(5)),
      "Buffer later will create #5v1, but its index is not held.",
    ],
  ])("names %s", (_name, corrupt, violation) => {
    const world = populated();
    corrupt(world);
    const found = checkWorld(world);
    expect(
      found.some(({ message, code }) => message.startsWith(violation) && code === "ecs/inconsistent"),
      found.map(({ message }) => message).join("\n") || "(nothing found)",
    ).toBe(true);
  });
});

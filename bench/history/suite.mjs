/**
 * The history suite: what recording costs, what snapshots cost compared with structuredClone and JSON, and what following a world
 * costs compared with messages written by hand.
 *
 * `recorded` does every operation with a history attached, `bare` the same without; `vsLimit` of `recorded` is
 * therefore the inverse of the factor that recording costs. Every instance can write its state as text; a run must
 * change it, and with a history, undo must restore it and redo apply it again.
 */
import { expectEqual, expectTrue } from "../harness/expect.mjs";

const peer = (file) => ({ file, role: "peer" });

export const subjects = {
  recorded: { file: "operations.mjs", role: "own" },
  bare: { file: "operations.mjs", role: "limit" },
  espalier: { file: "snapshots.mjs", role: "own" },
  "structured-clone": peer("snapshots.mjs"),
  json: peer("snapshots.mjs"),
  stream: { file: "streams.mjs", role: "own" },
  "by-hand": peer("streams.mjs"),
};

/** Runs are long and V8 counts the turns of the loops in them: fewer runs warm it up. */
const effort = { warmRuns: 100 };
const operation = { effort, size: 2000, unitCount: 2000, verify: verifyOperation };
const many = { effort: { warmRuns: 5, warmMs: 1500 }, size: 100_000, unitCount: 100_000, unit: "entity" };

const followed = {
  effort,
  size: 10_000,
  unitCount: 20_000,
  unit: "changed value",
  verify: verifyFollowed,
};

function sized(count) {
  return { size: count, unitCount: count };
}

export const cases = {
  spawn: { ...operation, unit: "spawn" },
  spawn_3: { ...operation, unit: "spawn" },
  attach_new: { ...operation, unit: "spawn" },
  destroy: { ...operation, unit: "destroy" },
  destroy_3: { ...operation, unit: "destroy" },
  "destroy_3/in_tree": { ...operation, builder: "destroy_3", parameters: { tree: true }, unit: "destroy" },
  cascade: { ...operation, unit: "entity" },
  "cascade/tree": { ...operation, builder: "cascade_tree", unit: "entity" },
  "cascade/mixed": {
    ...operation,
    builder: "cascade_tree",
    parameters: { turn: 1 },
    unit: "entity",
  },
  add: { ...operation, unit: "add" },
  add_tag: { ...operation, unit: "add" },
  remove: { ...operation, unit: "remove" },
  remove_tag: { ...operation, unit: "remove" },
  spawn_many: { ...operation, unit: "spawned entity" },
  destroy_all: { ...operation, unit: "destroyed entity" },
  add_all: { ...operation, unit: "added tag" },
  remove_all: { ...operation, unit: "removed component" },
  set: { ...operation, unit: "set of 2 fields" },
  set_1: { ...operation, unit: "set of 1 field" },
  transform_set: { ...operation, unit: "set of a position" },
  transform_batch: { ...operation, unit: "row of 3 fields" },
  view_write: { ...operation, unit: "entity with 2 fields" },
  "view_write/100": { ...operation, ...sized(100), builder: "view_write", unit: "entity with 2 fields" },
  "view_write/10000": { ...operation, ...sized(10_000), builder: "view_write", unit: "entity with 2 fields" },
  "view_write/sparse": { ...operation, builder: "view_write_sparse", unit: "entity with 2 fields" },
  "view_write/transform": { ...operation, builder: "view_write_transform", unit: "entity with 2 fields" },
  "view_write/each": {
    ...operation,
    ...sized(10_000),
    builder: "view_write_each",
    unit: "entity with 1 field",
  },
  "view_write/few": { ...operation, ...sized(10_000), builder: "view_write_few", unit: "visited entity" },
  attach: { ...operation, unit: "attach" },
  detach: { ...operation, unit: "detach" },
  move: { ...operation, unitCount: 667, unit: "move" },
  sort: { ...operation, unit: "child" },
  rename: { ...operation, unit: "name" },
  "undo/cascade": { ...many, builder: "undo_cascade", verify: verifyUndo },
  "snapshot/take": { ...many, builder: "take", verify: verifyTake },
  "snapshot/restore_values": {
    ...many,
    builder: "restore",
    parameters: { destroy: false },
    verify: verifyRestore,
  },
  "snapshot/restore_all": {
    ...many,
    builder: "restore",
    parameters: { destroy: true },
    verify: verifyRestore,
  },
  "stream/read": { ...followed, builder: "read" },
  "stream/encode": { ...followed, builder: "encode" },
  "stream/receive": { ...followed, builder: "receive" },
  "undo/loop": { ...many, builder: "undo_loop", unit: "entity, undone and redone", verify: verifyFollowed },
};

async function verifyOperation(it) {
  await it.reset();
  const before = it.state();
  await it.run();
  const after = it.state();
  expectTrue(before !== after, "a run changes nothing");
  if (it.history === undefined) return;
  expectEqual(it.history.undo(), true, "whether there is something to undo");
  expectEqual(it.state(), before, "the state after undo");
  it.history.redo();
  expectEqual(it.state(), after, "the state after redo");
}

async function verifyUndo(it, { size }) {
  await it.reset();
  expectEqual(it.count(), 0, "number of entities before undo");
  await it.run();
  expectEqual(it.count(), size, "number of entities after undo");
}

async function verifyFollowed(it, { size }) {
  await it.reset?.();
  await it.run();
  expectEqual(it.changed(), size, "number of entities that changed");
}

async function verifyTake(it, { size }) {
  await it.run();
  expectEqual(it.copied(), size, "number of entities in the copy");
}

async function verifyRestore(it) {
  const before = it.state();
  await it.reset();
  expectTrue(it.state() !== before, "nothing was changed");
  await it.run();
  expectEqual(it.state(), before, "the state after it was restored");
}

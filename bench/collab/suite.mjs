/**
 * The collab suite: what it costs to edit a scene together. Both sides and the relay run in one process, so the figures include the work of all of them.
 *
 * `loro` is the engine alone, without worlds, scenes and connections: the same nodes and the same moves in documents that import each other's bytes.
 */
import { expectEqual } from "../harness/expect.mjs";

export const subjects = {
  espalier: { file: "espalier.mjs", role: "own" },
  loro: { file: "loro.mjs", role: "peer" },
};

const effort = { warmMs: 200, warmRuns: 2 };

export const cases = {
  // A program joins a room that holds so many entities with two components each.
  "join/10000": { builder: "join", size: 10_000, unitCount: 10_000, unit: "entity", effort, verify },
  // Each of two programs moves a thousand of 2,000 entities; then both have the moves of both.
  "moves/1000": { builder: "moves", size: 1000, unitCount: 2000, unit: "move", effort, verify },
};

async function verify(it, { size }) {
  await it.reset();
  await it.run();
  expectEqual(it.count(), size, "number of entities that are where they belong");
}

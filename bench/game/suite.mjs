/**
 * The game suite: what the game layer costs on top of the calls it makes.
 *
 * `plain` is the limit: the same work by the plain calls of the rooms, or by a plain loop over objects. The goals: an
 * update of a behaviour at most three times a method call, a read of a property at most twice the plain call, switching a
 * branch with the tag at most 1.5 times that without, a query with `active` the same as one without.
 */
import { expectEqual, expectNear } from "../harness/expect.mjs";

export const subjects = {
  espalier: { file: "espalier.mjs", role: "own" },
  plain: { file: "plain.mjs", role: "limit" },
};

const size = 10_000;
const effort = { warmRuns: 50 };

const updates = { effort, size, unitCount: size, unit: "update" };
const reads = { effort, size, unitCount: size, unit: "read" };

export const cases = {
  /** One step of a game with this many behaviours, everything a step does included. */
  update_empty: { ...updates, verify: verifyRuns },
  /** The same where each update counts. */
  update_count: { ...updates, verify: verifyCounts },
  /** The same with hooks as functions instead of a class. */
  update_hooks: { ...updates, verify: verifyCounts },
  read_x: { ...reads, verify: verifySum },
  read_world: { ...reads, verify: verifySum },
  read_parent: { ...reads, verify: verifySum },
  read_component: { ...reads, verify: verifySum },
  /** Switches a branch of 1,001 off or on, beside the same without the tag by which queries leave it out. */
  switch_branch: { effort, size: 1001, unitCount: 1001, unit: "entity", verify: verifySwitch },
  /** A loop over 9,000 of 10,000 by the term `active`, beside a loop over a world that holds only these. */
  query_active: { ...reads, verify: verifySum },
};

async function verifyRuns(it) {
  const before = it.runs();
  await it.run();
  expectEqual(it.runs() - before, 1, "passes in one run");
}

async function verifyCounts(it, { size: count }) {
  const before = it.count();
  await it.run();
  await it.run();
  expectEqual(it.count() - before, 2 * count, "updates in two runs");
}

async function verifySwitch(it) {
  await it.run();
  const first = it.isOn();
  await it.run();
  expectEqual(it.isOn(), !first, "activity after one more switch");
}

async function verifySum(it, { size: count }) {
  await it.run();
  expectNear(it.result(), it.expected(count), 1e-6, "sum of what was read");
}

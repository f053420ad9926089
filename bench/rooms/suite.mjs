/**
 * Sprite animation, keyframes, sound and nearby queries: the cost of a step compared with a hand-written loop over objects.
 *
 * `plain` is the limit. Sounds go to an output that does nothing but count, in both: Web Audio itself is the same for everyone.
 */
import { expectEqual, expectNear } from "../harness/expect.mjs";

export const subjects = {
  espalier: { file: "espalier.mjs", role: "own" },
  plain: { file: "plain.mjs", role: "limit" },
};

const effort = { warmRuns: 50 };
const size = 1000;

export const cases = {
  /** A step of sprites at 12 frames a second. */
  sprites: { effort, size, unitCount: size, unit: "sprite", verify: verifySum },
  /** A step of players with two eased tracks each. */
  keyframes: { effort, size, unitCount: size, unit: "player", verify: verifySum },
  /** A step of looped sounds with positions, of which a tenth moves. */
  sounds: { effort, size, unitCount: size, unit: "sound", verify: verifyCalls },
  /** A tile is written in a map of 500 by 500, and its colliders are rebuilt. */
  set_tile: { effort, size: 250_000, unitCount: 1, unit: "tile", verify: verifySum },
  /** Everything has moved; then a thousand queries for the nearest. `plain` compares all of them. */
  nearest: { effort: { warmRuns: 5 }, size, unitCount: size, unit: "question", verify: verifySum },
};

async function verifySum(it) {
  await it.run();
  expectNear(it.result(), it.expected(), 1e-3, "sum of what was written or found");
}

async function verifyCalls(it, { size: count }) {
  await it.run();
  const before = it.calls();
  await it.run();
  expectEqual(it.calls() - before, count / 10, "changes that reached the output");
}

/**
 * Skeletons: a hundred models of thirty joints that play a clip of three.js, stepped by a sixtieth of a second. `three` is its `AnimationMixer` alone, which poses
 * objects; `espalier` is the same mixer with the poses carried over into the transforms of entities.
 */
import { expectNear } from "../harness/expect.mjs";

export const subjects = {
  espalier: { file: "espalier.mjs", role: "own" },
  three: { file: "three.mjs", role: "limit" },
};

export const cases = {
  /** Every joint turns, and the first of each model moves. */
  walk: { effort: { warmRuns: 30 }, size: 3000, unitCount: 3000, unit: "joint", verify },
  /** Two clips in the middle of a fade. */
  fade: { effort: { warmRuns: 30 }, size: 3000, unitCount: 3000, unit: "joint", verify },
};

async function verify(it, { size }) {
  await it.run();
  for (const joint of [0, 1, 29, 1500, size - 1]) {
    const [pose, wanted] = [it.poseOf(joint), it.wanted(joint)];
    for (const [k, value] of pose.entries())
      expectNear(value, wanted[k], 1e-5, `number ${k} of joint ${joint}`);
  }
}

/**
 * The three.js suite: a 3D tree of 10,000 nodes, updated until three.js can draw it. Every world matrix is compared
 * with a reference in 64 bits.
 */
import { expectTrue } from "../harness/expect.mjs";
import { worstError } from "./cases.mjs";

export const subjects = {
  "espalier-objects": { file: "espalier.mjs", role: "own" },
  "espalier-instances": { file: "espalier.mjs", role: "own" },
  "three-objects": { file: "three.mjs", role: "peer" },
  "three-instances": { file: "three.mjs", role: "peer" },
};

const size = 10_000;

export const cases = Object.fromEntries(
  ["frame", "sparse", "idle"].map((name) => [
    `${name}/10k`,
    {
      builder: name,
      parameters: {},
      size,
      unitCount: size,
      unit: "node",
      effort: { warmRuns: 50 },
      quick: true,
      verify,
    },
  ]),
);

async function verify(it) {
  for (let i = 0; i < 3; i++) {
    it.run();
    const worst = worstError(it);
    expectTrue(worst < 1e-3, `a world matrix is off by ${worst}`);
  }
}

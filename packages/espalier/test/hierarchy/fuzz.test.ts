import type { HierarchyOptions } from "espalier/hierarchy";
import { depthLimit, inlineLinks } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shape } from "./replay.ts";
import { type Step, step } from "./twin-steps.ts";
import { Twins } from "./twins.ts";

const settings: { readonly [title: string]: readonly HierarchyOptions[] } = {
  "one tree without rules": [{}],
  "a cascading, an orphaning and an adopting tree": [
    {},
    { onDestroy: "orphan" },
    { onDestroy: "adopt", links: inlineLinks(3) },
  ],
  "limits and unique names": [
    { name: "ordered", limits: depthLimit({ max: 3 }), maxChildren: 4 },
    { onDestroy: "adopt", uniqueNames: true, maxChildren: 3 },
    { onDestroy: "orphan", uniqueNames: true, links: inlineLinks(2), limits: depthLimit({ max: 2 }) },
  ],
  "two trees that refuse and one that cascades": [
    { onDestroy: "refuse", maxChildren: 4 },
    {},
    { onDestroy: "refuse", uniqueNames: true },
  ],
  "several that cascade": [{ name: "ordered" }, { uniqueNames: true }, { links: inlineLinks(2) }],
};

/** `ESPALIER_FUZZ=20` runs twenty times as many. */
const effort = Number(process.env.ESPALIER_FUZZ ?? 1);

function run(options: readonly HierarchyOptions[], steps: readonly Step[]): void {
  const twins = new Twins(options);
  steps.forEach((it, k) => {
    try {
      twins.step(it);
    } catch (error) {
      throw new Error(`at step ${k}, ${JSON.stringify(it)}: ${String(error)}`, { cause: error });
    }
  });
}

/** Runs steps, one commit each, and goes back and forth through all of them. */
function runUndone(options: readonly HierarchyOptions[], steps: readonly Step[]): void {
  const twins = new Twins(options);
  const { world, trees } = twins;
  const history = createHistory(world);
  const state = () => ({ alive: world.entities().sort(), trees: trees.map((tree) => shape(tree)) });
  const states = [state()];
  for (const it of steps) {
    // Traps edit while entities are destroyed, which undo does too.
    if (it.do === "trap") continue;
    twins.step(it);
    history.commit();
    if (history.undoLabels.length === states.length) states.push(state());
  }
  for (const turn of [1, 2]) {
    for (let k = states.length - 2; k >= 0; k--) {
      history.undo();
      expect(state(), `undone to ${k}, turn ${turn}`).toEqual(states[k]);
      twins.check();
    }
    expect(history.canUndo).toBe(false);
    for (let k = 1; k < states.length; k++) {
      history.redo();
      expect(state(), `redone to ${k}, turn ${turn}`).toEqual(states[k]);
      twins.check();
    }
  }
}

describe.each(Object.entries(settings))("%s", (title, options) => {
  // Where little can be destroyed the worlds get large, and the slow twin slow.
  const length = title.includes("refuse") ? 300 : 1000;

  it("agree with plain objects and arrays in many short sequences", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => run(options, steps)),
      { numRuns: 100 * effort },
    );
  });

  it("are undone and redone step by step, whatever the policy", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => runUndone(options, steps)),
      { numRuns: 30 * effort },
    );
  });

  it("agree with plain objects and arrays in long sequences", () => {
    // Named by a seed, because a sequence of that length cannot be read.
    fc.assert(
      fc.property(fc.integer(), (seed) => run(options, fc.sample(step, { seed, numRuns: length }))),
      { numRuns: 3 * effort, endOnFailure: true },
    );
  });
});

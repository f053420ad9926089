import type { HierarchyOptions } from "espalier/hierarchy";
import { depthLimit, inlineLinks } from "espalier/hierarchy";
import fc from "fast-check";
import { describe, it } from "vitest";
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

describe.each(Object.entries(settings))("%s", (_title, options) => {
  it("agree with plain objects and arrays in many short sequences", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => run(options, steps)),
      { numRuns: 100 * effort },
    );
  });

  it("agree with plain objects and arrays in long sequences", () => {
    // Named by a seed, because nobody can read a sequence of that length.
    fc.assert(
      fc.property(fc.integer(), (seed) => run(options, fc.sample(step, { seed, numRuns: 1000 }))),
      { numRuns: 3 * effort, endOnFailure: true },
    );
  });
});

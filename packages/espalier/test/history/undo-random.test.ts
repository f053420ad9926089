import { createHistory } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operation, perform, plant, stateOf, violations } from "./random-world.ts";

describe("undo and redo of random operations", () => {
  it("lead back to the start and forward to the end, step by step", () => {
    fc.assert(
      fc.property(
        fc.array(operation, { minLength: 1, maxLength: 120 }),
        fc.boolean(),
        (operations, generate) => {
          const forest = plant({ generate });
          for (let k = 0; k < 8; k++) perform(forest, [k, k * 5, k * 3, k]);
          const history = createHistory(forest.world);
          const states = [stateOf(forest)];
          for (const each of operations) {
            history.step("random", () => perform(forest, each));
            if (history.undoLabels.length === states.length) states.push(stateOf(forest));
          }
          expect(violations(forest)).toEqual([]);
          for (let k = states.length - 2; k >= 0; k--) {
            history.undo();
            expect(stateOf(forest)).toEqual(states[k]);
          }
          expect(history.undo()).toBe(false);
          expect(violations(forest)).toEqual([]);
          for (let k = 1; k < states.length; k++) {
            history.redo();
            expect(stateOf(forest)).toEqual(states[k]);
          }
          expect(history.redo()).toBe(false);
          expect(violations(forest)).toEqual([]);
        },
      ),
      { numRuns: 60, seed: 5 },
    );
  });

  it.each([1, 2, 3, 4, 5, 6])(
    "lead back over 1,000 operations at once, and interleaved (seed %i)",
    (seed) => {
      const forest = plant({ generate: seed % 2 === 0 });
      const operations = fc.sample(operation, { numRuns: 1000, seed });
      const history = createHistory(forest.world);
      const start = stateOf(forest);
      const middles: unknown[] = [];
      operations.forEach((each, k) => {
        perform(forest, each);
        if (k % 100 !== 99) return;
        history.commit();
        middles.push(stateOf(forest));
      });
      const end = stateOf(forest);
      expect(forest.world.count).toBeGreaterThan(20);
      for (let round = 0; round < 2; round++) {
        while (history.undo());
        expect(stateOf(forest)).toEqual(start);
        expect(violations(forest)).toEqual([]);
        while (history.redo());
        expect(stateOf(forest)).toEqual(end);
        expect(violations(forest)).toEqual([]);
      }
      // Back and forth, and from some point another way.
      let at = middles.length - 1;
      for (const step of fc.sample(fc.nat(3), { numRuns: 40, seed })) {
        if (step > 1 && at < middles.length - 1 && history.redo()) at++;
        else if (at > 0 && history.undo()) at--;
        expect(stateOf(forest)).toEqual(middles[at]);
      }
      for (const each of operations.slice(0, 50)) perform(forest, each);
      history.commit();
      expect(history.canRedo).toBe(false);
      const other = stateOf(forest);
      while (history.undo());
      expect(stateOf(forest)).toEqual(start);
      while (history.redo());
      expect(stateOf(forest)).toEqual(other);
      expect(violations(forest)).toEqual([]);
    },
  );
});

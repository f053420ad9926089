/**
 * Observers that edit, grow, destroy and throw, against a naive model.
 *
 * `ESPALIER_OPERATIONS=1000000 npx vitest run --project unit callbacks` runs that many top-level edits.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Edit, NaiveSide, RealSide, type Script } from "./callbacks-model.ts";

const edit: fc.Arbitrary<Edit> = fc.record({
  do: fc.constantFrom<Edit["do"][]>(
    "spawn",
    "spawn",
    "spawnMany",
    "destroy",
    "destroyTwo",
    "add",
    "add",
    "remove",
    "remove",
    "set",
    "attach",
    "attach",
    "attachNew",
    "attachNew",
    "grow",
    "throw",
  ),
  a: fc.nat(40),
  b: fc.nat(40),
  mask: fc.nat(15),
  value: fc.integer({ min: -2, max: 2 }),
});

const script: fc.Arbitrary<Script> = fc.record({
  kind: fc.constantFrom<Script["kind"][]>("spawn", "add", "set", "remove", "destroy"),
  component: fc.nat(3),
  chance: fc.integer({ min: 1, max: 3 }),
  edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
});

const OPERATIONS = Number(process.env.ESPALIER_OPERATIONS ?? 6000);
const PER_RUN = 60;

describe("observers that edit, grow, destroy and throw", () => {
  it("are notified of everything once, in order, after each call, and leave the world whole", {
    timeout: Math.max(60_000, OPERATIONS),
  }, () => {
    const top = edit.filter((it) => it.do !== "throw");
    fc.assert(
      fc.property(
        fc.array(script, { maxLength: 5 }),
        fc.array(top, { minLength: PER_RUN, maxLength: PER_RUN }),
        (scripts, edits) => {
          const real = new RealSide(scripts);
          const naive = new NaiveSide(scripts);
          edits.forEach((it, step) => {
            real.run(it, 12);
            naive.run(it, 12);
            expect(real.log, `notices of step ${step}`).toEqual(naive.log);
            real.log.length = 0;
            naive.log.length = 0;
            if (step % 10 !== 9) return;
            expect(real.state(), `state after step ${step}`).toEqual(naive.state());
            expect(real.problems()).toEqual([]);
          });
        },
      ),
      { numRuns: Math.ceil(OPERATIONS / PER_RUN) },
    );
  });
});

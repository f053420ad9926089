import type { Json } from "espalier/scene";
import { runBatch, runVerb, type VerbError, type VerbName, type VerbStep } from "espalier/verbs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectSound, openGarage } from "./garage.ts";

/** Ids and paths of the scene, of what a batch creates, and some that lead nowhere. */
const ids = [
  "level",
  "tank",
  "turret",
  "gun",
  "gun/sight",
  "crate",
  "garage",
  "n0",
  "n1",
  "n2",
  "n3",
  "i0",
  "i0/sight",
];
const references = [
  ...ids,
  "/level/tank",
  "/level/crate",
  "/level/tank/new",
  "/level/tank/gun/sight",
  "/level/n0",
  "/new",
  "/new/../garage",
  "/level/*",
  "/*/tank",
  "nowhere",
  "//",
];

const id = fc.constantFrom("tank", "crate", "garage", ...ids);
/** Mostly one that is there, so that batches come to their end. */
const reference = fc.oneof(
  { arbitrary: fc.constantFrom("tank", "crate", "level", "garage", "gun"), weight: 12 },
  { arbitrary: fc.constantFrom(...references), weight: 3 },
);
const fresh = fc.constantFrom("n0", "n1", "n2", "n3", "i0", undefined);
const name = fc.constantFrom("new", "tank", undefined);
const components = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((x) => ({ Transform2D: { x } })),
  fc.constantFrom(5, 50, 7, 8, "many").map((lives) => ({ Health: { lives } })),
  id.map((at) => ({ Aim: { at } })),
  fc.constant({ Health: null }),
);

const parametersOf = {
  set: fc.record({ entity: reference, values: components }),
  unset: fc.record({ entity: reference, fields: fc.constantFrom(["Transform2D.x"], ["Health"], ["Aim.at"]) }),
  "add-component": fc.record({
    entity: reference,
    component: fc.constantFrom("Health", "Transform2D", "Aim"),
    values: fc.constantFrom({}, { hp: 3 }, { x: 3 }, { at: "n1" }),
  }),
  "remove-component": fc.record({ entity: reference, component: fc.constantFrom("Health", "Transform2D") }),
  create: fc.record({
    id: fresh,
    name,
    parent: fc.option(reference),
    components: fc.option(components, { nil: undefined }),
    at: fc.constantFrom(0, undefined, undefined),
  }),
  instantiate: fc.record({
    prefab: fc.constantFrom("gun.prefab.json", "gun.prefab.json", "gone.prefab.json"),
    id: fresh,
    parent: fc.option(reference),
    components: fc.option(components, { nil: undefined }),
  }),
  rename: fc.record({ entity: reference, name: fc.constantFrom("new", "tank") }),
  reparent: fc.record({ entities: fc.tuple(reference), parent: fc.option(reference) }),
  delete: fc.record({ entities: fc.tuple(reference) }),
  duplicate: fc.record({ entity: reference, id: fresh }),
  get: fc.record({ entity: reference }),
} satisfies { readonly [Name in VerbName]?: fc.Arbitrary<object> };

/** Mostly edits of the file: only these may wait. */
const names = [
  "set",
  "set",
  "set",
  "create",
  "create",
  "create",
  "unset",
  "add-component",
  "instantiate",
] as const;
const others = ["remove-component", "rename", "reparent", "delete", "duplicate", "get"] as const;
const step: fc.Arbitrary<VerbStep> = fc
  .oneof(
    { arbitrary: fc.constantFrom(...names), weight: 5 },
    { arbitrary: fc.constantFrom(...others), weight: 1 },
  )
  .chain((verb) =>
    parametersOf[verb].map((given) => ({
      verb,
      parameters: JSON.parse(JSON.stringify(given)) as { [name: string]: Json },
    })),
  );

const isLong = process.env.ESPALIER_LONG === "1";

describe("a batch of random steps", { timeout: isLong ? 1_800_000 : 60_000 }, () => {
  it("does what the steps do one by one, and is refused at the step at which they are", () => {
    const numRuns = isLong ? 20_000 : 150;
    let refused = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const single = openGarage();
        const outputs: Json[] = [];
        let failure: { readonly step: number; readonly error: VerbError } | undefined;
        for (const [k, { verb, parameters }] of steps.entries()) {
          try {
            outputs.push(runVerb(single, verb as VerbName, parameters as never).output);
          } catch (error) {
            failure = { step: k, error: error as VerbError };
            break;
          }
        }
        const batch = openGarage();
        const before = batch.scene.save();
        if (failure === undefined) {
          expect(runBatch(batch, steps).output).toEqual(outputs);
          expect(batch.scene.toFile()).toEqual(single.scene.toFile());
        } else {
          refused++;
          let thrown: unknown;
          try {
            runBatch(batch, steps);
          } catch (error) {
            thrown = error;
          }
          expect(thrown).toMatchObject({
            code: "verbs/failed-step",
            step: failure.step,
            cause: { code: failure.error.code },
          });
          expect(batch.scene.save()).toBe(before);
        }
        expectSound(batch);
      }),
      { numRuns },
    );
    // Both happen, or the test says little.
    expect(refused).toBeGreaterThan(numRuns / 10);
    expect(refused).toBeLessThan((numRuns * 19) / 20);
  });
});

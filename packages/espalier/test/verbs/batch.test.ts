import { CircularHierarchyError, constrain } from "espalier/hierarchy";
import { runBatch, runVerb } from "espalier/verbs";
import { describe, expect, it, vi } from "vitest";
import { Aim, expectSound, Health, openGarage, thrown } from "./garage.ts";

describe("a batch", () => {
  it("is one edit, in which later steps use what earlier ones made", () => {
    const document = openGarage();
    const { text, output } = runBatch(document, [
      { verb: "create", parameters: { id: "base", name: "base" } },
      { verb: "reparent", parameters: { entities: ["crate"], parent: "base", keep: "local" } },
    ]);
    expect(output).toEqual([{ id: "base" }, null]);
    expect(text).toBe('+ /base\n> /base/crate parent: "level" → "base"\n');
    expect(document.edits).toHaveLength(1);
  });

  it("changes nothing when one step is refused, and says which and why", () => {
    const document = openGarage();
    const before = document.scene.save();
    const steps = [
      { verb: "rename", parameters: { entity: "tank", name: "Tiger" } },
      { verb: "reparent", parameters: { entities: ["tank"], parent: "turret" } },
    ];
    const error = thrown(() => runBatch(document, steps));
    expect(error).toMatchObject({ code: "verbs/failed-step", step: 1, verb: "reparent" });
    expect(error.cause).toBeInstanceOf(CircularHierarchyError);
    expect(document.scene.save()).toBe(before);
    expectSound(document);
  });

  it("reads the scene once for entities that it creates below parents named by paths", () => {
    const document = openGarage();
    const reload = vi.spyOn(document.scene, "reload");
    runBatch(
      document,
      Array.from({ length: 20 }, (_, k) => ({
        verb: "create",
        parameters: { id: `n${k}`, name: "box", parent: "/level/tank" },
      })),
    );
    expect(reload).toHaveBeenCalledTimes(1);
    // One of these paths leads to what waits.
    const steps = ["/level/tank", "/level/tank/box", "/level/tank"].map((parent, k) => ({
      verb: "create",
      parameters: {
        id: `m${k}`,
        name: k === 0 ? "lid" : "peg",
        parent: k === 1 ? `${parent}/../lid` : parent,
      },
    }));
    runBatch(document, steps);
    expect(runVerb(document, "show", { entity: "m1" }).output).toMatchObject({ parent: "m0" });
  });

  it("is refused where a rule of the tree refuses a step, though the next would make it right", () => {
    const document = openGarage();
    const { tree } = document.scene;
    constrain(tree, {
      name: "aimed",
      components: [Aim],
      add: (_, __, parent) =>
        parent !== null && tree.world.has(parent, Health) ? undefined : "its parent has no Health",
    });
    const steps = [
      { verb: "add-component", parameters: { entity: "crate", component: "Aim" } },
      { verb: "add-component", parameters: { entity: "level", component: "Health" } },
    ];
    expect(thrown(() => runBatch(document, steps))).toMatchObject({ code: "verbs/failed-step", step: 0 });
    expectSound(document);
    expect(runBatch(document, steps.reverse()).output).toEqual([null, null]);
  });

  it.each([
    ["null", null, "a step is an object with a verb and its parameters"],
    ["no verb", {}, "a step is an object with a verb and its parameters"],
    ["an extra field", { verb: "create", parameters: {}, dryRun: true }, 'no "dryRun"'],
  ])("refuses a step that is or has %s", (_, step, text) => {
    const document = openGarage();
    const error = thrown(() => runBatch(document, [step as never]));
    expect(error).toMatchObject({ code: "verbs/failed-step", step: 0 });
    expect(error.message).toContain(text);
    expect(document.edits).toEqual([]);
  });
});

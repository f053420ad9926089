import { runVerb } from "espalier/verbs";
import { describe, expect, it } from "vitest";
import { openGarage } from "./garage.ts";

describe("verbs on large scenes", () => {
  // `ESPALIER_LONG=1` has a chain of a million levels.
  const levels = process.env.ESPALIER_LONG === "1" ? 1_000_000 : 30_000;

  it(`work on a chain of ${levels} levels`, { timeout: 600_000 }, () => {
    const entities = Array.from({ length: levels }, (_, k) => ({
      id: `e${k}`,
      name: "link",
      ...(k === 0 ? {} : { parent: `e${k - 1}` }),
    }));
    const document = openGarage({}, { entities });
    expect(runVerb(document, "create", { id: "end", parent: `e${levels - 1}` }).text).toBe(
      "+ …/link/link/link/link/link/link/link/end\n",
    );
    expect(runVerb(document, "find", { name: "link", limit: 1 }).output).toMatchObject({ count: levels });
    runVerb(document, "reparent", { entities: ["e1"], parent: null });
    runVerb(document, "undo", { edit: "edit-1" });
    expect(document.scene.find("end")).toBeUndefined();
  });

  it("change one of 10,000 entities, and name nothing else", () => {
    const entities = Array.from({ length: 10_000 }, (_, k) => ({
      id: `e${k}`,
      ...(k === 0 ? {} : { parent: `e${k >> 3}` }),
      components: { Transform2D: { x: k }, Health: {} },
    }));
    const document = openGarage({}, { entities });
    const { text } = runVerb(document, "set", { entity: "e5000", values: { Health: { hp: 1 } } });
    expect(text).toBe("~ /e0/e1/e9/e78/e625/e5000 Health.hp: 100 → 1\n");
  });
});

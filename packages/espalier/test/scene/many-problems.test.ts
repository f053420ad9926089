import { describe, expect, it } from "vitest";
import { createFormat } from "./scenes.ts";

const format = createFormat();
const count = 50_000;
const entities = (entry: (k: number) => object) => Array.from({ length: count }, (_, k) => entry(k));

// Once they took minutes, because every problem looked through all ids: then the test would run out of time.
describe("a large file in which everything is wrong", () => {
  it.each<[string, (k: number) => object]>([
    ["the same missing parent", (k) => ({ id: `entity-${k}`, parent: "entity" })],
    ["another missing parent each", (k) => ({ id: `entity-${k}`, parent: `entity-${k}x` })],
    ["missing references", (k) => ({ id: `entity-${k}`, components: { Aim: { at: `entity-${k}y` } } })],
    ["unknown components", (k) => ({ components: { [`Helth${k}`]: {} } })],
    ["the same id", () => ({ id: "same" })],
  ])("is reported quickly: %s", (_, entry) => {
    const problems = format.check(JSON.stringify({ entities: entities(entry) }));
    expect(problems.length).toBe(1001);
    expect(problems.at(-1)?.message).toMatch(/^There are \d+ more problems\. Fix those above first\.$/);
  });

  it("is reported quickly although it is deeply nested", () => {
    const open = `{ "components": { "Helth": {} }, "children": [`;
    const problems = format.check(`{ "entities": [${open.repeat(count)}${"] }".repeat(count)}] }`);
    expect(problems.length).toBeGreaterThan(20);
    expect(problems[0]?.path).toBe("entities[0].components.Helth");
    expect(problems.at(-1)?.message).toMatch(/more problems/);
  });
});

import type { Prefabs } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { createFormat, emptyTree, problemsOf } from "./scenes.ts";
import { prefabs } from "./tank-prefabs.ts";

const format = createFormat();

describe("problems with prefabs", () => {
  const problems = (entities: unknown, files: Prefabs = prefabs) =>
    problemsOf(() =>
      format.load(emptyTree(), JSON.stringify({ entities }), { file: "level.json", prefabs: files }),
    ).map((text) => text.replace(/:1:\d+ /, " "));

  it("name what is missing", () => {
    expect(problems([{ id: "a", prefab: "tnk" }])).toEqual([
      `level.json entities[0].prefab a scene/unknown-prefab Entity "a": there is no prefab "tnk". Did you mean "tank"?`,
    ]);
    expect(problems([{ id: "a", prefab: "x" }], () => undefined)).toEqual([
      `level.json entities[0].prefab a scene/unknown-prefab Entity "a": there is no prefab "x". Check its name.`,
    ]);
    const disk = () => {
      throw new Error("The disk is full.");
    };
    expect(problems([{ id: "a", prefab: "x" }], disk)[0]).toContain(
      `the prefab "x" cannot be found: The disk is full.`,
    );
  });

  it("name loops with their path", () => {
    const files: Prefabs = {
      a: { entities: [{ id: "a", children: [{ id: "b", prefab: "b" }] }] },
      b: { entities: [{ id: "b", children: [{ id: "c", prefab: "c" }] }] },
      c: { entities: [{ id: "c", children: [{ id: "a", prefab: "a" }] }] },
    };
    expect(problems([{ id: "x", prefab: "a" }], files)).toEqual([
      `c:-:- entities[0].children[0].prefab a scene/prefab-loop Entity "a": the prefab "a" contains itself: a > b > c > a. Remove one of the instances.`,
    ]);
    expect(
      problems([{ id: "x", prefab: "level.json" }], () => ({
        entities: [{ id: "x", prefab: "level.json" }],
      })),
    ).toEqual([
      `level.json entities[0].prefab x scene/prefab-loop Entity "x": the prefab "level.json" contains itself: level.json > level.json. Remove one of the instances.`,
    ]);
  });

  it("name prefabs without a single root", () => {
    const files: Prefabs = { two: { entities: [{ id: "a" }, { id: "b" }] }, none: { entities: [] } };
    expect(problems([{ prefab: "two" }, { prefab: "none" }], files)).toEqual([
      `two:-:- entities - scene/invalid-prefab A prefab has exactly one root, two has 2 (a, b). Put them under one entity.`,
      `none:-:- entities - scene/invalid-prefab A prefab has exactly one root, none has none. Put them under one entity.`,
    ]);
  });

  it("show what is wrong inside a prefab in its own file, once", () => {
    const files: Prefabs = { bad: `{\n  "entities": [{ "id": "a", "components": { "Helth": {} } }]\n}` };
    expect(
      problemsOf(() =>
        format.load(emptyTree(), { entities: [{ prefab: "bad" }, { prefab: "bad" }] }, { prefabs: files }),
      ),
    ).toEqual([
      `bad:2:45 entities[0].components.Helth a scene/unknown-component Entity "a" has an unknown component "Helth". Did you mean "Health"?`,
    ]);
  });

  it.each([
    [
      { gun: {} },
      `overrides.gun a scene/unknown-override Entity "a" overrides "gun", which tank does not contain. The entities to override are turret, barrel, hatch.`,
    ],
    [
      { hatc: {} },
      `overrides.hatc a scene/unknown-override Entity "a" overrides "hatc", which tank does not contain. Did you mean "hatch"?`,
    ],
    [
      { tank: {} },
      `overrides.tank a scene/wrong-shape Entity "a": this is the root of the prefab. Write its components beside overrides.`,
    ],
    [
      { turret: {}, Turret: {} },
      `overrides.Turret a scene/wrong-shape Entity "a": it is overridden twice, also as "turret".`,
    ],
    [
      { turret: 1 },
      `overrides.turret a scene/wrong-shape Entity "a": an override is an object, or null to remove, got 1.`,
    ],
    [
      { hatch: { components: { Frozn: null } } },
      `overrides.hatch.components.Frozn a/hatch scene/unknown-override Entity "a/hatch" removes "Frozn", which the prefab does not have. Did you mean "Frozen"?`,
    ],
    [
      { hatch: { components: { Health: { hp: "x" } } } },
      `overrides.hatch.components.Health.hp a/hatch scene/wrong-type Entity "a/hatch": Health.hp takes a number, got "x".`,
    ],
    [
      { hatch: { componets: {} } },
      `overrides.hatch.componets a/hatch scene/unknown-key Entity "a/hatch" has an unknown key "componets". Did you mean "components"?`,
    ],
    [
      { hatch: { parent: "nobody" } },
      `overrides.hatch.parent a/hatch scene/missing-parent Entity "a/hatch" has the parent "nobody", which is not in the scene. The ids are a, a/turret, a/barrel, a/hatch.`,
    ],
    [
      { turret: { parent: "a/barrel" } },
      `overrides.turret.parent a/turret scene/cycle Entity "a/turret" is its own ancestor: a/turret > a/barrel > a/turret. Give one of them a parent outside the cycle, or none.`,
    ],
    [
      { turret: { children: [{ components: { X: {} } }] } },
      `overrides.turret.children[0].components.X - scene/unknown-component An entity without id has an unknown component "X". The registered components are Position, Health, Label, Aim, Bag, Frozen, Props.`,
    ],
  ])("name what cannot be overridden: %j", (overrides, problem) => {
    expect(problems([{ id: "a", prefab: "tank", overrides }])).toEqual([`level.json entities[0].${problem}`]);
  });
});

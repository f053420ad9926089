import { component, f32, finite, object } from "espalier";
import { constrain, createHierarchy, depthLimit, forbidOnChildren } from "espalier/hierarchy";
import { createSceneFormat, formatProblem, SceneError } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { strictWorld } from "../testing.ts";
import { createFormat, emptyTree, Health, problemsOf } from "./scenes.ts";

const format = createFormat();

/** The problems of a text, which is loaded as level.json. */
function problemsIn(text: string): string[] {
  const tree = emptyTree();
  const problems = problemsOf(() => format.load(tree, text, { file: "level.json" }), tree);
  expect(format.check(text, { file: "level.json" }).length).toBe(problems.length);
  return problems;
}

const entity = (components: string) => `{ "entities": [{ "id": "tank", "components": { ${components} } }] }`;

describe("problems of a file", () => {
  it("are reported all at once, each with its location, and nothing is loaded", () => {
    expect(
      problemsIn(`{
  "entities": [
    { "id": "tank", "components": { "Helth": { "hp": 1 } } },
    { "id": "tank", "parent": "tnk" },
    {
      "id": "rock",
      "components": {
        "Health": { "hp": "full", "lives": 70000, "mod": 1 },
        "Parent": { "entity": "tank" }
      },
      "childs": []
    },
    7
  ]
}`),
    ).toEqual([
      `level.json:3:37 entities[0].components.Helth tank scene/unknown-component Entity "tank" has an unknown component "Helth". Did you mean "Health"?`,
      `level.json:4:13 entities[1].id tank scene/duplicate-id Entity "tank" appears twice, first at entities[0]. Give one of them another id.`,
      `level.json:4:31 entities[1].parent tank-2 scene/missing-parent Entity "tank-2" has the parent "tnk", which is not in the scene. Did you mean "tank"?`,
      `level.json:8:27 entities[2].components.Health.hp rock scene/wrong-type Entity "rock": Health.hp takes a number, got "full".`,
      `level.json:8:44 entities[2].components.Health.lives rock scene/out-of-range Entity "rock": Health.lives holds integers from 0 to 65535, got 70000.`,
      `level.json:8:51 entities[2].components.Health.mod rock scene/unknown-field Entity "rock": Health has no field "mod". Did you mean "mood"?`,
      `level.json:9:9 entities[2].components.Parent rock scene/parent-component Entity "rock" has Parent among its components. The parent of an entity is not a component: write "parent": "its id" beside "components", or nest the entities.`,
      `level.json:11:7 entities[2].childs rock scene/unknown-key Entity "rock" has an unknown key "childs". Did you mean "children"?`,
      `level.json:13:5 entities[3] - scene/wrong-shape An entity is an object, got 7.`,
    ]);
  });

  it("are in the message of the error", () => {
    const tree = emptyTree();
    const load = () =>
      format.load(tree, entity(`"Helth": {}, "Label": { "text": 1 }`), { file: "level.json" });
    expect(load).toThrow(SceneError);
    expect(load).toThrow(
      `Cannot load level.json, it has 2 problems:
  level.json:1:48: Entity "tank" has an unknown component "Helth". Did you mean "Health"? (at entities[0].components.Helth) [scene/unknown-component]
  level.json:1:80: Entity "tank": Label.text takes a string, got 1. (at entities[0].components.Label.text) [scene/wrong-type]
  [scene/unknown-component]`,
    );
    expect(() => format.load(tree, entity(`"Helth": {}`))).toThrow(
      `Cannot load the scene: scene:1:48: Entity "tank" has an unknown component "Helth". Did you mean "Health"? (at entities[0].components.Helth) [scene/unknown-component]`,
    );
  });

  it("are cut after twenty in the message and after a thousand in the list", () => {
    const entities = Array.from({ length: 1500 }, () => `{ "parent": "x" }`).join(",");
    const tree = emptyTree();
    const problems = problemsOf(() => format.load(tree, `{ "entities": [${entities}] }`), tree);
    expect(problems.length).toBe(1001);
    expect(problems.at(-1)).toContain("There are 500 more problems. Fix those above first.");
    expect(() => format.load(tree, `{ "entities": [${entities}] }`)).toThrow("… and 981 more");
  });

  it("of a scene written in TypeScript have a path and no line", () => {
    expect(
      problemsOf(() =>
        format.load(emptyTree(), { entities: [{ id: "a", components: { Health: { hp: "1" } } }] }),
      ),
    ).toEqual([
      `-:-:- entities[0].components.Health.hp a scene/wrong-type Entity "a": Health.hp takes a number, got "1". Remove the quotes.`,
    ]);
  });
});

describe("the form of a file", () => {
  it.each([
    [
      "[]",
      `level.json:1:1  - scene/wrong-shape A scene is an object with an array of entities, got an array of 0. Write { "entities": [...] }.`,
    ],
    ["{}", "level.json:1:1 entities - scene/wrong-shape A scene has an array of entities, found none."],
    [
      `{ "entities": 3 }`,
      "level.json:1:15 entities - scene/wrong-shape A scene has an array of entities, found 3.",
    ],
    [
      `{ "entities": [], "entites": [] }`,
      `level.json:1:19 entites - scene/unknown-key The file has an unknown key "entites". Did you mean "entities"?`,
    ],
    [
      `{ "entities": [], "version": "2" }`,
      `level.json:1:30 version - scene/wrong-shape version takes an integer of at least 1, got "2".`,
    ],
    [
      `{ "entities": [], "$schema": 1 }`,
      "level.json:1:30 $schema - scene/wrong-shape $schema takes an address, got 1.",
    ],
    [
      `{ "entities": [], "order": 1 }`,
      "level.json:1:28 order - scene/wrong-shape order takes an array, got 1.",
    ],
  ])("is checked: %s", (text, problem) => {
    expect(problemsIn(text)).toEqual([problem]);
  });

  it.each([
    [
      `"id": 7`,
      `entities[0].id - scene/invalid-id An entity has an id that cannot be used: 7 is not a string with at least one character. Choose another, or leave it out and one is generated.`,
    ],
    [
      `"id": ""`,
      `entities[0].id - scene/invalid-id An entity has an id that cannot be used: "" is not a string with at least one character. Choose another, or leave it out and one is generated.`,
    ],
    [
      `"id": "a/b"`,
      `entities[0].id - scene/invalid-id An entity has an id that cannot be used: "a/b" contains "/", which leads into prefab instances. Choose another, or leave it out and one is generated.`,
    ],
    [
      `"id": "a", "name": ".."`,
      `entities[0].name a scene/wrong-shape Entity "a": name takes a string that is not empty and neither "." nor "..", got "..".`,
    ],
    [
      `"id": "a", "parent": 1`,
      `entities[0].parent a scene/wrong-shape Entity "a": parent takes the id of an entity, got 1.`,
    ],
    [
      `"id": "a", "children": [{ "id": "b", "parent": "a" }]`,
      `entities[0].children[0].parent b scene/wrong-shape Entity "b": the parent of a nested entity is the one that contains it. Remove parent, or list it outside.`,
    ],
    [
      `"id": "a", "children": {}`,
      `entities[0].children a scene/wrong-shape Entity "a": children takes an array, got an object.`,
    ],
    [
      `"id": "a", "components": []`,
      `entities[0].components a scene/wrong-shape Entity "a": components takes an object of components by name, got an array of 0.`,
    ],
    [
      `"id": "a", "prefab": 1`,
      `entities[0].prefab a scene/wrong-shape Entity "a": prefab takes the name of a scene file, got 1.`,
    ],
    [
      `"id": "a", "overrides": {}`,
      `entities[0].overrides a scene/wrong-shape Entity "a": overrides needs a prefab to override. Add prefab, or remove it.`,
    ],
    [
      `"id": "a", "order": ["b"]`,
      `entities[0].order[0] a scene/wrong-shape order names "b", which is not a child of "a". Remove it.`,
    ],
  ])("of an entity is checked: %s", (entry, problem) => {
    const found = problemsIn(`{ "entities": [{ ${entry} }] }`);
    expect(found.map((text) => text.replace(/^level.json:1:\d+ /, ""))).toEqual([problem]);
  });
});

describe("the hierarchy of a file", () => {
  it("has no cycles, and each is named with its path", () => {
    expect(
      problemsIn(`{
  "entities": [
    { "id": "a", "parent": "c" },
    { "id": "b", "parent": "a" },
    { "id": "c", "parent": "b" },
    { "id": "self", "parent": "self" },
    { "id": "below", "parent": "self" },
    { "id": "root" }
  ]
}`),
    ).toEqual([
      `level.json:3:28 entities[0].parent a scene/cycle Entity "a" is its own ancestor: a > b > c > a. Give one of them a parent outside the cycle, or none.`,
      `level.json:6:31 entities[3].parent self scene/cycle Entity "self" is its own ancestor: self > self. Give one of them a parent outside the cycle, or none.`,
    ]);
  });

  it("is refused where the hierarchy does not allow it, with the entity's location", () => {
    const world = strictWorld();
    const tree = createHierarchy(world, { limits: depthLimit({ max: 1 }) });
    const text = `{ "entities": [{ "id": "a", "children": [{ "id": "b", "children": [{ "id": "c" }] }] }] }`;
    expect(problemsOf(() => format.load(tree, text, { file: "level.json" }), tree)).toEqual([
      `level.json:1:68 entities[0].children[0].children[0] c scene/refused Entity "c" was refused: Cannot create an entity under #2: the tree would get 2 levels below its root and tree allows 1. Attach it higher up, or raise max of its depthLimit(). [hierarchy/too-deep]`,
    ]);
    expect(world.count).toBe(0);
  });

  it("is refused by constraints, with everything taken back", () => {
    const tree = emptyTree();
    constrain(tree, forbidOnChildren(tree.world, Health));
    const load = () =>
      format.load(
        tree,
        `{ "entities": [{ "id": "a", "children": [{ "id": "b", "components": { "Health": {} } }] }] }`,
      );
    expect(problemsOf(load, tree)[0]).toContain("Health is allowed on roots only");
  });
});

describe("components of a file", () => {
  it.each([
    [`"Health": 5`, `Health takes an object with its fields, got 5.`],
    [
      `"Health": null`,
      `Health takes an object with its fields, got null, which only removes a component of a prefab.`,
    ],
    [`"Health": { "armored": 1 }`, `Health.armored takes true or false, got 1.`],
    [`"Health": { "hp": "12" }`, `Health.hp takes a number, got "12". Remove the quotes.`],
    [`"Health": { "hp": null }`, `Health.hp takes a number, got null.`],
    [
      `"Health": { "hp": 1e39 }`,
      `Health.hp holds from -3.4028234663852886e+38 to 3.4028234663852886e+38, got 1e+39.`,
    ],
    [
      `"Health": { "hp": 1e999 }`,
      `Health.hp holds from -3.4028234663852886e+38 to 3.4028234663852886e+38, got Infinity.`,
    ],
    [`"Health": { "lives": -1 }`, `Health.lives holds integers from 0 to 65535, got -1.`],
    [`"Health": { "mood": 1.5 }`, `Health.mood holds integers from -128 to 127, got 1.5.`],
    [`"Label": { "text": [] }`, `Label.text takes a string, got an array of 0.`],
    [`"Aim": { "at": 7 }`, `Aim.at takes the id of an entity or null, got 7.`],
    [`"Frozen": { "x": 1 }`, `Frozen has no field "x". Frozen is a tag and has none: write {}.`],
    [`"Position": { "up": 1 }`, `Position has no field "up". The fields of Position are x, y.`],
    [`"Aim": { "at": "tnak" }`, `Aim.at refers to "tnak", which is not in the scene. Did you mean "tank"?`],
  ])("are checked: %s", (components, message) => {
    const [problem, ...more] = problemsIn(entity(components));
    expect(problem).toContain(`Entity "tank": ${message}`);
    expect(more).toEqual([]);
  });

  it("get a suggestion for every reference that leads nowhere", () => {
    const aim = (at: string) => `{ "components": { "Aim": { "at": "${at}" } } }`;
    const problems = problemsIn(`{ "entities": [{ "id": "tank" }, ${aim("tnak")}, ${aim("tonk")}] }`);
    expect(problems.length).toBe(2);
    for (const problem of problems) expect(problem).toContain(`Did you mean "tank"?`);
  });

  it("get no suggestion that shares no letter", () => {
    expect(problemsIn(`{ "entities": [{ "id": "a", "parent": "b" }] }`)[0]).toContain("The ids are a.");
  });

  it("named Children are refused too", () => {
    expect(problemsIn(entity(`"Children": {}`))[0]).toContain(
      `Entity "tank" has Children among its components. The parent of an entity is not a component: write "children": [...], or nest the entities.`,
    );
  });

  it("are checked by what their fields demand", () => {
    const Even = component("Even", {
      list: object(
        () => [],
        (value) => (Array.isArray(value) ? undefined : "takes an array"),
      ),
      size: finite(f32()),
    });
    const strict = createSceneFormat({ components: [Even] });
    expect(
      problemsOf(() => strict.load(emptyTree(), entity(`"Even": { "list": 1, "size": "NaN" }`))),
    ).toEqual([
      `-:1:66 entities[0].components.Even.list tank scene/invalid-value Entity "tank": Even.list takes an array.`,
      `-:1:77 entities[0].components.Even.size tank scene/wrong-type Entity "tank": Even.size takes a number, got "NaN".`,
    ]);
  });

  it("of an empty format are all unknown", () => {
    const empty = createSceneFormat({ components: [] });
    expect(problemsOf(() => empty.load(emptyTree(), entity(`"Health": {}`)))[0]).toContain(
      `has an unknown component "Health". There are no registered components.`,
    );
  });
});

describe("formatProblem", () => {
  it("is one line that editors can jump to", () => {
    const [problem] = format.check(entity(`"Helth": {}`), { file: "level.json" });
    expect(problem && formatProblem(problem)).toBe(
      `level.json:1:48: Entity "tank" has an unknown component "Helth". Did you mean "Health"? (at entities[0].components.Helth) [scene/unknown-component]`,
    );
  });
});

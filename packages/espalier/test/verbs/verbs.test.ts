import { component, createWorld, f64, object, string } from "espalier";
import { CircularHierarchyError, createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createSceneFormat, SceneError } from "espalier/scene";
import { openSceneDocument, runBatch, runVerb, VerbError, verbSchema, verbs } from "espalier/verbs";
import { describe, expect, it } from "vitest";
import { expectSound, format, garage, openGarage, prefabs, thrown } from "./garage.ts";

describe("a verb that reads", () => {
  it("finds entities by name, path, component and value", () => {
    const document = openGarage();
    const ids = (parameters: Parameters<typeof runVerb<"find">>[2]) =>
      (runVerb(document, "find", parameters).output as { entities: { id: string }[] }).entities.map(
        ({ id }) => id,
      );
    expect(ids({ name: "t*" })).toEqual(["tank", "turret"]);
    expect(ids({ path: "/level/*" })).toEqual(["tank", "crate"]);
    expect(ids({ component: "Health" })).toEqual(["tank", "gun"]);
    expect(ids({ where: "Health.hp < 50" })).toEqual(["gun"]);
    expect(ids({ where: "Aim.at = crate" })).toEqual(["turret"]);
    expect(ids({ under: "tank", component: "Transform2D" })).toEqual(["turret", "gun", "gun/sight"]);
    expect(document.edits).toEqual([]);
  });

  it("refuses to look for a component that does not exist, with the nearest name", () => {
    for (const parameters of [{ component: "Helth" }, { where: "Helth.hp < 50" }]) {
      expect(() => runVerb(openGarage(), "find", parameters)).toThrow(
        'Cannot run find: there is no component "Helth". Did you mean "Health"?',
      );
    }
  });

  it("refuses to compare a field that does not exist, with the nearest name", () => {
    expect(() => runVerb(openGarage(), "find", { where: "Health.hq < 50" })).toThrow(
      'Cannot run find: Health has no field "hq". Did you mean "hp"?',
    );
  });

  it("compares texts that look like numbers as texts, -0 as 0, and objects by their content", () => {
    const Label = component("Label", { text: string(""), size: f64(0), style: object(() => ({})) });
    const labels = createSceneFormat({ components: [Label] });
    const document = openSceneDocument(labels, {
      entities: [
        { id: "a", components: { Label: { text: "50", size: -0, style: { bold: true, wide: 2 } } } },
        { id: "b", components: { Label: { text: "x50", size: 1 } } },
      ],
    });
    const found = (where: string) =>
      (runVerb(document, "find", { where }).output as { entities: { id: string }[] }).entities.map(
        ({ id }) => id,
      );
    expect(found("Label.text = 50")).toEqual(["a"]);
    expect(found("Label.text ~ 50")).toEqual(["a", "b"]);
    expect(found("Label.size = 0")).toEqual(["a"]);
    expect(found('Label.style = { "wide": 2, "bold": true }')).toEqual(["a"]);
    expect(found('Label.style != { "wide": 2, "bold": true }')).toEqual(["b"]);
  });

  it("counts what it does not list", () => {
    const { output } = runVerb(openGarage(), "find", { limit: 2 });
    expect(output).toMatchObject({ count: 7, entities: [{ id: "level" }, { id: "tank" }] });
  });

  it("gives the values of an entity, with defaults", () => {
    const document = openGarage();
    expect(runVerb(document, "get", { entity: "tank", value: "Health" }).output).toEqual({
      hp: 80,
      lives: 3,
    });
    expect(runVerb(document, "get", { entity: "/level/tank", value: "Health.hp" }).output).toBe(80);
    expect(() => runVerb(document, "get", { entity: "tank", value: "Health.hq" })).toThrow(
      'Did you mean "Health.hp"?',
    );
  });

  it("shows an entity with its position in the world and what refers to it", () => {
    const { output } = runVerb(openGarage(), "show", { entity: "crate" });
    expect(output).toMatchObject({
      id: "crate",
      path: "/level/crate",
      world: { x: 7, y: 0 },
      referredBy: [{ id: "turret", component: "Aim", field: "at" }],
    });
  });

  it("shows the tree as rows with their depth", () => {
    const { output } = runVerb(openGarage(), "show", { depth: 1 });
    const { entities } = output as { entities: { id: string; depth: number }[] };
    expect(entities.map(({ id, depth }) => `${depth} ${id}`)).toEqual([
      "0 level",
      "1 tank",
      "1 crate",
      "0 garage",
    ]);
  });
});

describe("a verb that changes a scene", () => {
  it("gives the difference as data and text, warnings and a token", () => {
    const document = openGarage();
    const result = runVerb(
      document,
      "set",
      { entity: "tank", values: { Health: { hp: 50 } } },
      { author: "Ada", reason: "too strong" },
    );
    expect(result.changes).toEqual([
      {
        kind: "set",
        entity: "tank",
        path: "/level/tank",
        component: "Health",
        field: "hp",
        before: 80,
        after: 50,
      },
    ]);
    expect(result.text).toBe("~ /level/tank Health.hp: 80 → 50\n");
    expect(result.token).toBe("edit-1");
    expect(document.edits).toMatchObject([{ token: "edit-1", author: "Ada", reason: "too strong" }]);
    expectSound(document);
  });

  it("changes nothing in a dry run", () => {
    const document = openGarage();
    const before = document.scene.save();
    const { text, token } = runVerb(document, "delete", { entities: ["crate"] }, { dryRun: true });
    expect(text).toBe('- /level/crate\n~ /level/tank/turret Aim.at: "crate" → null\n');
    expect(token).toBeUndefined();
    expect(document.scene.save()).toBe(before);
    expect(document.edits).toEqual([]);
    expectSound(document);
  });

  it("creates an entity at a position among its siblings", () => {
    const document = openGarage();
    const { output, text } = runVerb(document, "create", {
      parent: "level",
      name: "flag pole",
      components: { Health: { hp: 1 } },
      before: "crate",
    });
    expect(output).toEqual({ id: "flag-pole" });
    expect(text).toBe("+ /level/flag pole (Health)\n");
    const { scene } = document;
    expect(scene.tree.childrenOf(scene.entity("level")).map((child) => scene.idOf(child))).toEqual([
      "tank",
      "flag-pole",
      "crate",
    ]);
    expectSound(document);
  });

  it("warns of references that a deletion loses", () => {
    const document = openGarage();
    const { warnings } = runVerb(document, "delete", { entities: ["crate"] });
    expect(warnings).toMatchObject([{ code: "lost-reference", entity: "turret" }]);
    expectSound(document);
  });

  it("keeps the world transform when it moves an entity, or the local values when asked", () => {
    const kept = openGarage();
    runVerb(kept, "reparent", { entities: ["tank"], parent: "garage" });
    expect(runVerb(kept, "get", { entity: "tank", value: "Transform2D.x" }).output).toBeCloseTo(-42.5);
    expect(runVerb(kept, "show", { entity: "tank" }).output).toMatchObject({ world: { x: 15, y: 2 } });
    const local = openGarage();
    runVerb(local, "reparent", { entities: ["tank"], parent: "garage", keep: "local" });
    expect(runVerb(local, "get", { entity: "tank", value: "Transform2D.x" }).output).toBe(5);
    expectSound(local);
  });

  it("moves an entity in 3D and keeps its world transform", () => {
    const document = openGarage(
      {},
      {
        entities: [
          { id: "a", components: { Transform3D: { z: 5 } } },
          { id: "b", components: { Transform3D: { z: 2 } } },
        ],
      },
    );
    expect(runVerb(document, "reparent", { entities: ["a"], parent: "b" }).text).toBe(
      '> /b/a parent: null → "b"\n~ /b/a Transform3D.z: 5 → 3\n',
    );
  });

  it("refuses a move that would make a cycle, and changes nothing", () => {
    const document = openGarage();
    const before = document.scene.save();
    expect(() => runVerb(document, "reparent", { entities: ["tank"], parent: "turret" })).toThrow(
      CircularHierarchyError,
    );
    expect(document.scene.save()).toBe(before);
  });

  it("duplicates a subtree with its instances, under ids of its own", () => {
    const document = openGarage();
    const { output } = runVerb(document, "duplicate", { entity: "tank", name: "tank 2" });
    expect(output).toEqual({ id: "tank-2", copied: 4 });
    const { count } = runVerb(document, "find", { under: "tank-2" }).output as { count: number };
    expect(count).toBe(3);
    expectSound(document);
  });

  it("sets values inside an instance as overrides, and unsets them to what the prefab says", () => {
    const document = openGarage();
    expect(runVerb(document, "set", { entity: "gun/sight", values: { Transform2D: { x: 9 } } }).text).toBe(
      "~ /level/tank/turret/gun/sight Transform2D.x: (prefab) → 9\n",
    );
    runVerb(document, "unset", { entity: "gun/sight", fields: ["Transform2D.x"] });
    expect(runVerb(document, "get", { entity: "gun/sight", value: "Transform2D.x" }).output).toBe(1);
    expectSound(document);
  });

  it("adds and removes components", () => {
    const document = openGarage();
    expect(
      runVerb(document, "add-component", { entity: "crate", component: "Health", values: { hp: 3 } }).text,
    ).toBe('+ /level/crate Health {"hp":3}\n');
    expect(runVerb(document, "remove-component", { entity: "crate", component: "Health" }).text).toBe(
      "- /level/crate Health\n",
    );
    expect(() => runVerb(document, "set", { entity: "crate", values: { Health: { hp: 1 } } })).toThrow(
      "/level/crate has no Health. Add it first, with add-component.",
    );
  });

  it("groups entities where they are", () => {
    const document = openGarage();
    const { output } = runVerb(document, "group", { entities: ["tank", "crate"], name: "things" });
    expect(output).toEqual({ id: "things" });
    expect(runVerb(document, "show", { entity: "crate" }).output).toMatchObject({
      path: "/level/things/crate",
      world: { x: 7 },
    });
    expect(runVerb(document, "show", { entity: "things" }).output).toMatchObject({ world: { x: 15, y: 2 } });
    expectSound(document);
  });

  it("aligns entities by their positions in the world", () => {
    const document = openGarage();
    runVerb(document, "align", { entities: ["garage", "crate"], axis: "x", to: "center" });
    for (const entity of ["garage", "crate"]) {
      expect(runVerb(document, "show", { entity }).output).toMatchObject({ world: { x: 53.5 } });
    }
    expect(() => runVerb(document, "align", { entities: ["garage", "crate"], axis: "z" })).toThrow(
      "has no transform with an axis z",
    );
  });

  it("inserts another scene, under other ids where they are taken", () => {
    const document = openGarage();
    const scene = {
      entities: [
        { id: "tank", name: "tank" },
        { id: "tree", parent: "tank" },
      ],
    };
    const { output } = runVerb(document, "insert", { scene, parent: "level" });
    expect(output).toEqual({ inserted: ["tank-2", "tree"] });
    expectSound(document);
  });

  it("makes a prefab of a subtree, keeps references into it, and undoes both", () => {
    const document = openGarage();
    const before = document.scene.toFile();
    runVerb(document, "set", { entity: "turret", values: { Aim: { at: "tank" } } });
    runVerb(document, "add-component", { entity: "crate", component: "Aim", values: { at: "turret" } });
    const { changes } = runVerb(document, "make-prefab", { entity: "tank", prefab: "tank.prefab.json" });
    expect(changes.at(-1)).toMatchObject({ kind: "prefab-file", path: "tank.prefab.json" });
    expect(runVerb(document, "get", { entity: "crate", value: "Aim.at" }).output).toBe("tank/turret");
    expect(document.prefabFiles.get("tank.prefab.json")).toContain('"turret"');
    expectSound(document);
    for (let k = 0; k < 3; k++) runVerb(document, "undo", {});
    expect(document.scene.toFile()).toEqual(before);
    expect(document.prefabFiles.get("tank.prefab.json")).toBeNull();
  });

  it("makes a prefab of parts that overrides of another instance refer to", () => {
    const document = openGarage();
    runVerb(document, "set", { entity: "turret", values: { Aim: { at: "tank" } } });
    runVerb(document, "instantiate", { prefab: "gun.prefab.json", parent: "garage", id: "spare" });
    runVerb(document, "add-component", { entity: "spare/sight", component: "Aim", values: { at: "turret" } });
    runVerb(document, "make-prefab", { entity: "tank", prefab: "tank.prefab.json" });
    expect(runVerb(document, "get", { entity: "spare/sight", value: "Aim.at" }).output).toBe("tank/turret");
    expectSound(document);
  });

  it("instantiates, applies, reverts, replaces and unpacks prefabs", () => {
    const document = openGarage();
    runVerb(document, "instantiate", { prefab: "gun.prefab.json", parent: "garage", id: "spare" });
    runVerb(document, "set", { entity: "gun", values: { Health: { hp: 7 } } });
    const { output } = runVerb(document, "apply", { entity: "gun" });
    expect(output).toEqual({ prefab: "gun.prefab.json", applied: ["Health.hp"] });
    expect(runVerb(document, "get", { entity: "spare", value: "Health.hp" }).output).toBe(7);
    expect(document.prefabFiles.get("gun.prefab.json")).toContain('"hp": 7');
    runVerb(document, "set", { entity: "spare/sight", values: { Transform2D: { x: 4 } } });
    expect(runVerb(document, "revert", { entity: "spare" }).text).toContain("Transform2D.x: 4 → (prefab)");
    runVerb(document, "replace-prefab", { entity: "spare", prefab: "cannon.prefab.json" });
    expect(runVerb(document, "get", { entity: "spare", value: "Health.hp" }).output).toBe(50);
    runVerb(document, "unpack", { entity: "gun" });
    expect(document.scene.toFile().entities.find(({ id }) => id === "gun")).not.toHaveProperty("prefab");
    expectSound(document);
  });

  it("makes an entity an instance and lists prefabs with what they are variants of", () => {
    const files = {
      ...prefabs,
      "big.prefab.json": { entities: [{ id: "big", name: "big", prefab: "cannon.prefab.json" }] },
      "both.prefab.json": { compose: ["gun.prefab.json", "cannon.prefab.json"], entities: [] },
    };
    const document = openGarage({ prefabs: files });
    const before = document.scene.save();
    expect(runVerb(document, "make-instance", { entity: "crate", prefab: "big.prefab.json" }).output).toEqual(
      {
        id: "crate",
        overrides: 3,
      },
    );
    expect(runVerb(document, "get", { entity: "crate", value: "Transform2D.x" }).output).toBe(-3);
    expect(runVerb(document, "prefabs", {}).output).toEqual([
      { prefab: "gun.prefab.json", instances: 1, entities: 2, variantOf: [], composedOf: [] },
      {
        prefab: "big.prefab.json",
        instances: 1,
        entities: 1,
        variantOf: ["cannon.prefab.json"],
        composedOf: [],
      },
    ]);
    runVerb(document, "instantiate", { prefab: "both.prefab.json", name: "both" });
    expect(runVerb(document, "prefabs", {}).output).toContainEqual({
      prefab: "both.prefab.json",
      instances: 1,
      entities: 2,
      variantOf: [],
      composedOf: ["gun.prefab.json", "cannon.prefab.json"],
    });
    runVerb(document, "undo", {});
    expect(() => runVerb(document, "make-instance", { entity: "crate", prefab: "big.prefab.json" })).toThrow(
      "it is an instance of big.prefab.json already",
    );
    expect(() => runVerb(document, "make-instance", { entity: "tank", prefab: "none" })).toThrow(
      'there is no prefab "none"',
    );
    runVerb(document, "undo", {});
    expect(document.scene.save()).toBe(before);
  });

  it("undoes an application of overrides, in the prefab too", () => {
    const document = openGarage();
    runVerb(document, "instantiate", { prefab: "gun.prefab.json", id: "spare" });
    runVerb(document, "set", { entity: "gun", values: { Health: { hp: 7 } } });
    const before = document.scene.save();
    runVerb(document, "apply", { entity: "gun" });
    runVerb(document, "undo", {});
    expect(document.scene.save()).toBe(before);
    expect(runVerb(document, "get", { entity: "spare", value: "Health.hp" }).output).toBe(5);
  });
});

describe("bad input", () => {
  it.each([
    ["an unknown verb", "renam", {}, "verbs/unknown-verb", 'Did you mean "rename"?'],
    [
      "an extra parameter",
      "rename",
      { entity: "tank", name: "a", nam: 1 },
      "verbs/invalid-parameters",
      'Did you mean "name"?',
    ],
    ["a missing parameter", "rename", { entity: "tank" }, "verbs/invalid-parameters", "name is missing."],
    [
      "a parameter of another type",
      "rename",
      { entity: 5, name: "a" },
      "verbs/invalid-parameters",
      "entity is a string, got 5",
    ],
    [
      "an unknown id",
      "rename",
      { entity: "tnak", name: "a" },
      "verbs/unknown-entity",
      'Did you mean "tank"?',
    ],
    [
      "an unknown path",
      "rename",
      { entity: "/level/tnak", name: "a" },
      "verbs/unknown-entity",
      'Did you mean "/level/tank"?',
    ],
    ["an id that is taken", "create", { id: "tank" }, "verbs/invalid-parameters", "it is taken"],
    [
      "an entity that is not an instance",
      "unpack",
      { entity: "tank" },
      "verbs/not-an-instance",
      "not part of an instance",
    ],
  ])("%s is refused with a code and help", (_, verb, parameters, code, help) => {
    const document = openGarage();
    const before = document.scene.save();
    const error = thrown(() => runVerb(document, verb as "rename", parameters as never));
    expect(error).toBeInstanceOf(VerbError);
    expect(error.code).toBe(code);
    expect(error.message).toContain(help);
    expect(document.scene.save()).toBe(before);
  });

  it.each([
    ["a number", 5],
    ["true", true],
    ["a text", "hp"],
    ["an array", [50]],
  ])("where the values of a component are %s is refused, and nothing changes", (_, values) => {
    const document = openGarage();
    const error = thrown(() =>
      runVerb(document, "set", { entity: "tank", values: { Health: values as never } }),
    );
    expect(error).toMatchObject({ code: "verbs/invalid-parameters" });
    expect(error.message).toContain("the values of Health are an object with its fields");
    expect(document.edits).toEqual([]);
  });

  it("in a step of a batch is listed by a dry run as well", () => {
    const step = { verb: "set", parameters: { entity: "tank", values: { Health: { lives: 999 } } } };
    const document = openGarage();
    expect(runBatch(document, [step], { dryRun: true }).problems).toMatchObject([
      { code: "scene/out-of-range" },
    ]);
    expect(thrown(() => runBatch(document, [step]))).toMatchObject({ code: "verbs/failed-step", step: 0 });
    expectSound(document);
  });

  it("in the form of values that do not fit is refused by the reader of files, or listed by a dry run", () => {
    const document = openGarage();
    const bad = { entity: "tank", values: { Health: { lives: 999 } } };
    expect(() => runVerb(document, "set", bad)).toThrow(SceneError);
    expect(runVerb(document, "set", bad, { dryRun: true }).problems).toMatchObject([
      { code: "scene/out-of-range" },
    ]);
    expect(runVerb(document, "get", { entity: "tank", value: "Health.lives" }).output).toBe(3);
    expectSound(document);
  });

  it("is refused for documents and options", () => {
    expect(() => runVerb({} as never, "rename", { entity: "a", name: "b" })).toThrow(
      "Pass what openSceneDocument() returned.",
    );
    expect(() => openSceneDocument({} as never, garage)).toThrow("verbs/invalid-document");
    expect(() =>
      runVerb(openGarage(), "rename", { entity: "tank", name: "b" }, { dryrun: true } as never),
    ).toThrow("options are dryRun");
  });
});

describe("a document of a running scene", () => {
  it("makes each verb a step of the history, which undoes it", () => {
    const tree = createHierarchy(createWorld());
    const scene = format.load(tree, garage, { prefabs });
    const history = createHistory(tree.world);
    const document = openSceneDocument(format, scene, { history });
    runVerb(document, "rename", { entity: "tank", name: "Tiger" });
    runVerb(document, "rename", { entity: "tank", name: "Leopard" }, { dryRun: true });
    expect(history.undoLabels).toEqual(["rename"]);
    history.undo();
    expect(tree.nameOf(scene.entity("tank"))).toBe("tank");
    // What happened without verbs is an edit of its own.
    runVerb(document, "rename", { entity: "tank", name: "Puma" });
    expect(document.edits.map(({ steps }) => steps[0]?.verb)).toEqual(["rename", "outside", "rename"]);
  });
});

describe("the table of verbs", () => {
  it("describes every verb by a schema, with the components of the format", () => {
    for (const [name, verb] of Object.entries(verbs)) {
      expect(verb.name).toBe(name);
      expect(verb.summary).not.toBe("");
      const schema = verbSchema(format, verb) as { properties: Record<string, object>; required: string[] };
      for (const required of schema.required) expect(schema.properties).toHaveProperty(required);
      for (const operand of verb.operands) expect(schema.properties).toHaveProperty(operand);
    }
    expect(verbSchema(format, verbs.set)).toMatchObject({
      properties: {
        values: { properties: { Health: { anyOf: [{ properties: { hp: { default: 100 } } }, {}] } } },
      },
    });
  });
});

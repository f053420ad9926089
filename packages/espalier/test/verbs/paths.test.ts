import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { openSceneDocument, runBatch, runVerb } from "espalier/verbs";
import { describe, expect, it } from "vitest";
import { format, garage, openGarage, prefabs, thrown } from "./garage.ts";

describe("a path", () => {
  const crates = () =>
    openGarage(
      {},
      {
        entities: [
          { id: "yard", name: "yard" },
          { id: "box", name: "crate", parent: "yard" },
          { id: "box-2", name: "crate", parent: "yard" },
          { id: "plain", parent: "yard" },
          { id: "odd*", parent: "plain" },
          { id: "gun", parent: "yard", prefab: "gun.prefab.json" },
        ],
      },
    );

  it("that is shown leads to its entity, by ids where names are missing or the same", () => {
    const document = crates();
    const { entities } = runVerb(document, "find", {}).output as {
      entities: { id: string; path: string }[];
    };
    expect(entities.map(({ path }) => path)).toEqual([
      "/yard",
      "/yard/crate",
      "/yard/box-2",
      "/yard/plain",
      "/yard/plain/odd\\*",
      "/yard/gun",
      "/yard/gun/sight",
    ]);
    for (const { id, path } of entities) {
      expect(runVerb(document, "show", { entity: path }).output).toMatchObject({ id, path });
    }
  });

  it("of a change leads to its entity too", () => {
    const document = crates();
    const { changes } = runBatch(document, [
      { verb: "create", parameters: { id: "new", parent: "plain" } },
      { verb: "set", parameters: { entity: "gun/sight", values: { Transform2D: { x: 9 } } } },
    ]);
    for (const { entity, path } of changes) {
      expect(runVerb(document, "show", { entity: path }).output).toMatchObject({ id: entity });
    }
  });

  it("of a change leads to its entity where a sibling has the same name, or names hold signs of paths", () => {
    const document = crates();
    const { changes } = runBatch(document, [
      { verb: "set", parameters: { entity: "gun/sight", values: { Transform2D: { x: 9 } } } },
      { verb: "add-component", parameters: { entity: "box-2", component: "Health" } },
      { verb: "add-component", parameters: { entity: "odd*", component: "Health" } },
      { verb: "create", parameters: { id: "third", name: "crate", parent: "yard" } },
      { verb: "create", parameters: { id: "slash", name: "a/b", parent: "yard" } },
    ]);
    expect(changes.map(({ path }) => path).sort()).toEqual([
      "/yard/a\\/b",
      "/yard/box-2",
      "/yard/gun/sight",
      "/yard/plain/odd\\*",
      "/yard/third",
    ]);
    for (const { entity, path } of changes) {
      expect(runVerb(document, "show", { entity: path }).output).toMatchObject({ id: entity, path });
    }
  });

  it.each([".", ".."])("to an entity with the id %j does not lead to another", (id) => {
    const document = crates();
    const [change] = runVerb(document, "create", { id, parent: "plain" }).changes;
    const { path } = runVerb(document, "show", { entity: id }).output as { path: string };
    expect([change?.path, path]).toEqual([`/yard/plain/\\${id}`, `/yard/plain/\\${id}`]);
    expect(runVerb(document, "show", { entity: path }).output).toMatchObject({ id });
  });

  it("of a change leads to its entity in a scene that stands below others", () => {
    const tree = createHierarchy(createWorld());
    const parent = tree.attachNew(null);
    tree.setName(parent, "stage");
    const scene = format.load(tree, garage, { prefabs, parent });
    const document = openSceneDocument(format, scene);
    const { changes } = runVerb(document, "set", { entity: "turret", values: { Transform2D: { x: 9 } } });
    expect(changes).toMatchObject([{ entity: "turret", path: "/level/tank/turret" }]);
    const path = "/stage/level/tank/turret";
    for (const entity of ["/level/tank/turret", path])
      expect(runVerb(document, "show", { entity }).output).toMatchObject({ id: "turret", path });
  });

  it("with wildcards is refused where it fits several, with their ids, and nothing is deleted", () => {
    const document = crates();
    const before = document.scene.save();
    const error = thrown(() => runVerb(document, "delete", { entities: ["/yard/*"] }));
    expect(error).toMatchObject({ code: "verbs/ambiguous-path", ids: ["box", "box-2", "gun"] });
    expect(thrown(() => runVerb(document, "delete", { entities: ["/**"] }))).toMatchObject({
      code: "verbs/ambiguous-path",
    });
    expect(document.scene.save()).toBe(before);
    expect(runVerb(document, "show", { entity: "/ya*" }).output).toMatchObject({ id: "yard" });
  });

  it("with the number of an entity is refused, because numbers change when the file is read again", () => {
    expect(thrown(() => runVerb(crates(), "show", { entity: "/yard/#3" }))).toMatchObject({
      code: "verbs/unknown-entity",
    });
  });
});

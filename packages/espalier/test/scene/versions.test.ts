import { createSceneFormat, type SceneFormatOptions } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { components, emptyTree, problemsOf, valuesIn } from "./scenes.ts";

type Migrations = NonNullable<SceneFormatOptions["migrations"]>;
type File = { entities: { components: { [name: string]: unknown } }[] };

const migrations: Migrations = {
  // Version 2 renamed Hitpoints to Health.
  1: (file) => {
    for (const { components } of (file as unknown as File).entities) {
      if (components.Hitpoints !== undefined) components.Health = components.Hitpoints;
      delete components.Hitpoints;
    }
  },
  // Version 3 counts hp in tenths.
  2: (file) => {
    const { entities } = file as unknown as File;
    for (const { components } of entities) {
      const health = components.Health as { hp: number } | undefined;
      if (health) components.Health = { hp: health.hp * 10 };
    }
    return { ...file };
  },
};
const format = createSceneFormat({ components, version: 3, migrations });
const old = (version: string) =>
  `{ ${version} "entities": [{ "id": "a", "components": { "Hitpoints": { "hp": 7 } } }] }`;

describe("versions", () => {
  it("are migrated step by step, and the newest is saved", () => {
    for (const text of [old(`"version": 1,`), old("")]) {
      const scene = format.load(emptyTree(), text);
      expect(valuesIn(scene, "a")).toMatchObject({ Health: { hp: 70 } });
      expect(JSON.parse(scene.save()).version).toBe(3);
    }
    const second = `{ "version": 2, "entities": [{ "id": "a", "components": { "Health": { "hp": 7 } } }] }`;
    expect(valuesIn(format.load(emptyTree(), second), "a")).toMatchObject({ Health: { hp: 70 } });
  });

  it("are migrated in prefabs as well, each from its own", () => {
    const scene = format.load(emptyTree(), `{ "version": 3, "entities": [{ "id": "x", "prefab": "old" }] }`, {
      prefabs: { old: old(`"version": 1,`) },
    });
    expect(valuesIn(scene, "x")).toMatchObject({ Health: { hp: 70 } });
  });

  it("leave a scene written in TypeScript as it is", () => {
    const file = { version: 1, entities: [{ id: "a", components: { Hitpoints: { hp: 7 } } }] };
    const before = structuredClone(file);
    format.load(emptyTree(), file);
    expect(file).toEqual(before);
  });

  it("that are newer are refused", () => {
    expect(problemsOf(() => format.load(emptyTree(), `{\n  "version": 4,\n  "entities": []\n}`))).toEqual([
      `-:2:14 version - scene/newer-version The file has version 4, and this program reads versions up to 3. Update the program, or save the file with an older one.`,
    ]);
  });

  const failing = (migrations: Migrations) =>
    problemsOf(() => createSceneFormat({ components, version: 3, migrations }).load(emptyTree(), old("")))[0];

  it("without a migration, or with one that fails, are refused", () => {
    expect(failing({ 1: () => {} })).toBe(
      `-:1:1 version - scene/migration The file has version 1, and there is no migration from 2 to 3. Give createSceneFormat() migrations[2].`,
    );
    expect(
      failing({
        1: () => {
          throw new Error("no idea");
        },
      }),
    ).toContain("scene/migration The migration from version 1 to 2 threw: no idea");
    expect(failing({ 1: () => 7 as never })).toContain(
      "scene/migration The migration from version 1 to 2 returned 7, not a file.",
    );
  });

  it("may leave keys that are undefined, which count as absent, and nothing that JSON cannot hold", () => {
    const leaving = (left: unknown) =>
      createSceneFormat({
        components,
        version: 2,
        migrations: {
          1: (file) => {
            const [first] = file.entities as [{ [key: string]: unknown }];
            first.hp = left;
          },
        },
      });
    const text = `{ "entities": [{ "id": "a", "hp": 1 }] }`;
    for (const lenient of [false, true]) {
      const scene = leaving(undefined).load(emptyTree(), text, { lenient });
      expect(scene.problems).toEqual([]);
      expect(JSON.parse(scene.save())).toEqual({ version: 2, entities: [{ id: "a" }] });
    }
    for (const left of [() => 1, 1n, Number.NaN, new Map()])
      expect(problemsOf(() => leaving(left).load(emptyTree(), text))[0]).toContain(
        "scene/migration What the migrations to version 2 made is not plain data: it holds",
      );
  });

  it("report problems at the entity in the text, also when the migration moved it", () => {
    const moving = createSceneFormat({
      components,
      version: 2,
      migrations: {
        // Version 2 has a level above everything.
        1: (file) => ({
          ...file,
          entities: [{ id: "first" }, { id: "level", children: file.entities as [] }],
        }),
      },
    });
    const text = `{
  "entities": [
    { "id": "a" },
    { "id": "b", "children": [
      { "id": "c", "components": { "Health": { "hp": "x" } } }
    ] },
    { "components": { "Health": { "hp": "x" } } }
  ]
}`;
    expect(problemsOf(() => moving.load(emptyTree(), text)).map((line) => line.split(" Entity")[0])).toEqual([
      '-:2:15 entities[1].children[2].components.Health.hp - scene/wrong-type An entity without id: Health.hp takes a number, got "x".',
      "-:5:54 entities[1].children[1].children[0].components.Health.hp c scene/wrong-type",
    ]);
  });

  it("report problems after a migration at the location in the original", () => {
    const text = `{\n  "entities": [\n    { "id": "a", "components": { "Hitpoints": { "hp": 7 }, "Helth": {} } }\n  ]\n}`;
    expect(problemsOf(() => format.load(emptyTree(), text))[0]).toContain(
      "-:3:60 entities[0].components.Helth a scene/unknown-component",
    );
  });
});

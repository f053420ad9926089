import { component, f32 } from "espalier";
import {
  createSceneFormat,
  type EntityEntry,
  type MergeOptions,
  mergeScenes,
  SceneError,
  type SceneFile,
  SceneUseError,
  withCodec,
} from "espalier/scene";
import { describe, expect, it } from "vitest";
import { loadMerge, mergeFormat, mergePrefabs } from "./merge-edits.ts";
import { createFormat, emptyTree, shape } from "./scenes.ts";

const file = (...entities: EntityEntry[]): SceneFile => ({ entities });

/** The merge as a tree by ids, and its conflicts in short. */
function merge(base: SceneFile, ours: SceneFile, theirs: SceneFile, options: MergeOptions = {}) {
  const merged = mergeScenes(mergeFormat, base, ours, theirs, { prefabs: mergePrefabs, ...options });
  expect(mergeFormat.check(merged.file, { prefabs: mergePrefabs })).toEqual([]);
  const scene = loadMerge(merged.file);
  return {
    ...merged,
    shape: shape(scene),
    keys: merged.conflicts.map(({ key, choice }) => `${key}: ${choice}`),
    entry: (id: string) => merged.file.entities.find((entry) => entry.id === id),
  };
}

const health = (values: { [field: string]: number }) => ({ components: { Health: values } });

describe("merging values", () => {
  it("takes each field from the side that changed it", () => {
    const base = file({ id: "tank", name: "Tank", ...health({ hp: 1 }) });
    const ours = file({ id: "tank", name: "Big tank", ...health({ hp: 1, lives: 9 }) });
    const theirs = file({ id: "tank", name: "Tank", components: { Health: { hp: 2 }, Frozen: {} } });
    const { entry, conflicts } = merge(base, ours, theirs);
    expect(conflicts).toEqual([]);
    expect(entry("tank")).toEqual({
      id: "tank",
      name: "Big tank",
      components: { Health: { hp: 2, lives: 9 }, Frozen: {} },
    });
  });

  it("lists a field that both sides changed, with all three values, and follows the side that is chosen", () => {
    const [base, ours, theirs] = [1, 2, 3].map((hp) => file({ id: "tank", ...health({ hp }) })) as [
      SceneFile,
      SceneFile,
      SceneFile,
    ];
    const { conflicts, entry } = merge(base, ours, theirs);
    expect(conflicts).toEqual([
      {
        key: "value tank Health.hp",
        kind: "value",
        entity: "tank",
        component: "Health",
        field: "hp",
        base: 1,
        ours: 2,
        theirs: 3,
        default: "ours",
        choice: "ours",
      },
    ]);
    expect(entry("tank")?.components?.Health).toEqual({ hp: 2 });
    const resolved = merge(base, ours, theirs, { resolve: { "value tank Health.hp": "theirs" } });
    expect(resolved.entry("tank")?.components?.Health).toEqual({ hp: 3 });
    expect(resolved.conflicts[0]).toMatchObject({ default: "ours", choice: "theirs" });
    expect(merge(base, ours, theirs, { resolve: "theirs" }).file).toEqual(resolved.file);
    expect(
      merge(base, ours, theirs, { resolve: ({ kind }) => (kind === "value" ? "theirs" : undefined) }).file,
    ).toEqual(resolved.file);
  });

  it("keeps a component that one side changed and the other removed", () => {
    const base = file({ id: "tank", ...health({ hp: 1 }) });
    const changed = file({ id: "tank", ...health({ hp: 2 }) });
    const removed = file({ id: "tank" });
    expect(merge(base, removed, changed).keys).toEqual(["component tank Health: theirs"]);
    expect(merge(base, removed, changed).entry("tank")).toEqual({ id: "tank", ...health({ hp: 2 }) });
    expect(merge(base, removed, changed, { resolve: "ours" }).entry("tank")).toEqual({ id: "tank" });
  });

  it("lists names that both sides gave", () => {
    const [base, ours, theirs] = ["a", "b", "c"].map((name) => file({ id: "tank", name })) as [
      SceneFile,
      SceneFile,
      SceneFile,
    ];
    expect(merge(base, ours, theirs).keys).toEqual(["name tank: ours"]);
  });

  it("takes a component from one side when its validator accepts each side but not both together", () => {
    const Span = component("Span", { from: f32(), to: f32(1) });
    const isRising = {
      "~standard": {
        version: 1 as const,
        vendor: "test",
        validate: (value: unknown) => {
          const { from, to } = value as { from: number; to: number };
          return from <= to ? { value } : { issues: [{ message: "from is behind to" }] };
        },
      },
    };
    const format = createSceneFormat({ components: [withCodec(Span, { validate: isRising })] });
    const span = (from: number, to: number) => file({ id: "road", components: { Span: { from, to } } });
    const merged = mergeScenes(format, span(2, 8), span(6, 8), span(2, 4));
    expect(merged.conflicts.map(({ key, choice }) => `${key} ${choice}`)).toEqual(["unsound road ours"]);
    expect(format.check(merged.file)).toEqual([]);
    expect(merged.file.entities[0]?.components).toEqual({ Span: { from: 6, to: 8 } });
    const theirs = mergeScenes(format, span(2, 8), span(6, 8), span(2, 4), { resolve: "theirs" });
    expect(theirs.file.entities[0]?.components).toEqual({ Span: { from: 2, to: 4 } });
  });
});

describe("merging trees", () => {
  const base = file({ id: "a" }, { id: "b" }, { id: "c" }, { id: "d" });

  it("applies the moves of both sides", () => {
    const ours = file({ id: "a" }, { id: "b", parent: "a" }, { id: "c" }, { id: "d" });
    const theirs = file({ id: "a" }, { id: "b" }, { id: "d", children: [{ id: "c" }] });
    const merged = merge(base, ours, theirs);
    expect([merged.shape, merged.keys]).toEqual(["a(b) d(c)", []]);
  });

  it("lists an entity that both sides moved", () => {
    const ours = file({ id: "a", children: [{ id: "d" }] }, { id: "b" }, { id: "c" });
    const theirs = file({ id: "a" }, { id: "b", children: [{ id: "d" }] }, { id: "c" });
    const merged = merge(base, ours, theirs);
    expect([merged.shape, merged.keys]).toEqual(["a(d) b c", ["parent d: ours"]]);
    expect(merge(base, ours, theirs, { resolve: "theirs" }).shape).toBe("a b(d) c");
  });

  it("never makes a cycle of a below b and b below a", () => {
    const ours = file({ id: "b", children: [{ id: "a" }] }, { id: "c" }, { id: "d" });
    const theirs = file({ id: "a", children: [{ id: "b" }] }, { id: "c" }, { id: "d" });
    const merged = merge(base, ours, theirs);
    expect([merged.shape, merged.keys]).toEqual(["b(a) c d", ["cycle a b: ours"]]);
    expect(merge(base, ours, theirs, { resolve: "theirs" }).shape).toBe("a(b) c d");
  });

  it("keeps the order that either side made, and lists children that both moved", () => {
    const front = file({ id: "d" }, { id: "a" }, { id: "b" }, { id: "c" });
    const back = file({ id: "b" }, { id: "c" }, { id: "d" }, { id: "a" });
    expect(merge(base, front, back).shape).toBe("d b c a");
    expect(merge(base, front, back).keys).toEqual([]);
    const middle = file({ id: "a" }, { id: "d" }, { id: "b" }, { id: "c" });
    const merged = merge(base, front, middle);
    expect([merged.shape, merged.keys]).toEqual(["d a b c", ["order: ours"]]);
    expect(merge(base, front, middle, { resolve: "theirs" }).shape).toBe("a d b c");
  });

  it("puts what both sides add at one position one after the other, whichever side merges", () => {
    const ours = file({ id: "a" }, { id: "y" }, { id: "b" }, { id: "c" }, { id: "d" });
    const theirs = file({ id: "a" }, { id: "x" }, { id: "b" }, { id: "c" }, { id: "d" });
    expect(merge(base, ours, theirs).shape).toBe("a x y b c d");
    expect(merge(base, theirs, ours).shape).toBe("a x y b c d");
  });

  it("merges a chain of ten thousand levels", () => {
    const chain = (hp: number): SceneFile => ({
      entities: Array.from({ length: 10_000 }, (_, k) => ({
        id: `e${k}`,
        ...(k > 0 ? { parent: `e${k - 1}` } : {}),
        ...(k === 9999 ? health({ hp }) : {}),
      })),
    });
    const renamed = { entities: chain(1).entities.map((entry) => ({ ...entry, name: `n ${entry.id}` })) };
    const { file: merged, conflicts } = mergeScenes(mergeFormat, chain(1), renamed, chain(2));
    expect(conflicts).toEqual([]);
    expect(merged.entities.length).toBe(10_000);
    expect(merged.entities[9999]).toEqual({
      id: "e9999",
      name: "n e9999",
      parent: "e9998",
      ...health({ hp: 2 }),
    });
  });
});

describe("merging what is deleted", () => {
  const base = file({ id: "tank", children: [{ id: "turret", children: [{ id: "gun" }] }] }, { id: "rock" });
  const deleted = file({ id: "rock" });

  it("deletes what the other side left alone", () => {
    const theirs = file(
      { id: "tank", children: [{ id: "turret", children: [{ id: "gun" }] }] },
      { id: "rock", name: "Rock" },
    );
    const merged = merge(base, deleted, theirs);
    expect([merged.shape, merged.keys]).toEqual(["rock", []]);
  });

  it("keeps all that was deleted together when the other side changed something in it", () => {
    const theirs = file(
      { id: "tank", children: [{ id: "turret", children: [{ id: "gun", ...health({ hp: 1 }) }] }] },
      { id: "rock" },
    );
    const merged = merge(base, deleted, theirs);
    expect([merged.shape, merged.keys]).toEqual(["tank(turret(gun)) rock", ["deleted tank: theirs"]]);
    expect(merged.conflicts[0]).toMatchObject({ entities: ["gun"], ours: undefined, theirs: { id: "tank" } });
    expect(merge(base, deleted, theirs, { resolve: "ours" }).shape).toBe("rock");
  });

  it("keeps an entity that the other side put something into or refers to, by default", () => {
    const added = file(...base.entities, { id: "flag", parent: "gun" });
    expect(merge(base, deleted, added).shape).toBe("tank(turret(gun(flag))) rock");
    expect(merge(base, deleted, added, { resolve: "ours" }).shape).toBe("rock");
    const moved = file({
      id: "tank",
      children: [{ id: "turret", children: [{ id: "gun", children: [{ id: "rock" }] }] }],
    });
    expect(merge(base, deleted, moved).shape).toBe("tank(turret(gun(rock)))");
    expect(merge(base, deleted, moved, { resolve: "ours" }).shape).toBe("rock");
    for (const components of [{ Aim: { at: "gun" } }, { Party: { members: ["gun"] } }]) {
      const referring = file(base.entities[0] as EntityEntry, { id: "rock", components });
      const merged = merge(base, deleted, referring);
      expect([merged.shape, merged.keys]).toEqual(["tank(turret(gun)) rock", ["deleted tank: theirs"]]);
      const dropped = merge(base, deleted, referring, { resolve: "ours" });
      expect([dropped.shape, Object.values(dropped.entry("rock")?.components ?? {})]).toEqual(["rock", [{}]]);
    }
  });

  it("leaves children that one side moved out before it deleted the rest", () => {
    const ours = file({ id: "rock", children: [{ id: "gun" }] });
    expect(merge(base, ours, base).shape).toBe("rock(gun)");
    const theirs = file(
      { id: "tank", children: [{ id: "turret", children: [{ id: "gun", name: "Gun" }] }] },
      { id: "rock" },
    );
    expect(merge(base, ours, theirs).shape).toBe("rock(gun)");
  });
});

describe("merging what both sides added under one id", () => {
  const base = file({ id: "yard" });
  const crate = (x: number, aim: string): SceneFile =>
    file(
      { id: "yard" },
      {
        id: "crate",
        name: "crate",
        parent: "yard",
        components: { Position: { x } },
        children: [{ id: "lid" }],
      },
      { id: aim, components: { Aim: { at: "crate" }, Party: { members: ["lid"] } } },
    );

  it("is one entity when they are equal", () => {
    const merged = merge(base, crate(1, "aim"), crate(1, "aim"));
    expect([merged.shape, merged.keys]).toEqual(["yard(crate(lid)) aim", []]);
  });

  it("is both, with all that is below and refers to them, or that of one side", () => {
    const merged = merge(base, crate(1, "aim"), crate(2, "look"));
    expect(merged.keys).toEqual(["added crate: both"]);
    expect(merged.shape).toBe("yard(crate(lid) crate-2(lid-2)) aim look");
    expect(merged.entry("aim")?.components).toEqual({ Aim: { at: "crate" }, Party: { members: ["lid"] } });
    expect(merged.entry("look")?.components).toEqual({
      Aim: { at: "crate-2" },
      Party: { members: ["lid-2"] },
    });
    const ours = merge(base, crate(1, "aim"), crate(2, "look"), { resolve: "ours" });
    expect(ours.shape).toBe("yard(crate(lid)) aim look");
    expect(ours.entry("crate")?.components).toEqual({ Position: { x: 1 } });
    const theirs = merge(base, crate(1, "aim"), crate(2, "look"), { resolve: "theirs" });
    expect(theirs.entry("crate")?.components).toEqual({ Position: { x: 2 } });
  });
});

describe("merging prefabs", () => {
  const base = file({ id: "gun", prefab: "gun" });
  const overridden = (overrides: EntityEntry["overrides"]): SceneFile =>
    file({ id: "gun", prefab: "gun", ...(overrides === undefined ? {} : { overrides }) });

  it("merges overrides by entity and field", () => {
    const ours = overridden({ belt: { components: { Label: { text: "long" } } }, stock: null });
    const theirs = overridden({ belt: { name: "Belt" }, sight: { components: { Position: { y: 4 } } } });
    const merged = merge(base, ours, theirs);
    expect(merged.conflicts).toEqual([]);
    expect(merged.entry("gun")?.overrides).toEqual({
      belt: { name: "Belt", components: { Label: { text: "long" } } },
      sight: { components: { Position: { y: 4 } } },
      stock: null,
    });
  });

  it("lists an override that both changed, and one of an entity that the other removed", () => {
    const label = (text: string) => overridden({ belt: { components: { Label: { text } } } });
    expect(merge(base, label("a"), label("b")).keys).toEqual(["value gun/belt Label.text: ours"]);
    const merged = merge(base, overridden({ belt: null }), label("b"));
    expect(merged.keys).toEqual(["deleted gun/belt: theirs"]);
    expect(merged.entry("gun")?.overrides).toEqual({ belt: { components: { Label: { text: "b" } } } });
    const removed = merge(base, overridden({ belt: null }), label("b"), { resolve: "ours" });
    expect(removed.entry("gun")?.overrides).toEqual({ belt: null });
  });

  it("takes what is inside from one side when the other has another prefab", () => {
    const tower = file({ id: "gun", prefab: "tower", components: { Frozen: {} } });
    const moved = file({ id: "gun", prefab: "gun", components: { Position: { x: 9 } } });
    const clean = merge(base, tower, moved);
    expect(clean.keys).toEqual([]);
    expect(clean.entry("gun")).toMatchObject({
      prefab: "tower",
      components: { Position: { x: 9 }, Frozen: {} },
    });
    const inside = overridden({ belt: { name: "Belt" } });
    expect(merge(base, tower, inside).keys).toEqual(["prefab gun: ours"]);
    expect(merge(base, tower, inside, { resolve: "theirs" }).entry("gun")).toMatchObject({
      prefab: "gun",
      overrides: { belt: { name: "Belt" } },
    });
  });

  it("attaches what was added inside a removed prefab to the instance", () => {
    const added = file({ id: "gun", prefab: "gun" }, { id: "flag", parent: "gun/clip" });
    const merged = merge(base, file({ id: "gun", prefab: "tower" }), added);
    expect(merged.keys).toEqual([]);
    expect(merged.entry("flag")).toEqual({ id: "flag", parent: "gun" });
  });

  it("keeps unavailable prefabs in lenient reading", () => {
    const unknown = (y: number) =>
      file(
        { id: "a", prefab: "lost", overrides: { b: { name: `b${y}` } } },
        { id: "c", ...health({ hp: y }) },
      );
    const merged = mergeScenes(createFormat(), unknown(1), unknown(2), unknown(1), { lenient: true });
    expect(merged.conflicts).toEqual([]);
    expect(merged.file.entities).toEqual(unknown(2).entities);
  });
});

describe("mergeScenes", () => {
  it("keeps the overrides of an unavailable prefab when the other side deleted the instance", () => {
    const lost = (name: string) =>
      file({ id: "a", name, prefab: "lost", overrides: { b: { name: "B" }, c: null } });
    const merged = mergeScenes(createFormat(), lost("old"), lost("new"), file(), { lenient: true });
    expect(merged.conflicts.map(({ kind, entity }) => [kind, entity])).toEqual([["deleted", "a"]]);
    expect(merged.file.entities).toEqual(lost("new").entities);
  });

  it("brings files of older versions up first", () => {
    const Life = component("Life", { left: f32() });
    const format = createSceneFormat({
      components: [Life],
      version: 2,
      migrations: {
        1: (old) => ({ entities: JSON.parse(JSON.stringify(old.entities).replaceAll('"hp"', '"left"')) }),
      },
    });
    const old = (hp: number) => ({ version: 1, entities: [{ id: "a", components: { Life: { hp } } }] });
    const now = { version: 2, entities: [{ id: "a", name: "A", components: { Life: { left: 1 } } }] };
    expect(mergeScenes(format, old(1), old(2), now)).toEqual({
      conflicts: [],
      file: { version: 2, entities: [{ id: "a", name: "A", components: { Life: { left: 2 } } }] },
    });
    expect(() => mergeScenes(format, old(1), { version: 3, entities: [] }, now)).toThrow("version 3");
  });

  it("takes running scenes", () => {
    const format = createFormat();
    const scene = format.load(emptyTree(), file({ id: "a" }));
    scene.tree.setName(scene.entity("a"), "Alpha");
    expect(
      mergeScenes(format, file({ id: "a" }), scene, file({ id: "a", ...health({ hp: 3 }) })).file.entities,
    ).toEqual([{ id: "a", name: "Alpha", ...health({ hp: 3 }) }]);
  });

  it("merges ids and fields with the names of built-in properties", () => {
    const entry = (hp: number) =>
      file({ id: "__proto__", name: "constructor", ...health({ hp }) }, { id: "toString" });
    const merged = merge(
      entry(1),
      entry(2),
      file({ id: "__proto__", name: "x", ...health({ hp: 1 }) }, { id: "toString" }),
    );
    expect(merged.file.entities).toEqual(
      file({ id: "__proto__", name: "x", ...health({ hp: 2 }) }, { id: "toString" }).entities,
    );
  });

  it("refuses broken files and resolutions that are invalid", () => {
    expect(() => mergeScenes(mergeFormat, "{", file(), file())).toThrow(SceneError);
    expect(() => mergeScenes({} as never, file(), file(), file())).toThrow(SceneUseError);
    expect(() => mergeScenes(mergeFormat, file(), file(), file(), { resolve: 7 as never })).toThrow(
      'Cannot merge scenes: resolve is "ours", "theirs", an object by key, or a function, got 7.',
    );
    const [base, ours, theirs] = ["a", "b", "c"].map((name) => file({ id: "tank", name })) as [
      SceneFile,
      SceneFile,
      SceneFile,
    ];
    expect(() => mergeScenes(mergeFormat, base, ours, theirs, { resolve: () => "both" })).toThrow(
      'the conflict "name tank" is resolved by "both". Give "ours" or "theirs".',
    );
  });
});

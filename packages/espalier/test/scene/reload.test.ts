import { constrain } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { SceneError, type SceneFile } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  Aim,
  Bag,
  createFormat,
  emptyTree,
  expectSound,
  Frozen,
  Health,
  Label,
  Position,
  shape,
  valuesIn,
} from "./scenes.ts";

const format = createFormat();

const before = `{ "entities": [
  { "id": "tank", "name": "Tank", "components": { "Health": { "hp": 250 }, "Position": { "x": 1 }, "Aim": { "at": "rock" } },
    "children": [{ "id": "turret", "components": { "Label": {} } }, { "id": "hatch" }] },
  { "id": "rock", "components": { "Bag": { "items": [1] } } },
  { "id": "bush" }
] }`;
const after = `{ "entities": [
  { "id": "rock", "components": { "Bag": { "items": [1, 2] } }, "children": [{ "id": "turret", "components": { "Frozen": {} } }] },
  { "id": "tank", "name": "Big tank", "components": { "Health": { "hp": 300 }, "Position": { "x": 1, "y": 5 }, "Aim": { "at": "tower" } } },
  { "id": "tower", "parent": "tank", "components": { "Aim": { "from": "tank" } } }
] }`;

describe("reloading", () => {
  it("carries the changes of the file over; entities keep their identity by id", () => {
    const scene = format.load(emptyTree(), before);
    const { world } = scene.tree;
    const entities = ["tank", "turret", "rock"].map((id) => scene.entity(id));
    const summary = scene.reload(after);
    expect(shape(scene)).toBe("rock(turret) tank(tower)");
    expect(["tank", "turret", "rock"].map((id) => scene.entity(id))).toEqual(entities);
    expect(valuesIn(scene, "tank")).toMatchObject({
      Health: { hp: 300 },
      Position: { x: 1, y: 5 },
      Aim: { at: scene.entity("tower") },
    });
    expect(valuesIn(scene, "turret")).toEqual({ Frozen: {} });
    expect(world.get(scene.entity("rock"), Bag)?.items).toEqual([1, 2]);
    expect(world.get(scene.entity("tower"), Aim)?.from).toBe(scene.entity("tank"));
    expect(scene.tree.nameOf(scene.entity("tank"))).toBe("Big tank");
    expect(summary).toEqual({
      added: ["tower"],
      removed: ["hatch", "bush"],
      moved: ["turret", "rock"],
      changed: ["rock", "turret", "tank"],
    });
    expectSound(scene.tree);
    expect(scene.reload(after)).toEqual({ added: [], removed: [], moved: [], changed: [] });
  });

  it("leaves alone what the game did and the file did not change", () => {
    const scene = format.load(emptyTree(), before);
    const { tree } = scene;
    const { world } = tree;
    world.set(scene.entity("tank"), Position, { x: 77 });
    world.set(scene.entity("tank"), Health, { lives: 1 });
    world.add(scene.entity("rock"), Frozen);
    tree.destroy(scene.entity("bush"));
    const smoke = tree.attachNew(scene.entity("tank"));
    tree.moveChild(scene.entity("hatch"), "first");
    const summary = scene.reload(
      before.replace("250", "251").replace(`"id": "bush"`, `"id": "bush", "name": "b"`),
    );
    expect(summary).toEqual({ added: [], removed: [], moved: [], changed: ["tank"] });
    expect(valuesIn(scene, "tank")).toMatchObject({ Health: { hp: 251, lives: 1 }, Position: { x: 77 } });
    expect(world.has(scene.entity("rock"), Frozen)).toBe(true);
    expect(scene.find("bush")).toBeUndefined();
    expect(tree.childrenOf(scene.entity("tank"))).toEqual([
      scene.entity("hatch"),
      scene.entity("turret"),
      smoke,
    ]);
  });

  it("restores everything from the file when it resets", () => {
    const scene = format.load(emptyTree(), before);
    const { tree } = scene;
    const { world } = tree;
    const rock = scene.entity("rock");
    world.set(scene.entity("tank"), Position, { x: 77, y: 5 });
    world.set(scene.entity("tank"), Aim, { at: null, from: rock });
    world.add(rock, Frozen);
    world.remove(scene.entity("turret"), Label);
    tree.destroy(scene.entity("bush"));
    tree.attachNew(scene.entity("tank"));
    tree.moveChild(scene.entity("hatch"), "first");
    tree.attach(rock, scene.entity("turret"));
    tree.setName(scene.entity("tank"), "x");
    const summary = scene.reload(before, { mode: "reset" });
    expect(scene.save()).toBe(format.load(emptyTree(), before).save());
    expect(scene.entity("rock")).toBe(rock);
    expect(summary.added).toEqual(["bush"]);
    expect(summary.changed).toEqual(["tank", "turret", "rock"]);
    expectSound(tree);
  });

  it("changes nothing when the file is broken", () => {
    const scene = format.load(emptyTree(), before, { file: "level.json" });
    const text = scene.save();
    expect(() => scene.reload(after.replaceAll("tower", "rock"))).toThrow(SceneError);
    expect(() => scene.reload("{")).toThrow("Cannot reload level.json");
    expect(scene.save()).toBe(text);
  });

  it("rolls everything back when the hierarchy refuses", () => {
    const scene = format.load(emptyTree(), before);
    const { tree } = scene;
    constrain(tree, {
      name: "no turret on rocks",
      attach: (child) => (child === scene.entity("turret") ? "it is screwed on" : undefined),
    });
    const text = scene.save();
    expect(() => scene.reload(after)).toThrow("it is screwed on");
    expect(scene.save()).toBe(text);
    expect(scene.find("tower")).toBeUndefined();
    expectSound(tree);
  });

  it("is one step of a history", () => {
    const tree = emptyTree();
    const scene = format.load(tree, before);
    const text = scene.save();
    const history = createHistory(tree.world);
    history.step("reload", () => scene.reload(after));
    expect(scene.save()).not.toBe(text);
    history.undo();
    expect(shape(scene)).toBe("tank(turret hatch) rock bush");
    expect(scene.save()).toBe(text);
  });

  it("follows changes of prefabs", () => {
    const tank = (hp: number, part: string): SceneFile => ({
      entities: [{ id: "tank", components: { Health: { hp } }, children: [{ id: "turret" }, { id: part }] }],
    });
    const level = `{ "entities": [
      { "id": "a", "prefab": "tank" }, { "id": "b", "prefab": "tank", "components": { "Health": { "hp": 1 } } }
    ] }`;
    let file = tank(10, "hatch");
    const scene = format.load(emptyTree(), level, { prefabs: () => file });
    const turret = scene.entity("a/turret");
    file = tank(20, "flag");
    const summary = scene.reload(level);
    expect(summary).toEqual({
      added: ["a/flag", "b/flag"],
      removed: ["a/hatch", "b/hatch"],
      moved: [],
      changed: ["a"],
    });
    expect(scene.entity("a/turret")).toBe(turret);
    expect(valuesIn(scene, "a")).toMatchObject({ Health: { hp: 20 } });
    expect(valuesIn(scene, "b")).toMatchObject({ Health: { hp: 1 } });
    expect(JSON.parse(scene.save())).toEqual({ version: 1, ...JSON.parse(level) });
  });

  it("rescues entities that the file keeps from those it removes", () => {
    const scene = format.load(
      emptyTree(),
      `{ "entities": [{ "id": "a" }, { "id": "b" }, { "id": "c", "parent": "b" }] }`,
    );
    const { tree } = scene;
    tree.attach(scene.entity("b"), tree.attachNew(scene.entity("a")));
    scene.reload(`{ "entities": [{ "id": "b" }, { "id": "c", "parent": "b" }] }`);
    expect(shape(scene)).toBe("b(c)");
    expect(tree.world.count).toBe(2);
  });

  it("swaps parent and child, whatever arranged them before", () => {
    const scene = format.load(emptyTree(), `{ "entities": [{ "id": "a", "children": [{ "id": "b" }] }] }`);
    const [a, b] = [scene.entity("a"), scene.entity("b")];
    scene.reload(`{ "entities": [{ "id": "b", "children": [{ "id": "a" }] }] }`);
    expect(scene.tree.parentOf(a)).toBe(b);
    scene.tree.detach(a);
    scene.tree.attach(b, scene.tree.attachNew(a));
    scene.reload(`{ "entities": [{ "id": "c", "children": [{ "id": "b", "children": [{ "id": "a" }] }] }] }`);
    scene.tree.attach(scene.entity("c"), a);
    scene.reload(
      `{ "entities": [{ "id": "a", "parent": "c" }, { "id": "c" }, { "id": "b", "parent": "a" }] }`,
    );
    expect(shape(scene)).toBe("c(a(? b))");
    expectSound(scene.tree);
  });

  it("compares with what it saved last", () => {
    const scene = format.load(emptyTree(), `{ "entities": [{}, { "name": "x" }] }`);
    const { tree } = scene;
    scene.add(tree.world.spawn(Position({ x: 3 })));
    const saved = scene.save();
    expect(scene.reload(saved)).toEqual({ added: [], removed: [], moved: [], changed: [] });
    const count = tree.world.count;
    expect(scene.reload(saved.replace(`"x": 3`, `"x": 4`)).changed.length).toBe(1);
    expect(tree.world.count).toBe(count);
  });

  it("puts new roots under the parent of the scene", () => {
    const tree = emptyTree();
    const level = tree.world.spawn();
    const scene = format.load(tree, `{ "entities": [{ "id": "a" }] }`, { parent: level });
    scene.reload(`{ "entities": [{ "id": "b" }, { "id": "a" }] }`);
    expect(tree.childrenOf(level)).toEqual([scene.entity("b"), scene.entity("a")]);
  });

  const entry = fc.record({
    id: fc.nat(12),
    parent: fc.nat(),
    x: fc.option(fc.nat(3)),
    items: fc.option(fc.array(fc.nat(2), { maxLength: 2 })),
    aim: fc.option(fc.nat()),
    name: fc.option(fc.constantFrom("p", "q")),
  });
  const file = fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 12 }).map(
    (entries): SceneFile => ({
      entities: entries.map(({ id, parent, x, items, aim, name }, k) => ({
        id: `e${id}`,
        ...(name === null ? {} : { name }),
        ...(k > 0 && parent % 3 > 0 ? { parent: `e${entries[parent % k]?.id}` } : {}),
        components: {
          ...(x === null ? {} : { Position: { x } }),
          ...(items === null ? {} : { Bag: { items } }),
          ...(aim === null ? {} : { Aim: { at: `e${entries[aim % entries.length]?.id}` } }),
        },
      })),
    }),
  );

  it("gives the same result as loading the new file, for any two files", () => {
    fc.assert(
      fc.property(file, file, (first, second) => {
        const scene = format.load(emptyTree(), first);
        scene.reload(second);
        expect(scene.save()).toBe(format.load(emptyTree(), second).save());
        expectSound(scene.tree);
      }),
      { numRuns: 300 },
    );
  });

  it("gives the same result as loading the new file when it resets, whatever the game did", () => {
    const edit = fc.tuple(fc.nat(4), fc.nat(), fc.nat());
    fc.assert(
      fc.property(file, file, fc.array(edit, { maxLength: 12 }), (first, second, edits) => {
        const scene = format.load(emptyTree(), first);
        const { tree } = scene;
        for (const [kind, a, b] of edits) {
          const all = tree.world.entities();
          const [e, other] = [all[a % all.length], all[b % all.length]];
          if (e === undefined || other === undefined) continue;
          if (kind === 0) tree.destroy(e);
          else if (kind === 1 && tree.canAttach(e, other)) tree.attach(e, other, { at: 0 });
          else if (kind === 2) tree.world.add(e, Position({ x: 9 }), Aim({ at: other }));
          else if (kind === 3) tree.world.remove(e, Aim, Bag);
          else tree.setName(tree.attachNew(e), "new");
        }
        scene.reload(second, { mode: "reset" });
        expect(scene.save()).toBe(format.load(emptyTree(), second).save());
        expectSound(tree);
      }),
      { numRuns: 300 },
    );
  });
});

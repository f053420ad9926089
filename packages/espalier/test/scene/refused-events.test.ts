import {
  changesOf,
  component,
  createChannel,
  createWorld,
  type Entity,
  f32,
  guard,
  observe,
  tag,
} from "espalier";
import { createHierarchy, inlineLinks, onChildrenChanged, spawnTree, watchSubtree } from "espalier/hierarchy";
import { createHistory, transaction } from "espalier/history";
import { createSceneFormat } from "espalier/scene";
import { describe, expect, it } from "vitest";

const Health = component("Health", { hp: f32(100) });
const Wide = component("Wide", { a: f32(), b: f32(), c: f32(), d: f32() });
const Cursed = tag("Cursed");

const text = `{ "entities": [{ "id": "a", "components": { "Health": {} }, "children": [{ "id": "b", "components": { "Cursed": {} } }] }] }`;

function setUp(records: boolean) {
  const world = createWorld();
  const tree = createHierarchy(world);
  if (records) createHistory(world);
  const said: string[] = [];
  const reader = tree.events.reader();
  const kinds = () => reader.read().map((event) => event.type);
  return { world, tree, said, kinds };
}

describe.each([false, true])("a refused call (recorded: %s)", (records) => {
  it("spawnTree keeps the events of edits that stay, and emits no others", () => {
    const { world, tree, kinds } = setUp(records);
    const parent = world.spawn();
    const other = world.spawn();
    const channel = createChannel<{ of: Entity }>(world, "news");
    const news = channel.reader();
    observe(world, Health, {
      add: (entity) => {
        tree.attach(other, parent);
        channel.emit({ of: other });
        channel.emit({ of: entity });
      },
    });
    guard(world, Cursed, () => {
      throw new Error("cursed");
    });
    expect(() => spawnTree(tree, { with: [Health], children: [{ with: [Cursed] }] })).toThrow("cursed");
    const stays = tree.parentOf(other) === parent;
    expect(kinds()).toEqual(stays ? ["added"] : []);
    expect(news.read()).toEqual(stays ? [{ of: other }] : []);
    expect(world.count).toBe(2);
  });

  it("load emits nothing, calls no listener, and leaves nothing", () => {
    const { world, tree, kinds, said } = setUp(records);
    const parent = world.spawn();
    guard(world, Cursed, () => {
      throw new Error("cursed");
    });
    onChildrenChanged(tree, (entity) => void said.push(`changed ${entity}`));
    watchSubtree(tree, parent, {
      joined: () => void said.push("joined"),
      left: () => void said.push("left"),
    });
    const changes = changesOf(world, Health);
    const format = createSceneFormat({ components: [Health, Cursed] });
    expect(() => format.load(tree, text, { parent })).toThrow("cursed");
    expect(kinds()).toEqual([]);
    expect(said).toEqual([]);
    expect(changes.read()).toEqual({ added: [], changed: [], removed: [] });
    expect(world.count).toBe(1);
    const prefab = format.prefab(text);
    expect(() => prefab.instantiate(tree, { parent })).toThrow("cursed");
    expect(kinds()).toEqual([]);
    expect(said).toEqual([]);
  });
});

describe("a history of a tree with inline links", () => {
  const full = () => {
    const world = createWorld();
    const tree = createHierarchy(world, { links: inlineLinks(2), onDestroy: "adopt" });
    const grand = world.spawn();
    const first = tree.attachNew(grand);
    const parent = tree.attachNew(grand);
    const child = tree.attachNew(parent);
    return { world, tree, grand, first, parent, child };
  };

  it("undoes a destroy whose children a full parent adopted", () => {
    const { world, tree, grand, first, parent, child } = full();
    const history = createHistory(world);
    history.step("destroy", () => world.destroy(parent));
    expect(tree.childrenOf(grand)).toEqual([first, child]);
    expect(history.undo()).toBe(true);
    expect(tree.childrenOf(grand)).toEqual([first, parent]);
    expect(tree.childrenOf(parent)).toEqual([child]);
    expect(history.redo()).toBe(true);
    expect(tree.childrenOf(grand)).toEqual([first, child]);
  });

  it("takes a throwing transaction back as a whole and lets the user's error through", () => {
    const { world, tree, grand, first, parent, child } = full();
    const health = world.spawn(Health);
    expect(() =>
      transaction(world, () => {
        world.set(health, Health, { hp: 1 });
        world.destroy(parent);
        throw new Error("mine");
      }),
    ).toThrow("mine");
    expect(world.get(health, Health)).toEqual({ hp: 100 });
    expect(tree.childrenOf(grand)).toEqual([first, parent]);
    expect(tree.childrenOf(parent)).toEqual([child]);
  });
});

describe("the limit of a history in bytes", () => {
  it("holds after an undo too", () => {
    const world = createWorld();
    const maxBytes = 2 ** 16;
    const history = createHistory(world, { maxBytes });
    const many = world.spawnMany(200, Health);
    history.clear();
    for (let k = 0; k < 60; k++) {
      history.step(`step ${k}`, () => {
        for (const entity of many) world.set(entity, Health, { hp: k + 1 });
      });
    }
    expect(history.bytes).toBeLessThanOrEqual(maxBytes);
    while (history.undo()) expect(history.bytes).toBeLessThanOrEqual(maxBytes);
    history.clear();
    // Undoing a creation records every value that goes.
    history.step("spawn", () => world.spawnMany(3000, Wide));
    expect(history.bytes).toBeLessThanOrEqual(maxBytes);
    history.undo();
    expect(history.bytes).toBeLessThanOrEqual(maxBytes);
    expect(history.canRedo).toBe(false);
    expect(world.count).toBe(200);
  });
});

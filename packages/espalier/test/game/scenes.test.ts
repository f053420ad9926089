import { component, DEVELOPMENT, f32 } from "espalier";
import {
  createGame,
  createGameFormat,
  createTimers,
  type LoadProgress,
  loadOnlyScenes,
  sceneFiles,
} from "espalier/game";
import { createHistory } from "espalier/history";
import { instanceOf } from "espalier/scene";
import { describe, expect, it } from "vitest";

const Health = component("Health", { hp: f32(100), shield: f32() });
const tank = `{ "entities": [{ "id": "tank", "components": { "Transform2D": {}, "Health": { "hp": 250 } }, "children": [{ "id": "turret", "prefab": "turret.prefab.json" }] }] }`;
const turret = `{ "entities": [{ "id": "turret", "components": { "Transform2D": { "y": 4 } } }] }`;
const level = `{ "entities": [{ "id": "level", "children": [{ "id": "a", "prefab": "tank" }, { "id": "b", "prefab": "tank" }] }] }`;

const scenes = {
  level,
  "menu.scene.json": async () => ({ default: `{ "entities": [{ "id": "menu" }] }` }),
  "tank.prefab.json": tank,
  "turret.prefab.json": () => Promise.resolve(turret),
  broken: `{ "entities": [{ "id": "x", "components": { "Helth": {} } }] }`,
  orphan: `{ "entities": [{ "id": "x", "prefab": "tnak" }] }`,
  failing: () => Promise.reject(new Error("offline")),
};

const load = () => createGame({ components: [Health], timers: createTimers, scenes: sceneFiles(scenes) });

describe("game.load", () => {
  it("fetches a scene with the prefabs of its prefabs, and reports progress", async () => {
    const game = load();
    const progress: LoadProgress[] = [];
    const scene = await game.load("level", { onProgress: (step) => progress.push(step) });
    expect(game.entity(scene.entity("a")).get(Health).hp).toBe(250);
    expect(game.world.count).toBe(5);
    expect(progress.map(({ loaded, total }) => `${loaded}/${total}`)).toEqual(["1/2", "2/3", "3/3"]);
    expect(game.scenes).toEqual([scene]);
  });

  it("replaces what was loaded before, unless it is additive", async () => {
    const game = load();
    const first = await game.load("level");
    const menu = await game.load("menu", { additive: true });
    expect(game.scenes).toEqual([first, menu]);
    await game.load("menu");
    expect(game.world.count).toBe(1);
    expect(game.scenes).toHaveLength(1);
    game.unload("menu");
    expect([game.world.count, game.scenes.length]).toEqual([0, 0]);
  });

  it("lists existing scenes: not those removed by undo or destroy(), and again those restored", async () => {
    const game = createGame({
      components: [Health],
      scenes: sceneFiles(scenes),
      history: ({ world }) => createHistory(world),
    });
    const first = await game.load("level");
    game.history!.clear();
    const menu = await game.load("menu", { additive: true });
    game.history!.commit();
    game.history!.undo();
    expect(game.scenes).toEqual([first]);
    expect(() => game.unload("menu")).toThrow('Cannot unload "menu": it is not loaded.');
    game.history!.redo();
    expect(game.scenes).toEqual([first, menu]);
    first.destroy();
    expect(game.scenes).toEqual([menu]);
  });

  it("puts the scene under a given parent", async () => {
    const game = load();
    const top = game.spawn();
    const scene = await game.load("menu", { parent: top.id });
    expect(game.tree.parentOf(scene.entity("menu"))).toBe(top.id);
    const again = await game.load("menu", { parent: top });
    expect(game.tree.parentOf(again.entity("menu"))).toBe(top.id);
    const prefab = await game.loadPrefab("tank");
    expect(game.instantiate(prefab, { parent: top }).parent).toBe(top);
    expect(game.instantiate(prefab, { parent: top.id }).parent).toBe(top);
    const stranger = load().spawn();
    expect(() => game.instantiate(prefab, { parent: stranger })).toThrow("belongs to another world");
  });

  it("fetches the prefabs that a prefab is composed of", async () => {
    const wreck = `{ "compose": ["tank", "burning"], "entities": [] }`;
    const burning = `{ "entities": [{ "id": "burning", "components": { "Health": { "hp": 3 } } }] }`;
    const game = createGame({ components: [Health], scenes: sceneFiles({ ...scenes, wreck, burning }) });
    const made = game.instantiate(await game.loadPrefab("wreck"));
    expect([made.get(Health).hp, made.children.length > 0]).toEqual([3, true]);
  });

  it("can be cancelled, and then nothing of it is there", async () => {
    const cancel = new AbortController();
    let release = (_: string) => {};
    const game = createGame({
      components: [Health],
      scenes: sceneFiles({ slow: () => new Promise<string>((resolve) => (release = resolve)) }),
    });
    const loading = game.load("slow", { signal: cancel.signal });
    cancel.abort();
    release(level);
    await expect(loading).rejects.toThrow(
      "Loading slow was cancelled. Nothing of it is in the world. [game/load-cancelled]",
    );
    expect(game.world.count).toBe(0);
    await expect(game.load("slow", { signal: cancel.signal })).rejects.toThrow("game/load-cancelled");
  });

  it("is cancelled when the game stops", async () => {
    let release = (_: string) => {};
    const game = createGame({
      scenes: sceneFiles({ slow: () => new Promise<string>((resolve) => (release = resolve)) }),
    });
    const loading = game.load("slow");
    game.stop();
    release(`{ "entities": [{}] }`);
    await expect(loading).rejects.toThrow("game/load-cancelled");
    expect(game.world.count).toBe(0);
  });

  it("says which scene is missing, broken or out of reach, and keeps the old one", async () => {
    const game = load();
    await game.load("menu");
    await expect(game.load("levl")).rejects.toThrow(
      'Cannot load the scene "levl": there is no scene with that name. Did you mean "level"?',
    );
    await expect(game.load("broken")).rejects.toThrow('Did you mean "Health"?');
    await expect(game.load("orphan")).rejects.toThrow('Cannot load the prefab "tnak"');
    await expect(game.load("failing")).rejects.toThrow(
      "Cannot load the scene failing: offline [game/load-failed]",
    );
    expect(() => game.unload("level")).toThrow('Cannot unload "level": it is not loaded.');
    expect([game.world.count, game.scenes.length]).toEqual([1, 1]);
  });

  it("takes a function instead of a list", async () => {
    const game = createGame({
      scenes: sceneFiles((name) => (name === "one" ? `{ "entities": [{}] }` : undefined)),
    });
    await game.load("one");
    expect(game.world.count).toBe(1);
    await expect(game.load("two")).rejects.toThrow("The function given as scenes does not know it.");
  });
});

describe("prefabs in a game", () => {
  it("are loaded once and made any number of times", async () => {
    const game = load();
    const prefab = await game.loadPrefab("tank");
    const [one, two] = [
      game.instantiate(prefab),
      game.instantiate(prefab, { components: { Health: { hp: 1 } } }),
    ];
    expect([one.get(Health).hp, two.get(Health).hp, one.children.length]).toEqual([250, 1, 1]);
  });
});

describe("game.reload", () => {
  it("carries a changed scene over without losing what the game did", async () => {
    const game = load();
    const scene = await game.load("level");
    const a = game.entity(scene.entity("a"));
    a.set(Health, { shield: 7 });
    const changed = level.replace(
      `"id": "a", "prefab": "tank"`,
      `"id": "a", "prefab": "tank", "components": { "Health": { "hp": 5 } }`,
    );
    const [summary] = game.reload("level", changed);
    expect(summary?.changed).toEqual(["a"]);
    expect(a.get(Health)).toEqual({ hp: 5, shield: 7 });
  });

  it("carries a changed prefab into all its instances", async () => {
    const game = load();
    const scene = await game.load("level");
    game.reload("scenes/turret.prefab.json", turret.replace(`"y": 4`, `"y": 9`));
    expect(game.entity(scene.entity("a/turret")).y).toBe(9);
    game.reload("tank.prefab.json", tank.replace("250", "30"));
    expect(game.entity(scene.entity("b")).get(Health).hp).toBe(30);
    expect(game.entity(scene.entity("b/turret")).y).toBe(9);
  });

  it("changes nothing when the file is broken or not in use", async () => {
    const game = load();
    const scene = await game.load("level");
    expect(() => game.reload("level", "{")).toThrow("scene/syntax");
    expect(game.reload("other.json", "{}")).toEqual([]);
    expect(game.entity(scene.entity("a")).get(Health).hp).toBe(250);
  });
});

describe("what is spawned below an entity of a scene", () => {
  it("is saved and loaded with the scene, and destroyed when the scene is unloaded", async () => {
    const level = { entities: [{ id: "level", name: "level" }] };
    const make = (text?: string) =>
      createGame({ components: [Health], scenes: sceneFiles({ level: text ?? level }) });
    const game = make();
    const scene = await game.load("level");
    const top = game.entity(scene.entity("level"));
    const enemy = top.spawn(Health({ hp: 7 }));
    const shield = enemy.spawn(Health({ hp: 9 }));
    const next = make(scene.save());
    await next.load("level");
    expect([...next.world.query(Health)].map((e) => next.world.get(e, Health)?.hp).sort()).toEqual([7, 9]);
    game.unload("level");
    expect([enemy.isAlive, shield.isAlive, game.world.count]).toEqual([false, false, 0]);
  });
});

describe("createGameFormat", () => {
  it("reads the same files as the game", () => {
    const format = createGameFormat({ components: [Health] });
    expect(format.check(tank, { prefabs: { "turret.prefab.json": turret } })).toEqual([]);
    expect(load().format.components).toEqual(format.components);
  });

  it.runIf(DEVELOPMENT)("takes the options of the game as they are, and refuses what neither has", () => {
    const parts = {
      components: [Health],
      actions: { fire: ["Space"] },
      timers: createTimers,
      scenes: sceneFiles(),
    };
    expect(createGameFormat(parts).components).toEqual(createGame(parts).format.components);
    expect(() => createGameFormat({ component: [] } as never)).toThrow(`Did you mean "components"?`);
  });
});

describe("game.reload of a prefab", () => {
  const faster = tank.replace("250", "30");

  it("reaches what code made of it, and prefabs that are kept", async () => {
    const game = load();
    const prefab = await game.loadPrefab("tank");
    const made = game.instantiate(prefab);
    const own = game.instantiate(prefab, { components: { Health: { hp: 1 } } });
    const byHand = prefab.instantiate(game.tree);
    expect(game.reload("scenes/tank.prefab.json", faster)).toEqual([]);
    expect(made.get(Health).hp).toBe(30);
    expect(own.get(Health).hp).toBe(1);
    expect(game.entity(byHand.root).get(Health).hp).toBe(30);
    expect(game.instantiate(prefab).get(Health).hp).toBe(30);
    expect(game.instantiate(await game.loadPrefab("tank")).get(Health).hp).toBe(30);
  });

  it("reaches those that have it inside", async () => {
    const game = load();
    const prefab = await game.loadPrefab("tank");
    const made = game.instantiate(prefab);
    game.reload("turret.prefab.json", turret.replace(`"y": 4`, `"y": 9`));
    expect(made.children[0]?.y).toBe(9);
    expect(game.instantiate(prefab).children[0]?.y).toBe(9);
  });

  it("reaches prefabs that the game's format read, by the name of the file without its ending", () => {
    const game = load();
    const prefab = game.format.prefab(turret, { file: "turret" });
    const made = game.instantiate(prefab);
    game.reload("src/scenes/turret.prefab.json", turret.replace(`"y": 4`, `"y": 9`));
    expect([made.y, game.instantiate(prefab).y]).toEqual([9, 9]);
  });

  it("changes nothing when the file is broken, neither scenes nor instances nor prefabs", async () => {
    const game = load();
    const scene = await game.load("level");
    const prefab = await game.loadPrefab("tank");
    const made = game.instantiate(prefab);
    const before = scene.save();
    expect(() => game.reload("tank.prefab.json", faster.replace("Health", "Helth"))).toThrow(
      "scene/unknown-component",
    );
    expect(scene.save()).toBe(before);
    expect([made.get(Health).hp, game.instantiate(prefab).get(Health).hp]).toEqual([250, 250]);
    game.reload("tank.prefab.json", faster);
    expect([made.get(Health).hp, game.entity(scene.entity("a")).get(Health).hp]).toEqual([30, 30]);
  });

  it("keeps what was added to a scene that was saved since it was loaded", async () => {
    const game = load();
    const scene = await game.load("level");
    const added = game.spawn();
    scene.add(added.id, "added");
    scene.save();
    game.reload("tank.prefab.json", faster);
    expect(added.isAlive).toBe(true);
    expect(game.entity(scene.entity("a")).get(Health).hp).toBe(30);
  });

  it("can be undone: instances follow the former text again", async () => {
    const game = load();
    const prefab = await game.loadPrefab("tank");
    const made = game.instantiate(prefab);
    const history = createHistory(game.world);
    history.step("Reload", () => game.reload("tank.prefab.json", faster));
    history.step("Edit", () => made.set(Health, { shield: 5 }));
    history.undo();
    history.undo();
    expect(made.get(Health)).toMatchObject({ hp: 250, shield: 0 });
    expect(instanceOf(game.tree, made.id)?.overrides()).toEqual([]);
    history.redo();
    expect(made.get(Health).hp).toBe(30);
    expect(instanceOf(game.tree, made.id)?.overrides()).toEqual([]);
    history.redo();
    expect(instanceOf(game.tree, made.id)?.overrides()).toMatchObject([{ field: "shield" }]);
  });
});

describe("a game that only loads scenes", () => {
  it("loads, instantiates and unloads as others do", async () => {
    const game = createGame({ components: [Health], scenes: loadOnlyScenes(scenes) });
    const scene = await game.load("level");
    expect(game.entity(scene.entity("a")).get(Health).hp).toBe(250);
    const prefab = await game.loadPrefab("tank");
    expect(game.instantiate(prefab).get(Health).hp).toBe(250);
    game.unload(scene);
    expect(game.world.count).toBe(2);
  });

  it("refuses to reload a file, and stays as it was", async () => {
    const game = createGame({ components: [Health], scenes: loadOnlyScenes(scenes) });
    const scene = await game.load("level");
    for (const file of ["level", "tank.prefab.json", "unknown"])
      expect(() => game.reload(file, tank)).toThrow(expect.objectContaining({ code: "scene/load-only" }));
    expect(game.scenes).toEqual([scene]);
    expect(game.world.count).toBe(5);
    expect(() => scene.save()).toThrow(expect.objectContaining({ code: "scene/load-only" }));
  });
});

describe("what is spawned below an entity of a loaded scene", () => {
  it("is saved and unloaded with it, and so is what is made of prefabs there; roots of their own stay", async () => {
    const game = load();
    const scene = await game.load("level");
    const shell = game.entity(scene.entity("a")).spawn(Health({ hp: 7 }));
    shell.spawn(Health({ hp: 8 }));
    const prefab = await game.loadPrefab("turret.prefab.json");
    game.instantiate(prefab, { parent: scene.entity("level") });
    const own = game.spawn(Health({ hp: 9 }));
    const saved = scene.save();
    expect([7, 8, 9].map((hp) => saved.includes(`"hp": ${hp}`))).toEqual([true, true, false]);

    const again = createGame({ components: [Health], scenes: sceneFiles({ ...scenes, saved }) });
    await again.load("saved");
    expect(again.world.count).toBe(8);
    game.unload("level");
    expect([game.world.count, own.isAlive]).toEqual([1, true]);
  });
});

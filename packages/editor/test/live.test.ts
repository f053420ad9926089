import { component, createSchedule, createWorld, f32 } from "espalier";
import { behaviour, createGame, sceneFiles } from "espalier/game";
import { createHierarchy } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { setField } from "../src/commands/components/set-field.ts";
import { ChangeBreakpoint, callIn } from "../src/devtool/breakpoint.ts";
import { openLiveDocument } from "../src/devtool/live-document.ts";

const Health = component("Health", { hp: f32(100) });

describe("a running world as a document", () => {
  it("is opened after a scene was loaded into it, as games do", () => {
    const game = createGame({ components: [Health], scenes: sceneFiles(), frames: null, element: null });
    const scene = game.format.load(
      game.tree,
      `{ "entities": [{ "id": "tank", "name": "tank", "components": { "Health": {} } }] }`,
    );
    const { world, tree, space } = game;
    const document = openLiveDocument({ world, tree, space });
    expect(document.components.map(({ name }) => name)).toContain("Health");
    expect(document.components.map(({ name }) => name)).not.toContain("SceneMember");
    setField(document, [scene.entity("tank")], Health, "hp", 5);
    document.undo();
    expect(world.get(scene.entity("tank"), Health)?.hp).toBe(100);
    // An editor that was here before has left its locks.
    document.close();
    expect(openLiveDocument({ world, tree, space }).components).toEqual(document.components);
    game.stop();
  });
});

describe("a breakpoint", () => {
  it("says which system changed a component first, and which call", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const tank = world.spawn(Health);
    tree.setName(tank, "tank");
    const schedule = createSchedule(world);
    schedule.add({ name: "rest", run: () => {} });
    schedule.add({
      name: "burn",
      run: function burnAll() {
        world.query(Health).each((entity) => world.set(entity, Health, { hp: 1 }));
      },
    });
    const document = openLiveDocument({ world, tree });
    const breakpoint = new ChangeBreakpoint(document, { structure: false, component: "Health" }, () => ({
      schedule,
      behaviour: undefined,
    }));
    expect(breakpoint.take()).toBeUndefined();
    schedule.run(1);
    const hit = breakpoint.take();
    expect(hit).toMatchObject({ label: "tank", kind: "changed", component: "Health", system: "burn" });
    expect(hit?.call).toMatch(/live\.test\.ts:\d+:\d+/);
    expect(breakpoint.take()).toBeUndefined();
    world.set(tank, Health, { hp: 3 });
    expect(breakpoint.take()).toMatchObject({ system: undefined });
    breakpoint.close();
    schedule.run(1);
    expect(breakpoint.take()).toBeUndefined();
  });

  it("names the hook of a behaviour that spawned an entity", () => {
    const Spawner = behaviour(
      "Spawner",
      {},
      {
        update: function spawnOne(self) {
          self.game.world.spawn();
        },
      },
    );
    const game = createGame({ behaviours: [Spawner], frames: null, element: null });
    const { world, tree } = game;
    game.start();
    tree.setName(tree.attachNew(null, Spawner), "factory");
    const document = openLiveDocument({ world, tree, space: game.space });
    const breakpoint = new ChangeBreakpoint(document, { structure: true, component: "" }, () => ({
      schedule: game.schedule,
      behaviour: game.runningBehaviour,
    }));
    game.advance(1 / 30);
    const hit = breakpoint.take();
    expect(hit?.kind).toBe("spawned");
    expect(hit).toMatchObject({ system: "behaviours", behaviour: "Spawner.update (factory)" });
    expect(game.runningBehaviour).toBeUndefined();
    expect(hit?.call).toMatch(/spawnOne \(live\.test\.ts/);
    const [first, second] = [tree.attachNew(null), tree.attachNew(null)];
    breakpoint.take();
    tree.attach(second, first);
    expect(breakpoint.take()).toMatchObject({ kind: "moved", entity: second });
    breakpoint.close();
    game.stop();
  });

  it("finds the innermost call outside of libraries in a stack", () => {
    const chrome = `Error
    at ChangeBreakpoint.note (http://x/node_modules/@espalier/editor/dist/index.mjs:1:2)
    at Object.update (http://x/src/driver.ts?t=17:12:5)
    at frame (http://x/src/main.ts:3:1)`;
    expect(callIn(chrome)).toBe("update (driver.ts:12:5)");
    expect(callIn("note@http://x/node_modules/a.js:1:2\nturn@http://x/game.js:7:8")).toBe(
      "turn (game.js:7:8)",
    );
    expect(callIn("Error\n    at http://x/game.js:7:8")).toBe("game.js:7:8");
    expect(callIn("nothing")).toBeUndefined();
  });
});

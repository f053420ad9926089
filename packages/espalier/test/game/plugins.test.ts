import { component, f32, installPlugin, plugin, pluginsOf, resource, startWith } from "espalier";
import { createGame, createGameFormat, sceneFiles } from "espalier/game";
import { createHistory } from "espalier/history";
import { describe, expect, it } from "vitest";

const Health = component("Health", { hp: f32(100) });
const Armour = component("Armour", { value: f32(5) });
const Poison = resource<number>("Poison");

const armour = plugin("armour", { components: [Armour] });
const health = plugin("health", {
  needs: [armour],
  components: [Health],
  resources: [startWith(Poison, () => 10)],
  systems: [
    {
      name: "poison",
      run: ({ world, dt }) => {
        world.query(Health).update((each) => {
          each.hp -= world.resource(Poison) * dt;
        });
      },
    },
  ],
  install: (world) => void world.spawn(Health),
});

describe("the plugins of a game", () => {
  it("are installed once, with those they need, and run in every step", () => {
    const game = createGame({
      step: 0.5,
      plugins: [health, armour],
      history: ({ world }) => createHistory(world),
    });
    expect(pluginsOf(game.schedule)).toEqual([armour, health]);
    expect(installPlugin(game.schedule, health)).toBe(false);
    expect(game.history?.canUndo).toBe(false);
    game.step(2);
    const [first] = game.world.query(Health).ids();
    expect(game.world.get(first!, Health)).toEqual({ hp: 90 });
    game.schedule.disable("health");
    game.step(2);
    expect(game.world.get(first!, Health)).toEqual({ hp: 90 });
  });

  it("have their components in scene files, with those of plugins that they need", async () => {
    const level = {
      entities: [{ id: "tank", components: { Health: { hp: 3 }, Armour: { value: 1 } } }],
    };
    const game = createGame({ plugins: [health], scenes: sceneFiles({ level }) });
    const scene = await game.load("level");
    expect(game.world.get(scene.entity("tank"), Armour)).toEqual({ value: 1 });
    expect(createGameFormat({ plugins: [health] }).components).toEqual(
      expect.arrayContaining(["Health", "Armour"]),
    );
  });

  it("are refused when they are something else, or fail to install", () => {
    expect(() => createGame({ plugins: health as never })).toThrow("Cannot make a game: plugins");
    expect(() => createGame({ plugins: [undefined as never] })).toThrow("Cannot install a plugin");
    expect(() => createGameFormat({ plugins: [undefined as never] })).toThrow("one of plugins");
    const clash = plugin("clash", { systems: [{ name: "behaviours", run: () => {} }] });
    expect(() => createGame({ plugins: [clash] })).toThrow("there is a system of that name");
  });
});

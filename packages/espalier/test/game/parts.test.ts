import { component, DEVELOPMENT, f32 } from "espalier";
import {
  createGame,
  createGameFormat,
  createTimers,
  type GameOptions,
  type GamePart,
  InvalidGameError,
  type LoadingFiles,
  MissingPartError,
  sceneFiles,
  Timers,
} from "espalier/game";
import { createParticles, ParticleEmitter } from "espalier/render";
import { describe, expect, it } from "vitest";

const Noise = component("Noise", { volume: f32(1) });

/** A part that writes down what is called. */
function loudPart(calls: string[]) {
  return {
    components: [Noise],
    create: (game) => ({
      get loudness() {
        return [...game.world.query(Noise)].length;
      },
      early: (dt: number) => void calls.push(`early ${dt}`),
      step: (dt: number) => void calls.push(`step ${dt}`),
      draw: (alpha: number) => void calls.push(`draw ${alpha}`),
      load: async ({ name, prefabs }: LoadingFiles) => {
        await Promise.resolve();
        calls.push(`load ${name} with ${Object.keys(prefabs).join()}`);
      },
      dispose: () => void calls.push("dispose"),
    }),
  } satisfies GamePart;
}

describe("the parts of a game", () => {
  it("step after systems, draw before the renderer, and are disposed of after it", () => {
    const calls: string[] = [];
    const game = createGame({
      step: 0.5,
      parts: { loud: loudPart(calls) },
      physics: () => ({
        step: () => void calls.push("physics"),
        dispose: () => void calls.push("end physics"),
      }),
      renderer: () => ({
        render: () => void calls.push("render"),
        dispose: () => void calls.push("end renderer"),
      }),
    });
    game.system("work", () => void calls.push("system"));
    game.step(1);
    game.stop();
    expect(calls).toEqual([
      "early 0.5",
      "system",
      "physics",
      "step 0.5",
      "draw 1",
      "render",
      "end renderer",
      "dispose",
      "end physics",
    ]);
  });

  it("are available under their names with what they offer", () => {
    const game = createGame({ parts: { loud: loudPart([]) } });
    game.spawn(Noise);
    expect(game.parts.loud.loudness).toBe(1);
    expect(Object.keys(game.parts)).toEqual(["loud"]);
    expect(createGame().parts).toEqual({});
  });

  it("bring their components into scene files, in the game and in tools", async () => {
    const calls: string[] = [];
    const parts = { loud: loudPart(calls) };
    const game = createGame({
      parts,
      scenes: sceneFiles({
        level: {
          entities: [
            { id: "bell", components: { Noise: { volume: 3 } } },
            { id: "gong", prefab: "gong" },
          ],
        },
        gong: { entities: [{ id: "gong" }] },
      }),
    });
    const scene = await game.load("level");
    expect(calls).toEqual(["load level with gong"]);
    expect(game.world.get(scene.entity("bell"), Noise)).toEqual({ volume: 3 });
    expect(createGameFormat({ parts }).components).toContain("Noise");
    expect(createGameFormat().components).not.toContain("Noise");
  });

  it("keep their components when one of them is named like an option", () => {
    const physics = () => ({ components: [], step() {}, dispose() {} });
    const game = createGame({ parts: { physics: loudPart([]) }, physics, scenes: sceneFiles() });
    expect(game.format.components).toContain("Noise");
  });

  it("refuse the loading of a scene when one of them fails, and nothing of it is in the world", async () => {
    const failing: GamePart = {
      create: () => ({ load: () => Promise.reject(new Error("no such file")), dispose() {} }),
    };
    const game = createGame({
      parts: { failing },
      scenes: sceneFiles({ level: { entities: [{ id: "a" }] } }),
    });
    await expect(game.load("level")).rejects.toThrow("no such file");
    expect(game.find("/a")).toBeNull();
    expect(game.scenes).toEqual([]);
  });

  it("have their loading aborted when the game stops", async () => {
    let signal: AbortSignal | undefined;
    const slow: GamePart = {
      create: () => ({
        load: (files) => {
          signal = files.signal;
          return new Promise((done) => files.signal.addEventListener("abort", () => done()));
        },
        dispose() {},
      }),
    };
    const game = createGame({ parts: { slow }, scenes: sceneFiles({ level: { entities: [{ id: "a" }] } }) });
    const loading = game.load("level");
    for (let k = 0; k < 20 && signal === undefined; k++) await Promise.resolve();
    game.stop();
    await expect(loading).rejects.toMatchObject({ code: "game/load-cancelled" });
    expect(signal?.aborted).toBe(true);
  });

  it.each(["early", "step", "draw"] as const)(
    "that stop the game in %s are disposed of once, afterwards",
    (call) => {
      const calls: string[] = [];
      const game = createGame({
        parts: {
          last: {
            create: (made) => ({
              [call]: () => {
                made.stop();
                calls.push("stopped");
              },
              dispose: () => void calls.push("disposed"),
            }),
          },
          next: loudPart(calls),
        },
      });
      game.step(3);
      expect(calls.slice(-3)).toEqual(["dispose", "stopped", "disposed"]);
      expect(calls.filter((each) => each === "disposed")).toHaveLength(1);
    },
  );

  it("that were made are disposed of when a later one cannot be", () => {
    const calls: string[] = [];
    const broken: GamePart = {
      create: () => {
        throw new Error("no sound card");
      },
    };
    expect(() => createGame({ parts: { loud: loudPart(calls), broken } })).toThrow("no sound card");
    expect(calls).toEqual(["dispose"]);
  });

  it.each([
    ["parts", 3],
    ["parts", []],
    ["parts", { loud: undefined }],
    ["parts", { loud: () => ({}) }],
    ["parts", { loud: { create: () => ({}) } }],
    ["parts", { loud: { components: {}, create: () => ({ dispose() {} }) } }],
    ["scenes", { level: { entities: [] } }],
    ["scenes", () => "{}"],
    ["history", true],
    ["timers", () => 3],
    ["particles", () => ({})],
    ["physics", () => ({})],
    ["renderer", () => ({ render: 3 })],
  ])("refuse %s: %j with the option and what to write", (option, value) => {
    const make = () => createGame({ [option]: value } as never);
    expect(make).toThrow(InvalidGameError);
    expect(make).toThrow(expect.objectContaining({ code: "game/invalid-options", option }));
  });
});

describe("a game without an option", () => {
  it("says which line to add when what the option brings is used", async () => {
    const game = createGame();
    await expect(game.load("level")).rejects.toThrow(MissingPartError);
    await expect(game.loadPrefab("tank")).rejects.toMatchObject({
      code: "game/missing-part",
      option: "scenes",
    });
    expect(() => game.format).toThrow("createGame({ scenes: sceneFiles({ … }) })");
    expect(() => game.reload("level.json", "{}")).toThrow(MissingPartError);
    expect(() => game.unload("level")).toThrow(MissingPartError);
    expect(() => game.timers).toThrow("createGame({ timers: createTimers })");
    expect(game.scenes).toEqual([]);
    expect(game.history).toBeUndefined();
    expect(game.particles).toBeUndefined();
  });

  it.runIf(DEVELOPMENT)("warns once about each component that does nothing without the option", () => {
    const warnings: string[] = [];
    const spawnAll = (options: GameOptions) => {
      const game = createGame({ ...options, onWarn: (message) => warnings.push(message) });
      game.spawn(ParticleEmitter);
      game.spawn(Timers);
      game.step(200);
    };
    spawnAll({ timers: createTimers, particles: ({ space }) => createParticles(space) });
    expect(warnings).toEqual([]);
    spawnAll({});
    expect(warnings).toEqual([
      expect.stringContaining("Add it: createGame({ particles: ({ space }) => createParticles(space) })."),
      expect.stringContaining("Add it: createGame({ timers: createTimers })."),
    ]);
  });
});

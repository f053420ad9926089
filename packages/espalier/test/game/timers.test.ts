import { component, DEVELOPMENT, f32, string, u8 } from "espalier";
import {
  createGame,
  createGameFormat,
  createTimers,
  easings,
  sceneFiles,
  Timers,
  Tweens,
} from "espalier/game";
import { entityEvent } from "espalier/hierarchy";
import { createHistory, restoreSnapshot, takeSnapshot } from "espalier/history";
import { SceneError } from "espalier/scene";
import { Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";

const Boom = entityEvent<{ size: number }>("boom");
const Ready = entityEvent("ready");
const Lamp = component("Lamp", { level: f32(), steps: u8(), name: string() });

function timed() {
  const errors: string[] = [];
  const game = createGame({
    step: 0.1,
    timers: createTimers,
    scenes: sceneFiles(),
    components: [Lamp],
    history: ({ world }) => createHistory(world),
    onError: (error) => errors.push(String(error)),
  });
  const said: string[] = [];
  const top = game.spawn(game.space.at(0, 0));
  const tank = top.spawn(game.space.at(0, 0), Lamp);
  top.on(Boom, ({ payload }) => void said.push(`boom ${payload.size} at ${game.tick}`));
  top.on(Ready, () => void said.push(`ready at ${game.tick}`));
  return { game, tank, said, errors };
}

describe("timers", () => {
  it("send an event after some seconds, once", () => {
    const { game, tank, said } = timed();
    game.timers.after(tank, 0.5, Boom, { size: 3 });
    game.step(10);
    expect(said).toEqual(["boom 3 at 5"]);
    expect(tank.has(Timers)).toBe(false);
  });

  it("send it every so many seconds until cancelled", () => {
    const { game, tank, said } = timed();
    const cancel = game.timers.every(tank, 0.2, Ready);
    game.timers.every(tank, 0.2, Boom, { size: 1 });
    game.step(5);
    cancel();
    game.step(4);
    expect(said).toEqual([
      "ready at 2",
      "boom 1 at 2",
      "ready at 4",
      "boom 1 at 4",
      "boom 1 at 6",
      "boom 1 at 8",
    ]);
  });

  it("end with their entity", () => {
    const { game, tank, said } = timed();
    game.timers.after(tank, 0.2, Ready);
    tank.destroy();
    game.step(5);
    expect(said).toEqual([]);
  });

  it("are undone with what started them, and brought back by a snapshot", () => {
    const { game, tank, said } = timed();
    game.history?.step("arm", () => game.timers.after(tank, 0.3, Ready));
    const armed = takeSnapshot(game.world, { trees: [game.tree] });
    game.history?.undo();
    game.step(2);
    restoreSnapshot(game.world, armed, { trees: [game.tree] });
    game.step(3);
    expect(said).toEqual(["ready at 3"]);
  });

  it("are saved as the seconds that are left, and continue where they were loaded", () => {
    const { game, tank } = timed();
    game.timers.after(tank, 1, Boom, { size: 2 });
    game.timers.tween(tank, Transform2D, { x: 100 }, { seconds: 1 });
    game.step(4);
    const text = game.format.save(game.tree, [tank.id]);
    expect(JSON.parse(text).entities[0].components.Timers.list).toEqual([
      { event: "boom", payload: { size: 2 }, left: 0.6000000000000001, every: 0 },
    ]);
    const next = createGame({ step: 0.1, timers: createTimers, scenes: sceneFiles(), components: [Lamp] });
    next.step(7);
    const scene = next.format.load(next.tree, text);
    const [copy] = scene.roots().map((root) => next.entity(root));
    const said: string[] = [];
    copy?.on(Boom, ({ payload }) => void said.push(`boom ${payload.size} after ${next.tick - 7}`));
    next.step(6);
    expect(copy?.x).toBeCloseTo(100, 3);
    next.step(1);
    expect(said).toEqual(["boom 2 after 6"]);
  });

  it("call functions that belong to no entity", () => {
    const { game, said, errors } = timed();
    game.timers.later(0.2, () => void said.push(`later at ${game.tick}`));
    game.timers.later(0.1, () => {
      throw new Error("no");
    });
    game.timers.later(0.3, () => void said.push("cancelled"))();
    game.step(5);
    expect(said).toEqual(["later at 2"]);
    expect(errors).toEqual(["Error: no"]);
  });

  it("are not cancelled by what cancelled one that is over", () => {
    const { game, tank, said } = timed();
    const cancel = game.timers.after(tank, 0.1, Ready);
    game.step(3);
    game.timers.after(tank, 0.1, Boom, { size: 1 });
    cancel();
    game.step(3);
    expect(said).toEqual(["ready at 1", "boom 1 at 4"]);
  });

  it("that are cancelled in the step in which they are due are not sent any more", () => {
    const { game, tank, said } = timed();
    const flag = tank.spawn();
    const cancels: (() => void)[] = [];
    tank.on(Ready, () => {
      for (const cancel of cancels) cancel();
      game.timers.after(flag, 0.2, Boom, { size: 9 });
    });
    game.timers.after(tank, 0.1, Ready);
    cancels.push(game.timers.after(tank, 0.1, Boom, { size: 1 }));
    cancels.push(game.timers.every(flag, 0.1, Boom, { size: 2 }));
    cancels.push(game.timers.later(0.1, () => void said.push("later")));
    game.step(6);
    expect(said).toEqual(["ready at 1", "boom 9 at 3"]);
    expect([tank.has(Timers), flag.has(Timers)]).toEqual([false, false]);
  });

  it("refuse invalid times", () => {
    const { game, tank } = timed();
    expect(() => game.timers.after(tank, -1, Ready)).toThrow("Cannot wait for -1 seconds.");
    expect(() => game.timers.every(tank, Number.NaN, Ready)).toThrow("game/invalid-timer");
    expect(() => game.timers.later(Number.POSITIVE_INFINITY, () => {})).toThrow("game/invalid-timer");
    expect(tank.has(Timers)).toBe(false);
  });
});

describe("tweens", () => {
  it("move a numeric field and say when they have arrived", () => {
    const { game, tank, said } = timed();
    game.timers.tween(tank, Transform2D, { x: 10, rotation: 1 }, { seconds: 0.4, arrived: Ready });
    const positions: number[] = [];
    for (let k = 0; k < 5; k++) {
      game.step();
      positions.push(tank.x);
    }
    expect(positions).toEqual([2.5, 5, 7.5, 10, 10]);
    expect(tank.rotation).toBe(1);
    expect(said).toEqual(["ready at 3"]);
    expect(tank.has(Tweens)).toBe(false);
  });

  it("round integers, ease, and go there and back", () => {
    const { game, tank } = timed();
    game.timers.tween(tank, Lamp, { steps: 3 }, { seconds: 0.2 });
    game.timers.tween(tank, Lamp, { level: 1 }, { seconds: 0.2, easing: "quadIn", loop: true });
    const levels: number[] = [];
    for (let k = 0; k < 5; k++) {
      game.step();
      levels.push(tank.get(Lamp).level);
    }
    expect(levels).toEqual([0.25, 1, 0.25, 0, 0.25]);
    expect(tank.get(Lamp).steps).toBe(3);
  });

  it("replace an earlier one of the same field", () => {
    const { game, tank } = timed();
    game.timers.tween(tank, Transform2D, { x: 10 }, { seconds: 0.2 });
    game.timers.tween(tank, Transform2D, { x: -10 }, { seconds: 0.2 });
    game.step(5);
    expect(tank.x).toBe(-10);
  });

  it("continue with the fields that a newer one leaves them, and then arrive", () => {
    const { game, tank, said } = timed();
    game.timers.tween(tank, Transform2D, { x: 10, y: 10 }, { seconds: 1, arrived: Ready });
    game.step(5);
    game.timers.tween(tank, Transform2D, { x: 0 }, { seconds: 0.2 });
    game.step(2);
    expect([tank.x, tank.y]).toEqual([0, 7]);
    game.step(3);
    expect([tank.x, tank.y]).toEqual([0, 10]);
    expect(said).toEqual(["ready at 9"]);
  });

  it("end without having arrived when newer ones took over all their fields", () => {
    const { game, tank, said } = timed();
    game.timers.tween(tank, Transform2D, { x: 10, y: 10 }, { seconds: 1, arrived: Ready });
    game.timers.tween(tank, Transform2D, { x: 0 }, { seconds: 0.2 });
    game.timers.tween(tank, Transform2D, { y: 1, rotation: 1 }, { seconds: 0.3 });
    game.step(12);
    expect([tank.x, tank.y, said]).toEqual([0, 1, []]);
    expect(tank.has(Tweens)).toBe(false);
  });

  it("that lost what they move end without having arrived", () => {
    const { game, tank, said } = timed();
    game.timers.tween(tank, Lamp, { level: 10 }, { seconds: 0.5, arrived: Ready });
    game.step(2);
    tank.remove(Lamp);
    game.step(8);
    expect(said).toEqual([]);
    expect(tank.has(Tweens)).toBe(false);
  });

  it("refuse what is not a number, what does not exist, and easings that do not exist", () => {
    const { game, tank } = timed();
    const { timers } = game;
    expect(() => timers.tween(tank, Lamp, { name: 5 }, { seconds: 1 })).toThrow(
      "Cannot tween Lamp.name of #2 to 5.",
    );
    expect(() => timers.tween(tank, Lamp, { level: Number.NaN }, { seconds: 1 })).toThrow("to NaN");
    expect(() => timers.tween(game.spawn(), Lamp, { level: 1 }, { seconds: 1 })).toThrow(
      "Cannot tween Lamp of #3: it has none.",
    );
    expect(() => timers.tween(tank, Lamp, { level: 1 }, { seconds: 1, easing: "quadout" as never })).toThrow(
      'Cannot ease by "quadout". Did you mean "quadOut"?',
    );
  });

  it("begin at the start and end at the end with every easing", () => {
    for (const [name, ease] of Object.entries(easings)) {
      expect([name, ease(0).toFixed(6), ease(1).toFixed(6)]).toEqual([
        name,
        expect.stringMatching(/^-?0\.000000$/),
        "1.000000",
      ]);
    }
  });
});

describe("timers, tweens and sequences of a file", () => {
  const way = { component: "Lamp", fields: { level: [0, 1] }, begun: 0, seconds: 1, easing: "linear" };
  const tween = { ...way, arrived: null, loop: false };

  it.each([
    ["Timers", [null]],
    ["Timers", [{ event: "boom", left: "soon" }]],
    ["Tweens", 5],
    ["Tweens", [{ ...tween, fields: null }]],
    ["Tweens", [{ ...tween, fields: { level: 5 } }]],
    ["Tweens", [{ ...tween, easing: "constructor" }]],
    ["Tweens", [{ ...tween, seconds: "x" }]],
    ["Sequences", [{ steps: [null] }]],
    ["Sequences", [{ steps: [{ wait: "x" }] }]],
    ["Sequences", [{ steps: [{ tween: "Lamp", to: { level: "x" }, seconds: 1 }] }]],
    ["Sequences", [{ steps: 5 }]],
  ])("are refused when they are invalid: %s %j", (name, list) => {
    const { game } = timed();
    const file = { entities: [{ id: "a", components: { [name]: { list } } }] };
    expect(() => game.format.load(game.tree, file as never)).toThrow(SceneError);
    game.step(3);
  });

  it("are refused in a game that has none, and known to the format of tools", () => {
    const file = { entities: [{ id: "a", components: { Tweens: { list: [] } } }] };
    const game = createGame({ scenes: sceneFiles() });
    expect(() => game.format.load(game.tree, file)).toThrow(
      expect.objectContaining({ code: "scene/unknown-component" }),
    );
    expect(game.world.count).toBe(0);
    expect(createGameFormat().check(file)).toEqual([]);
    expect(timed().game.format.components).toEqual(createGameFormat({ components: [Lamp] }).components);
  });

  it.runIf(DEVELOPMENT)("are reported once and end when they animate fields that do not exist", () => {
    const { game, errors } = timed();
    const list = [{ ...tween, fields: { gone: [0, 1] } }];
    const file = { entities: [{ id: "a", components: { Lamp: {}, Tweens: { list } } }] };
    const entity = game.format.load(game.tree, file as never).entity("a");
    game.step(5);
    expect(errors.length).toBe(1);
    expect(game.world.has(entity, Tweens)).toBe(false);
  });
});

describe("sequences", () => {
  it("take the same time as timers and tweens, wherever they begin", () => {
    const starts = [
      (_game: ReturnType<typeof timed>["game"], begin: () => void) => begin(),
      (game: ReturnType<typeof timed>["game"], begin: () => void) => game.timers.later(0.1, begin),
      (game: ReturnType<typeof timed>["game"], begin: () => void) => {
        let isDone = false;
        game.system("begin", () => {
          if (!isDone) begin();
          isDone = true;
        });
      },
    ];
    for (const start of starts) {
      const { game, tank, said } = timed();
      const twin = game.spawn(Lamp);
      start(game, () => {
        game.timers.sequence(tank, [
          { tween: "Lamp", to: { level: 1 }, seconds: 0.5 },
          { emit: "ready" },
          { wait: 0.3 },
          { emit: "boom", payload: { size: 1 } },
        ]);
        game.timers.tween(twin, Lamp, { level: 1 }, { seconds: 0.5 });
        game.timers.after(tank, 0.5, Ready);
        game.timers.after(tank, 0.8, Boom, { size: 1 });
      });
      for (let k = 0; k < 12; k++) {
        game.step();
        // A tween of a sequence that began in a system makes its first move one step later, and then catches up.
        if (k > 1) expect(tank.get(Lamp).level).toBeCloseTo(twin.get(Lamp).level, 5);
      }
      expect(said.filter((text) => text.startsWith("ready"))).toEqual([said[0], said[0]]);
      expect(said.filter((text) => text.startsWith("boom"))).toEqual([said[2], said[2]]);
      expect(said).toHaveLength(4);
    }
  });

  it("that repeat continue while what they move is not there", () => {
    const { game, tank, said } = timed();
    const steps = [{ tween: "Lamp", to: { level: 1 }, seconds: 0.1 }, { emit: "ready" }];
    game.timers.sequence(tank, steps, { loop: true });
    game.step(2);
    tank.remove(Lamp);
    game.step(5);
    tank.add(Lamp);
    game.step(2);
    expect(said.length).toBeGreaterThan(5);
    expect(said.length).toBeLessThan(12);
    expect(tank.get(Lamp).level).toBe(1);
  });

  it("run their parts one after the other", () => {
    const { game, tank, said } = timed();
    game.timers.sequence(tank, [
      { wait: 0.2 },
      { emit: "boom", payload: { size: 1 } },
      { tween: "Transform2D", to: { x: 4 }, seconds: 0.2 },
      { emit: "ready" },
    ]);
    const positions: number[] = [];
    for (let k = 0; k < 6; k++) {
      game.step();
      positions.push(tank.x);
    }
    expect(said).toEqual(["boom 1 at 2", "ready at 4"]);
    expect(positions).toEqual([0, 0, 2, 4, 4, 4]);
  });

  it("begin again when they loop", () => {
    const { game, tank, said } = timed();
    game.timers.sequence(tank, [{ emit: "ready" }, { wait: 0.3 }], { loop: true });
    game.step(8);
    game.timers.clear(tank);
    game.step(8);
    expect(said).toEqual(["ready at 0", "ready at 3", "ready at 6"]);
  });

  it("may be cleared and begun by handlers of what they send", () => {
    const { game, tank, said } = timed();
    const end = tank.on(Ready, () => {
      end();
      game.timers.clear(tank);
      game.timers.sequence(tank, [{ wait: 0.3 }, { emit: "boom", payload: { size: 2 } }]);
    });
    game.timers.sequence(tank, [{ emit: "ready" }, { wait: 0.1 }, { emit: "boom", payload: { size: 1 } }]);
    game.timers.sequence(tank, [{ emit: "ready" }]);
    game.step(8);
    expect(said).toEqual(["ready at 0", "boom 2 at 3"]);
  });

  it("are refused when they take no time or name what does not exist", () => {
    const { game, tank } = timed();
    expect(() => game.timers.sequence(tank, [{ emit: "ready" }], { loop: true })).toThrow(
      "that takes no time",
    );
    expect(() => game.timers.sequence(tank, [{ tween: "Lmp", to: {}, seconds: 1 }])).toThrow(
      'Did you mean "Lamp"?',
    );
    expect(() => game.timers.sequence(tank, [{ say: 1 } as never])).toThrow(
      "Give { wait }, { emit } or { tween }.",
    );
  });
});

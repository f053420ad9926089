import { component, f32 } from "espalier";
import { createGame, createTimers, type FrameSource, type Game, sceneFiles, Tick } from "espalier/game";
import { createHistory } from "espalier/history";
import { describe, expect, it, vi } from "vitest";

/** Frames that come when the test says so. */
function handFrames(): FrameSource & { frame(milliseconds: number): void; readonly waiting: number } {
  let next: ((milliseconds: number) => void) | undefined;
  let requests = 0;
  let time = 0;
  return {
    now: () => time,
    request(frame) {
      next = frame;
      return ++requests;
    },
    cancel() {
      next = undefined;
    },
    frame(milliseconds) {
      const call = next;
      next = undefined;
      time = milliseconds;
      call?.(milliseconds);
    },
    get waiting() {
      return next === undefined ? 0 : 1;
    },
  };
}

/** A game whose errors fail the test. */
function strictGame(options: Parameters<typeof createGame>[0] = {}): Game {
  return createGame({
    timers: createTimers,
    onError: (error) => {
      throw error;
    },
    ...options,
  });
}

describe("createGame", () => {
  it("wires the rooms, and a parent carries its child", () => {
    const game = strictGame({ step: 0.1 });
    const tank = game.spawn(game.space.at(0, 0));
    const turret = tank.spawn(game.space.at(0, 5));
    game.system("drive", ({ dt }) => {
      tank.x += 10 * dt;
    });
    game.step(10);
    expect(turret.absolutePosition.x).toBeCloseTo(10, 4);
    expect(turret.absolutePosition.y).toBeCloseTo(5, 4);
    expect(game.tick).toBe(10);
    expect(game.time).toBe(1);
  });

  it("runs a step in the order input, systems, physics, propagation, and then draws", () => {
    const said: string[] = [];
    const game = strictGame({
      actions: { go: ["Space"] },
      physics: () => ({
        step: (dt) => void said.push(`physics ${dt}`),
        dispose: () => said.push("no physics"),
      }),
      renderer: () => ({
        render: (alpha) => void said.push(`render ${alpha}`),
        dispose: () => said.push("no renderer"),
      }),
      step: 0.5,
    });
    game.system("look", () => void said.push(`system ${game.input.pressed("go")}`));
    game.input.feed({ type: "key", code: "Space", down: true });
    game.advance(1.25);
    game.stop();
    expect(said).toEqual([
      "system true",
      "physics 0.5",
      "system false",
      "physics 0.5",
      "render 0.5",
      "no renderer",
      "no physics",
    ]);
  });

  it("reports what is wrong with options", () => {
    expect(() => createGame({ step: 0 })).toThrow("Cannot make a game with a step of 0 seconds.");
    expect(() => createGame({ maxSteps: 0.5 })).toThrow("catches up at most 0.5 steps");
    expect(() => createGame({ renderer: {} as never })).toThrow(
      "Give a function that makes it: renderer: onCanvas(canvas)",
    );
    expect(() => createGame({ seed: 0.5 })).toThrow("Cannot make a game with the seed 0.5.");
    expect(() => createGame({ longestFrame: 0 })).toThrow("longest frame takes 0 seconds");
  });

  it("keeps a history only with the option", () => {
    expect(strictGame().history).toBeUndefined();
    const game = strictGame({ history: ({ world }) => createHistory(world) });
    const Health = component("Health", { hp: f32(100) });
    const tank = game.spawn(Health);
    game.history?.step("hurt", () => tank.set(Health, { hp: 5 }));
    game.history?.undo();
    expect(tank.get(Health).hp).toBe(100);
  });

  it("gives the same random numbers for the same seed", () => {
    const draw = (seed: number) => {
      const { random } = createGame({ seed });
      return [random(), random(), random()];
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });
});

describe("frames", () => {
  it("make the first frame 0 seconds long, survive clocks that jump back, and cut long frames", () => {
    const frames = handFrames();
    const game = strictGame({ frames, step: 0.01, maxSteps: 100, longestFrame: 0.25 });
    game.start();
    frames.frame(50_000);
    expect(game.tick).toBe(0);
    frames.frame(50_020);
    expect(game.tick).toBe(2);
    frames.frame(40_000);
    expect(game.tick).toBe(2);
    frames.frame(90_000);
    expect(game.tick).toBe(27);
    game.stop();
    expect(frames.waiting).toBe(0);
  });

  it("do not make up for the time that a tab was hidden", () => {
    const tab = new EventTarget();
    vi.stubGlobal("document", tab);
    try {
      const frames = handFrames();
      const game = strictGame({ frames, step: 0.01, maxSteps: 100, longestFrame: 10 });
      game.start();
      frames.frame(1000);
      frames.frame(1020);
      expect(game.tick).toBe(2);
      tab.dispatchEvent(new Event("visibilitychange"));
      frames.frame(6000);
      expect(game.tick).toBe(2);
      frames.frame(6010);
      expect(game.tick).toBe(3);
      game.stop();
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("drop what is more than maxSteps, so that a slow machine does not fall behind for ever", () => {
    const frames = handFrames();
    const game = strictGame({ frames, step: 0.01, maxSteps: 4 });
    game.start();
    frames.frame(0);
    frames.frame(200);
    expect(game.tick).toBe(4);
    frames.frame(210);
    expect(game.tick).toBe(5);
  });

  it("do not move while paused, can be stepped one by one, and do not catch up afterwards", () => {
    const frames = handFrames();
    const game = strictGame({ frames, step: 0.01 });
    game.start();
    frames.frame(0);
    game.pause();
    frames.frame(100);
    expect(game.tick).toBe(0);
    game.step();
    expect(game.tick).toBe(1);
    game.resume();
    frames.frame(5000);
    expect(game.tick).toBe(1);
    frames.frame(5010);
    expect(game.tick).toBe(2);
  });

  it("go as fast as the time scale says", () => {
    const game = strictGame({ frames: null, step: 0.01, maxSteps: 100 });
    game.timeScale = 0.5;
    game.advance(0.2);
    expect(game.tick).toBe(10);
    game.timeScale = 0;
    game.advance(0.2);
    expect(game.tick).toBe(10);
    expect(() => {
      game.timeScale = -1;
    }).toThrow("Cannot set the time scale to -1.");
  });

  it("draw between two steps by alpha", () => {
    const alphas: number[] = [];
    const game = strictGame({
      step: 0.1,
      renderer: () => ({ render: (alpha) => void alphas.push(alpha), dispose() {} }),
    });
    for (const seconds of [0.05, 0.05, 0.075]) game.advance(seconds);
    expect(alphas.map((alpha) => alpha.toFixed(2))).toEqual(["0.50", "0.00", "0.75"]);
  });

  it("continue after a frame that threw", () => {
    const frames = handFrames();
    const game = createGame({ frames, step: 0.01, errors: "throw" });
    game.system("fail", ({ tick }) => {
      if (tick === 0) throw new Error("once");
    });
    game.start();
    frames.frame(0);
    expect(() => frames.frame(10)).toThrow("once");
    frames.frame(20);
    expect(game.tick).toBe(2);
  });
});

describe("a stopped game", () => {
  it("refuses to run, and its world can still be read", async () => {
    const game = strictGame({ scenes: sceneFiles({ level: `{ "entities": [] }` }) });
    const tank = game.spawn(game.space.at(3, 4));
    game.stop();
    game.stop();
    expect(game.isStopped).toBe(true);
    expect(() => game.start()).toThrow("Cannot start: the game was stopped.");
    expect(() => game.step()).toThrow("Cannot make a step: the game was stopped.");
    expect(() => game.pause()).toThrow("game/stopped");
    await expect(game.load("level")).rejects.toThrow("Cannot load level: the game was stopped.");
    expect(game.getWorldPosition(tank)).toEqual({ x: 3, y: 4 });
  });

  it("runs nothing any more of the step in which it was stopped", () => {
    const stops: ((game: Game) => void)[] = [
      (game) => void game.listenFor(Tick, () => game.stop()),
      (game) => void game.timers.later(0, () => game.stop()),
      (game) => void game.system({ name: "stop", phase: "early", run: () => game.stop() }),
    ];
    for (const stopIn of stops) {
      const after: string[] = [];
      const say = (what: string) => () => {
        if (game.isStopped) after.push(what);
      };
      const game = strictGame({ physics: () => ({ step: say("physics"), dispose() {} }) });
      stopIn(game);
      game.listenFor(Tick, say("tick"));
      game.system({ name: "next", phase: "early", run: say("next") });
      game.system("update", say("update"));
      game.step(3);
      expect(game.isStopped).toBe(true);
      expect(after).toEqual([]);
    }
  });

  it("may be stopped by one of its systems", () => {
    let physics = 0;
    const game = strictGame({ physics: () => ({ step: () => void physics++, dispose() {} }) });
    game.system("end", () => game.stop());
    game.step(5);
    expect([game.tick, physics]).toEqual([1, 0]);
  });
});

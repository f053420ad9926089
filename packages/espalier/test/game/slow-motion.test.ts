/** Games on a machine that is made up: steps and frames take as long as the test says. */
import { createGame, type FrameSource } from "espalier/game";
import { describe, expect, it } from "vitest";

const VSYNC = 1000 / 60;

interface Machine {
  /** Milliseconds that the step with that number takes. */
  readonly step: (tick: number) => number;
  /** Milliseconds that drawing takes. */
  readonly draw: number;
  readonly options?: Parameters<typeof createGame>[0];
}

/** Runs for that many seconds. Gives how many steps each frame made. */
function run({ step, draw, options }: Machine, seconds: number) {
  let time = 0;
  let next: ((milliseconds: number) => void) | undefined;
  const frames: FrameSource = {
    request: (frame) => {
      next = frame;
      return 1;
    },
    cancel: () => {
      next = undefined;
    },
    now: () => time,
  };
  const warnings: string[] = [];
  const game = createGame({ frames, onWarn: (message) => warnings.push(message), ...options });
  game.system("work", ({ tick }) => {
    time += step(tick);
  });
  game.start();
  const steps: number[] = [];
  while (time < seconds * 1000) {
    const before = game.tick;
    next?.(time);
    steps.push(game.tick - before);
    // Drawn, and shown with the next picture of the screen.
    time = Math.ceil((time + draw) / VSYNC + 1e-9) * VSYNC;
  }
  return { game, steps, warnings, framesPerSecond: steps.length / seconds };
}

describe("a game whose steps take longer than the time they simulate", () => {
  it.each([
    [20, 20],
    [60, 10],
    [150, 4],
  ])("continues in slow motion with steps of %d ms, at %d frames a second or more", (cost, least) => {
    const { steps, framesPerSecond } = run({ step: () => cost, draw: 2 }, 10);
    expect(framesPerSecond).toBeGreaterThanOrEqual(least);
    // At first it is not known how long they take.
    expect(steps.slice(10).every((made) => made === 1)).toBe(true);
  });

  it("warns once when that lasts, in development", () => {
    const cost = (tick: number) => (tick % 200 < 100 ? 60 : 1);
    const { warnings } = run({ step: cost, draw: 2 }, 30);
    expect(warnings).toEqual([
      "The game runs in slow motion: a step takes 60.0 ms and stands for 16.7 ms. Find what takes long with game.schedule.timing, or make steps longer with createGame({ step }).",
    ]);
    const production = run({ step: cost, draw: 2, options: { world: { checks: false } } }, 30);
    expect(production.warnings).toEqual([]);
  });

  it("gets back to real time when they are fast again", () => {
    const { game, steps } = run({ step: (tick) => (tick < 50 ? 40 : 1), draw: 2 }, 10);
    const fast = steps.slice(steps.length - 60).reduce((sum, made) => sum + made, 0);
    expect(fast).toBe(60);
    expect(game.time).toBeLessThan(9.5);
  });

  it("makes as many as fit into a frame where several do", () => {
    const { steps } = run({ step: () => 10, draw: 2, options: { step: 0.005 } }, 5);
    expect(new Set(steps.slice(10))).toEqual(new Set([3]));
  });
});

describe("a game that keeps up", () => {
  it("catches up with a single hiccup, without a warning", () => {
    const { game, steps, warnings } = run({ step: (tick) => (tick === 100 ? 100 : 2), draw: 2 }, 5);
    expect(game.time).toBeGreaterThan(4.95);
    expect([Math.max(...steps), warnings]).toEqual([7, []]);
  });

  it("makes all steps that are due where drawing is slow", () => {
    const { game, warnings } = run({ step: () => 10, draw: 40 }, 5);
    expect(game.time).toBeGreaterThan(4.8);
    expect(warnings).toEqual([]);
  });
});

describe("a game whose clock is broken", () => {
  it.each([Number.NaN, -1])("makes all steps that are due when a step takes %d ms by it", (cost) => {
    let next: ((milliseconds: number) => void) | undefined;
    let time = 0;
    const request = (frame: typeof next) => {
      next = frame;
      return 1;
    };
    const game = createGame({ frames: { request, cancel: () => undefined, now: () => time }, step: 0.1 });
    game.system("work", () => {
      time += cost;
    });
    game.start();
    for (let k = 0; k <= 10; k++) next?.(k * 200);
    expect(game.tick).toBe(20);
  });
});

describe("advance", () => {
  it("makes all steps that are due, however long they take and whatever the longest frame is", () => {
    let time = 0;
    const frames: FrameSource = { request: () => 1, cancel: () => undefined, now: () => time };
    const game = createGame({ frames, step: 0.1, maxSteps: 100, longestFrame: 0.25 });
    game.system("work", () => {
      time += 5000;
    });
    for (let k = 0; k < 10; k++) game.advance(1);
    expect(game.tick).toBe(100);
  });
});

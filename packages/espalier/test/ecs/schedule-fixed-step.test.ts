import { createSchedule, createWorld, type ScheduleOptions, type SystemContext } from "espalier";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const physics = (fixedStep: number, maxSteps?: number): ScheduleOptions => ({
  phases: [
    "early",
    maxSteps === undefined ? { name: "physics", fixedStep } : { name: "physics", fixedStep, maxSteps },
    "late",
  ],
});

describe("a fixed phase", () => {
  it("runs its systems in turn as often as the step fits, and keeps the rest of the time", () => {
    const world = createWorld();
    const schedule = createSchedule(world, physics(0.1));
    const log: string[] = [];
    const note = (name: string) => (context: SystemContext) =>
      void log.push(`${name} ${context.tick} ${context.time.toFixed(1)} ${context.dt}`);
    schedule.add({ name: "a", phase: "physics", run: note("a") });
    schedule.add({ name: "b", phase: "physics", run: note("b") });
    schedule.add({
      name: "draw",
      phase: "late",
      run: ({ dt, alpha, tick }) => void log.push(`draw ${tick} ${dt} ${alpha.toFixed(2)}`),
    });
    schedule.run(0.25);
    expect(log.splice(0)).toEqual([
      "a 0 0.0 0.1",
      "b 0 0.0 0.1",
      "a 1 0.1 0.1",
      "b 1 0.1 0.1",
      "draw 0 0.25 0.50",
    ]);
    schedule.run(0.04);
    expect(log.splice(0)).toEqual(["draw 1 0.04 0.90"]);
    schedule.run(0.01);
    expect(log.splice(0)).toEqual(["a 2 0.2 0.1", "b 2 0.2 0.1", "draw 2 0.01 0.00"]);
  });

  it("flushes after each step", () => {
    const world = createWorld();
    const schedule = createSchedule(world, physics(1));
    const seen: number[] = [];
    schedule.add({
      name: "grow",
      phase: "physics",
      run: ({ commands }) => {
        seen.push(world.count);
        commands.spawn();
      },
    });
    expect(schedule.run(3).applied).toBe(3);
    expect(seen).toEqual([0, 1, 2]);
  });

  it("drops the surplus of a very long frame and reports it", () => {
    const schedule = createSchedule(createWorld(), physics(0.5, 3));
    let steps = 0;
    schedule.add({ name: "step", phase: "physics", run: () => void steps++ });
    schedule.run(10.25);
    expect(steps).toBe(3);
    expect(schedule.fixedStepOf("physics")).toEqual({
      step: 0.5,
      steps: 3,
      tick: 3,
      alpha: 0.5,
      dropped: 17,
    });
    schedule.run(0.25);
    expect(steps).toBe(4);
    expect(schedule.fixedStepOf("physics")).toEqual({ step: 0.5, steps: 1, tick: 4, alpha: 0, dropped: 17 });
  });

  it("catches up at most 8 steps by default", () => {
    const schedule = createSchedule(createWorld(), physics(1));
    schedule.run(100);
    expect(schedule.fixedStepOf("physics")).toMatchObject({ steps: 8, dropped: 92 });
  });

  it("does not lose a step to rounding", () => {
    const schedule = createSchedule(createWorld(), physics(0.1));
    let steps = 0;
    schedule.add({ name: "step", phase: "physics", run: () => void steps++ });
    for (let k = 0; k < 10; k++) schedule.run(0.3);
    expect(steps).toBe(30);
  });

  it("keeps time when a step throws", () => {
    const schedule = createSchedule(createWorld(), physics(1));
    const seen: number[] = [];
    schedule.add({
      name: "step",
      phase: "physics",
      run: ({ tick }) => {
        seen.push(tick);
        if (tick === 1) throw new Error("no");
      },
    });
    schedule.add({ name: "draw", phase: "late", run: ({ dt, time }) => void seen.push(dt, time) });
    schedule.run(1);
    expect(() => schedule.run(1)).toThrow("System step of phase physics threw: no");
    schedule.run(1);
    expect(seen).toEqual([0, 1, 0, 1, 2, 1, 2]);
  });
});

describe("a system with a fixed step", () => {
  it("keeps its own time, which stops while it is disabled", () => {
    const schedule = createSchedule(createWorld());
    const log: string[] = [];
    schedule.add({ name: "before", run: ({ dt }) => void log.push(`before ${dt}`) });
    schedule.add({
      name: "think",
      fixedStep: { step: 0.5, maxSteps: 2 },
      runIf: ({ tick }) => tick !== 1,
      run: ({ dt, tick }) => void log.push(`think ${tick} ${dt}`),
    });
    schedule.add({ name: "after", run: ({ dt, alpha }) => void log.push(`after ${dt} ${alpha}`) });
    schedule.run(0.75);
    expect(log.splice(0)).toEqual(["before 0.75", "think 0 0.5", "after 0.75 0.5"]);
    schedule.disable("think");
    schedule.run(10);
    expect(log.splice(0)).toEqual(["before 10", "after 10 0.5"]);
    schedule.enable("think");
    schedule.run(1);
    expect(log.splice(0)).toEqual(["before 1", "think 2 0.5", "after 1 0.5"]);
    expect(schedule.fixedStepOf("think")).toEqual({ step: 0.5, steps: 2, tick: 3, alpha: 0.5, dropped: 0 });
  });

  it("takes a plain number of seconds", () => {
    const schedule = createSchedule(createWorld());
    let steps = 0;
    schedule.add({ name: "think", fixedStep: 2, run: () => void steps++ });
    schedule.run(5);
    expect(steps).toBe(2);
  });
});

describe("fixed steps and the time given", () => {
  it("add up, whatever the frames", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 40 }),
        (step, frames) => {
          // In milliseconds, so that the slow twin can count in integers.
          const schedule = createSchedule(createWorld(), physics(step / 1000, 1000));
          let ran = 0;
          schedule.add({ name: "step", phase: "physics", run: () => void ran++ });
          let given = 0;
          for (const frame of frames) {
            schedule.run(frame / 1000);
            given += frame;
            expect(ran).toBe(Math.floor(given / step));
            const { alpha } = schedule.fixedStepOf("physics");
            expect(alpha).toBeCloseTo((given % step) / step, 4);
            expect(alpha).toBeGreaterThanOrEqual(0);
          }
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });
});

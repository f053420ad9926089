import {
  component,
  createCommands,
  createSchedule,
  createWorld,
  DisposedWorldError,
  type Entity,
  f32,
  type ScheduleOptions,
  type SystemContext,
  SystemError,
  tag,
} from "espalier";
import { describe, expect, it, vi } from "vitest";

const Position = component("Position", { x: f32() });
const Frozen = tag("Frozen");

/** A schedule whose systems write their names down. */
function scheduled(options: ScheduleOptions = {}) {
  const errors: Error[] = [];
  const world = createWorld({ onError: (error) => errors.push(error) });
  const schedule = createSchedule(world, options);
  const log: string[] = [];
  const note = (name: string) => () => void log.push(name);
  return { world, schedule, log, note, errors };
}

describe("a schedule", () => {
  it("runs phases in order, and systems as they were added", () => {
    const { schedule, log, note } = scheduled();
    schedule.add({ name: "draw", phase: "late", run: note("draw") });
    schedule.add({ name: "b", run: note("b") });
    schedule.add({ name: "a", run: note("a") });
    schedule.add({ name: "input", phase: "early", run: note("input") });
    schedule.run(0.1);
    expect(log).toEqual(["input", "b", "a", "draw"]);
  });

  it("runs only some systems outside of its time, in their order, and applies what they record", () => {
    const { world, schedule, log, errors } = scheduled({
      phases: ["early", { name: "fixed", fixedStep: 1 }],
    });
    const note = ({ dt, time, tick }: SystemContext) => `${dt} ${time} ${tick} ${world.count}`;
    for (const name of ["b", "a", "c"]) {
      schedule.add({
        name,
        phase: "fixed",
        ...(name === "c" && { fixedStep: 1, before: "b" }),
        run: (context) => {
          log.push(`${name}: ${note(context)}`);
          context.commands.spawn();
        },
      });
    }
    schedule.run(1.5);
    expect(log).toEqual(["a: 1 0 0 0", "c: 1 0 0 0", "b: 1 0 0 0"]);
    log.length = 0;
    expect(schedule.runOnly(["b", "c", "gone"], 0.25).applied).toBe(2);
    expect(log).toEqual(["c: 0.25 1.5 1 3", "b: 0.25 1.5 1 3"]);
    schedule.disable("b");
    schedule.runOnly(["b"], 9);
    expect([world.count, schedule.fixedStepOf("fixed").tick, schedule.fixedStepOf("c").tick]).toEqual([
      5, 1, 1,
    ]);
    log.length = 0;
    schedule.run(0.5);
    expect([log, errors]).toEqual([["a: 1 1 1 5", "c: 1 1 1 5"], []]);
    expect(() => schedule.runOnly("b" as never, 1)).toThrow("ecs/invalid-argument");
    expect(() => schedule.runOnly(["b"], -1)).toThrow("ecs/invalid-value");
  });

  it("gives systems the world, the time and a command buffer", () => {
    const { world, schedule } = scheduled();
    const seen: Partial<SystemContext>[] = [];
    schedule.add({ name: "look", run: ({ commands, ...rest }) => void seen.push(rest) });
    schedule.run(0.25);
    schedule.run(0.5);
    schedule.run(0);
    expect(seen).toEqual([
      { world, dt: 0.25, time: 0, tick: 0, alpha: 0 },
      { world, dt: 0.5, time: 0.25, tick: 1, alpha: 0 },
      { world, dt: 0, time: 0.75, tick: 2, alpha: 0 },
    ]);
  });

  it("flushes all buffers after each phase and after systems that ask for it", () => {
    const { world, schedule, log } = scheduled();
    const own = createCommands(world);
    const count = (when: string) => () => void log.push(`${when} ${world.count}`);
    let made: Entity | undefined;
    schedule.add({
      name: "make",
      phase: "early",
      run: ({ commands }) => {
        made = commands.spawn(Frozen);
        own.spawn(Frozen);
      },
    });
    schedule.add({ name: "look early", phase: "early", run: count("early") });
    schedule.add({ name: "more", flush: true, run: ({ commands }) => void commands.spawn(Position) });
    schedule.add({ name: "look", run: count("update") });
    schedule.add({ name: "end", phase: "late", run: ({ commands }) => commands.destroy(made as Entity) });
    expect(schedule.run(0)).toMatchObject({ applied: 4, skipped: [], refused: [] });
    expect(log).toEqual(["early 0", "update 3"]);
    expect(world.count).toBe(2);
  });

  it("returns what became of the commands of all its flushes", () => {
    const { world, schedule, errors } = scheduled();
    const e = world.spawn();
    schedule.add({
      name: "kill",
      phase: "early",
      run: ({ commands }) => {
        commands.destroy(e);
        commands.add(e, Frozen);
      },
    });
    schedule.add({ name: "set", run: ({ commands }) => commands.set(commands.spawn(), Position, { x: 1 }) });
    const result = schedule.run(0);
    expect(result.applied).toBe(2);
    expect(result.skipped).toMatchObject([{ label: "add Frozen", entity: e, reason: "was destroyed" }]);
    expect(result.refused).toMatchObject([{ label: "set Position" }]);
    expect(errors).toHaveLength(1);
  });

  it("evaluates conditions before each run, with the same context", () => {
    const { schedule, log, note } = scheduled();
    const even = vi.fn(({ tick }: SystemContext) => tick % 2 === 0);
    schedule.add({ name: "even", runIf: even, run: note("even") });
    schedule.add({ name: "both", runIf: [even, ({ tick }) => tick > 0], run: note("both") });
    for (let k = 0; k < 4; k++) schedule.run(0);
    expect(log).toEqual(["even", "even", "both"]);
    expect(even).toHaveBeenCalledTimes(8);
  });

  it("enables, disables, removes and adds systems, also during a run", () => {
    const { schedule, log, note } = scheduled();
    schedule.add({ name: "a", run: note("a") });
    schedule.add({ name: "b", after: "a", run: note("b") });
    schedule.add({ name: "c", enabled: false, run: note("c") });
    schedule.run(0);
    expect(log.splice(0)).toEqual(["a", "b"]);
    schedule.enable("c");
    schedule.disable("a");
    schedule.run(0);
    expect(log.splice(0)).toEqual(["b", "c"]);
    expect(schedule.list()).toEqual([
      { name: "a", phase: "update", set: undefined, onDemand: false, enabled: false, before: [], after: [] },
      {
        name: "b",
        phase: "update",
        set: undefined,
        onDemand: false,
        enabled: true,
        before: [],
        after: ["a"],
      },
      { name: "c", phase: "update", set: undefined, onDemand: false, enabled: true, before: [], after: [] },
    ]);

    let hasChanged = false;
    schedule.add({
      name: "changer",
      before: "b",
      run: () => {
        log.push("changed");
        if (hasChanged) return;
        hasChanged = true;
        schedule.remove("b");
        schedule.add({ name: "late comer", run: note("late comer") });
      },
    });
    schedule.run(0);
    expect(log.splice(0)).toEqual(["c", "changed"]);
    // "changer" still refers to the removed system, which is not an error.
    schedule.run(0);
    expect(log).toEqual(["c", "changed", "late comer"]);
  });

  it("reports itself when it is disposed", () => {
    const { world, schedule, log, note } = scheduled();
    schedule.add({ name: "end", run: () => world.dispose() });
    schedule.add({ name: "never", run: note("never") });
    schedule.add({ name: "never later", phase: "late", run: note("never later") });
    schedule.run(0);
    expect(log).toEqual([]);
    expect(() => schedule.run(0)).toThrow(DisposedWorldError);
    expect(() => createSchedule(world)).toThrow(DisposedWorldError);
  });

  it("gives its buffer back when it is closed", () => {
    const { world, schedule } = scheduled();
    let reserved: Entity | undefined;
    schedule.add({
      name: "spawn",
      run: ({ commands }) => {
        reserved = commands.spawn();
        commands.discard();
      },
    });
    schedule.run(0);
    schedule.close();
    expect(world.isAlive(reserved as Entity)).toBe(false);
    expect(() => schedule.run(0)).toThrow("Cannot use command buffer schedule: it was closed.");
  });
});

describe("a system that throws", () => {
  it("ends the run with its name, and the schedule can be run again", () => {
    const { world, schedule, log, note } = scheduled();
    let broken = true;
    schedule.add({ name: "before", run: ({ commands }) => void commands.spawn() });
    schedule.add({
      name: "fragile",
      run: () => {
        world.query(Position).update(() => {
          if (broken) throw new RangeError("too far");
        });
      },
    });
    schedule.add({ name: "after", run: note("after") });
    world.spawn(Position);
    expect(() => schedule.run(0.5)).toThrow("System fragile of phase update threw: too far [ecs/system]");
    let thrown: unknown;
    try {
      schedule.run(0.5);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(SystemError);
    expect(thrown).toMatchObject({ system: "fragile", phase: "update", code: "ecs/system" });
    expect((thrown as SystemError).cause).toBeInstanceOf(RangeError);
    // What the systems before it recorded is not lost, and time went on.
    expect(world.count).toBe(3);
    expect(log).toEqual([]);
    broken = false;
    schedule.add({ name: "clock", run: ({ time, tick }) => void log.push(`${time} ${tick}`) });
    schedule.run(0);
    expect(log).toEqual(["after", "1 2"]);
  });

  it("is reported and skipped if the schedule is configured so", () => {
    const { schedule, log, note, errors } = scheduled({ errors: "report" });
    schedule.add({
      name: "bad",
      run: () => {
        throw "nonsense";
      },
    });
    schedule.add({
      name: "bad condition",
      runIf: () => {
        throw new Error("who knows");
      },
      run: note("never"),
    });
    schedule.add({ name: "good", run: note("good") });
    schedule.run(0);
    expect(log).toEqual(["good"]);
    expect(errors.map((error) => error.message)).toEqual([
      "System bad of phase update threw: nonsense [ecs/system]",
      "System bad condition of phase update threw: who knows [ecs/system]",
    ]);
  });

  it("may be asynchronous", () => {
    const { schedule } = scheduled();
    schedule.add({ name: "lazy", run: async () => {} });
    expect(() => schedule.run(0)).toThrow(
      "System lazy of phase update threw: it returned a promise, but a system must be done when it returns.",
    );
  });
});

describe("the running system", () => {
  it("is named while it runs, and no longer after one that throws", () => {
    const schedule = createSchedule(createWorld({ onError: () => {} }), { errors: "report" });
    const seen: (string | undefined)[] = [];
    schedule.add({ name: "first", run: () => void seen.push(schedule.running) });
    schedule.add({
      name: "second",
      after: "first",
      run: () => {
        seen.push(schedule.running);
        throw new Error("no");
      },
    });
    expect(schedule.running).toBeUndefined();
    schedule.run(0);
    expect([seen, schedule.running]).toEqual([["first", "second"], undefined]);
  });
});

describe("timings", () => {
  it("measure calls with the given clock, only while turned on", () => {
    let time = 0;
    const now = vi.fn(() => time);
    const { schedule } = scheduled({ now });
    const durations = [2, 4, 9];
    schedule.add({ name: "slow", run: () => void (time += durations.shift() ?? 0) });
    schedule.add({ name: "never", phase: "late", runIf: () => false, run: () => {} });
    schedule.run(0);
    expect(now).not.toHaveBeenCalled();
    expect(schedule.timing).toBe(false);
    schedule.timing = true;
    schedule.run(0);
    schedule.run(0);
    expect(schedule.timings()).toEqual([
      { name: "slow", phase: "update", last: 9, average: 6.5, calls: 2 },
      { name: "never", phase: "late", last: 0, average: 0, calls: 0 },
    ]);
    schedule.timing = false;
    schedule.run(0);
    expect(schedule.timings()[0]).toMatchObject({ calls: 2, last: 9 });
    schedule.timing = true;
    expect(schedule.timings()[0]).toMatchObject({ calls: 0, last: 0 });
  });

  it("use the clock of the environment by default", () => {
    const { schedule } = scheduled({ timing: true });
    schedule.add({ name: "a", run: () => {} });
    schedule.run(0);
    expect(schedule.timings()).toMatchObject([{ name: "a", calls: 1 }]);
    expect(schedule.timings()[0]?.last).toBeGreaterThanOrEqual(0);
  });
});

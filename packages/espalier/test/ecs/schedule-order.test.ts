import {
  AmbiguousOrderError,
  component,
  createSchedule,
  createWorld,
  f32,
  resource,
  ScheduleCycleError,
  ScheduleError,
  type ScheduleOptions,
  type SystemOptions,
} from "espalier";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32() });
const Velocity = component("Velocity", { x: f32() });
const Score = resource("Score", () => 0);

type Given = Omit<SystemOptions, "run">;

function scheduleOf(systems: readonly Given[], options: ScheduleOptions = {}) {
  const errors: Error[] = [];
  const schedule = createSchedule(createWorld({ onError: (error) => errors.push(error) }), options);
  const log: string[] = [];
  const add = (system: Given) => schedule.add({ ...system, run: () => void log.push(system.name) });
  for (const system of systems) add(system);
  const run = () => {
    log.length = 0;
    schedule.run(0);
    return log.join(" ");
  };
  return { schedule, errors, run, add };
}

describe("the order of systems", () => {
  it("obeys before and after, and otherwise the order of adding", () => {
    const { run, schedule } = scheduleOf([
      { name: "d", after: ["a", "c"] },
      { name: "c" },
      { name: "b", before: "c" },
      { name: "a", after: "c" },
      { name: "e" },
    ]);
    expect(run()).toBe("b c a d e");
    expect(schedule.list().map(({ name }) => name)).toEqual(["b", "c", "a", "d", "e"]);
  });

  it("may refer to systems of other phases, which are in order already", () => {
    const { run } = scheduleOf([
      { name: "draw", phase: "late", after: "move" },
      { name: "move", before: "draw", after: "input" },
      { name: "input", phase: "early" },
    ]);
    expect(run()).toBe("input move draw");
  });

  it("may refer to systems that are added later", () => {
    const { run, add } = scheduleOf([{ name: "a", after: "b" }]);
    expect(run).toThrow(ScheduleError);
    add({ name: "b" });
    expect(run()).toBe("b a");
  });

  it("still runs when a system that others refer to is removed, and uses it again when it is back", () => {
    const { run, schedule, add } = scheduleOf([{ name: "a", after: "b" }, { name: "b" }]);
    schedule.remove("b");
    expect(run()).toBe("a");
    add({ name: "b" });
    expect(run()).toBe("b a");
  });

  it("cannot contradict the phases", () => {
    const late = scheduleOf([{ name: "draw", phase: "late", before: "move" }, { name: "move" }]);
    expect(() => late.schedule.build()).toThrow(
      "Cannot run draw before move: phase late comes after phase update. Move one of them to the other's phase, or drop the before.",
    );
    const early = scheduleOf([{ name: "input", phase: "early", after: "move" }, { name: "move" }]);
    expect(() => early.schedule.build()).toThrow(
      "Cannot run input after move: phase early comes before phase update.",
    );
  });

  it.each([
    [
      { name: "move", after: "inptu" },
      'it lists "inptu" under after, and there is no such system or set. Did you mean "input"?',
    ],
    [
      { name: "move", before: "Inpt" },
      'it lists "Inpt" under before, and there is no such system or set. Did you mean "input"?',
    ],
    [
      { name: "move", ambiguousWith: "xyz" },
      'it lists "xyz" under ambiguousWith, and there is no such system or set. There is input, move.',
    ],
    [{ name: "move", after: "late" }, "late is a phase; name a system or a set."],
  ])("names the nearest system for an unknown one: %j", (system, message) => {
    const { schedule } = scheduleOf([{ name: "input" }, system]);
    expect(() => schedule.build()).toThrow(ScheduleError);
    expect(() => schedule.build()).toThrow(`Cannot order system move: it lists`);
    expect(() => schedule.build()).toThrow(message);
  });

  it("shortens a long list of names", () => {
    const { schedule } = scheduleOf([
      ...Array.from({ length: 12 }, (_, k) => ({ name: `system ${k}` })),
      { name: "z", after: "?" },
    ]);
    expect(() => schedule.build()).toThrow("system 8, system 9, ….");
  });
});

describe("a cycle", () => {
  it("is refused, naming all systems in it", () => {
    const { run, schedule } = scheduleOf([
      { name: "outside", after: "b" },
      { name: "a", before: "b" },
      { name: "b", before: "c" },
      { name: "c", before: "a" },
      { name: "free" },
    ]);
    expect(run).toThrow(ScheduleCycleError);
    expect(run).toThrow(
      "Cannot order the systems of phase update: a → b → c → a go round in a circle, each before the next. Drop one of their before or after. [ecs/schedule-cycle]",
    );
    try {
      schedule.build();
    } catch (error) {
      expect((error as ScheduleCycleError).systems).toEqual(["a", "b", "c"]);
    }
    // Nothing has run, and what is repaired works.
    schedule.remove("c");
    expect(run()).toBe("a b outside free");
  });

  it("may be a system alone", () => {
    const { run } = scheduleOf([{ name: "a", after: "a" }]);
    expect(run).toThrow("Cannot order the systems of phase update: a → a go round in a circle");
  });
});

describe("an ambiguous order", () => {
  const systems: Given[] = [
    { name: "move", reads: [Velocity], writes: [Position] },
    { name: "push", reads: [Velocity], writes: [Position, Velocity] },
    { name: "count", reads: [Position], writes: [Score] },
    { name: "read", reads: [Position, Velocity] },
    { name: "late", phase: "late", writes: [Position] },
    { name: "silent" },
  ];
  const message =
    "The order of some systems is left to chance: move and push of phase update touch Position, Velocity; move and count of phase update touch Position; push and count of phase update touch Position; move and read of phase update touch Position; push and read of phase update touch Position, Velocity. Say which comes first with before or after, or that it does not matter with ambiguousWith. [ecs/ambiguous-order]";

  it("is reported once per pair and does not prevent systems from running", () => {
    const { run, errors, add } = scheduleOf(systems);
    expect(run()).toBe("move push count read silent late");
    run();
    expect(errors.map((error) => error.message)).toEqual([message]);
    add({ name: "score", reads: [Score] });
    run();
    expect(errors).toHaveLength(2);
    expect(errors[1]).toBeInstanceOf(AmbiguousOrderError);
    expect((errors[1] as AmbiguousOrderError).pairs).toEqual([["count", "score"]]);
  });

  it("is refused if the schedule is configured so", () => {
    const { run, schedule } = scheduleOf(systems, { ambiguity: "error" });
    expect(run).toThrow(AmbiguousOrderError);
    expect(() => schedule.build()).toThrow(message);
  });

  it("is ignored if the schedule is configured so", () => {
    const { run, errors } = scheduleOf(systems, { ambiguity: "allow" });
    expect(run()).toBe("move push count read silent late");
    expect(errors).toEqual([]);
  });

  it("does not exist when one runs after the other, both only read, or they are marked", () => {
    const { run } = scheduleOf(
      [
        { name: "a", writes: [Position], before: "middle" },
        { name: "middle" },
        { name: "b", writes: [Position], after: "middle" },
        { name: "r1", reads: [Position], after: "b" },
        { name: "r2", reads: [Position], after: "b" },
        { name: "w", writes: [Position], ambiguousWith: ["r1", "r2"], after: "b" },
      ],
      { ambiguity: "error" },
    );
    expect(run()).toBe("a middle b r1 r2 w");
  });
});

describe("the order and a naive check", () => {
  it("agree for random constraints", () => {
    const count = 9;
    const pair = fc.tuple(fc.nat(count - 1), fc.nat(count - 1), fc.boolean());
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 14 }), (pairs) => {
        const name = (k: number) => `s${k}`;
        const systems = Array.from({ length: count }, (_, k) => ({
          name: name(k),
          before: pairs.filter(([a, , before]) => a === k && before).map(([, b]) => name(b)),
          after: pairs.filter(([, b, before]) => b === k && !before).map(([a]) => name(a)),
        }));
        const mustPrecede = pairs.map(([a, b]) => [name(a), name(b)] as const);
        // Slow twin for cycles: follow the pairs from every system to every other.
        const reach = (from: string, seen = new Set<string>()): Set<string> => {
          for (const [a, b] of mustPrecede) {
            if (a !== from || seen.has(b)) continue;
            seen.add(b);
            reach(b, seen);
          }
          return seen;
        };
        const isCyclic = systems.some((system) => reach(system.name).has(system.name));
        const { schedule } = scheduleOf(systems);
        if (isCyclic) {
          let thrown: unknown;
          try {
            schedule.build();
          } catch (error) {
            thrown = error;
          }
          expect(thrown).toBeInstanceOf(ScheduleCycleError);
          const { systems: cycle } = thrown as ScheduleCycleError;
          cycle.forEach((a, k) => {
            const b = cycle[(k + 1) % cycle.length];
            expect(mustPrecede.some(([x, y]) => x === a && y === b)).toBe(true);
          });
          return;
        }
        const order = schedule.list().map((system) => system.name);
        expect([...order].sort()).toEqual(systems.map((system) => system.name));
        for (const [a, b] of mustPrecede) expect(order.indexOf(a)).toBeLessThan(order.indexOf(b));
        // Ties: each system comes directly when its turn could be, unless one added earlier could come too.
        order.forEach((late, position) => {
          for (const early of order.slice(0, position)) {
            if (Number(late.slice(1)) > Number(early.slice(1))) continue;
            const blocked = mustPrecede.some(
              ([a, b]) => b === late && order.indexOf(a) >= order.indexOf(early),
            );
            expect(blocked).toBe(true);
          }
        });
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});

import {
  allOf,
  anyOf,
  createSchedule,
  createWorld,
  noneOf,
  type RunCondition,
  resource,
  resourceIs,
  type Schedule,
  ScheduleCycleError,
  ScheduleError,
  type ScheduleOptions,
  SystemError,
  type SystemOptions,
} from "espalier";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

type Given = Omit<SystemOptions, "run">;

/** A schedule whose systems write their names down. */
function scheduled(options: ScheduleOptions = {}) {
  const errors: Error[] = [];
  const world = createWorld({ onError: (error) => errors.push(error) });
  const schedule = createSchedule(world, options);
  const log: string[] = [];
  const add = (...systems: readonly Given[]) => {
    for (const system of systems) schedule.add({ ...system, run: () => void log.push(system.name) });
  };
  const run = (dt = 0) => {
    log.length = 0;
    schedule.run(dt);
    return log.join(" ");
  };
  return { world, schedule, add, run, errors, log };
}

describe("sets of systems", () => {
  it("are ordered as one, with the sets inside them", () => {
    const { schedule, add, run } = scheduled();
    schedule.addSet({ name: "combat", after: "moving" });
    schedule.addSet({ name: "aiming", set: "combat" });
    schedule.addSet("moving");
    add({ name: "hit", set: "combat" }, { name: "aim", set: "aiming", before: "hit" });
    add(
      { name: "steer", set: "moving" },
      { name: "drive", set: "moving" },
      { name: "score", after: "combat" },
    );
    expect(run()).toBe("steer drive aim hit score");
  });

  it("may be referred to and joined before they are added", () => {
    const { schedule, add, run } = scheduled();
    add({ name: "draw", before: "combat" }, { name: "hit", set: "combat" });
    expect(() => schedule.build()).toThrow(
      'Cannot order system hit: it is in the set "combat", and there is no such set. There is none yet. Add it with addSet().',
    );
    schedule.addSet("combat");
    expect(run()).toBe("draw hit");
  });

  it("are switched as one, and keep the switches of their systems", () => {
    const { schedule, add, run } = scheduled();
    schedule.addSet("combat");
    schedule.addSet({ name: "aiming", set: "combat", enabled: false });
    add(
      { name: "hit", set: "combat" },
      { name: "aim", set: "aiming" },
      { name: "off", set: "combat", enabled: false },
    );
    expect(run()).toBe("hit");
    schedule.enable("aiming");
    expect(run()).toBe("hit aim");
    schedule.disable("combat");
    expect(run()).toBe("");
    schedule.enable("combat");
    expect(run()).toBe("hit aim");
  });

  it("stop the time of fixed steps while they are disabled", () => {
    const { schedule, add, run } = scheduled();
    schedule.addSet("physics");
    add({ name: "fall", set: "physics", fixedStep: 1 });
    schedule.disable("physics");
    expect(run(5)).toBe("");
    schedule.enable("physics");
    expect(run(1)).toBe("fall");
  });

  it("evaluate their conditions once in each pass through a phase", () => {
    let asked = 0;
    const { schedule, add, run } = scheduled({ phases: [{ name: "update", fixedStep: 1 }] });
    schedule.addSet({ name: "outer", runIf: () => ++asked % 2 === 1 });
    schedule.addSet({ name: "inner", set: "outer", runIf: ({ tick }) => tick < 1 });
    add({ name: "a", set: "outer" }, { name: "b", set: "inner" }, { name: "c", set: "outer" });
    expect(run(3)).toBe("a b c a c");
    expect(asked).toBe(3);
  });

  it("report a condition that throws once, and skip their systems", () => {
    const { schedule, add, run, errors } = scheduled({ errors: "report" });
    const runIf = () => {
      throw new Error("no answer");
    };
    schedule.addSet({ name: "broken", runIf });
    add({ name: "a", set: "broken" }, { name: "b", set: "broken" }, { name: "c" });
    expect(run()).toBe("c");
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(SystemError);
    expect(errors[0]?.message).toContain("no answer");
  });

  it("are listed with their systems and how long these took", () => {
    let clock = 0;
    const schedule = createSchedule(createWorld(), { timing: true, now: () => clock });
    const wait = (time: number) => () => void (clock += time);
    schedule.addSet("combat");
    schedule.addSet({ name: "aiming", set: "combat", enabled: false });
    schedule.add({ name: "hit", set: "combat", run: wait(3) });
    schedule.add({ name: "aim", set: "aiming", before: "hit", run: wait(4) });
    schedule.enable("aiming");
    schedule.run(0);
    expect(schedule.sets()).toEqual([
      { name: "combat", set: undefined, enabled: true, systems: ["aim", "hit"], last: 7 },
      { name: "aiming", set: "combat", enabled: true, systems: ["aim"], last: 4 },
    ]);
    expect(schedule.list().map(({ name, set }) => [name, set])).toEqual([
      ["aim", "aiming"],
      ["hit", "combat"],
    ]);
  });

  it("run by name outside of the time of the schedule", () => {
    const { schedule, add, log } = scheduled();
    schedule.addSet("menu");
    add({ name: "draw menu", set: "menu" }, { name: "move" });
    schedule.runOnly(["menu"], 0);
    expect(log).toEqual(["draw menu"]);
  });

  it("may span phases, where the phases already say the order", () => {
    const { schedule, add, run } = scheduled();
    schedule.addSet({ name: "first", before: "second" });
    schedule.addSet("second");
    add({ name: "c", phase: "update", set: "second" }, { name: "d", phase: "late", set: "second" });
    add({ name: "a", phase: "early", set: "first" }, { name: "b", phase: "update", set: "first" });
    expect(run()).toBe("a b c d");
  });

  it("count for systems whose order does not matter", () => {
    const Score = resource("Score", () => 0);
    const { schedule, add } = scheduled({ ambiguity: "error" });
    schedule.addSet("combat");
    add(
      { name: "a", writes: [Score], ambiguousWith: "combat" },
      { name: "b", set: "combat", writes: [Score] },
    );
    expect(() => schedule.build()).not.toThrow();
  });

  it("can be removed when nothing is in them", () => {
    const { schedule, add, run } = scheduled();
    schedule.addSet("combat");
    add({ name: "hit", set: "combat" }, { name: "draw", before: "combat" });
    expect(() => schedule.remove("combat")).toThrow(
      "Cannot remove set combat: hit is in it. Remove what is in it first, or disable the set.",
    );
    schedule.remove("hit");
    schedule.remove("combat");
    expect(run()).toBe("draw");
    expect(schedule.sets()).toEqual([]);
  });
});

describe("bad input to sets", () => {
  const cases: [string, (schedule: Schedule) => void, string][] = [
    ["no name", (it) => it.addSet(""), 'Cannot add a set named "". Give it a name that is not empty.'],
    [
      "the name of a system",
      (it) => it.addSet("move"),
      "Cannot add set move: there is a system of that name. Rename one, or remove the other first.",
    ],
    [
      "the name of a set, for a system",
      (it) => it.add({ name: "combat", run: () => {} }),
      "Cannot add system combat: there is a set of that name.",
    ],
    [
      "several sets",
      (it) => it.add({ name: "x", set: ["combat"] as never, run: () => {} }),
      "Cannot add system x: its set is an array of 1. Give the name of one set; sets may be inside each other.",
    ],
    [
      "a condition that is not a function",
      (it) => it.addSet({ name: "x", runIf: [undefined as never] }),
      "Cannot add set x: runIf lists undefined. Give functions.",
    ],
    [
      "a condition that is a string",
      (it) => it.addSet({ name: "x", runIf: "day" as never }),
      'Cannot add set x: runIf lists "day". Give functions.',
    ],
    [
      "an order that is a number",
      (it) => it.addSet({ name: "x", before: 3 as never }),
      "Cannot add set x: before lists 3. Give names of systems and sets.",
    ],
    [
      "a request of a system that runs by itself",
      (it) => it.request("move"),
      'Cannot request "move": it runs by itself. Add a system with onDemand: true.',
    ],
    ["a request of a set", (it) => it.request("combat"), 'Cannot request "combat": it is a set.'],
    [
      "a fixed step on demand",
      (it) => it.add({ name: "x", onDemand: true, fixedStep: 1, run: () => {} }),
      "Cannot add system x: it runs on demand, so it cannot have a fixed step.",
    ],
  ];
  it.each(cases)("%s is refused, and nothing changes", (_, act, message) => {
    const { schedule, add } = scheduled();
    schedule.addSet("combat");
    add({ name: "move" });
    const before = [schedule.list(), schedule.sets()];
    expect(() => act(schedule)).toThrow(ScheduleError);
    expect(() => act(schedule)).toThrow(message);
    expect([schedule.list(), schedule.sets()]).toEqual(before);
  });

  it("sets inside themselves are refused when the order is worked out", () => {
    const { schedule } = scheduled();
    schedule.addSet({ name: "a", set: "b" });
    schedule.addSet({ name: "b", set: "c" });
    schedule.addSet({ name: "c", set: "b" });
    expect(() => schedule.build()).toThrow("it is inside itself");
  });

  it("an order of a set relative to its own system is refused", () => {
    const { schedule, add } = scheduled();
    schedule.addSet({ name: "combat", before: "hit" });
    add({ name: "hit", set: "combat" });
    expect(() => schedule.build()).toThrow(
      "Cannot order combat before hit: system hit belongs to both, and cannot come before itself. Drop the before.",
    );
  });

  it("an unknown name of a set is refused with the nearest one", () => {
    const { schedule, add } = scheduled();
    schedule.addSet({ name: "combat", after: "moev" });
    add({ name: "move" });
    expect(() => schedule.build()).toThrow(
      'Cannot order set combat: it lists "moev" under after, and there is no such system or set. Did you mean "move"?',
    );
  });
});

describe("the order with sets", () => {
  const systemNames = ["s0", "s1", "s2", "s3", "s4", "s5", "s6"];
  const setNames = ["A", "B", "C"];
  const anyName = fc.constantFrom(...systemNames, ...setNames);
  // Few relations, or nearly all plans go round in a circle.
  const few = fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(anyName) },
  );
  const relation = fc.record({ before: few, after: few });
  const plan = fc.record({
    systems: fc.tuple(
      ...systemNames.map(() =>
        fc.tuple(relation, fc.option(fc.constantFrom(...setNames), { nil: undefined })),
      ),
    ),
    // A set is only inside later ones, so there are no circles.
    sets: fc.tuple(
      ...setNames.map((_, k) =>
        fc.tuple(
          relation,
          fc.option(fc.constantFrom(...setNames.slice(k + 1), undefined), { nil: undefined }),
        ),
      ),
    ),
  });

  it("is that of the same systems with all orders written out", () => {
    let compared = 0;
    fc.assert(
      fc.property(plan, ({ systems, sets }) => {
        const setOf = new Map(setNames.map((name, k) => [name, sets[k]?.[1]]));
        const chainOf = (start: string | undefined) => {
          const chain: string[] = [];
          for (let set = start; set !== undefined; set = setOf.get(set)) chain.push(set);
          return chain;
        };
        const chains = systems.map(([, set]) => chainOf(set));
        const expand = (name: string) =>
          systemNames.filter((system, k) => system === name || chains[k]?.includes(name));

        const plain = scheduled();
        const grouped = scheduled();
        setNames.forEach((name, k) => {
          const [related, set] = sets[k]!;
          grouped.schedule.addSet({ name, ...related, ...(set === undefined ? {} : { set }) });
        });
        let isOwn = false;
        systems.forEach(([related, set], k) => {
          const name = systemNames[k] as string;
          grouped.add({ name, ...related, ...(set === undefined ? {} : { set }) });
          const all = [related, ...(chains[k] ?? []).map((each) => sets[setNames.indexOf(each)]?.[0])];
          const before = all.flatMap((each) => each?.before.flatMap(expand) ?? []);
          const after = all.flatMap((each) => each?.after.flatMap(expand) ?? []);
          isOwn ||= before.includes(name) || after.includes(name);
          plain.add({ name, before, after });
        });
        const order = (schedule: Schedule) => {
          try {
            return schedule.list().map(({ name }) => name);
          } catch (error) {
            return error instanceof ScheduleCycleError || error instanceof ScheduleError ? "refused" : error;
          }
        };
        const expected = isOwn ? "refused" : order(plain.schedule);
        if (expected !== "refused") compared++;
        expect(order(grouped.schedule)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
    expect(compared).toBeGreaterThan(200);
  });
});

describe("systems on demand", () => {
  it("run once for a request, at their position in the order", () => {
    const { schedule, add, run } = scheduled();
    add({ name: "a" }, { name: "save", onDemand: true }, { name: "b" });
    expect(run()).toBe("a b");
    schedule.request("save");
    schedule.request("save");
    expect(run()).toBe("a save b");
    expect(run()).toBe("a b");
    expect(schedule.list().map(({ onDemand }) => onDemand)).toEqual([false, true, false]);
  });

  it("run in the same run when their turn is still to come, else in the next", () => {
    const { schedule, add, run, log } = scheduled();
    add({ name: "early save", onDemand: true });
    schedule.add({
      name: "ask",
      run: () => {
        log.push("ask");
        if (log.length < 2) {
          schedule.request("early save");
          schedule.request("late save");
        }
      },
    });
    add({ name: "late save", onDemand: true });
    expect(run()).toBe("ask late save");
    expect(run()).toBe("early save ask");
  });

  it("keep the request while they are switched off or a condition fails", () => {
    let isAllowed = false;
    const { schedule, add, run } = scheduled();
    add({ name: "save", onDemand: true, enabled: false, runIf: () => isAllowed });
    schedule.request("save");
    expect(run()).toBe("");
    schedule.enable("save");
    expect(run()).toBe("");
    isAllowed = true;
    expect(run()).toBe("save");
    expect(run()).toBe("");
  });

  it("run at once with runOnly after a request, and not without", () => {
    const { schedule, add, log } = scheduled();
    add({ name: "save", onDemand: true });
    schedule.runOnly(["save"], 0);
    expect(log).toEqual([]);
    schedule.request("save");
    schedule.runOnly(["save"], 0);
    expect(log).toEqual(["save"]);
  });

  it("need a request when runOnly names their set", () => {
    const { schedule, add, log } = scheduled();
    schedule.addSet("menu");
    add({ name: "draw menu", set: "menu" }, { name: "save", set: "menu", onDemand: true });
    schedule.runOnly(["menu"], 0);
    schedule.request("save");
    schedule.runOnly(["menu"], 0);
    schedule.runOnly(["menu"], 0);
    expect(log).toEqual(["draw menu", "draw menu", "save", "draw menu"]);
  });
});

describe("conditions made of conditions", () => {
  const yes: RunCondition = () => true;
  const no: RunCondition = () => false;
  const never: RunCondition = () => {
    throw new Error("asked");
  };
  const holds = (runIf: RunCondition) => {
    const { add, run } = scheduled();
    add({ name: "x", runIf });
    return run() === "x";
  };

  it("allOf, anyOf and noneOf combine, and stop evaluating when the result is known", () => {
    expect([allOf(), allOf(yes, yes), allOf(yes, no), allOf(no, never)].map(holds)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([anyOf(), anyOf(no, no), anyOf(no, yes), anyOf(yes, never)].map(holds)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect([noneOf(), noneOf(no), noneOf(yes), noneOf(no, yes)].map(holds)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(holds(allOf(anyOf(no, yes), noneOf(allOf(yes, no))))).toBe(true);
  });

  it("resourceIs compares the present value", () => {
    const Paused = resource("Paused", () => false);
    const { world, add, run } = scheduled();
    add({ name: "move", runIf: resourceIs(Paused, false) });
    expect(run()).toBe("move");
    world.setResource(Paused, true);
    expect(run()).toBe("");
  });

  it("what is not a function is refused", () => {
    expect(() => anyOf(undefined as never)).toThrow(
      "Cannot combine conditions: one of them is undefined, not a function.",
    );
  });
});

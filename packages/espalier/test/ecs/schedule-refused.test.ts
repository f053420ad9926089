import {
  component,
  createSchedule,
  createWorld,
  f32,
  InvalidValueError,
  resource,
  ScheduleError,
  type ScheduleOptions,
  type SystemError,
} from "espalier";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32() });

/** A schedule whose systems write their names down. */
function scheduled(options: ScheduleOptions = {}) {
  const errors: Error[] = [];
  const world = createWorld({ onError: (error) => errors.push(error) });
  const schedule = createSchedule(world, options);
  const log: string[] = [];
  const note = (name: string) => () => void log.push(name);
  return { world, schedule, log, note, errors };
}

describe("bad input to a schedule", () => {
  const run = () => {};
  const cases: [string, (make: typeof scheduled) => void, string][] = [
    ["no phases", (make) => void make({ phases: [] }), "Cannot make a schedule without phases."],
    [
      "a phase twice",
      (make) => void make({ phases: ["a", { name: "a" }] }),
      'Cannot make a schedule with a phase named "a". Give each phase a name of its own.',
    ],
    [
      "a phase without a name",
      (make) => void make({ phases: [""] }),
      'Cannot make a schedule with a phase named "".',
    ],
    [
      "a step of no length",
      (make) => void make({ phases: [{ name: "physics", fixedStep: 0 }] }),
      "Cannot give phase physics a fixed step of 0. Give seconds above 0, such as 1 / 60.",
    ],
    [
      "no steps to catch up",
      (make) => void make({ phases: [{ name: "physics", fixedStep: 1, maxSteps: 0.5 }] }),
      "Cannot let phase physics catch up at most 0.5 steps. Give an integer of at least 1.",
    ],
    [
      "a system without a name",
      (make) => make().schedule.add({ name: "", run }),
      'Cannot add a system named "". Give it a name that is not empty.',
    ],
    [
      "a system twice",
      (make) => {
        const { schedule } = make();
        schedule.add({ name: "move", run });
        schedule.add({ name: "move", run });
      },
      "Cannot add system move: there is a system of that name. Rename one, or remove the other first.",
    ],
    [
      "an unknown phase",
      (make) => make().schedule.add({ name: "move", phase: "updaet", run }),
      'Cannot add system move: there is no phase "updaet". Did you mean "update"?',
    ],
    [
      "no phase where none is called update",
      (make) => make({ phases: ["one", "two"] }).schedule.add({ name: "move", run }),
      'Cannot add system move: there is no phase "update". There is one, two.',
    ],
    [
      "no function",
      (make) => make().schedule.add({ name: "move", run: 5 as never }),
      "Cannot add system move: its run is 5, not a function.",
    ],
    [
      "a reference that is not a name",
      (make) => make().schedule.add({ name: "move", run, before: [{} as never] }),
      "Cannot add system move: before lists an object. Give names of systems and sets.",
    ],
    [
      "access to something else",
      (make) => make().schedule.add({ name: "move", run, writes: ["Position" as never] }),
      'Cannot add system move: writes lists "Position". Give components and resources.',
    ],
    [
      "a bad step of a system",
      (make) => make().schedule.add({ name: "move", run, fixedStep: Number.NaN }),
      "Cannot give system move a fixed step of NaN.",
    ],
    [
      "to remove what is not there",
      (make) => {
        const { schedule } = make();
        schedule.add({ name: "move", run });
        schedule.remove("mvoe");
      },
      'Cannot remove system "mvoe": there is no such system or set. Did you mean "move"?',
    ],
    [
      "to enable what is not there",
      (make) => make().schedule.enable("move"),
      'Cannot enable system "move": there is no such system or set. There is none yet.',
    ],
    [
      "the step of what has none",
      (make) => void make().schedule.fixedStepOf("update"),
      "Cannot give the fixed step of update: no phase or system of that name has one.",
    ],
    [
      "a run inside a run",
      (make) => {
        const { schedule } = make({ errors: "throw" });
        schedule.add({
          name: "nest",
          run: () => {
            schedule.run(0);
          },
        });
        try {
          schedule.run(0);
        } catch (error) {
          throw (error as SystemError).cause;
        }
      },
      "Cannot run a schedule inside itself: one of its systems called run().",
    ],
  ];

  it.each(cases)("refuses %s", (_name, act, message) => {
    expect(() => act(scheduled)).toThrow(ScheduleError);
    expect(() => act(scheduled)).toThrow(message);
  });

  it("refuses a dt that is no time", () => {
    const { schedule, log, note } = scheduled();
    schedule.add({ name: "a", run: note("a") });
    for (const dt of [-1, Number.NaN, Number.POSITIVE_INFINITY, "1" as never, undefined as never]) {
      expect(() => schedule.run(dt)).toThrow(InvalidValueError);
    }
    expect(() => schedule.run(-1)).toThrow(
      "Cannot run a schedule for -1 seconds. Give a number of at least 0.",
    );
    expect(log).toEqual([]);
  });

  it("accepts resources and components as access", () => {
    const { schedule, errors } = scheduled();
    const Score = resource("Score", () => 0);
    schedule.add({ name: "a", reads: [Position], writes: [Score], run });
    schedule.run(0);
    expect(errors).toEqual([]);
  });
});

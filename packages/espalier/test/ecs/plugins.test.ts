import {
  component,
  createSchedule,
  createWorld,
  f32,
  installPlugin,
  type PluginDefinition,
  plugin,
  pluginsOf,
  resource,
  ScheduleError,
  startWith,
} from "espalier";
import { describe, expect, it } from "vitest";

const Health = component("Health", { hp: f32(100) });
const Score = resource<number>("Score");

function setUp() {
  const world = createWorld();
  const schedule = createSchedule(world);
  const log: string[] = [];
  const system = (name: string) => ({ name, run: () => void log.push(name) });
  const run = () => {
    log.length = 0;
    schedule.run(0);
    return log.join(" ");
  };
  return { world, schedule, system, run };
}

describe("a plugin", () => {
  it("brings resources, sets and systems, and is switched by its name", () => {
    const { world, schedule, system, run } = setUp();
    const combat = plugin("combat", {
      components: [Health],
      resources: [startWith(Score, () => 7)],
      sets: [{ name: "aiming", before: "hit" }],
      systems: [system("hit"), { ...system("aim"), set: "aiming" }],
      after: "move",
    });
    schedule.add(system("move"));
    expect(installPlugin(schedule, combat)).toBe(true);
    expect(world.resource(Score)).toBe(7);
    expect(run()).toBe("move aim hit");
    schedule.disable("combat");
    expect(run()).toBe("move");
    expect(schedule.sets().map(({ name, set }) => [name, set])).toEqual([
      ["combat", undefined],
      ["aiming", "combat"],
    ]);
    expect(pluginsOf(schedule)).toEqual([combat]);
  });

  it("is installed once in a schedule, with what it needs, and any number of times in others", () => {
    const { schedule, system } = setUp();
    const other = setUp();
    const base = plugin("base", { systems: [system("base system")] });
    const a = plugin("a", { needs: [base] });
    const b = plugin("b", { needs: [base, a] });
    expect([installPlugin(schedule, b), installPlugin(schedule, a), installPlugin(schedule, base)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(schedule.list().map(({ name }) => name)).toEqual(["base system"]);
    expect(pluginsOf(schedule)).toEqual([base, a, b]);
    expect(pluginsOf(other.schedule)).toEqual([]);
    expect(installPlugin(other.schedule, b)).toBe(true);
  });

  it("leaves a resource alone that the world has", () => {
    const { world, schedule } = setUp();
    world.setResource(Score, 1);
    installPlugin(schedule, plugin("score", { resources: [startWith(Score, () => 7)] }));
    expect(world.resource(Score)).toBe(1);
  });

  it("adds nothing when one of its systems is refused, or its install throws", () => {
    const { world, schedule, system } = setUp();
    schedule.add(system("hit"));
    const clash = plugin("clash", { sets: [{ name: "inner" }], systems: [system("aim"), system("hit")] });
    const failing = plugin("failing", {
      systems: [system("aim")],
      install: () => {
        throw new Error("no sound card");
      },
    });
    const before = [schedule.list(), schedule.sets()];
    expect(() => installPlugin(schedule, clash)).toThrow(
      "Cannot add system hit: there is a system of that name.",
    );
    expect(() => installPlugin(schedule, failing)).toThrow("no sound card");
    expect([schedule.list(), schedule.sets()]).toEqual(before);
    expect(pluginsOf(schedule)).toEqual([]);
    expect(world.count).toBe(0);
  });

  it("leaves nothing in the schedule when its install throws after it added, removed and switched off systems", () => {
    const { schedule, system, run } = setUp();
    schedule.add(system("move"));
    schedule.add(system("draw"));
    const late = plugin("late", { systems: [system("late system")] });
    const failing = plugin("failing", {
      needs: [plugin("needed", { systems: [system("needed system")] })],
      systems: [system("aim")],
      install: () => {
        schedule.addSet({ name: "more", set: "failing" });
        schedule.add({ ...system("hit"), set: "more" });
        installPlugin(schedule, late);
        schedule.remove("move");
        schedule.disable("draw");
        throw new Error("no sound card");
      },
    });
    const before = [schedule.list(), schedule.sets()];
    expect(() => installPlugin(schedule, failing)).toThrow("no sound card");
    expect([schedule.list(), schedule.sets()]).toEqual(before);
    expect(pluginsOf(schedule)).toEqual([]);
    expect(run()).toBe("move draw");
    // A name that was never there is still taken for a mistake.
    schedule.add({ ...system("x"), after: "aim" });
    expect(() => schedule.build()).toThrow('it lists "aim" under after, and there is no such system or set');
  });

  it("may need a plugin that needs it", () => {
    const { schedule, system, run } = setUp();
    const needs: PluginDefinition[] = [];
    const a = plugin("a", { needs, systems: [system("a system")] });
    const b = plugin("b", { needs: [a], systems: [system("b system")] });
    needs.push(b);
    expect(installPlugin(schedule, a)).toBe(true);
    expect(run()).toBe("b system a system");
    expect(pluginsOf(schedule)).toEqual([b, a]);
  });

  it("refuses another plugin of the same name, and bad descriptions", () => {
    const { schedule } = setUp();
    installPlugin(schedule, plugin("a"));
    expect(() => installPlugin(schedule, plugin("a"))).toThrow(
      "Cannot install plugin a: there is another plugin of that name. Rename one of them.",
    );
    expect(() => plugin("")).toThrow(ScheduleError);
    expect(() => plugin("x", { systems: {} as never })).toThrow(
      "Cannot make plugin x: systems is an object, not an array.",
    );
    expect(() => plugin("x", { components: [Score as never] })).toThrow(
      "Cannot make plugin x: one of components is an object, not a component.",
    );
    expect(() => plugin("x", { resources: [Score as never] })).toThrow(
      "Cannot make plugin x: one of resources is an object, not what startWith() gives.",
    );
    expect(() => startWith(Health as never, () => 7)).toThrow(
      "Cannot start a resource with a value: the first argument is",
    );
    expect(() => startWith(Score, 7 as never)).toThrow("the second argument is 7, not a function");
    expect(() => plugin("x", { system: [] } as never)).toThrow("system: there is no such option");
    expect(() => pluginsOf({} as never)).toThrow("not a schedule");
    const byHand = { name: "by hand", resources: [{ resource: Score }] } as never;
    expect(() => installPlugin(schedule, byHand)).toThrow("not what startWith() gives");
    expect(schedule.sets().map(({ name }) => name)).toEqual(["a"]);
  });

  it("calls install last, with the world and the schedule", () => {
    const { world, schedule, system } = setUp();
    const seen: unknown[] = [];
    const install = (...given: unknown[]) => void seen.push(...given, schedule.list().length);
    installPlugin(schedule, plugin("a", { systems: [system("x")], install }));
    expect(seen).toEqual([world, schedule, 1]);
  });
});

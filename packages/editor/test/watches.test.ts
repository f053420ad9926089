/** What follows a world that runs: marks of change, lists of a frame, the log of events, and its pause. */
import { createSchedule } from "espalier";
import { describe, expect, it } from "vitest";
import { ChangeMarks } from "../src/devtool/change-marks.ts";
import { ChangeWatch } from "../src/devtool/change-watch.ts";
import { EventLog } from "../src/devtool/event-log.ts";
import { pausableSchedule } from "../src/devtool/pausable-schedule.ts";
import { at, Health, open, Rusty } from "./open.ts";

describe("marks of change", () => {
  it("are on the fields that changed since the last look, and only on watched entities", () => {
    const document = open();
    const { world, space } = document;
    const marks = new ChangeMarks(document);
    const [sky, house] = [at(document, "sky"), at(document, "house")];
    expect(marks.look([sky])).toBe(false);
    world.set(sky, space.component, { y: 5 });
    world.set(house, space.component, { y: 5 });
    expect(marks.look([sky, house])).toBe(true);
    expect([marks.wasChanged(sky), marks.wasChanged(house)]).toEqual([true, false]);
    expect(marks.wasFieldChanged([house, sky], space.component, "y")).toBe(true);
    expect(marks.wasFieldChanged([sky], space.component, "x")).toBe(false);
    expect(marks.look([sky, house])).toBe(true);
    expect(marks.wasChanged(sky)).toBe(false);
    expect(marks.look([sky, house])).toBe(false);
  });

  it("are on all fields of a component that is added or removed, and on none of a destroyed entity", () => {
    const document = open();
    const { world } = document;
    const marks = new ChangeMarks(document);
    const sky = at(document, "sky");
    marks.look([sky]);
    world.add(sky, Health);
    marks.look([sky]);
    expect(marks.wasFieldChanged([sky], Health, "hp")).toBe(true);
    marks.look([sky]);
    world.remove(sky, Health);
    marks.look([sky]);
    expect(marks.wasFieldChanged([sky], Health, "hp")).toBe(true);
    world.destroy(sky);
    expect(marks.look([sky])).toBe(true);
    expect(marks.wasChanged(sky)).toBe(false);
  });
});

describe("what changed in a frame", () => {
  it("is listed by entity and component, counted in full, and over with the next frame", () => {
    const document = open();
    const { world } = document;
    const watch = new ChangeWatch(world);
    watch.update();
    const many = Array.from({ length: 300 }, () => world.spawn(Health));
    world.add(at(document, "sky"), Rusty);
    watch.update();
    expect(watch.entries).toHaveLength(200);
    expect(watch.count).toBeGreaterThanOrEqual(301);
    expect([watch.hasChanged("Health"), watch.hasChanged("Aim")]).toEqual([true, false]);
    expect(watch.wasFieldChanged([at(document, "sky")], Rusty)).toBe(true);
    expect(watch.wasFieldChanged([at(document, "sky")], Health)).toBe(false);
    expect(watch.wasChanged(many[0]!)).toBe(true);
    watch.update();
    expect([watch.entries.length, watch.count, watch.wasChanged(many[0]!)]).toEqual([0, 0, false]);
    watch.close();
  });
});

describe("the log of events", () => {
  it("names entities that were added, moved and removed, the latest first, even destroyed ones", () => {
    const document = open();
    const { tree, world } = document;
    const log = new EventLog(document);
    const coin = at(document, "coin");
    tree.attach(coin, at(document, "house"));
    log.read();
    expect(log.latest(1)).toMatchObject([{ kind: "moved", entity: coin, text: "coin under house" }]);
    world.destroy(coin);
    expect(log.latest(1)).toMatchObject([{ kind: "destroyed", text: "coin" }]);
    log.clear();
    expect(log.latest(10)).toEqual([]);
    for (let k = 0; k < 300; k++) world.spawn();
    expect(log.latest(1000)).toHaveLength(256);
    log.close();
    world.spawn();
    expect(log.count).toBeGreaterThanOrEqual(300);
    expect(log.latest(1)[0]?.id).toBe(log.count - 1);
  });
});

describe("a schedule that is paused", () => {
  it("runs nothing, steps once, and leaves alone what was skipped before", () => {
    const { world } = open();
    const schedule = createSchedule(world);
    const ran: string[] = [];
    for (const name of ["move", "spare", "gone"]) schedule.add({ name, run: () => void ran.push(name) });
    schedule.disable("spare");
    const pausable = pausableSchedule(schedule);
    pausable.pause();
    pausable.pause();
    schedule.run(1);
    expect([ran, pausable.isPaused]).toEqual([[], true]);
    pausable.step();
    expect([ran, pausable.isPaused]).toEqual([["move", "gone"], true]);
    schedule.remove("gone");
    pausable.resume();
    schedule.run(1);
    expect([ran, pausable.isPaused]).toEqual([["move", "gone", "move"], false]);
  });

  it("is paused again when a step of it throws", () => {
    const { world } = open();
    const schedule = createSchedule(world);
    schedule.add({
      name: "broken",
      run: () => {
        throw new Error("broken");
      },
    });
    const pausable = pausableSchedule(schedule);
    pausable.pause();
    expect(() => pausable.step()).toThrow("broken");
    expect(pausable.isPaused).toBe(true);
  });
});

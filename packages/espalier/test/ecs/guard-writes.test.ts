import {
  bool,
  component,
  createCommands,
  type Entity,
  entityRef,
  f32,
  guard,
  guardWrites,
  string,
} from "espalier";
import { createHistory } from "espalier/history";
import { describe, expect, it } from "vitest";
import { modes, refusal, strictWorld } from "../testing.ts";

const Range = component("Range", {
  low: f32(0),
  high: f32(10),
  open: bool(),
  label: string(),
  of: entityRef(),
});

type Values = { readonly [field: string]: unknown };

describe.each(modes)("a guard of writes ($mode)", ({ generate }) => {
  /** Keeps `low` at most `high`, and lists what it was asked. */
  function guarded() {
    const world = strictWorld({ generate });
    const e = world.spawn(Range);
    const asked: [Entity, Values][] = [];
    const end = guardWrites(world, Range, (entity, values) => {
      asked.push([entity, values]);
      const { low, high } = { ...world.get(entity, Range)!, ...values };
      if (low > high) throw new RangeError(`${low} is above ${high}`);
    });
    return { world, e, asked, end };
  }

  it("refuses by throwing, for every way to write, and nothing has changed", () => {
    const { world, e } = guarded();
    const other = component("Other", { x: f32() });
    world.add(e, other);
    expect(refusal(world, () => world.set(e, Range, { low: 11, label: "a" }))).toBe(
      "RangeError: 11 is above 10",
    );
    expect(refusal(world, () => world.set(e, other({ x: 1 }), Range({ low: 12 })))).toBe(
      "RangeError: 12 is above 10",
    );
    for (let pass = 0; pass < 3; pass++) {
      expect(refusal(world, () => world.query(Range).update((range) => void (range.low = 13)))).toBe(
        "RangeError: 13 is above 10",
      );
    }
    world.set(e, Range, { low: 11, high: 20 });
    expect(world.get(e, Range)).toMatchObject({ low: 11, high: 20 });
  });

  it("gets the entity and the given fields, one at a time from views", () => {
    const { world, e, asked } = guarded();
    world.set(e, Range, { low: 1, open: true });
    world.query(Range).update((range) => {
      range.high = 5;
      range.open = false;
      range.label = "x";
      range.of = e;
    });
    expect(asked).toEqual([
      [e, { low: 1, open: true }],
      [e, { high: 5 }],
      [e, { open: false }],
      [e, { label: "x" }],
      [e, { of: e }],
    ]);
  });

  it("refuses a command when it is carried out", () => {
    const { world, e } = guarded();
    const commands = createCommands(world);
    commands.set(e, Range, { low: 99 });
    expect(() => commands.flush()).toThrow("99 is above 10");
    expect(world.get(e, Range)?.low).toBe(0);
  });

  it("is not called when the component is added, nor by undo, and can be ended", () => {
    const { world, e, asked, end } = guarded();
    const history = createHistory(world, { implicit: false });
    world.spawn(Range({ low: 50 }));
    history.step("narrow", () => world.set(e, Range, { high: 1 }));
    history.undo();
    expect(asked).toHaveLength(1);
    end();
    end();
    world.set(e, Range, { low: 99 });
    expect(asked).toHaveLength(1);
  });

  it.each([0, 1])("that was added twice is called until both are ended (%i first)", (first) => {
    const world = strictWorld({ generate });
    const refuse = () => {
      throw new RangeError("refused");
    };
    const e = world.spawn(Range);
    const writes = [guardWrites(world, Range, refuse), guardWrites(world, Range, refuse)];
    const additions = [guard(world, Range, refuse), guard(world, Range, refuse)];
    for (const ends of [writes, additions]) {
      ends[first]!();
      ends[first]!();
    }
    expect(() => world.set(e, Range, { low: 1 })).toThrow("refused");
    expect(() => world.spawn(Range)).toThrow("refused");
    for (const ends of [writes, additions]) ends[1 - first]!();
    world.set(e, Range, { low: 1 });
    expect([world.get(e, Range)?.low, world.has(world.spawn(Range), Range)]).toEqual([1, true]);
  });
});

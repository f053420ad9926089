import {
  checkWorld,
  compileLoop,
  component,
  enumOf,
  f32,
  fieldTypeOf,
  i53,
  indexOf,
  inspect,
  listComponents,
  vec2,
  vec3,
} from "espalier";
import { describe, expect, it } from "vitest";
import { modes, refusal, strictWorld } from "../testing.ts";

const Door = component("Door", { state: enumOf("open", "closed", "locked") });
const Account = component("Account", { cents: i53(5) });
const Body = component("Body", { position: vec2(1, 2), mass: f32(3), spin: vec3() });

describe.each(modes)("enumOf ($mode)", ({ generate }) => {
  it("gives a field that reads and writes names and keeps bytes", () => {
    const world = strictWorld({ generate });
    const door = world.spawn(Door);
    expect(world.get(door, Door)).toEqual({ state: "open" });
    world.set(door, Door, { state: "locked" });
    expect(world.columns(Door).state).toBeInstanceOf(Uint8Array);
    expect(world.columns(Door).state[indexOf(door)]).toBe(2);
    const query = world.query(Door);
    for (let pass = 0; pass < 8; pass++) {
      query.update((view) => {
        view.state = view.state === "locked" ? "closed" : "locked";
      });
    }
    expect(world.get(door, Door)).toEqual({ state: "locked" });
    expect(inspect(world, door).components[0]?.values).toEqual({ state: "locked" });
    expect(checkWorld(world)).toEqual([]);
  });

  it("refuses other names in every way to write", () => {
    const world = strictWorld({ generate });
    const door = world.spawn(Door);
    const why = 'takes one of open, closed, locked, got "ajar".';
    const ajar = "ajar" as "open";
    const refused = expect.stringContaining(why);
    expect(refusal(world, () => world.set(door, Door, { state: ajar }))).toEqual(refused);
    expect(refusal(world, () => world.spawn(Door({ state: ajar })))).toEqual(refused);
    for (let pass = 0; pass < 8; pass++) {
      expect(
        refusal(world, () =>
          world.query(Door).update((view) => {
            view.state = ajar;
          }),
        ),
      ).toEqual(refused);
    }
    expect(refusal(world, () => world.set(door, Door, { state: 1 as never }))).toContain("got 1.");
  });

  it("takes two bytes for more than 256 names, and a default from an array", () => {
    const names = Array.from({ length: 257 }, (_, k) => `n${k}`);
    const Many = component("Many", { one: enumOf(names, "n256"), few: enumOf(names.slice(0, 256)) });
    const world = strictWorld({ generate });
    const e = world.spawn(Many);
    expect(world.get(e, Many)).toEqual({ one: "n256", few: "n0" });
    expect(world.columns(Many).one).toBeInstanceOf(Uint16Array);
    expect(world.columns(Many).few).toBeInstanceOf(Uint8Array);
  });
});

describe("enumOf", () => {
  it("refuses duplicate names, and a default that is not among them", () => {
    for (const names of [[], ["a", "a"], ["a", ""], [1]]) {
      expect(() => enumOf(...(names as string[]))).toThrow("Cannot define an enum of");
    }
    expect(() => component("Bad", { state: enumOf(["a", "b"], "c" as "a") })).toThrow(
      'has a default that does not fit: it takes one of a, b, got "c".',
    );
  });
});

describe.each(modes)("i53 ($mode)", ({ generate }) => {
  it("holds integers that 32 bits do not, and refuses all other numbers", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Account);
    const largest = Number.MAX_SAFE_INTEGER;
    for (const cents of [largest, -largest, 0, 4294967296]) {
      world.set(e, Account, { cents });
      expect(world.get(e, Account)).toEqual({ cents });
    }
    for (const cents of [0.5, largest + 1, Number.NaN, Number.POSITIVE_INFINITY, "1" as never]) {
      expect(refusal(world, () => world.set(e, Account, { cents }))).toContain(
        `cents takes an integer from -${largest} to ${largest}, got`,
      );
    }
  });

  it("stores -0 as 0", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Account({ cents: -0 }));
    expect(world.get(e, Account)?.cents).toBe(0);
    for (let pass = 0; pass < 8; pass++) {
      world.query(Account).update((view) => {
        view.cents = -0;
      });
      expect(world.get(e, Account)?.cents).toBe(0);
    }
  });
});

describe.each(modes)("vec2 and vec3 ($mode)", ({ generate }) => {
  it("stand for fields of numbers, at the position of the group", () => {
    const world = strictWorld({ generate });
    const e = world.spawn(Body({ positionY: 7 }));
    expect(Object.keys(Body.schema)).toEqual(["positionX", "positionY", "mass", "spinX", "spinY", "spinZ"]);
    expect(world.get(e, Body)).toEqual({
      positionX: 1,
      positionY: 7,
      mass: 3,
      spinX: 0,
      spinY: 0,
      spinZ: 0,
    });
    world.query(Body).update((body) => {
      body.positionX += body.positionY;
    });
    expect(world.get(e, Body)?.positionX).toBe(8);
    const move = compileLoop(world.query(Body), ([ids, { positionX }]) => (count) => {
      for (let k = 0; k < count; k++) positionX[ids[k] as number] = 0;
    });
    move();
    expect(world.get(e, Body)?.positionX).toBe(0);
    expect(listComponents(world)[0]?.fields[0]).toEqual({ name: "positionX", kind: "f32" });
  });
});

describe("a group of fields", () => {
  it("is refused where a field has the same name", () => {
    expect(() => component("Twice", { at: vec2(), atX: f32() })).toThrow(
      'Cannot define component Twice: it has two fields "atX", one of them from a group. Rename one.',
    );
    expect(() => component("Twice", { atX: f32(), at: vec2() })).toThrow('two fields "atX"');
  });

  it("is checked like other fields", () => {
    expect(() => component("Bad", { at: vec2("1" as never) })).toThrow('field "atX" has a default');
  });
});

describe("a kind of field", () => {
  it("shows tools what users see", () => {
    const kinds = { ...Door.schema, ...Account.schema, ...Body.schema };
    expect(fieldTypeOf(kinds.state).valueKind).toBe("choice");
    expect(fieldTypeOf(kinds.cents).valueKind).toBe("integer");
    expect(fieldTypeOf(kinds.positionX).valueKind).toBe("number");
  });
});

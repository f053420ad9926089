import {
  bool,
  checkWorld,
  component,
  DEVELOPMENT,
  type Entity,
  entityRef,
  f32,
  i32,
  indexOf,
  isTag,
  object,
  Props,
  string,
  tag,
  u8,
} from "espalier";
import { revive, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";
import { modes, refusal, strictWorld } from "../testing.ts";
import { Everything } from "./everything.ts";

const sparse = { storage: "sparse" } as const;

describe.each(modes)("fields ($mode)", ({ generate }) => {
  it.each(["dense", "sparse"] as const)("of every kind come back as they were given (%s)", (storage) => {
    const All = component("All", Everything.schema, { storage });
    const world = strictWorld({ generate });
    const target = world.spawn();
    const list = [1, 2];
    const given = {
      f32: 0.5,
      f64: 0.1,
      i8: -128,
      u8: 255,
      i16: -32768,
      u16: 65535,
      i32: -2147483648,
      u32: 4294967295,
      bool: true,
      string: "ö",
      entity: target,
      object: list,
    };
    const e = world.spawn(All(given));
    expect(world.get(e, All)).toEqual(given);
    expect(world.get(e, All)?.object).toBe(list);
    const defaults = {
      f32: 0,
      f64: 0,
      i8: 0,
      u8: 0,
      i16: 0,
      u16: 0,
      i32: 0,
      u32: 0,
      bool: false,
      string: "",
      entity: null,
      object: [],
    };
    expect(world.get(world.spawn(All), All)).toEqual(defaults);
    world.set(e, All, { bool: false, string: "", entity: null, i32: 7 });
    expect(world.get(e, All)).toEqual({ ...given, bool: false, string: "", entity: null, i32: 7 });
    world.add(e, All);
    expect(world.get(e, All)).toEqual(defaults);
    expect(checkWorld(world)).toEqual([]);
  });

  it("have the defaults of their schema", () => {
    const Health = component("Health", {
      hp: f32(100),
      armored: bool(true),
      name: string("tank"),
      lives: u8(3),
    });
    const world = strictWorld({ generate });
    expect(world.get(world.spawn(Health({ hp: 1 })), Health)).toEqual({
      hp: 1,
      armored: true,
      name: "tank",
      lives: 3,
    });
    for (const e of world.spawnMany(3, Health)) expect(world.get(e, Health)?.hp).toBe(100);
  });

  it("of 32-bit floats read as rounded", () => {
    const P = component("P", { x: f32() });
    const world = strictWorld({ generate });
    expect(world.get(world.spawn(P({ x: 0.1 })), P)).toEqual({ x: Math.fround(0.1) });
    expect(world.get(world.spawn(P({ x: Number.NaN })), P)).toEqual({ x: Number.NaN });
    expect(world.get(world.spawn(P({ x: 1e300 })), P)).toEqual({ x: Number.POSITIVE_INFINITY });
  });

  it("with objects make one for each entity and share none", () => {
    const Bag = component("Bag", { items: object(() => [] as string[]) });
    const world = strictWorld({ generate });
    const all = [...world.spawnMany(3, Bag), world.spawn(Bag), world.spawn(Bag)];
    world.get(all[0]!, Bag)!.items.push("sword");
    expect(all.map((e) => world.get(e, Bag)!.items.length)).toEqual([1, 0, 0, 0, 0]);
    world.add(all[0]!, Bag);
    expect(world.get(all[0]!, Bag)!.items).toEqual([]);
  });

  it("that are undefined take their defaults or stay", () => {
    const P = component("P", { x: f32(1), y: f32(2) });
    const world = strictWorld({ generate });
    const e = world.spawn(P({ x: undefined as never, y: 5 }));
    expect(world.get(e, P)).toEqual({ x: 1, y: 5 });
    world.set(e, P, { x: 3, y: undefined as never });
    expect(world.get(e, P)).toEqual({ x: 3, y: 5 });
  });

  it("of get() are a copy", () => {
    const P = component("P", { x: f32(1) });
    const world = strictWorld({ generate });
    const e = world.spawn(P);
    world.get(e, P)!.x = 9;
    expect(world.get(e, P)).toEqual({ x: 1 });
  });
});

describe.each(modes)("a reference to an entity ($mode)", ({ generate }) => {
  const Aim = component("Aim", { at: entityRef() });

  it("reads as null once its target is dead, and never as a later entity of that index", () => {
    const world = strictWorld({ generate });
    const target = world.spawn();
    const e = world.spawn(Aim({ at: target }));
    const seen: (Entity | null)[] = [];
    const look = () => {
      seen.push(world.get(e, Aim)!.at);
      world.query(Aim).each((_, aim) => seen.push(aim.at));
    };
    look();
    world.destroy(target);
    look();
    expect(indexOf(world.spawn())).toBe(indexOf(target));
    look();
    expect(seen).toEqual([target, target, null, null, null, null]);
  });

  it("reads as the target again when that is brought back", () => {
    const world = strictWorld({ generate });
    const target = world.spawn();
    const e = world.spawn(Aim({ at: target }));
    world.destroy(target);
    revive(stateOf(world), target, []);
    expect(world.get(e, Aim)).toEqual({ at: target });
  });

  it("keeps handles that no longer fit 32 bits", () => {
    const world = strictWorld({ generate });
    for (let k = 0; k < 600; k++) world.destroy(world.spawn());
    const target = world.spawn();
    expect(world.get(world.spawn(Aim({ at: target })), Aim)).toEqual({ at: target });
  });
});

describe.each(modes)("a sparse component ($mode)", ({ generate }) => {
  const Rare = component("Rare", { n: i32(-1), text: string("none") }, sparse);

  it("keeps values for those that have it, reuses rows and grows", () => {
    const world = strictWorld({ generate });
    const all = world.spawnMany(100);
    for (const [k, e] of all.entries()) if (k % 2 === 0) world.add(e, Rare({ n: k, text: `t${k}` }));
    for (const [k, e] of all.entries()) if (k % 4 === 0) world.remove(e, Rare);
    for (const [k, e] of all.entries()) if (k % 3 === 0 && !world.has(e, Rare)) world.add(e, Rare({ n: -k }));
    for (const [k, e] of all.entries()) {
      const expected =
        k % 2 === 0 && k % 4 !== 0
          ? { n: k, text: `t${k}` }
          : k % 3 === 0
            ? { n: -k + 0, text: "none" }
            : undefined;
      expect(world.get(e, Rare), `entity ${k}`).toEqual(expected);
    }
    expect(checkWorld(world)).toEqual([]);
  });

  it("is read and written through views", () => {
    const world = strictWorld({ generate });
    const all = world.spawnMany(20, Rare);
    world.destroy(all[3]!, all[4]!);
    world.query(Rare).each((e, rare) => {
      rare.n = indexOf(e);
      rare.text += "!";
    });
    world.query(Rare).update((rare) => {
      rare.n *= 2;
    });
    for (const e of world.query(Rare))
      expect(world.get(e, Rare)).toEqual({ n: indexOf(e) * 2, text: "none!" });
  });

  it("has no columns that an entity's index would fit", () => {
    const world = strictWorld({ generate });
    world.spawn(Rare);
    const text =
      "QueryError: Cannot loop over the columns of Rare: its values are not kept by entity index. Use each() or update(), or get() and set(). [ecs/query]";
    expect(refusal(world, () => world.columns(Rare))).toBe(text);
    expect(refusal(world, () => world.query(Rare).run(() => {}))).toBe(text);
    world.spawn();
  });
});

describe("a tag", () => {
  it("is present or absent, and has no values", () => {
    const Frozen = tag("Frozen");
    const world = strictWorld();
    const e = world.spawn(Frozen);
    expect([world.has(e, Frozen), world.get(e, Frozen), isTag(Frozen)]).toEqual([true, {}, true]);
    expect(world.remove(e, Frozen)).toBe(true);
    expect([world.has(e, Frozen), world.get(e, Frozen)]).toEqual([false, undefined]);
  });

  it.runIf(DEVELOPMENT)("refuses values", () => {
    const Frozen = tag("Frozen");
    const world = strictWorld();
    const e = world.spawn();
    expect(refusal(world, () => world.add(e, Frozen({ x: 1 } as never)))).toBe(
      "InvalidValueError: Cannot set Frozen.x of #1: Frozen has no such field; it is a tag and has none. [ecs/invalid-value]",
    );
  });
});

describe("props", () => {
  it("hold any value, separately for each entity", () => {
    const world = strictWorld();
    const [a, b] = [world.spawn(Props({ values: { note: "boss", level: 3 } })), world.spawn(Props)];
    world.get(b, Props)!.values.seen = true;
    expect([world.get(a, Props), world.get(b, Props)]).toEqual([
      { values: { note: "boss", level: 3 } },
      { values: { seen: true } },
    ]);
    expect(world.get(world.spawn(Props), Props)).toEqual({ values: {} });
  });
});

describe("many components", () => {
  it("more than 64 of them work together in queries", () => {
    const world = strictWorld();
    const all = Array.from({ length: 150 }, (_, n) => component(`C${n}`, { n: i32(n) }));
    const e = world.spawn(...all);
    const some = world.spawn(...all.filter((_, n) => n % 2 === 0));
    for (const [n, c] of all.entries()) {
      expect(world.get(e, c)).toEqual({ n });
      expect(world.has(some, c)).toBe(n % 2 === 0);
      expect(world.query(c).ids()).toEqual(n % 2 === 0 ? [e, some] : [e]);
    }
    world.remove(e, ...all.slice(3));
    expect(all.filter((c) => world.has(e, c))).toEqual(all.slice(0, 3));
    expect(checkWorld(world)).toEqual([]);
  });
});

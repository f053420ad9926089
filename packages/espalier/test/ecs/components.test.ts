import {
  bool,
  checkWorld,
  component,
  createWorld,
  type Entity,
  entityRef,
  f32,
  f64,
  finite,
  i8,
  i16,
  i32,
  indexOf,
  isComponent,
  isTag,
  named,
  object,
  Props,
  string,
  tag,
  u8,
  u16,
  u32,
} from "espalier";
import { claim, revive, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";
import { modes, refusal, strictWorld } from "../testing.ts";

const Everything = component("Everything", {
  f32: f32(),
  f64: f64(),
  i8: i8(),
  u8: u8(),
  i16: i16(),
  u16: u16(),
  i32: i32(),
  u32: u32(),
  bool: bool(),
  string: string(),
  entity: entityRef(),
  object: object(() => [] as number[]),
});

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

  it("reads as null once its target is dead, and never as a later entity of that place", () => {
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
  it("is there or not, and has no values", () => {
    const Frozen = tag("Frozen");
    const world = strictWorld();
    const e = world.spawn(Frozen);
    expect([world.has(e, Frozen), world.get(e, Frozen), isTag(Frozen)]).toEqual([true, {}, true]);
    expect(world.remove(e, Frozen)).toBe(true);
    expect([world.has(e, Frozen), world.get(e, Frozen)]).toEqual([false, undefined]);
    expect(refusal(world, () => world.add(e, Frozen({ x: 1 } as never)))).toBe(
      "InvalidValueError: Cannot set Frozen.x of #1: Frozen has no such field; it is a tag and has none. [ecs/invalid-value]",
    );
  });
});

describe("props", () => {
  it("hold anything, for each entity its own", () => {
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

describe("a definition", () => {
  it("is a component, with its name, schema and storage", () => {
    const P = component("P", { x: f32(2) }, sparse);
    expect([isComponent(P), P.name, Object.keys(P.schema), P.storage, isTag(P)]).toEqual([
      true,
      "P",
      ["x"],
      "sparse",
      false,
    ]);
    expect([isComponent(() => {}), isComponent({ isComponent: true }), isComponent(undefined)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  const define = (name: unknown, schema: unknown, options?: object) => () =>
    component(name as string, schema as never, options);

  it.each([
    [define("", {}), 'Cannot define a component named "". Give it a name that is not empty.'],
    [define(undefined, {}), "Cannot define a component named undefined. Give it a name that is not empty."],
    [
      define("P", undefined),
      "Cannot define component P: expected an object with its fields, got undefined. Use tag() for a component without fields.",
    ],
    [
      define("P", { "a-b": f32() }),
      'Cannot define component P: field "a-b" has a name that cannot be used. Use letters, digits and _, not a-b.',
    ],
    [
      define("P", { constructor: f32() }),
      'Cannot define component P: field "constructor" has a name that cannot be used.',
    ],
    [define("P", { index$: f32() }), 'field "index$" has a name that cannot be used.'],
    [
      define("P", { x: 3 }),
      'Cannot define component P: field "x" is 3. Use a field such as f32(), string() or object(() => …).',
    ],
    [define("P", { x: { kind: "f16", initial: 0 } }), 'Cannot define component P: field "x" is an object.'],
    [define("P", { x: f32 }), 'Cannot define component P: field "x" is function'],
    [
      define("P", { x: u8(300) }),
      'Cannot define component P: field "x" has a default that does not fit: it takes an integer from 0 to 255, got 300.',
    ],
    [define("P", { x: f32("1" as never) }), 'it takes a number, got "1".'],
    [define("P", { x: string(1 as never) }), "it takes a string, got 1."],
    [define("P", { x: bool(0 as never) }), "it takes true or false, got 0."],
    [
      define("P", { x: object([] as never) }),
      'Cannot define component P: field "x" needs a function that makes its default: object(() => …).',
    ],
    [
      define("P", {}, { storage: "table" }),
      'Cannot define component P: storage is "table". Use "dense" or "sparse".',
    ],
  ])("that cannot work is refused (%#)", (define, text) => {
    expect(define).toThrow(text);
    expect(define).toThrow("[ecs/invalid-schema]");
  });

  it("may share a name with one of another world, not with one of its own", () => {
    const [first, second] = [component("Same", { x: f32() }), component("Same", { y: f32() })];
    const world = strictWorld();
    const e = world.spawn(first);
    expect(refusal(world, () => world.add(e, second))).toBe(
      "DuplicateComponentError: Cannot use component Same: this world knows another component of that name. Define it once and share it, or rename one. [ecs/duplicate-component]",
    );
    expect(strictWorld().spawn(second)).toBe(1);
  });
});

describe("what is not a component", () => {
  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["Position", '"Position"'],
    [5, "5"],
    [{}, "an object"],
  ])("is refused by every call: %s", (value, text) => {
    const P = component("P", { x: f32() });
    const world = strictWorld();
    const e = world.spawn(P);
    const what = value as never;
    const calls = [
      () => world.spawn(what),
      () => world.spawn(P, what),
      () => world.spawnMany(2, what),
      () => world.add(e, what),
      () => world.add(e, P({ x: 9 }), what),
      () => world.addAll(world.query(P), what),
    ];
    for (const call of calls) {
      expect(refusal(world, call)).toBe(
        `UnknownComponentError: Expected a component, got ${text}. Define one with component() or tag(). [ecs/unknown-component]`,
      );
    }
    const named = [
      () => world.remove(e, what),
      () => world.remove(e, P, what),
      () => world.has(e, what),
      () => world.get(e, what),
      () => world.touch(e, what),
      () => world.columns(what),
      () => world.changes(what),
      () => world.observe(what, {}),
      () => world.guard(what, () => {}),
      () => claim(stateOf(world), what),
      () => world.removeAll(world.query(P), what),
    ];
    for (const call of named)
      expect(refusal(world, call)).toContain("UnknownComponentError: Expected a component");
  });
});

describe("values", () => {
  const world = strictWorld();
  const Strict = component("Strict", {
    ...Everything.schema,
    sure: finite(f32()),
    door: named(u8(), ["open", "closed"]),
    even: object(
      () => 0,
      (value) => (typeof value === "number" && value % 2 === 0 ? undefined : "takes an even number"),
    ),
  });
  const e = world.spawn(Strict);

  it.each([
    ["f32", "1", 'takes a number, got "1"'],
    ["f64", null, "takes a number, got null"],
    ["i8", 128, "takes an integer from -128 to 127, got 128"],
    ["u8", -1, "takes an integer from 0 to 255, got -1"],
    ["i16", 1.5, "takes an integer from -32768 to 32767, got 1.5"],
    ["u16", 70000, "takes an integer from 0 to 65535, got 70000"],
    ["i32", Number.NaN, "takes an integer from -2147483648 to 2147483647, got NaN"],
    ["u32", 2 ** 32, "takes an integer from 0 to 4294967295, got 4294967296"],
    ["bool", 1, "takes true or false, got 1"],
    ["string", ["a"], "takes a string, got an array of 1"],
    ["entity", 0, "takes an entity or null, got 0"],
    ["entity", "x", 'takes an entity or null, got "x"'],
    ["sure", Number.POSITIVE_INFINITY, "takes a finite number, got Infinity"],
    ["door", 2, "takes an integer from 0 to 1 (open, closed), got 2"],
    ["door", "open", 'takes an integer from 0 to 1 (open, closed), got "open"'],
    ["even", 3, "takes an even number"],
  ] as const)("that do not fit are refused by all ways to write: %s = %s", (field, value, why) => {
    const values = { [field]: value } as never;
    const text = `InvalidValueError: Cannot set Strict.${field} of #1: ${field} ${why}. [ecs/invalid-value]`;
    expect(refusal(world, () => world.set(e, Strict, values))).toBe(text);
    expect(refusal(world, () => world.set(e, Strict(values)))).toBe(text);
    expect(refusal(world, () => world.add(e, Strict(values)))).toBe(text);
    expect(refusal(world, () => world.spawn(Strict(values)))).toBe(text.replace(" of #1", ""));
    for (const generate of [true, false]) {
      const other = strictWorld({ generate });
      const entity = other.spawn(Strict);
      const write = (strict: Record<string, unknown>) => {
        strict[field] = value;
      };
      for (let k = 0; k < 6; k++) {
        expect(refusal(other, () => other.query(Strict).each((_, strict) => write(strict)))).toBe(text);
        expect(refusal(other, () => other.query(Strict).update((strict) => write(strict)))).toBe(text);
      }
      expect(other.isAlive(entity)).toBe(true);
    }
  });

  it("must be an object of known fields", () => {
    expect(refusal(world, () => world.spawn(Strict(7 as never)))).toBe(
      "InvalidValueError: Cannot set Strict: expected an object with its fields, got 7. [ecs/invalid-value]",
    );
    expect(refusal(world, () => world.set(e, Strict, null as never))).toContain("got null");
    const P = component("P", { x: f32(), y: f32() });
    expect(refusal(world, () => world.spawn(P({ z: 1 } as never)))).toBe(
      "InvalidValueError: Cannot set P.z: P has no such field; it has x, y. [ecs/invalid-value]",
    );
  });

  it("are not compared with their fields when checks are off", () => {
    for (const generate of [true, false]) {
      const P = component("P", { n: i8(), x: f32(), list: object(() => 1) });
      const loose = strictWorld({ checks: false, generate });
      const entity = loose.spawn(P({ n: 300, z: 1 } as never));
      expect(loose.get(entity, P)?.n).toBe(44);
      loose.set(entity, P, { n: 129 });
      expect(loose.get(entity, P)?.n).toBe(-127);
      for (let k = 0; k < 6; k++) loose.query(P).update((p) => void (p.n = 200));
      expect(loose.get(entity, P)?.n).toBe(-56);
      // Without an object there is nothing to take values from, whatever the checks.
      expect(refusal(loose, () => loose.spawn(P(null as never)))).toContain("got null");
    }
  });

  it("are checked unless NODE_ENV is production", () => {
    expect(createWorld().checks).toBe(process.env.NODE_ENV !== "production");
  });

  it("may be refused by defaults that throw, and nothing has changed", () => {
    const Broken = component("Broken", {
      it: object((): number => {
        throw new Error("no default");
      }),
      n: i32(),
    });
    const BrokenSparse = component("BrokenSparse", Broken.schema, sparse);
    const P = component("P", { x: f32() });
    for (const generate of [true, false]) {
      const other = strictWorld({ generate, capacity: 4 });
      const [a] = other.spawnMany(3, P);
      for (const Bad of [Broken, BrokenSparse]) {
        const calls = [
          () => other.spawn(Bad),
          () => other.spawn(P, Bad),
          () => other.spawnMany(5, P, Bad),
          () => other.spawnMany(5, Bad({ n: 2 })),
          () => other.add(a!, Bad),
          () => other.addAll(other.query(P), Bad),
          () => other.addAll(other.query(P), Bad({ n: 1 })),
        ];
        for (const call of calls) {
          const error = refusal(other, call);
          expect(error).toBe("Error: no default");
        }
      }
    }
  });
});

describe("a reserved component", () => {
  const Link = component("Link", { to: i32() }, { reserved: "links.join()" });
  const P = component("P", { x: f32() });

  it("is written by its owner only", () => {
    for (const generate of [true, false]) {
      const world = strictWorld({ generate });
      const e = world.spawn(P);
      const owner = claim(stateOf(world), Link);
      owner.add(e, { to: 3 });
      const query = world.query(P, Link);
      const calls: [string, () => unknown][] = [
        ["write Link", () => world.spawn(Link)],
        ["write Link", () => world.spawn(P, Link({ to: 1 }))],
        ["write Link", () => world.spawnMany(2, Link)],
        ["write Link of #1", () => world.add(e, Link)],
        ["write Link of #1", () => world.add(e, P({ x: 5 }), Link)],
        ["write Link of #1", () => world.set(e, Link, { to: 4 })],
        ["remove Link of #1", () => world.remove(e, Link)],
        ["remove Link of #1", () => world.remove(e, P, Link)],
        ["write Link", () => world.addAll(world.query(P), Link)],
        ["remove Link", () => world.removeAll(world.query(P), Link)],
        ["set Link of #1", () => query.each((_, _p, link) => void (link.to = 9))],
        ["set Link of #1", () => query.update((_p, link) => void (link.to = 9))],
      ];
      for (let k = 0; k < 6; k++) {
        for (const [what, call] of calls) {
          expect(refusal(world, call)).toBe(
            `ReservedComponentError: Cannot ${what}: only its owner writes it. Use links.join(). [ecs/reserved-component]`,
          );
        }
      }
      owner.set(e, { to: 8 });
      expect([world.get(e, Link), query.count()]).toEqual([{ to: 8 }, 1]);
      expect([owner.remove(e), owner.remove(e), world.has(e, Link)]).toEqual([true, false, false]);
      expect(refusal(world, () => owner.set(e, { to: 1 }))).toBe(
        "MissingComponentError: Cannot set Link of #1: the entity has no Link. Use add() to give it one. [ecs/missing-component]",
      );
      world.destroy(e);
      expect(refusal(world, () => owner.add(e))).toContain("DeadEntityError");
    }
  });

  it("is claimed once in each world", () => {
    const world = strictWorld();
    claim(stateOf(world), Link);
    expect(refusal(world, () => claim(stateOf(world), Link))).toBe(
      "ReservedComponentError: Cannot claim Link: it has an owner already. [ecs/reserved-component]",
    );
    expect(claim(stateOf(strictWorld()), Link)).toBeDefined();
  });
});

describe("a guard", () => {
  const Weapon = component("Weapon", { damage: i32() });
  const P = component("P", { x: f32() });

  it("refuses by throwing, and nothing has changed", () => {
    const world = strictWorld();
    const [a, b] = world.spawnMany(2, P);
    const asked: unknown[] = [];
    const end = world.guard(Weapon, (index, values) => {
      asked.push([index, values]);
      if (index === 2) throw new Error("no weapons here");
      if ((values as { damage?: number } | undefined)?.damage === 13) throw new Error("no bad luck");
    });
    world.add(a!, Weapon({ damage: 1 }));
    world.spawn(Weapon);
    expect(refusal(world, () => world.add(b!, Weapon))).toBe("Error: no weapons here");
    expect(refusal(world, () => world.add(b!, P({ x: 5 }), Weapon))).toBe("Error: no weapons here");
    expect(refusal(world, () => world.spawn(P, Weapon({ damage: 13 })))).toBe("Error: no bad luck");
    expect(refusal(world, () => world.spawnMany(3, Weapon({ damage: 13 })))).toBe("Error: no bad luck");
    expect(refusal(world, () => world.addAll(world.query(P), Weapon({ damage: 2 })))).toBe(
      "Error: no weapons here",
    );
    expect(asked.slice(0, 3)).toEqual([
      [1, { damage: 1 }],
      [0, undefined],
      [2, undefined],
    ]);
    end();
    world.addAll(world.query(P), Weapon);
    expect(world.query(P, Weapon).count()).toBe(2);
  });

  it("is asked who gets the component, not what is written later", () => {
    const world = strictWorld();
    const e = world.spawn(Weapon);
    world.guard(Weapon, () => {
      throw new Error("never");
    });
    world.set(e, Weapon, { damage: 3 });
    world.query(Weapon).update((weapon) => void weapon.damage++);
    expect(world.get(e, Weapon)).toEqual({ damage: 4 });
  });

  it("is one of several, all of which are asked until one refuses", () => {
    const world = strictWorld();
    const asked: string[] = [];
    const ends = ["a", "b", "c"].map((name) =>
      world.guard(Weapon, () => {
        asked.push(name);
        if (name === "b") throw new Error(name);
      }),
    );
    expect(() => world.spawn(Weapon)).toThrow("b");
    ends[1]!();
    ends[1]!();
    world.spawn(Weapon);
    expect(asked).toEqual(["a", "b", "a", "c"]);
  });
});

import {
  addAll,
  bool,
  changesOf,
  component,
  f32,
  guard,
  isComponent,
  isTag,
  object,
  observe,
  removeAll,
  string,
  u8,
} from "espalier";
import { claim, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";
import { refusal, strictWorld } from "../testing.ts";

const sparse = { storage: "sparse" } as const;

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
    [define("P", { slot$: f32() }), 'field "slot$" has a name that cannot be used.'],
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
      'Cannot define component P: storage is "table". Use "dense", "sparse", or shared, which espalier exports.',
    ],
  ])("that is invalid is refused (%#)", (define, text) => {
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
      () => addAll(world.query(P), what),
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
      () => changesOf(world, what),
      () => observe(world, what, {}),
      () => guard(world, what, () => {}),
      () => claim(stateOf(world), what),
      () => removeAll(world.query(P), what),
    ];
    for (const call of named)
      expect(refusal(world, call)).toContain("UnknownComponentError: Expected a component");
  });
});

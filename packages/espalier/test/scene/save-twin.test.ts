import {
  bool,
  component,
  createWorld,
  type Entity,
  entityRef,
  enumOf,
  f32,
  f64,
  named,
  object,
  string,
  u8,
} from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createSceneFormat, printScene, withCodec } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const Place = component("Place", { x: f64(), y: f32(0.1), shown: bool(true) });
const Words = component("Words", {
  text: string("hm"),
  state: enumOf("open", "closed"),
  level: named(u8(), ["low", "high"]),
});
const Link = component("Link", { to: entityRef(), other: entityRef() });
const Bag = component("Bag", { items: object<unknown>(() => []) });
const Tint = component("Tint", { color: f64(1) });
const Empty = component("Empty", {});
const format = createSceneFormat({
  components: [
    Place,
    Words,
    Link,
    Bag,
    withCodec(Tint, {
      fields: { color: { write: (value) => (value > 9 ? [value] : `#${value}`), read: () => 1 } },
    }),
    Empty,
  ],
});

const value = fc.oneof(fc.constantFrom(0, -0, 1, 0.1, Number.NaN, Number.POSITIVE_INFINITY), fc.double());
const text = fc.oneof(fc.constantFrom("", "hm", 'a"b', "ü\n", "x".repeat(120)), fc.string());
const entity = fc.record({
  parent: fc.nat(),
  name: fc.option(
    text.filter((name) => !["", ".", ".."].includes(name)),
    { nil: undefined },
  ),
  place: fc.option(fc.record({ x: value, y: value, shown: fc.boolean() }), { nil: undefined }),
  words: fc.option(fc.record({ text, state: fc.constantFrom("open", "closed"), level: fc.nat(1) }), {
    nil: undefined,
  }),
  link: fc.option(fc.record({ to: fc.nat(), other: fc.nat() }), { nil: undefined }),
  bag: fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
  tint: fc.option(fc.constantFrom(1, 2, 10), { nil: undefined }),
  isEmpty: fc.boolean(),
  dies: fc.boolean(),
});

describe("saving", () => {
  it("gives the same bytes as printing the scene that was put together first", () => {
    fc.assert(
      fc.property(fc.array(entity, { minLength: 1, maxLength: 12 }), (list) => {
        const world = createWorld();
        const tree = createHierarchy(world);
        const made: Entity[] = [];
        for (const { parent, place, words, bag, tint, isEmpty } of list) {
          const inits = [
            ...(place === undefined ? [] : [Place(place)]),
            ...(words === undefined ? [] : [Words(words as { text: string; state: "open"; level: number })]),
            ...(bag === undefined ? [] : [Bag({ items: bag })]),
            ...(tint === undefined ? [] : [Tint({ color: tint })]),
            ...(isEmpty ? [Empty] : []),
          ];
          const above = made.length === 0 || parent % 3 === 0 ? null : made[parent % made.length]!;
          made.push(tree.attachNew(above, ...inits));
        }
        list.forEach(({ name, link }, k) => {
          if (name !== undefined) tree.setName(made[k]!, name);
          if (link !== undefined)
            world.add(
              made[k]!,
              Link({ to: made[link.to % made.length]!, other: made[link.other % made.length]! }),
            );
        });
        list.forEach(({ dies }, k) => {
          if (dies && world.isAlive(made[k]!) && tree.childCount(made[k]!) === 0) world.destroy(made[k]!);
        });
        const scene = format.createScene(tree);
        for (const root of tree.childrenOf(null)) scene.add(root);
        const saved = scene.save();
        expect(saved).toBe(printScene(scene.toFile()));
        expect(scene.save({ defaults: true })).toBe(printScene(scene.toFile({ defaults: true })));
      }),
      { numRuns: 150 },
    );
  });
});

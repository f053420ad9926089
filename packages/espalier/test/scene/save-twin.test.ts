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
import { createSceneFormat, printScene, saveInSlices, withCodec } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const Spot = component("Spot", { x: f64(), y: f32(0.1), shown: bool(true) });
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
    Spot,
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
  spot: fc.option(fc.record({ x: value, y: value, shown: fc.boolean() }), { nil: undefined }),
  words: fc.option(fc.record({ text, state: fc.constantFrom("open", "closed"), level: fc.nat(1) }), {
    nil: undefined,
  }),
  link: fc.option(fc.record({ to: fc.nat(), other: fc.nat() }), { nil: undefined }),
  bag: fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
  tint: fc.option(fc.constantFrom(1, 2, 10), { nil: undefined }),
  isEmpty: fc.boolean(),
  isTank: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  dies: fc.boolean(),
});

const tank = {
  entities: [
    {
      id: "tank",
      components: { Spot: { x: 5 }, Words: {} },
      children: [
        { id: "turret", components: { Spot: { y: 0.1 }, Link: { to: "tank" } } },
        { id: "track", name: "track", components: { Bag: { items: [1] }, Tint: {} } },
      ],
    },
  ],
};

function inSlices(saving: Generator<number, string>): string {
  for (;;) {
    const { done, value } = saving.next();
    if (done === true) return value;
    expect(value >= 0 && value <= 1).toBe(true);
  }
}

describe("saving", () => {
  it("gives the same bytes as printing the scene that was put together first", () => {
    fc.assert(
      fc.property(fc.array(entity, { minLength: 1, maxLength: 12 }), (list) => {
        const world = createWorld();
        const tree = createHierarchy(world);
        const made: Entity[] = [];
        const prefab = format.prefab(tank, { file: "tank" });
        for (const { parent, spot, words, bag, tint, isEmpty, isTank } of list) {
          const inits = [
            ...(spot === undefined ? [] : [Spot(spot)]),
            ...(words === undefined ? [] : [Words(words as { text: string; state: "open"; level: number })]),
            ...(bag === undefined ? [] : [Bag({ items: bag })]),
            ...(tint === undefined ? [] : [Tint({ color: tint })]),
            ...(isEmpty ? [Empty] : []),
          ];
          const above = made.length === 0 || parent % 3 === 0 ? null : made[parent % made.length]!;
          if (isTank) {
            const instance = prefab.instantiate(tree, { parent: above });
            made.push(instance.root, ...tree.childrenOf(instance.root));
            if (spot !== undefined) for (const each of made.slice(-2)) world.add(each, Spot(spot));
            if (tint !== undefined) tree.moveChild(made.at(-1)!, 0);
          } else made.push(tree.attachNew(above, ...inits));
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
        expect(inSlices(saveInSlices(scene))).toBe(saved);
        expect(inSlices(saveInSlices(scene, { defaults: true }))).toBe(scene.save({ defaults: true }));
        expect(scene.save({ defaults: true })).toBe(printScene(scene.toFile({ defaults: true })));
      }),
      { numRuns: 150 },
    );
  });
});

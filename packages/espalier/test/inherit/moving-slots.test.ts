/**
 * Trees in which most slots move between two passes while few values are written: what is not computed again has to follow its entity.
 * Holes are swept, subtrees move behind their parents, and a world of fixed capacity runs out of slots.
 */
import { component, createWorld, type Entity, f64, indexOf, string, type World } from "espalier";
import { checkTree, createHierarchy, flatOrder, type Hierarchy } from "espalier/hierarchy";
import { createInherited, defineInherited, type Inherited } from "espalier/inherit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../random.ts";
import { property } from "../testing.ts";

const Weight = component("Weight", { kg: f64(0) });
const Label = component("Label", { text: string() });

/** The values that a function of the user's computes: numbers, strings and objects are kept in different ways. */
const kinds = [
  defineInherited({ name: "load", component: Weight, initial: 0, combine: (above, own) => above + own.kg }),
  defineInherited({ name: "path", component: Label, initial: "", combine: (above, own) => above + own.text }),
  defineInherited({
    name: "bag",
    component: Label,
    initial: { text: "" },
    combine: (above, own) => ({ text: above.text + own.text }),
  }),
] as const;

const frame = fc.record({
  seed: fc.nat(),
  destroyed: fc.nat(1),
  created: fc.constantFrom<number[]>(0, 0.03, 0.7),
  moved: fc.nat(8),
  written: fc.nat(9),
});

interface Scene {
  readonly world: World;
  readonly tree: Hierarchy;
  /** How many entities there are at most. */
  readonly most: number;
}

function edit(
  { world, tree, most }: Scene,
  step: typeof frame extends fc.Arbitrary<infer T> ? T : never,
): void {
  const random = createRandom(step.seed);
  const below = (count: number) => Math.floor(random() * count);
  const all = world.entities();
  const one = () => all[below(all.length)] as Entity;
  const destroy = () => {
    world.destroy(one());
    all.splice(0, all.length, ...world.entities());
  };
  const make = () => {
    const parent = all.length === 0 || below(4) === 0 ? null : one();
    all.push(
      tree.attachNew(parent, Weight({ kg: below(9) }), ...(below(3) === 0 ? [] : [Label({ text: "x" })])),
    );
  };
  for (let k = 0; k < step.moved && all.length !== 0; k++) {
    const [child, parent] = [one(), one()];
    if (tree.canAttach(child, parent)) tree.attach(child, parent);
  }
  // Where most go and few come, a pass computes little: the rest must have followed its entity.
  while (step.destroyed === 1 && all.length > most * 0.2) destroy();
  for (let k = 0; k < most * step.created; k++) {
    if (all.length >= most) destroy();
    make();
  }
  for (let k = 0; k < step.written && all.length !== 0; k++) {
    const entity = one();
    world.add(entity, Weight({ kg: below(9) }), Label({ text: String(below(9)) }));
  }
}

/** What the functions give along the chain from the root: the slow twin. */
function slowly({ world, tree }: Scene, entity: Entity): unknown[] {
  let [kg, text] = [0, ""];
  for (const each of [...tree.ancestors(entity, { includeSelf: true })].reverse()) {
    kg += world.get(each, Weight)?.kg ?? 0;
    text += world.get(each, Label)?.text ?? "";
  }
  return [kg, text, { text }];
}

it("inherited values of new entities are computed when holes before them are swept", () => {
  const world = createWorld();
  const tree = createHierarchy(world);
  const loads = createInherited(tree, kinds[0]);
  const old = Array.from({ length: 600 }, () => tree.attachNew(null, Weight({ kg: 1 })));
  loads.propagate();
  for (const entity of old.slice(0, 400)) world.destroy(entity);
  const fresh = Array.from({ length: 5 }, () => tree.attachNew(old[599]!, Weight({ kg: 2 })));
  expect(loads.propagate()).toBe(5);
  expect(flatOrder(tree).holes).toBe(0);
  const slots = [...old.slice(400), ...fresh].map((entity) => flatOrder(tree).slotOf[indexOf(entity)]!);
  expect(slots.map((slot) => loads.column[slot])).toEqual([...Array(200).fill(1), ...Array(5).fill(3)]);
});

describe.each([
  { most: 700, fixed: false },
  { most: 40, fixed: true },
])("inherited values whose slots move: %j", ({ most, fixed }) => {
  it("follow their entities, and none is kept for those that died", () => {
    property(
      fc.array(frame, { minLength: 2, maxLength: 8 }),
      (frames) => {
        const world = fixed ? createWorld({ capacity: most + 1, fixed }) : createWorld();
        const scene: Scene = { world, tree: createHierarchy(world), most };
        const values = kinds.map((kind) => createInherited(scene.tree, kind as never)) as Inherited<
          never,
          unknown
        >[];
        const order = flatOrder(scene.tree);
        const reader = values[0]!.changes();
        for (const step of [{ seed: 1, destroyed: 0, created: 0.7, moved: 0, written: 0 }, ...frames]) {
          edit(scene, step);
          for (const each of values) each.propagate();
          for (const entity of world.entities()) {
            const slot = order.slotOf[indexOf(entity)]!;
            expect(values.map(({ column }) => column[slot])).toEqual(slowly(scene, entity));
          }
          for (let slot = 1; slot < order.nodeAt.length; slot++) {
            const bag = values[2]!.column[slot];
            if (order.nodeAt[slot] === 0 && bag !== undefined) expect(bag).toBe(kinds[2].initial);
          }
          reader.read();
          expect(checkTree(scene.tree)).toEqual([]);
        }
      },
      fixed ? 40 : 10,
    );
  });
});

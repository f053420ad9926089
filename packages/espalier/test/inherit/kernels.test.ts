import { component, createWorld, DEVELOPMENT, type Entity, f32, f64 } from "espalier";
import { compactOrder, createHierarchy, createUpHierarchy, Ghost } from "espalier/hierarchy";
import {
  createInherited,
  defineInherited,
  InvalidInheritedError,
  product,
  sum,
  visibility,
} from "espalier/inherit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { property } from "../testing.ts";

const Opacity = component("Opacity", { value: f32(1) });
const Weight = component("Weight", { kg: f64(0) });

const opacity = defineInherited({
  name: "opacity",
  component: Opacity,
  initial: 1,
  combine: product("value"),
});
const load = defineInherited({ name: "load", component: Weight, initial: 0, combine: sum("kg") });
/** The same values by a function of the user's: the slow twin. */
const slowOpacity = defineInherited({ ...opacity, combine: (parent, own) => parent * own.value });
const slowLoad = defineInherited({ ...load, combine: (parent, own) => parent + own.kg });

const step = fc.record({
  kind: fc.nat(9),
  child: fc.nat(),
  parent: fc.nat(),
  value: fc.oneof(fc.double({ min: -2, max: 2, noNaN: true }), fc.constantFrom(0, -0, 1e300, -1e-300)),
});

describe("sums and products by a kernel", () => {
  it.each(["javascript", "wasm"] as const)("agree with combine after any edits (%s)", (kernel) => {
    property(
      fc.array(step, { maxLength: 60 }),
      (steps) => {
        const world = createWorld({ capacity: 4 });
        const tree = createHierarchy(world);
        const pairs = [
          [createInherited(tree, opacity, { kernel }), createInherited(tree, slowOpacity)],
          [createInherited(tree, load, { kernel }), createInherited(tree, slowLoad)],
        ] as const;
        const readers = pairs.map((pair) => pair.map((each) => each.changes()));
        const expectSame = (entities: readonly Entity[]) => {
          for (const [fast, slow] of pairs) {
            expect(entities.map((e) => fast.of(e))).toEqual(entities.map((e) => slow.of(e)));
          }
        };
        for (const { kind, child, parent, value } of steps) {
          const all = world.entities();
          const [e, above] = [all[child % all.length], all[parent % all.length]];
          const inits = [Opacity({ value: Math.fround(value) }), Weight({ kg: value })];
          if (kind < 3 || e === undefined || above === undefined) {
            for (let k = 0; k <= kind * 5; k++) tree.attachNew(above ?? null, ...(k % 3 === 2 ? [] : inits));
          } else if (kind === 3) world.add(e, ...inits);
          else if (kind === 4) world.remove(e, Opacity, Weight);
          else if (kind === 5) world.has(e, Ghost) ? world.remove(e, Ghost) : world.add(e, Ghost);
          else if (kind === 6 && tree.canAttach(e, above)) tree.attach(e, above);
          else if (kind === 7) tree.destroy(e);
          else if (kind === 8) compactOrder(tree);
          else {
            for (const pair of pairs) expect(pair[0].propagate()).toBe(pair[1].propagate());
            for (const [fast, slow] of readers) expect(fast!.read()).toEqual(slow!.read());
          }
          expectSame(world.entities());
        }
      },
      60,
    );
  });

  it("give the same bits in JavaScript and in WebAssembly, by column", () => {
    const columns = (["javascript", "wasm"] as const).map((kernel) => {
      const world = createWorld();
      const tree = createHierarchy(world);
      const values = createInherited(tree, opacity, { kernel });
      expect(values.usesWasm).toBe(kernel === "wasm");
      const all: Entity[] = [];
      for (let k = 0; k < 3000; k++)
        all.push(tree.attachNew(all[(k - 1) >> 2] ?? null, Opacity({ value: 0.5 + (k % 97) / 100 })));
      values.propagate();
      return [...(values.column as Float64Array).subarray(0, 3001)];
    });
    expect(columns[0]).toEqual(columns[1]);
    expect(columns[0]![1]).toBe(0.5);
  });

  it("see entities that were there before, and touches", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const cart = world.spawn(Weight({ kg: 50 }));
    const box = tree.attachNew(cart, Weight({ kg: 5 }));
    const loads = createInherited(tree, load);
    expect(loads.of(box)).toBe(55);
    world.columns(Weight).kg[1] = 60;
    loads.touch(cart);
    expect(loads.of(box)).toBe(65);
    world.columns(Weight).kg[1] = 70;
    loads.touchAll();
    expect(loads.propagate()).toBe(2);
    expect(loads.of(box)).toBe(75);
  });
});

describe("an inherited value", () => {
  const tree = createHierarchy(createWorld());
  it("is refused when its kernel cannot compute it", () => {
    expect(() => createInherited(tree, slowLoad, { kernel: "wasm" })).toThrow(
      'Cannot use kernel: "wasm" for load: its combine is a function. Make it with sum(field) or product(field), or use kernel: "auto".',
    );
  });

  it.runIf(DEVELOPMENT)("is refused when its kernel does not exist", () => {
    expect(() => createInherited(tree, load, { kernel: "gpu" as never })).toThrow(
      'Cannot create the inherited value load with kernel "gpu": it takes "auto" or "javascript" or "wasm".',
    );
  });

  it("is refused when its field or its initial value does not fit", () => {
    expect(() => defineInherited({ ...load, combine: sum("lb") as never })).toThrow(
      'Cannot define the inherited value "load": Weight has no field "lb".',
    );
    expect(() => defineInherited({ ...load, initial: "0" as never })).toThrow(
      'Cannot define the inherited value "load": the initial value of a sum must be a number.',
    );
  });

  it("is refused along a tree that knows parents only", () => {
    const links = createUpHierarchy(createWorld());
    expect(() => createInherited(links as never, visibility)).toThrow(InvalidInheritedError);
    expect(() => createInherited(links as never, visibility)).toThrow(
      "Cannot compute values along links: it knows parents only (upLinks), so it has no order from parents to children. Use createHierarchy().",
    );
  });
});

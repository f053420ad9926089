import { createWorld, type Entity } from "espalier";
import { compactOrder, createHierarchy } from "espalier/hierarchy";
import {
  compose2D,
  createTransforms2D,
  rawTransforms,
  Transform2D,
  type Transforms2D,
  transformBatch,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { property } from "../testing.ts";

function createSpace(kernel: "javascript" | "wasm" | "auto", capacity = 256, generate = true): Transforms2D {
  const world = createWorld({ capacity, generate });
  return createTransforms2D(createHierarchy(world), { kernel });
}

/** The bits of the world matrices as the last pass left them. */
function bitsOf(space: Transforms2D, entities: readonly Entity[]): number[] {
  const bits = new Uint32Array(
    rawTransforms(space).worlds.buffer,
    rawTransforms(space).worlds.byteOffset,
    rawTransforms(space).worlds.length,
  );
  return entities.flatMap((entity) => {
    const at = rawTransforms(space).worldRowOf(entity);
    return [...bits.subarray(at, at + 6)];
  });
}

const denormal = fc.constantFrom(1e-40, -1e-42, 1.4e-45);
const float = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: -1e3, max: 1e3, noNaN: true }) },
  { weight: 1, arbitrary: denormal },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 1, -1) },
);
const angle = fc.oneof(
  fc.double({ min: -7, max: 7, noNaN: true }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
);
const scale = fc.oneof(fc.double({ min: -3, max: 3, noNaN: true }), fc.constantFrom(0, -0, -1, 1), denormal);
const row = fc.tuple(float, float, angle, scale, scale, fc.oneof(fc.constant(0), float));
const tree = fc.array(fc.record({ parent: fc.nat(), row }), { minLength: 1, maxLength: 60 });

describe("the two kernels", () => {
  it("give the same bits as each other and as single reads, for any records", () => {
    property(
      tree,
      (nodes) => {
        const spaces = (["javascript", "wasm"] as const).map((kernel) => {
          const space = createSpace(kernel);
          const entities: Entity[] = [];
          for (const { parent, row } of nodes) {
            const [x, y, rotation, scaleX, scaleY, skew] = row.map(Math.fround);
            const above = parent % 4 === 0 ? null : (entities[parent % entities.length] ?? null);
            const init = Transform2D({ x, y, rotation, scaleX, scaleY, skew });
            entities.push(space.tree.attachNew(above, init));
          }
          const lazy = entities.map((entity) => Object.values(space.worldOf(entity)));
          compactOrder(space.tree);
          space.propagate();
          expect(entities.map((entity) => Object.values(space.worldOf(entity)))).toEqual(lazy);
          return { space, entities };
        });
        const [one, other] = spaces.map(({ space, entities }) => bitsOf(space, entities));
        expect(one).toEqual(other);
      },
      150,
    );
  });

  it("give the same bits for rows that a batch writes, and for touchAll", () => {
    property(
      fc.record({
        rows: fc.array(row, { minLength: 1, maxLength: 40 }),
        width: fc.constantFrom(2, 3, 5, 6),
        // A batch may be most of the tree or a small part of it.
        others: fc.constantFrom(0, 100),
      }),
      ({ rows, width, others }) => {
        const results = (["javascript", "wasm"] as const).flatMap((kernel) =>
          ["batch", "raw", "set"].map((way) => {
            const space = createSpace(kernel);
            const entities = rows.map(() =>
              space.tree.attachNew(null, Transform2D({ scaleX: 2, skew: 0.5 })),
            );
            for (let k = 0; k < others; k++) space.tree.attachNew(null, space.at(k, k));
            const values = Float32Array.from(rows.flatMap((values) => values.slice(0, width)));
            const fields = ["x", "y", "rotation", "scaleX", "scaleY", "skew"].slice(0, width);
            if (way === "batch") transformBatch(space, entities).write(values);
            else if (way === "raw") {
              entities.forEach((entity, k) => {
                rawTransforms(space).locals.set(
                  values.subarray(k * width, (k + 1) * width),
                  rawTransforms(space).rowOf(entity),
                );
              });
              rawTransforms(space).touchAll();
            } else {
              entities.forEach((entity, k) => {
                const own = fields.map((field, f) => [field, values[k * width + f]]);
                space.setLocal(entity, Object.fromEntries(own));
              });
            }
            space.propagate();
            return bitsOf(space, entities);
          }),
        );
        for (const result of results) expect(result).toEqual(results[0]);
      },
      100,
    );
  });

  it("give the same bits where loops may not be made from text", () => {
    const worlds = [true, false].map((generate) => {
      const space = createSpace("javascript", 64, generate);
      const root = space.tree.attachNew(null, Transform2D({ x: 3, rotation: 0.7, scaleX: -2, skew: 0.1 }));
      const children = Array.from({ length: 20 }, (_, k) => space.tree.attachNew(root, space.at(k, 1, k)));
      space.propagate();
      return bitsOf(space, children);
    });
    expect(worlds[0]).toEqual(worlds[1]);
  });

  it("give way to WebAssembly when a world outgrows the JavaScript one, and nothing is lost", () => {
    const worlds = (["javascript", "auto"] as const).map((kernel) => {
      const space = createSpace(kernel);
      const all: Entity[] = [];
      const grow = (to: number) => {
        while (all.length < to) {
          const k = all.length;
          all.push(space.tree.attachNew(all[(k - 1) >> 2] ?? null, space.at(k % 17, k % 5, k % 3)));
        }
      };
      grow(500);
      const batch = transformBatch(space, all.slice(0, 100));
      batch.write(Float32Array.from({ length: 300 }, (_, k) => k / 7));
      space.propagate();
      expect(space.usesWasm).toBe(false);
      grow(3000);
      batch.write(Float32Array.from({ length: 300 }, (_, k) => k / 9));
      space.propagate();
      expect(space.usesWasm).toBe(kernel === "auto");
      return bitsOf(space, all);
    });
    expect(worlds[0]).toEqual(worlds[1]);
  });

  it("say whether WebAssembly is in use, and refuse one that does not exist", () => {
    expect(createSpace("javascript").usesWasm).toBe(false);
    expect(createSpace("wasm").usesWasm).toBe(true);
    expect(() => createSpace("gpu" as never)).toThrow(
      'Cannot compute transforms with the kernel "gpu". Use "auto", "javascript" or "wasm".',
    );
  });
});

describe("sine and cosine", () => {
  /** Numbers of 32 bits in order, so that neighbours differ by 1. */
  const [float32, int32] = (() => {
    const buffer = new ArrayBuffer(4);
    return [new Float32Array(buffer), new Int32Array(buffer)] as const;
  })();
  function step(value: number): number {
    float32[0] = value;
    return int32[0]! < 0 ? -(int32[0]! & 0x7fffffff) : int32[0]!;
  }

  it.each([
    ["a turn", Math.PI],
    ["some turns", 100],
    ["many", 1e4],
    ["up to the limit of the polynomials", 1e5],
    ["beyond it", 1e7],
    ["far beyond it", 1e30],
  ])("are within one unit in the last place of Math.sin and Math.cos: %s", (_, range) => {
    const count = 20_000;
    for (const kernel of ["javascript", "wasm"] as const) {
      const space = createSpace(kernel, count + 1);
      const entities = Array.from({ length: count }, () => space.tree.attachNew(null, space.at(0, 0)));
      const rows = new Float32Array(count * 3);
      // Evenly spread, and some next to multiples of a quarter turn.
      for (let k = 0; k < count; k++) {
        const even = ((k / count) * 2 - 1) * range;
        const quarter = Math.round(even / (Math.PI / 2)) * (Math.PI / 2);
        rows[k * 3 + 2] = k % 3 === 0 ? quarter : even;
      }
      transformBatch(space, entities).write(rows);
      space.propagate();
      let worst = 0;
      entities.forEach((entity, k) => {
        const rotation = rows[k * 3 + 2]!;
        const at = rawTransforms(space).worldRowOf(entity);
        const [cos, sin] = rawTransforms(space).worlds.subarray(at, at + 2);
        worst = Math.max(worst, Math.abs(step(cos!) - step(Math.fround(Math.cos(rotation)))));
        worst = Math.max(worst, Math.abs(step(sin!) - step(Math.fround(Math.sin(rotation)))));
      });
      expect(worst).toBeLessThanOrEqual(1);
    }
  });

  it("are exact for no rotation", () => {
    const space = createSpace("javascript");
    const entity = space.tree.attachNew(null, space.at(5, 6));
    expect(space.worldOf(entity)).toEqual(
      compose2D({ x: 5, y: 6, rotation: 0, scaleX: 1, scaleY: 1, skew: 0 }),
    );
  });
});

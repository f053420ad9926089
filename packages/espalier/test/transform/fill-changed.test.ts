import { createWorld, type Entity, indexOf, tag, where } from "espalier";
import { createHierarchy, subtreeRange } from "espalier/hierarchy";
import {
  createTransforms2D,
  createTransforms3D,
  createWorldFill,
  fillWorlds,
  type MatrixSpace,
  Transform2D,
  Transform3D,
  type WorldFill,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property, refusal } from "../testing.ts";

const Shown = tag("Shown");

function scene(count: number) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms3D(tree);
  const entities: Entity[] = [];
  for (let k = 0; k < count; k++) entities.push(world.spawn(Transform3D({ x: k }), Shown));
  return { world, tree, space, entities, query: world.query(Transform3D, Shown) };
}

/** What the buffer must hold: all rows, filled the plain way. */
function expectRows(space: MatrixSpace, fill: WorldFill, out: Float32Array, width: 6 | 12 | 16): void {
  const entities = Array.from({ length: fill.count }, (_, row) => fill.entityAt(row)!);
  const plain = new Float32Array(fill.count * width);
  fillWorlds(space, entities, plain, { width });
  expect([...out.subarray(0, plain.length)]).toEqual([...plain]);
}

describe("a world fill", () => {
  it("writes everything at first and then only the rows that changed", () => {
    const { space, entities, query } = scene(20);
    const fill = createWorldFill(space, query, { width: 12 });
    const out = new Float32Array(20 * 12);
    expect(fill.update(out)).toBe(20);
    expect(fill.wroteAll).toBe(true);
    expect(fill.update(out)).toBe(0);
    expect([...fill.writtenRows]).toEqual([]);
    space.setPosition(entities[3]!, 9, 9, 9);
    space.setPosition(entities[7]!, 9, 9, 9);
    space.setPosition(entities[8]!, 8, 0, 0); // as it was
    expect(fill.update(out)).toBe(2);
    expect([...fill.writtenRows].sort()).toEqual([fill.rowOf(entities[3]!), fill.rowOf(entities[7]!)].sort());
    expectRows(space, fill, out, 12);
  });

  it("follows children of what moved", () => {
    const { tree, space, entities, query } = scene(8);
    tree.attach(entities[5]!, entities[1]!);
    const fill = createWorldFill(space, query, { width: 12 });
    const out = new Float32Array(8 * 12);
    fill.update(out);
    fill.update(out);
    space.setPosition(entities[1]!, 0, 0, 5);
    expect(fill.update(out)).toBe(2);
    expectRows(space, fill, out, 12);
  });

  it("does not depend on which call propagates", () => {
    const { space, entities, query } = scene(300);
    const fill = createWorldFill(space, query);
    const out = new Float32Array(300 * 16);
    fill.update(out);
    space.setPosition(entities[0]!, 1, 2, 3);
    space.propagate();
    expect(fill.update(out)).toBe(1);
    for (const entity of entities) space.setPosition(entity, 4, 4, 4);
    space.propagate();
    expect(fill.update(out)).toBe(300);
    for (const entity of entities) space.setPosition(entity, 5, 4, 4);
    space.propagate();
    expect(fill.update(out)).toBe(300);
    // A space that other code brought up to date is no reason to compare every row.
    expect(fill.wroteAll).toBe(true);
    expectRows(space, fill, out, 16);
  });

  it("names exactly what changed where there are few, even when a pass computed all of them", () => {
    const { space, entities, query } = scene(3);
    const fill = createWorldFill(space, query);
    const out = new Float32Array(48);
    fill.update(out);
    space.setPosition(entities[1]!, 5, 0, 0);
    expect(fill.update(out)).toBe(1);
    expect([fill.wroteAll, ...fill.writtenRows]).toEqual([false, 1]);
  });

  it("assigns new rows when entities are added and removed", () => {
    const { world, space, entities, query } = scene(4);
    const fill = createWorldFill(space, query, { width: 12 });
    const out = new Float32Array(8 * 12);
    fill.update(out);
    fill.update(out);
    world.destroy(entities[0]!);
    world.remove(entities[1]!, Shown);
    const born = world.spawn(Transform3D({ y: 50 }), Shown);
    expect(fill.update(out)).toBe(3);
    expect(fill.rowOf(entities[0]!)).toBe(-1);
    expect(fill.rowOf(entities[1]!)).toBe(-1);
    expect(fill.entityAt(fill.rowOf(born))).toBe(born);
    expect(fill.entityAt(3)).toBe(null);
    expectRows(space, fill, out, 12);
  });

  it("leaves out what include() refuses, once it is refreshed", () => {
    const { space, entities, query } = scene(5);
    const hidden = new Set<Entity>();
    const fill = createWorldFill(space, query, { include: (entity) => !hidden.has(entity) });
    const out = new Float32Array(5 * 16);
    expect(fill.update(out)).toBe(5);
    hidden.add(entities[2]!);
    fill.refresh();
    expect(fill.update(out)).toBe(4);
    expect(fill.rowOf(entities[2]!)).toBe(-1);
    expectRows(space, fill, out, 16);
  });

  it("evaluates filter terms again at every update", () => {
    const { world, space, entities } = scene(4);
    const chosen = new Set([indexOf(entities[1]!)]);
    const query = world.query(
      Transform3D,
      where("chosen", (index) => chosen.has(index)),
    );
    const fill = createWorldFill(space, query);
    const out = new Float32Array(64);
    expect(fill.update(out)).toBe(1);
    chosen.add(indexOf(entities[3]!));
    expect(fill.update(out)).toBe(2);
    expectRows(space, fill, out, 16);
  });

  it("writes all into a buffer that is new", () => {
    const { space, query } = scene(3);
    const fill = createWorldFill(space, query);
    fill.update(new Float32Array(48));
    const other = new Float32Array(48);
    expect(fill.update(other, true)).toBe(3);
    expectRows(space, fill, other, 16);
  });

  it("refuses a buffer that is too small and writes nothing", () => {
    const { world, space, query } = scene(3);
    const fill = createWorldFill(space, query);
    const out = new Float32Array(47);
    expect(refusal(world, () => fill.update(out))).toContain(
      "Cannot follow world transforms: 3 entities need 48 floats, and the buffer has 47.",
    );
    expect(out.every((value) => value === 0)).toBe(true);
  });

  it("writes into an array per row", () => {
    const { world, space, entities, query } = scene(4);
    const fill = createWorldFill(space, query);
    const lists = Array.from({ length: 5 }, () => new Array<number>(16).fill(7));
    expect(fill.updateEach(lists)).toBe(4);
    expect(lists.map((list) => list[12])).toEqual([0, 1, 2, 3, 7]);
    space.setPosition(entities[2]!, 9, 0, 0);
    expect([fill.updateEach(lists), lists[2]![12], lists[3]![12]]).toEqual([1, 9, 3]);
    expect(fill.updateEach(lists)).toBe(0);
    expect(refusal(world, () => fill.updateEach(lists.slice(0, 3)))).toContain(
      "into 3 lists: 4 entities need an array each",
    );
    world.spawn(Transform3D({ x: 5 }), Shown);
    expect(refusal(world, () => fill.updateEach([...lists.slice(0, 4), null as never]))).toContain(
      "row 4 needs an array",
    );
    expect(lists[4]![12]).toBe(7);
    expect([fill.updateEach(lists), lists[4]![12]]).toEqual([5, 5]);
  });

  it("can be disposed, and continues where it stopped when it is used again", () => {
    const { space, entities, query } = scene(10);
    const fill = createWorldFill(space, query);
    const out = new Float32Array(160);
    fill.update(out);
    fill.update(out);
    fill.dispose();
    space.setPosition(entities[0]!, 1, 1, 1);
    expect(fill.update(out)).toBe(1);
    expectRows(space, fill, out, 16);
    fill.dispose();
  });

  it("holds what a plain fill gives after any changes, in 2D", () => {
    const steps = fc.array(fc.tuple(fc.nat(7), fc.nat(30), fc.nat(30)), { maxLength: 60 });
    property(
      steps,
      (list) => {
        const world = createWorld();
        const tree = createHierarchy(world);
        const space = createTransforms2D(tree);
        const alive: Entity[] = [];
        for (let k = 0; k < 12; k++) alive.push(tree.attachNew(alive[k >> 2] ?? null, Transform2D({ x: k })));
        const fill = createWorldFill(space, world.query(Transform2D), { width: 6 });
        const each = createWorldFill(space, world.query(Transform2D), { width: 6 });
        const out = new Float32Array(100 * 6);
        const lists = Array.from({ length: 100 }, () => new Array<number>(6).fill(0));
        const compare = () => {
          const before = out.slice();
          fill.update(out);
          expectRows(space, fill, out, 6);
          if (!fill.wroteAll) {
            const isOther = (row: number) =>
              [0, 1, 2, 3, 4, 5].some((k) => before[row * 6 + k] !== out[row * 6 + k]);
            const other = Array.from({ length: fill.count }, (_, row) => row).filter(isOther);
            expect([...fill.writtenRows].sort((a, b) => a - b)).toEqual(other);
          }
          each.updateEach(lists);
          expect(lists.slice(0, each.count).flat().map(Math.fround)).toEqual([
            ...out.subarray(0, fill.count * 6),
          ]);
        };
        for (const [kind, a, b] of list) {
          const entity = alive[a % alive.length];
          const other = alive[b % alive.length];
          if (kind === 0 && alive.length < 90)
            alive.push(tree.attachNew(entity ?? null, Transform2D({ x: b })));
          else if (kind === 1 && entity !== undefined) space.setPosition(entity, b % 4, a % 4);
          else if (kind === 2 && entity !== undefined && tree.canAttach(entity, other ?? null))
            tree.attach(entity, other ?? null);
          else if (kind === 3 && entity !== undefined) {
            tree.destroy(entity);
            alive.splice(0, alive.length, ...alive.filter((one) => world.isAlive(one)));
          } else if (kind === 4) space.propagate();
          // Slots move: the flat order becomes exact again.
          else if (kind === 5 && entity !== undefined) subtreeRange(tree, entity);
          else if (kind === 6) (a % 2 === 0 ? fill : each).dispose();
          else compare();
        }
        compare();
      },
      200,
    );
  });

  it("finds what changed even when slots moved before it looked", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const space = createTransforms2D(tree);
    const roots = Array.from({ length: 40 }, (_, k) => tree.attachNew(null, space.at(k, 0)));
    const fill = createWorldFill(space, world.query(Transform2D), { width: 6 });
    const out = new Float32Array(40 * 6);
    fill.update(out);
    // Other code brings the space up to date, and then the order changes.
    space.setPosition(roots[30]!, 7, 7);
    space.propagate();
    tree.attach(roots[39]!, roots[2]!, { keep: "world" });
    subtreeRange(tree, roots[2]!);
    expect(fill.update(out)).toBe(1);
    expect([...fill.writtenRows]).toEqual([fill.rowOf(roots[30]!)]);
    expectRows(space, fill, out, 6);
  });

  it("loses nothing when more passes went by than are listed", () => {
    const { space, entities, query } = scene(70_000);
    const fill = createWorldFill(space, query, { width: 12 });
    const out = new Float32Array(70_000 * 12);
    fill.update(out);
    // Two runs in each pass, far apart.
    for (let k = 0; k < 16_400; k++) {
      space.setPosition(entities[0]!, k, 0, 0);
      space.setPosition(entities[100]!, k, 0, 0);
      space.propagate();
    }
    space.setPosition(entities[500]!, 7, 7, 7);
    expect(fill.update(out)).toBe(3);
    expect([...fill.writtenRows].sort((a, b) => a - b)).toEqual([0, 100, 500]);
    space.setPosition(entities[500]!, 8, 8, 8);
    expect(fill.update(out)).toBe(1);
  });
});

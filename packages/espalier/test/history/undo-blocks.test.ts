/**
 * Loops that were recorded as blocks are undone and redone as blocks: against a history in which an observer makes each value go
 * its own way.
 */
import { checkWorld, component, createWorld, type Entity, f32, f64, i16, observe, u8 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory, StepDroppedError } from "espalier/history";
import { createTransforms2D, createTransforms3D, Transform2D, Transform3D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const Position = component("Position", { x: f32(), y: f32() });
const Small = component("Small", { a: u8(), b: i16(), c: f64() });
const Rare = component("Rare", { n: f32(), m: i16() }, { storage: "sparse" });

function create(isSlow: boolean, generate = true) {
  const world = createWorld({ capacity: 4, generate });
  const tree = createHierarchy(world);
  const flat = createTransforms2D(tree);
  createTransforms3D(tree, { name: "deep" });
  const history = createHistory(world);
  const all = [Position, Small, Rare, Transform2D, Transform3D] as const;
  if (isSlow) for (const each of all) observe(world, each as typeof Position, { set: () => {} });
  const loops = [
    world.query(Position),
    world.query(Small),
    world.query(Rare),
    world.query(Transform2D),
    world.query(Transform3D),
  ] as const;
  return { world, tree, flat, history, loops };
}

type Twin = ReturnType<typeof create>;

const numbers = [0, -0, Number.NaN, 1e30, 0.1, 3];

function perform(
  { world, tree, history, loops }: Twin,
  [what, a, b]: readonly [number, number, number],
): void {
  const alive = world.entities();
  const one = alive[a % alive.length] as Entity;
  const other = alive[b % alive.length] as Entity;
  const value = numbers[b % numbers.length] as number;
  const write = [
    () => loops[0].update((position) => void Object.assign(position, { x: position.x + a, y: value })),
    () => loops[1].update((small) => void Object.assign(small, { a: (small.a + a) % 256, c: value })),
    () => loops[2].each((_, rare) => void (rare.n = rare.n === value ? a : value)),
    () =>
      loops[3].update((transform) => void Object.assign(transform, { x: transform.x + a, rotation: b % 7 })),
    () => loops[4].update((transform) => void Object.assign(transform, { z: transform.z - a, x: b })),
    // Changes nothing: such a loop leaves no record in either.
    () => loops[0].update((position) => void (position.x += 0)),
    () => tree.canAttach(one, other) && tree.attach(one, other, { at: "first" }),
    () => world.spawn(Position({ x: a }), Small, Transform2D({ x: b })),
    () => tree.attachNew(one, Rare({ n: a }), Transform3D({ z: b }), Transform2D),
    () => alive.length > 6 && world.destroy(one),
    () => (world.has(one, Rare) ? world.remove(one, Rare) : world.add(one, Rare({ m: a % 100 }))),
    () => (world.has(one, Transform2D) ? world.remove(one, Transform2D) : world.add(one, Transform2D)),
    () => history.commit(),
    () => history.undo(),
    () => history.undo(),
    () => history.redo(),
  ];
  (write[what % write.length] as () => void)();
}

function valuesOf({ world, tree, flat }: Twin): unknown {
  return world
    .entities()
    .map((entity) => [
      entity,
      tree.parentOf(entity),
      [Position, Small, Rare, Transform2D, Transform3D].map((each) =>
        world.get(entity, each as typeof Position),
      ),
      world.has(entity, Transform2D) ? flat.worldPosition(entity) : undefined,
    ]);
}

describe("a loop that was recorded as a block", () => {
  it("is undone and redone like one whose writes were recorded by themselves", () => {
    property(
      fc.tuple(
        fc.array(fc.tuple(fc.nat(0xffff), fc.nat(0xff), fc.nat(0xff)), { minLength: 5, maxLength: 60 }),
        fc.boolean(),
      ),
      ([script, generate]) => {
        const [quick, slow] = [create(false, generate), create(true, generate)];
        for (const twin of [quick, slow]) {
          for (let k = 0; k < 30; k++) {
            if (k % 2 === 0) twin.world.spawn(Position, Transform2D, Rare);
            else twin.world.spawn(Small, Transform3D, Position({ x: k }));
          }
          twin.history.clear();
        }
        const same = () => {
          expect(valuesOf(quick)).toEqual(valuesOf(slow));
          expect(checkWorld(quick.world)).toEqual([]);
        };
        for (const each of script) {
          perform(quick, each);
          perform(slow, each);
          same();
        }
        for (let round = 0; round < 2; round++) {
          while (quick.history.undo()) {
            expect(slow.history.undo()).toBe(true);
            same();
          }
          expect(slow.history.undo()).toBe(false);
          while (quick.history.redo()) {
            expect(slow.history.redo()).toBe(true);
            same();
          }
          expect(slow.history.redo()).toBe(false);
        }
      },
      60,
    );
  });

  it.each([
    ["values by index", Position],
    ["sparse values", Rare],
    ["transforms", Transform2D],
  ])("takes as much memory undone as done, so that 30 of 30 come back: %s", (_, each) => {
    const { world, history } = create(false);
    world.spawnMany(5000, each as typeof Position);
    history.commit();
    history.clear();
    const query = world.query(each as typeof Position);
    const write = () =>
      query.update((values: { [field: string]: number }) => {
        const field = "x" in values ? "x" : "n";
        values[field] = (values[field] as number) + 1;
      });
    for (let k = 0; k < 30; k++) history.step(`${k}`, write);
    const { bytes } = history;
    for (let k = 0; k < 30; k++) expect(history.undo()).toBe(true);
    expect([history.undo(), history.bytes]).toEqual([false, bytes]);
    for (let k = 0; k < 30; k++) expect(history.redo()).toBe(true);
    expect([history.redo(), history.bytes, history.dropped]).toEqual([false, bytes, 0]);
  });
});

describe("a limit of memory", () => {
  /** Undoing what created an entity records its values, so undone steps take more than done ones. */
  function fill(maxBytes: number) {
    const world = createWorld();
    const history = createHistory(world, { maxBytes });
    for (let k = 0; k < 10; k++) history.step(`${k}`, () => world.spawn(Small, Position));
    return { world, history };
  }

  it("drops the oldest step when undo needs more room", () => {
    const { world, history } = fill(10 * 2 * 8 + 2 * 6 * 8);
    history.undo();
    history.undo();
    history.undo();
    expect(history.dropped).toBeGreaterThan(0);
    expect(history.undoLabels).toHaveLength(7 - history.dropped);
    expect(history.redoLabels).toEqual(["7", "8", "9"]);
    for (let k = 0; k < 3; k++) expect(history.redo()).toBe(true);
    expect([world.count, history.redo()]).toEqual([10, false]);
  });

  it("makes redo throw when steps that were undone did not fit", () => {
    const { world, history } = fill(10 * 2 * 8);
    while (history.undo());
    const left = history.redoLabels.length;
    expect(left).toBeLessThan(10);
    for (let k = 0; k < left; k++) expect(history.redo()).toBe(true);
    const lost = 10 - left - history.dropped;
    expect(lost).toBeGreaterThan(0);
    expect(() => history.redo()).toThrow(
      `dropped, because together with the rest more than maxBytes (160) was needed. Raise maxBytes, or make smaller steps. [history/step-dropped]`,
    );
    expect(() => history.redo()).toThrow(StepDroppedError);
    expect(history.canRedo).toBe(false);
    history.step("new", () => world.spawn());
    expect(history.redo()).toBe(false);
    expect(checkWorld(world)).toEqual([]);
  });
});

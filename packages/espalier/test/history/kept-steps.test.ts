/** What a history keeps of its steps: joined ones, refused ones, those beyond its limits, and what its self-test says of damaged ones. */
import {
  checkWorld,
  component,
  createWorld,
  DEVELOPMENT,
  type Entity,
  entityRef,
  f32,
  indexOf,
  observe,
  string,
  tag,
  type World,
} from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  createHistory,
  createVersions,
  HistoryConflictError,
  type HistoryOptions,
  restoreSnapshot,
  takeSnapshot,
  unrecorded,
} from "espalier/history";
import { createTransforms2D, Transform2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property, snapshot } from "../testing.ts";

const Position = component("Position", { x: f32(), y: f32() });
const Label = component("Label", { text: string() });
const [Left, Right, Frozen] = [tag("Left"), tag("Right"), tag("Frozen")];

function recorded(options: HistoryOptions = {}) {
  const world = createWorld();
  return { world, history: createHistory(world, options) };
}

/** All values of all entities. */
function all(world: World): unknown[] {
  return world.entities().map((e) => [e, world.get(e, Position), world.get(e, Label), world.has(e, Frozen)]);
}

describe("steps joined by a key", () => {
  const act = fc.record({
    kind: fc.constantFrom("x", "xy", "text", "text", "left", "right", "every", "freeze", "spawn", "destroy"),
    entity: fc.nat(),
    value: fc.integer({ min: 0, max: 3 }),
  });
  const steps = fc.array(
    fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );

  it("lead back to what was there before the first of them, and on to what the last one left", () => {
    property(
      steps,
      (groups) => {
        const { world, history } = recorded();
        for (let k = 0; k < 6; k++) world.spawn(Position({ x: k }), Label, k < 3 ? Left : Right);
        history.commit();
        const loops = {
          left: world.query(Position, Left),
          right: world.query(Position, Right),
          every: world.query(Position),
        };
        const was = [all(world)];
        groups.forEach((group, key) => {
          for (const acts of group) {
            history.step(
              `${key}`,
              () => {
                for (const { kind, entity, value } of acts) {
                  const entities = world.entities();
                  const e = entities[entity % entities.length]!;
                  if (kind === "x") world.set(e, Position, { x: value });
                  else if (kind === "xy") world.set(e, Position, { x: value, y: -value });
                  else if (kind === "text") world.set(e, Label, { text: `${value}` });
                  else if (kind === "freeze")
                    world.has(e, Frozen) ? world.remove(e, Frozen) : world.add(e, Frozen);
                  else if (kind === "spawn") world.spawn(Position, Label, Left);
                  else if (kind === "destroy") entities.length > 3 && world.destroy(e);
                  else {
                    loops[kind].update((at) => {
                      at.x += value;
                      if (value === 2) at.y = 5;
                    });
                  }
                }
              },
              { key: `${key}` },
            );
          }
          was.push(all(world));
        });
        // A group that changed nothing made no step.
        const kept = was.filter((_, k) => k === 0 || history.undoLabels.includes(`${k - 1}`));
        for (let round = 0; round < 2; round++) {
          const labels = history.undoLabels.filter((label) => label !== "").length;
          expect(labels).toBe(kept.length - 1);
          for (let k = kept.length - 2; k >= 0; k--) {
            history.undo();
            expect(all(world)).toEqual(kept[k]);
          }
          for (let k = 1; k < kept.length; k++) {
            history.redo();
            expect(all(world)).toEqual(kept[k]);
          }
          expect(checkWorld(world)).toEqual([]);
        }
      },
      300,
    );
  });

  it("join only the last step, whatever is before it, and nothing after clear()", () => {
    const { world, history } = recorded();
    const e = world.spawn(Position);
    const set = (x: number, key: string) => history.step(key, () => world.set(e, Position, { x }), { key });
    for (const key of ["a", "b", "c", "c"]) set(key.charCodeAt(0), key);
    set(1, "c");
    expect(history.undoLabels).toEqual(["c", "b", "a", ""]);
    set(2, "b");
    expect(history.undoLabels).toEqual(["b", "c", "b", "a", ""]);
    history.clear();
    set(3, "b");
    expect(history.undoLabels).toEqual(["b"]);
    history.undo();
    expect(world.get(e, Position)).toEqual({ x: 2, y: 0 });
  });
});

describe("a loop that is undone as a block", () => {
  const Heat = component("Heat", { degrees: f32() }, { storage: "sparse" });
  const Aim = component("Aim", { at: entityRef() });
  const move = (world: World) =>
    world.query(Position).update((at) => {
      at.x += 10;
    });
  const xs = (world: World) => world.entities().map((e) => world.get(e, Position)?.x);

  it.each(["destroyed", "replaced", "without the component"])(
    "leaves the entity unchanged that took the row of one that is %s",
    (how) => {
      const { world, history } = recorded({ implicit: false });
      const entities = [1, 2, 3].map((x) => world.spawn(Position({ x })));
      history.step("Move", () => move(world));
      if (how === "without the component") world.remove(entities[1]!, Position);
      else world.destroy(entities[1]!);
      if (how === "replaced") world.spawn(Position({ x: 50 }));
      const middle = how === "destroyed" ? [] : [how === "replaced" ? 50 : undefined];
      expect(xs(world)).toEqual([11, ...middle, 13]);
      history.undo();
      expect(xs(world)).toEqual([1, ...middle, 3]);
      history.redo();
      expect(xs(world)).toEqual([11, ...middle, 13]);
      // Nothing was written into its row.
      if (how === "without the component") world.add(entities[1]!, Position);
      expect(world.columns(Position).x[indexOf(entities[1]!)]).toBe(
        how === "replaced" ? 50 : how === "destroyed" ? 12 : 0,
      );
      expect(checkWorld(world)).toEqual([]);
    },
  );

  it("takes the same room in the first passes, later, and where no code may be made from text", () => {
    const sizes = [true, false].flatMap((generate) => {
      const world = createWorld({ generate });
      const tree = createHierarchy(world);
      const space = createTransforms2D(tree);
      const history = createHistory(world, { implicit: false });
      world.spawnMany(100, Position, Heat, Aim, space.at(0, 0));
      const loops = [
        world.query(Position),
        world.query(Heat),
        world.query(Transform2D),
        world.query(Aim),
      ] as const;
      return Array.from({ length: 12 }, () => {
        const { bytes } = history;
        history.step("Loop", () => {
          loops[0].update((at) => void Object.assign(at, { x: at.x + 1, y: at.y - 1 }));
          loops[1].each((_, heat) => void (heat.degrees += 1));
          loops[2].update((at) => void Object.assign(at, { x: at.x + 1, rotation: at.rotation + 1 }));
          loops[3].each((e, aim) => void (aim.at = aim.at === null ? e : null));
        });
        return history.bytes - bytes;
      });
    });
    expect(new Set(sizes).size).toBe(1);
  });

  it("finds values of sparse components whose rows have moved since", () => {
    const { world, history } = recorded({ implicit: false });
    const entities = [1, 2, 3, 4].map((degrees) => world.spawn(Heat({ degrees })));
    history.step("Warm", () =>
      world.query(Heat).update((heat) => {
        heat.degrees += 10;
      }),
    );
    for (const k of [0, 2, 1]) world.remove(entities[k]!, Heat);
    for (const k of [0, 1, 2]) world.add(entities[k]!, Heat({ degrees: k + 11 }));
    const degrees = () => entities.map((e) => world.get(e, Heat)?.degrees);
    history.undo();
    expect(degrees()).toEqual([1, 2, 3, 4]);
    history.redo();
    expect(degrees()).toEqual([11, 12, 13, 14]);
    expect(checkWorld(world)).toEqual([]);
  });

  it("notifies observers that were added since, and those that keep world transforms", () => {
    const { world, history } = recorded();
    const tree = createHierarchy(world);
    const space = createTransforms2D(tree);
    const rest = Array.from({ length: 100 }, () => world.spawn(space.at(1, 1)));
    const ship = world.spawn(Position({ x: 1 }), space.at(5, 0), Left);
    const gun = tree.attachNew(ship, space.at(1, 0));
    world.spawn(Position({ x: Number.POSITIVE_INFINITY }));
    history.commit();
    space.propagate();
    history.step("Move", () => {
      move(world);
      world.query(Transform2D, Left).update((at) => {
        at.x += 10;
      });
    });
    space.propagate();
    const set: Entity[] = [];
    observe(world, Position, { set: (entity) => set.push(entity) });
    for (const [act, x] of [
      [() => history.undo(), 6],
      [() => history.redo(), 16],
    ] as const) {
      act();
      space.propagate();
      expect([space.worldPosition(gun).x, world.get(ship, Position)?.x]).toEqual([x, x - 5]);
      // The one whose value stayed as it was is not among them.
      expect(set).toEqual([ship]);
      set.length = 0;
    }
    expect(rest.map((each) => space.worldPosition(each).x)).toEqual(rest.map(() => 1));
  });
});

describe("an undo that was refused", () => {
  it("is complete when it is tried again, strings included, and names the entities in the way", () => {
    const { world, history } = recorded({ implicit: false });
    const [a, b] = [world.spawn(Label({ text: "old" })), world.spawn(Label({ text: "b" }))];
    history.step("Edit", () => {
      world.destroy(b);
      world.set(a, Label, { text: "new" });
    });
    const inTheWay = world.spawn();
    for (let k = 0; k < 2; k++) {
      let error: unknown;
      try {
        history.undo();
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(HistoryConflictError);
      expect((error as HistoryConflictError).entities).toEqual([b]);
      expect([world.get(a, Label), history.undoLabels]).toEqual([{ text: "new" }, ["Edit"]]);
    }
    world.destroy(inTheWay);
    // What was spawned in between took the index: that handle is gone for good, the older one comes back.
    expect(history.undo()).toBe(true);
    expect([world.get(a, Label), world.get(b, Label)]).toEqual([{ text: "old" }, { text: "b" }]);
    history.redo();
    expect([world.get(a, Label), world.isAlive(b)]).toEqual([{ text: "new" }, false]);
  });
});

describe("the limits of a history", () => {
  it("let a transaction take back more than maxBytes, and leave the steps before it", () => {
    const { world, history } = recorded({ maxBytes: 4000 });
    const e = world.spawn(Position);
    history.step("small", () => world.set(e, Position, { x: 1 }));
    expect(() =>
      history.transaction("large", () => {
        for (let k = 0; k < 20_000; k++) world.set(e, Position, { x: k + 2 });
        throw new Error("no");
      }),
    ).toThrow("no");
    expect([world.get(e, Position)?.x, history.undoLabels]).toEqual([1, ["small", ""]]);
    history.undo();
    expect(world.get(e, Position)?.x).toBe(0);
  });

  it("let a step be undone that takes more than maxBytes to redo, and say that it is lost", () => {
    const { world, history } = recorded({ maxBytes: 30_000 });
    const e = world.spawn(Position);
    history.step("small", () => world.set(e, Position, { x: 1 }));
    history.step("many", () => world.spawnMany(1000, Position({ x: 5 }), Label({ text: "many" })));
    expect([history.undo(), world.count]).toEqual([true, 1]);
    // Only the way on is gone.
    expect([history.undoLabels, history.redoLabels, history.dropped]).toEqual([["small", ""], [], 0]);
    expect(() => history.redo()).toThrow("Cannot redo: an undone step was dropped");
    expect(history.bytes).toBeLessThanOrEqual(30_000);
    expect([history.undo(), world.get(e, Position)?.x]).toEqual([true, 0]);
    expect([history.redo(), world.get(e, Position)?.x]).toEqual([true, 1]);
  });

  it("may be a single step; what can be undone is known without loose changes too, and every change grows the version", () => {
    const { world, history } = recorded({ maxSteps: 1, implicit: false });
    const versions = [history.version];
    const acts = [
      () => history.step("a", () => world.spawn()),
      () => history.step("b", () => world.spawn()),
      () => history.undo(),
      () => history.redo(),
    ];
    for (const act of acts) {
      act();
      versions.push(history.version);
    }
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect([history.undoLabels, history.canUndo, history.canRedo]).toEqual([["b"], true, false]);
    history.undo();
    expect([history.canUndo, history.canRedo]).toEqual([false, true]);
    expect(() => createHistory(createWorld(), { maxSteps: 0 })).toThrow("maxSteps");
  });

  it("count what is undone and what is loose", () => {
    const { world, history } = recorded();
    const e = world.spawn(Position);
    history.step("a", () => world.set(e, Position, { x: 1 }));
    const { bytes } = history;
    expect(bytes).toBeGreaterThan(0);
    history.undo();
    expect(history.bytes).toBe(bytes);
    world.set(e, Position, { x: 2 });
    expect(history.bytes).toBeGreaterThan(bytes);
  });
});

describe("a snapshot that is restored as a step", () => {
  it("is undone and redone with the order of queries and the handles that come next", () => {
    property(
      fc.array(fc.record({ kind: fc.nat(3), entity: fc.nat() }), { minLength: 1, maxLength: 12 }),
      (acts) => {
        const { world, history } = recorded();
        world.spawnMany(6, Position);
        world.spawnMany(3, Position, Frozen);
        const taken = takeSnapshot(world);
        const { version: _o, ...original } = snapshot(world) as { version: number };
        for (const { kind, entity } of acts) {
          const all = world.entities();
          const e = all[entity % all.length];
          if (kind === 0 || e === undefined) world.spawn(Position, ...(entity % 2 === 0 ? [Frozen] : []));
          else if (kind === 1) world.destroy(e);
          else if (kind === 2) world.has(e, Frozen) ? world.remove(e, Frozen) : world.add(e, Frozen);
          else world.set(e, Position, { x: entity % 7 });
        }
        history.commit();
        const { version: _b, ...before } = snapshot(world) as { version: number };
        history.step("Restore", () => restoreSnapshot(world, taken));
        const { version: _a, ...after } = snapshot(world) as { version: number };
        expect(after).toEqual(original);
        expect(history.undoLabels[0]).toBe("Restore");
        for (let round = 0; round < 2; round++) {
          history.undo();
          expect(snapshot(world)).toMatchObject(before);
          history.redo();
          expect(snapshot(world)).toMatchObject(after);
        }
        expect(checkWorld(world)).toEqual([]);
      },
      100,
    );
  });
});

describe("what is not recorded", () => {
  it("is no step, and nothing else happens where no history is", () => {
    const { world, history } = recorded();
    const e = world.spawn(Position);
    history.clear();
    unrecorded(world, () => world.set(e, Position, { x: 5 }));
    expect([history.canUndo, world.get(e, Position)?.x]).toEqual([false, 5]);
    world.set(e, Position, { x: 6 });
    history.undo();
    expect(world.get(e, Position)?.x).toBe(5);
    const other = createWorld();
    unrecorded(other, () => other.spawn());
    expect(other.count).toBe(1);
  });
});

describe("versions beside a history", () => {
  it("change for a loop exactly where it wrote other values to what still has the component", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const roots = Array.from({ length: 4 }, (_, k) => world.spawn(Position({ x: k })));
    const history = createHistory(world);
    const versions = createVersions(tree);
    const read = () => roots.map((root) => (world.isAlive(root) ? versions.versionOf(root) : -1));
    const before = read();
    world.query(Position).update((at) => {
      at.x = Math.max(at.x, 2);
    });
    const [a, b] = roots as [Entity, Entity];
    expect(read().map((version, k) => version !== before[k])).toEqual([true, true, false, false]);
    const middle = read();
    world.query(Position).update((at) => {
      at.y = 7;
    });
    world.remove(a, Position);
    world.destroy(b);
    expect(read().map((version, k) => version !== middle[k])).toEqual([true, true, true, true]);
    const last = read();
    history.undo();
    expect(read().filter((version, k) => version === last[k])).toEqual([]);
    expect(roots.map((root) => world.get(root, Position))).toEqual(roots.map((_, k) => ({ x: k, y: 0 })));
  });
});

describe("the self-test of a history", () => {
  it.runIf(DEVELOPMENT)("finds steps that are damaged or counted wrongly, and too many of them", () => {
    const { world, history } = recorded();
    const e = world.spawn(Position);
    history.step("Move it", () => world.set(e, Position, { x: 1 }));
    expect(checkWorld(world)).toEqual([]);
    const inside = history as unknown as {
      done: { bytes: number; list: { numbers: Float64Array }[] };
      maxBytes: number;
    };
    const messages = () => checkWorld(world).map(({ code, message }) => `${code}: ${message}`);
    inside.done.bytes += 8;
    const { bytes } = inside.done;
    expect(messages()).toEqual([
      `history/inconsistent: history: its steps take ${bytes - 8} bytes, and ${bytes} are counted`,
    ]);
    inside.done.bytes -= 8;
    const { maxBytes } = inside;
    inside.maxBytes = 8;
    expect(messages()).toEqual(["history/inconsistent: history: its steps take more than maxBytes (8)"]);
    inside.maxBytes = maxBytes;
    const last = inside.done.list.at(-1)!;
    last.numbers = last.numbers.subarray(1);
    inside.done.bytes -= 8;
    expect(messages()).toEqual(['history/inconsistent: history: the records of step "Move it" are damaged']);
  });
});

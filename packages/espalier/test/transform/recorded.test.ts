/**
 * Transforms that are written while a history listens: the short ways put old numbers on its tape themselves. Beside another
 * recorder it is notified of each write by the world, which is the slow, obvious twin.
 */
import { createWorld, type Entity, type World } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { createHistory, createVersions, transaction, type UndoHistory } from "espalier/history";
import {
  createTransforms2D,
  setSkew,
  Transform2D,
  type Transforms2D,
  transformBatch,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../kernels-loaded.ts";
import { property } from "../testing.ts";

interface Stage {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
  readonly history: UndoHistory;
  readonly entities: Entity[];
  readonly query: { update(fn: (transform: { x: number; y: number; rotation: number }) => void): void };
}

function stage(isSlow: boolean, kernel: "javascript" | "wasm"): Stage {
  const world = createWorld({ capacity: 16 });
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree, { kernel });
  const entities: Entity[] = [];
  for (let k = 0; k < 70; k++) {
    const parent = k < 5 ? null : (entities[(k * 7) % k] as Entity);
    entities.push(k % 9 === 4 ? tree.attachNew(parent) : tree.attachNew(parent, space.at(k, 100 - k)));
  }
  const history = createHistory(world);
  if (isSlow) createVersions(tree);
  return { world, tree, space, history, entities, query: world.query(Transform2D) };
}

type Action = readonly [what: number, a: number, b: number];
const action: fc.Arbitrary<Action> = fc.tuple(fc.noBias(fc.nat(15)), fc.nat(69), fc.nat(1000));
// Not -0: a setter that writes it over 0 changes nothing, a write by the world does.
const numbers = [0, 2, 1.5, 1e30, 0.1, Number.NaN, Number.POSITIVE_INFINITY, -7, 3, 4];

function act(it: Stage, [what, a, b]: Action): unknown {
  const { world, tree, space, history, entities, query } = it;
  const e = entities[a] as Entity;
  const [x, y] = [numbers[b % 10] as number, numbers[(b >> 3) % 10] as number];
  const held = entities.filter((each) => world.isAlive(each) && world.has(each, Transform2D));
  if (what === 0) return space.setPosition(e, x, y);
  if (what === 1) return space.setTransform(e, x, y, b / 100, 1, 2, 0.1);
  if (what === 2) return space.setRotation(e, x);
  if (what === 3) return space.setScale(e, 2, b);
  if (what === 4) return setSkew(space, e, y);
  if (what === 5) return space.translate(e, 1, b);
  if (what === 6) return space.rotate(e, 0.1);
  if (what === 7 || what === 8) {
    const width = [2, 3, 5, 6][b % 4] as number;
    const some = what === 7 ? held : held.slice(0, 5);
    const rows = Float32Array.from({ length: some.length * width }, (_, k) => (k * 31 + b) % 97);
    if (b === 7) rows[3] = Number.NaN;
    return transformBatch(space, some).write(rows);
  }
  if (what === 9) {
    return query.update((transform) => {
      transform.x += b;
      if (b % 3 === 0) transform.rotation += 0.5;
    });
  }
  if (what === 10) {
    return transaction(world, () => {
      query.update((transform) => void (transform.y -= 1));
      space.setPosition(e, 5, 5);
      if (b % 2 === 0) throw new Error("taken back");
    });
  }
  if (what === 11) return tree.attach(e, entities[b % 70] as Entity);
  if (what === 12) return b % 4 === 0 ? world.destroy(e) : history.commit();
  if (what === 13) return b % 2 === 0 ? world.remove(e, Transform2D) : world.add(e, Transform2D({ x: b }));
  if (what === 14) return b % 3 === 0 ? history.undo() : history.redo();
  return void entities.push(tree.attachNew(null, space.at(b, a)));
}

function outcome(it: Stage, action: Action): unknown {
  try {
    return act(it, action);
  } catch (error) {
    return String(error);
  }
}

function state({ world, tree, space, entities }: Stage): unknown {
  return entities.map((e) =>
    world.isAlive(e)
      ? [e, tree.parentOf(e), world.has(e, Transform2D), space.localOf(e), space.worldOf(e)]
      : undefined,
  );
}

describe.each(["javascript", "wasm"] as const)("transforms that a history records (kernel: %s)", (kernel) => {
  it("are recorded as the world records them", () => {
    property(
      fc.array(action, { minLength: 5, maxLength: 60 }),
      (actions) => {
        const [quick, slow] = [stage(false, kernel), stage(true, kernel)];
        const start = state(quick);
        for (const each of actions) {
          expect(outcome(quick, each)).toEqual(outcome(slow, each));
          expect(state(quick)).toEqual(state(slow));
        }
        for (const go of ["undo", "redo", "undo"] as const) {
          while (quick.history[go]()) {
            expect(slow.history[go]()).toBe(true);
            expect(state(quick)).toEqual(state(slow));
          }
        }
        expect((state(quick) as unknown[]).slice(0, 70)).toEqual(start);
      },
      60,
    );
  });
});

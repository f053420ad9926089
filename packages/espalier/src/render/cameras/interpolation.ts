/**
 * Smooth pictures from fixed steps: transforms of entities between the last two steps.
 *
 * `keep()` copies the world matrices of entities that moved since the last `keep()`; for all others the copy
 * is still valid. So the cost of a step depends on what moves in it, and a scene at rest costs nothing.
 */
import {
  type ArgumentTest,
  type Entity,
  type EntityLike,
  expectArguments,
  handleOf,
  indexOf,
} from "../../ecs/index.ts";
import { type Affine2D, requireSpace2D, type Transforms2D } from "../../transform/index.ts";
import { interpolate2D } from "./interpolate.ts";

/** Numbers kept of each entity: a, b, c, d, x, y. */
const STRIDE = 6;

/** Interpolates between two steps of the game. Created by `createInterpolation`. */
export interface Interpolation {
  /** The space whose positions are kept. */
  readonly space: Transforms2D;
  /** Call before each fixed step: interpolation starts from the current state of the world. */
  keep(): void;
  /**
   * The interpolated world matrix: at `alpha` 0 that of the last `keep()`, at 1 the current one. Entities created
   * since have their current one.
   */
  worldOf(entity: EntityLike, alpha: number, out?: Affine2D): Affine2D;
  /** The entities that moved since the last `keep()`: those for which `alpha` matters. */
  moving(): ReadonlySet<Entity>;
  /** Lets an entity, with everything below it, jump: it is not interpolated from its last transform. */
  snap(entity: EntityLike): void;
  /** Stops following the space. */
  dispose(): void;
}

/** The expected form of an interpolation as an option. */
export const anInterpolation: ArgumentTest = {
  expected: "one. Pass what createInterpolation() returned",
  fits: (value) => typeof (Object(value) as Partial<Interpolation>).worldOf === "function",
};

/**
 * Interpolates the world transforms of a space.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const interpolation = createInterpolation(space);
 * const ball = world.spawn(space.at(0, 0));
 * interpolation.keep(); // before each step
 * space.setPosition(ball, 10, 0);
 * interpolation.worldOf(ball, 0.25).x; // → 2.5
 * ```
 */
export function createInterpolation(space: Transforms2D): Interpolation {
  requireSpace2D(space, "interpolate");
  const { tree } = space;
  const { world } = tree;
  let kept = new Float32Array(0);
  /** The entity whose matrix is stored at an index: that of a destroyed entity is not used for its successor. */
  let owner = new Float64Array(0);
  const moved = new Set<Entity>();
  const now: Affine2D = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };

  function save(entity: Entity): void {
    const index = indexOf(entity);
    if (index >= owner.length) grow(index + 1);
    space.worldOf(entity, now);
    const at = index * STRIDE;
    kept[at] = now.a;
    kept[at + 1] = now.b;
    kept[at + 2] = now.c;
    kept[at + 3] = now.d;
    kept[at + 4] = now.x;
    kept[at + 5] = now.y;
    owner[index] = entity;
  }

  function grow(length: number): void {
    const size = Math.max(length, owner.length * 2, 64);
    const [before, owners] = [kept, owner];
    kept = new Float32Array(size * STRIDE);
    kept.set(before);
    owner = new Float64Array(size);
    owner.set(owners);
  }

  space.propagate();
  const changes = space.changes();
  for (const entity of world.entities()) save(entity);

  /** Reads the moves since the last time. */
  function follow(): void {
    space.propagate();
    if (changes.pending === 0) return;
    changes.forEach((entity, kind) => {
      if (kind === "removed") moved.delete(entity);
      else if (!world.isAlive(entity)) return;
      else if (kind === "changed") moved.add(entity);
      else save(entity);
    });
  }

  return {
    space,
    keep() {
      follow();
      for (const entity of moved) if (world.isAlive(entity)) save(entity);
      moved.clear();
    },
    worldOf(given, alpha, out = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 }) {
      expectArguments("interpolate", ["alpha", alpha, "number"]);
      const entity = handleOf(world, given);
      follow();
      space.worldOf(entity, out);
      const index = indexOf(entity);
      if (owner[index] !== entity || !moved.has(entity)) return out;
      return interpolate2D(kept, index * STRIDE, out, alpha, out);
    },
    moving() {
      follow();
      return moved;
    },
    snap(entity) {
      follow();
      for (const each of tree.descendants(entity, { includeSelf: true })) if (moved.delete(each)) save(each);
    },
    dispose() {
      changes.close();
      moved.clear();
    },
  };
}

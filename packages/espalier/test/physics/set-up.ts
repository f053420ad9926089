/** What the tests of this room share: one engine, worlds with physics, common shapes. */
import type { Entity, World } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import {
  Collider,
  createPhysics,
  type Physics,
  type PhysicsOptions,
  RigidBody,
  STATIC,
} from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { createTransforms2D, type Transforms2D } from "espalier/transform";
import { strictWorld } from "../testing.ts";

export const engine = await loadBox2D();

export interface Stage {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
  readonly physics: Physics;
  run(steps: number): void;
  ground(): Entity;
  ball(x: number, y: number): Entity;
}

export const circle = Collider({ shapes: [{ type: "circle", radius: 0.5 }] });
export const box = Collider({ shapes: [{ type: "box", width: 1, height: 1 }] });

/** A world with physics; gravity points to negative y. */
export function stage(options: PhysicsOptions = {}): Stage {
  const world = strictWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const physics = createPhysics(space, engine, options);
  return {
    world,
    tree,
    space,
    physics,
    run(steps) {
      for (let k = 0; k < steps; k++) physics.step(1 / 60);
    },
    /** Its surface is at y = 0. */
    ground: () =>
      world.spawn(
        space.at(0, 0),
        RigidBody({ type: STATIC }),
        Collider({ shapes: [{ type: "box", width: 200, height: 2, y: -1 }] }),
      ),
    ball: (x, y) => world.spawn(space.at(x, y), RigidBody, circle),
  };
}

/** What a call throws: its code and message. */
export function thrown(call: () => unknown): {
  readonly code: string;
  readonly message: string;
  readonly entities: readonly Entity[];
} {
  try {
    call();
  } catch (error) {
    return error as never;
  }
  throw new Error("nothing was thrown");
}

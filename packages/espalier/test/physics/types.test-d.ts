import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  Collider,
  type ContactEvent,
  createPhysics,
  type Physics,
  type PhysicsEngine,
  RigidBody,
} from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { createTransforms2D } from "espalier/transform";
import { describe, expectTypeOf, it } from "vitest";

const space = createTransforms2D(createHierarchy(createWorld()));

describe("types", () => {
  it("an engine must be awaited", async () => {
    expectTypeOf(loadBox2D()).toEqualTypeOf<Promise<PhysicsEngine>>();
    expectTypeOf(createPhysics(space, await loadBox2D())).toEqualTypeOf<Physics>();
    // @ts-expect-error: a promise is no engine
    createPhysics(space, loadBox2D());
  });

  it("shapes have the fields of their type", () => {
    Collider({ shapes: [{ type: "box", width: 1, height: 2, layer: "a" }] });
    // @ts-expect-error: a box has a height
    Collider({ shapes: [{ type: "box", width: 1 }] });
    // @ts-expect-error: no such type
    Collider({ shapes: [{ type: "star", radius: 1 }] });
    // @ts-expect-error: density is a number
    Collider({ shapes: [{ type: "circle", radius: 1, density: "heavy" }] });
  });

  it("bodies have their fields, and events their kinds", () => {
    RigidBody({ type: 1, bullet: true });
    // @ts-expect-error: no such field
    RigidBody({ weight: 1 });
    expectTypeOf<ContactEvent["type"]>().toEqualTypeOf<"began" | "ended">();
    expectTypeOf<Physics["contacts"]>().toHaveProperty("reader");
  });

  it("a physics is what a game loop needs", () => {
    expectTypeOf<Physics>().toExtend<{ step(dt: number): void; dispose(): void }>();
  });
});

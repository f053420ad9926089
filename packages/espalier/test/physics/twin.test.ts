import { createCommands, type Entity } from "espalier";
import { Ghost } from "espalier/hierarchy";
import { createHistory, restoreSnapshot, takeSnapshot, transaction } from "espalier/history";
import { Active } from "espalier/inherit";
import {
  Collider,
  type ColliderShape,
  createPhysics,
  Joint,
  KINEMATIC,
  type Physics,
  RigidBody,
  STATIC,
  WELD,
} from "espalier/physics";
import { clone } from "espalier/scene";
import { Transform2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";
import { engine, stage } from "./set-up.ts";

/** What the engine holds, in an order that does not depend on how it came there. */
function contents(physics: Physics): unknown {
  const { tree } = physics.space;

  const { shapes, joints } = physics.debugPicture();
  const round = (value: number) => Math.round(value * 1000) / 1000 + 0;
  const listed = shapes.map(({ body, collider, form, points, radius, sensor, state }) => {
    const kind = state === "asleep" ? "awake" : state;
    // A follower is where its parent was before the step moved that.
    const positions = tree.parentOf(body) === null ? points.map(round) : [];
    return JSON.stringify([body, collider, form, positions, round(radius), sensor, kind]);
  });
  const { bodies, shapes: shapeCount, joints: jointCount } = physics.counts;
  return {
    bodies,
    shapeCount,
    jointCount,
    shapes: listed.sort(),
    joints: joints.map(({ joint }) => joint).sort(),
  };
}

/** The entities that a sync complains of. */
function complaint(physics: Physics): readonly Entity[] {
  try {
    physics.sync();
    return [];
  } catch (error) {
    return (error as { entities: readonly Entity[] }).entities;
  }
}

const shapes: readonly ColliderShape[][] = [
  [{ type: "circle", radius: 0.5 }],
  [
    { type: "box", width: 1, height: 2 },
    { type: "capsule", x1: 0, y1: 0, x2: 1, y2: 0, radius: 0.2, sensor: true },
  ],
  [],
];

const names = [
  "spawn",
  "spawn",
  "spawn",
  "spawn part",
  "spawn part",
  "spawn part",
  "folder",
  "spawn below",
  "spawn below",
  "ghost",
  "transform",
  "destroy",
  "attach",
  "detach",
  "body",
  "no body",
  "collider",
  "no collider",
  "type",
  "move",
  "scale",
  "active",
  "joint",
  "undo",
  "redo",
  "commands",
  "taken back",
  "snapshot",
  "restore",
  "clone",
  "step",
  "sync",
] as const;

const operation = fc.record({
  name: fc.constantFrom(...names),
  a: fc.nat(30),
  b: fc.nat(30),
  value: fc.integer({ min: -3, max: 3 }),
});

describe("a physics that followed every change", () => {
  it("equals a newly created one", () => {
    property(
      fc.array(operation, { minLength: 5, maxLength: 60 }),
      (operations) => {
        const { world, tree, space, physics } = stage({ childBodies: "kinematic", gravity: { x: 0, y: 0 } });
        const history = createHistory(world, { implicit: false });
        let kept: ArrayBuffer | undefined;
        const some = (k: number): Entity | undefined => {
          const all = world.entities();
          return all[k % Math.max(all.length, 1)];
        };
        /** Only the engine may complain here, and of nothing but what the rules forbid. */
        const attempt = (change: () => unknown) => {
          try {
            history.step("edit", change as () => void);
          } catch (error) {
            expect((error as { code?: string }).code).toMatch(
              /^(physics\/child-body|hierarchy\/cycle|physics\/invalid-joint)$/,
            );
          }
        };
        const isValid = () => {
          try {
            physics.sync();
            return true;
          } catch (error) {
            expect((error as { code?: string }).code).toMatch(
              /^physics\/(no-shapes|no-transform|child-body|invalid-joint)$/,
            );
            return false;
          }
        };
        for (let k = 0; k < 4; k++) {
          const e = world.spawn(
            space.at(k * 4, 0),
            RigidBody({ type: k % 3 }),
            Collider({ shapes: shapes[k % 2]! }),
          );
          const middle = tree.attachNew(e, space.at(0, 1));
          tree.attachNew(middle, space.at(1, 0), Collider({ shapes: shapes[1]! }));
        }
        for (const { name, a, b, value } of operations) {
          const e = some(a);
          const other = some(b);
          if (name === "spawn") {
            attempt(() =>
              world.spawn(
                space.at(value * 3, b),
                RigidBody({ type: a % 3 }),
                Collider({ shapes: shapes[0]! }),
              ),
            );
          } else if (e === undefined || other === undefined) continue;
          else if (name === "spawn part")
            attempt(() => tree.attachNew(e, space.at(value, 1, value), Collider({ shapes: shapes[b % 2]! })));
          else if (name === "folder") attempt(() => tree.attachNew(b % 2 === 0 ? null : e));
          else if (name === "spawn below")
            attempt(() =>
              tree.attachNew(
                e,
                space.at(value * 3, b),
                RigidBody({ type: b % 3 }),
                Collider({ shapes: shapes[0]! }),
              ),
            );
          else if (name === "ghost")
            attempt(() => (b % 2 === 0 ? world.add(e, Ghost) : world.remove(e, Ghost)));
          else if (name === "transform")
            attempt(() => (b % 2 === 0 ? world.add(e, Transform2D) : world.remove(e, Transform2D)));
          else if (name === "destroy") attempt(() => world.destroy(e));
          else if (name === "attach") attempt(() => tree.attach(e, other));
          else if (name === "detach") attempt(() => tree.detach(e));
          else if (name === "body")
            attempt(() => world.add(e, RigidBody({ type: b % 2 === 0 ? KINEMATIC : STATIC })));
          else if (name === "no body") attempt(() => world.remove(e, RigidBody));
          else if (name === "collider") attempt(() => world.add(e, Collider({ shapes: shapes[b % 3]! })));
          else if (name === "no collider") attempt(() => world.remove(e, Collider));
          else if (name === "type")
            attempt(() => world.has(e, RigidBody) && world.set(e, RigidBody, { type: b % 3 }));
          else if (name === "move") attempt(() => space.setTransform(e, value, b, value));
          else if (name === "scale") attempt(() => space.setScale(e, 1 + (b % 3), 1 + (a % 2)));
          else if (name === "active") attempt(() => world.add(e, Active({ on: b % 2 === 0 })));
          else if (name === "joint") {
            const bodies = world.query(RigidBody).ids();
            const [from, to] = [bodies[a % bodies.length], bodies[(a + b + 1) % bodies.length]];
            if (from === undefined || to === undefined || from === to) continue;
            attempt(() =>
              tree.attachNew(
                e,
                Joint({ kind: WELD, a: b % 2 === 0 ? from : null, b: to, spring: true, hertz: 1 }),
              ),
            );
          } else if (name === "undo") history.undo();
          else if (name === "redo") history.redo();
          else if (name === "commands") {
            const commands = createCommands(world);
            commands.spawn(Transform2D({ x: value }), RigidBody, Collider({ shapes: shapes[0]! }));
            commands.destroy(e);
            history.step("flush", () => commands.flush());
          } else if (name === "taken back") {
            const edit = () =>
              transaction(world, () => {
                if (tree.parentOf(e) === null) space.setPosition(e, value, b);
                world.destroy(e);
                world.remove(world.isAlive(other) ? other : world.spawn(), Collider);
                throw new Error("taken back");
              });
            expect(edit).toThrow("taken back");
          } else if (name === "snapshot") kept = takeSnapshot(world, { trees: [tree] });
          else if (name === "restore") {
            const snapshot = kept;
            if (snapshot !== undefined)
              history.step("restore", () => restoreSnapshot(world, snapshot, { trees: [tree] }));
          } else if (name === "clone") attempt(() => clone(tree, e, { parent: null }));
          else if (name === "sync") isValid();
          else if (isValid()) physics.step(1 / 60);
        }
        // What a step is refused for is put right as a user would.
        for (let k = 0; k < 50; k++) {
          const [broken] = complaint(physics);
          if (broken !== undefined) world.destroy(broken);
        }
        expect(isValid()).toBe(true);
        const fresh = createPhysics(space, engine, { childBodies: "kinematic", gravity: { x: 0, y: 0 } });
        try {
          // A new one complains of joints whose bodies lost their RigidBody; the other has seen them hold.
          for (let k = 0; k < 50; k++) {
            const [joint] = complaint(fresh);
            if (joint === undefined) break;
            world.destroy(joint);
          }
          expect(contents(physics)).toEqual(contents(fresh));
        } finally {
          fresh.dispose();
          physics.dispose();
        }
      },
      150,
    );
  });
});

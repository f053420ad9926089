import { type Entity, indexOf } from "espalier";
import { Active } from "espalier/inherit";
import {
  Collider,
  DISTANCE,
  Joint,
  MOTOR,
  MOUSE,
  PRISMATIC,
  REVOLUTE,
  RigidBody,
  STATIC,
  WELD,
  WHEEL,
} from "espalier/physics";
import { describe, expect, it } from "vitest";
import { refused } from "../testing.ts";
import { box, circle, type Stage, stage, thrown } from "./set-up.ts";

/** A fixed post at (0, 0) and a box beside it. */
function pair(s: Stage, x = 2, y = 0): { post: Entity; crate: Entity } {
  const post = s.world.spawn(s.space.at(0, 0), RigidBody({ type: STATIC }));
  const crate = s.world.spawn(s.space.at(x, y), RigidBody, box);
  return { post, crate };
}

const distanceTo = (s: Stage, e: Entity) => Math.hypot(s.space.localOf(e).x, s.space.localOf(e).y);

describe("joints", () => {
  it("hold a box on a pivot", () => {
    const s = stage();
    const { post, crate } = pair(s);
    s.world.spawn(Joint({ kind: REVOLUTE, a: post, b: crate, anchorBX: -2 }));
    s.run(45);
    expect(distanceTo(s, crate)).toBeCloseTo(2, 1);
    expect(s.space.localOf(crate).y).toBeLessThan(-1);
    expect(s.physics.counts.joints).toBe(1);
  });

  it("turn by a motor whose speed is set while it runs, within limits", () => {
    const s = stage({ gravity: { x: 0, y: 0 } });
    const { post, crate } = pair(s, 0, 0);
    const joint = s.world.spawn(
      Joint({
        a: post,
        b: crate,
        motor: true,
        motorSpeed: 2,
        motorMax: 100,
        limit: true,
        lower: -1,
        upper: 1,
      }),
    );
    s.run(15);
    expect(s.space.localOf(crate).rotation).toBeCloseTo(0.5, 1);
    s.world.set(joint, Joint, { motorSpeed: -2 });
    s.run(15);
    expect(s.space.localOf(crate).rotation).toBeCloseTo(0, 1);
    s.run(120);
    expect(s.space.localOf(crate).rotation).toBeCloseTo(-1, 1);
  });

  it("slide along an axis", () => {
    const s = stage();
    const { post, crate } = pair(s, 0, 0);
    s.world.spawn(Joint({ kind: PRISMATIC, a: post, b: crate, axis: -Math.PI / 4 }));
    s.run(60);
    const { x, y } = s.space.localOf(crate);
    expect(x).toBeGreaterThan(1);
    expect(y).toBeCloseTo(-x, 1);
  });

  it("keep the distance they have when they are made", () => {
    const s = stage();
    const { post, crate } = pair(s, 3, 0);
    s.world.spawn(Joint({ kind: DISTANCE, a: post, b: crate }));
    s.run(200);
    expect(distanceTo(s, crate)).toBeCloseTo(3, 1);
  });

  it("weld two bodies", () => {
    const s = stage();
    const { post, crate } = pair(s, 2, 0);
    s.world.spawn(Joint({ kind: WELD, a: post, b: crate, anchorBX: -2 }));
    s.run(60);
    expect(s.space.localOf(crate)).toMatchObject({ x: expect.closeTo(2, 1), y: expect.closeTo(0, 1) });
  });

  it("carry a wheel on a spring, and drive it", () => {
    const s = stage({ unitsPerMetre: 10, gravity: { x: 0, y: -100 } });
    s.world.spawn(
      s.space.at(0, 0),
      RigidBody({ type: STATIC }),
      Collider({ shapes: [{ type: "box", width: 2000, height: 10, y: -5 }] }),
    );
    const car = s.world.spawn(
      s.space.at(0, 12),
      RigidBody,
      Collider({ shapes: [{ type: "box", width: 30, height: 6 }] }),
    );
    const wheels = [-10, 10].map((x) => {
      const wheel = s.world.spawn(
        s.space.at(x, 5),
        RigidBody,
        Collider({ shapes: [{ type: "circle", radius: 4, friction: 2 }] }),
      );
      s.tree.attachNew(
        car,
        Joint({
          kind: WHEEL,
          b: wheel,
          anchorAX: x,
          anchorAY: -7,
          axis: Math.PI / 2,
          spring: true,
          hertz: 5,
          damping: 0.7,
          motor: true,
          motorSpeed: -10,
          motorMax: 20,
        }),
      );
      return wheel;
    });
    s.run(180);
    expect(s.space.localOf(car).x).toBeGreaterThan(20);
    expect(s.space.localOf(car).y).toBeGreaterThan(5);
    expect(s.space.localOf(wheels[0]!).x).toBeLessThan(s.space.localOf(wheels[1]!).x);
  });

  it("drive a body towards a velocity", () => {
    const s = stage({ gravity: { x: 0, y: 0 } });
    const { post, crate } = pair(s, 0, 0);
    const joint = s.world.spawn(
      Joint({ kind: MOTOR, a: post, b: crate, velocityX: 2, motorMax: 100, torqueMax: 100, motorSpeed: 1 }),
    );
    s.run(60);
    expect(s.physics.velocityOf(crate).x).toBeCloseTo(2, 1);
    expect(s.physics.angularVelocityOf(crate)).toBeCloseTo(1, 1);
    s.world.set(joint, Joint, { velocityX: -1, motorSpeed: 0 });
    s.run(60);
    expect(s.physics.velocityOf(crate).x).toBeCloseTo(-1, 1);
    expect(s.physics.angularVelocityOf(crate)).toBeCloseTo(0, 1);
  });

  it("pull a body to the mouse, without visible helper bodies", () => {
    const s = stage();
    const e = s.ball(0, 0);
    const joint = s.world.spawn(
      Joint({ kind: MOUSE, b: e, targetX: 0, targetY: 5, hertz: 5, damping: 1, motorMax: 1000 }),
    );
    s.run(120);
    expect(s.space.localOf(e).y).toBeCloseTo(5, 0);
    s.world.set(joint, Joint, { targetX: 4 });
    s.run(120);
    expect(s.space.localOf(e).x).toBeCloseTo(4, 0);
    expect(s.physics.counts).toMatchObject({ bodies: 1, joints: 1 });
    s.world.destroy(joint);
    s.run(60);
    expect(s.space.localOf(e).y).toBeLessThan(3);
    expect(s.physics.counts).toMatchObject({ bodies: 1, joints: 0 });
  });

  it("take the body above them where no a is given, even after the tree changed", () => {
    const s = stage({ gravity: { x: 0, y: 0 } });
    const first = s.world.spawn(s.space.at(0, 0), RigidBody({ type: STATIC }));
    const second = s.world.spawn(s.space.at(10, 0), RigidBody({ type: STATIC }));
    const e = s.ball(5, 0);
    const joint = s.tree.attachNew(first, Joint({ kind: DISTANCE, b: e, length: 2 }));
    s.run(60);
    expect(s.space.localOf(e).x).toBeCloseTo(2, 1);
    s.tree.attach(joint, second);
    s.run(60);
    expect(s.space.localOf(e).x).toBeCloseTo(8, 1);
  });

  it("end with a body they hold, and hold again when they are given another", () => {
    const s = stage();
    const { post, crate } = pair(s);
    const joint = s.world.spawn(Joint({ a: post, b: crate, anchorBX: -2 }));
    s.run(5);
    expect(s.physics.isHolding(joint)).toBe(true);
    s.world.destroy(crate);
    s.run(5);
    expect(s.physics.counts.joints).toBe(0);
    expect(s.physics.isHolding(joint)).toBe(false);
    s.physics.rebuild();
    s.run(1);
    const other = s.world.spawn(s.space.at(2, 0), RigidBody, box);
    s.world.set(joint, Joint, { b: other });
    s.run(30);
    expect(s.physics.counts.joints).toBe(1);
    expect(distanceTo(s, other)).toBeCloseTo(2, 1);
  });

  it("are destroyed with the entity they are below, and are inactive while it is", () => {
    const s = stage();
    const { post, crate } = pair(s);
    const joint = s.tree.attachNew(post, Joint({ b: crate, anchorBX: -2 }), Active);
    s.run(5);
    s.world.set(joint, Active, { on: false });
    s.run(1);
    expect(s.physics.counts.joints).toBe(0);
    s.world.set(joint, Active, { on: true });
    s.run(1);
    expect(s.physics.counts.joints).toBe(1);
    s.world.destroy(post);
    s.run(1);
    expect(s.physics.counts).toMatchObject({ joints: 0, bodies: 1 });
  });

  it("cannot hold what was destroyed, and nothing changes", () => {
    const s = stage();
    const { post, crate } = pair(s);
    s.world.destroy(crate);
    const error = refused(s.world, () => s.world.spawn(Joint({ a: post, b: crate })));
    expect(error.message).toBe(
      "Cannot give a new entity a Joint: its b is #2, which was destroyed. Join living entities. [physics/invalid-joint]",
    );
    const joint = s.world.spawn(Joint({ a: post }));
    expect(refused(s.world, () => s.world.set(joint, Joint, { b: crate })).message).toContain(
      "Cannot give #2v1 a Joint: its b is #2, which was destroyed",
    );
  });

  it.each([
    ["with itself", (a: Entity) => Joint({ a, b: a }), "with itself"],
    [
      "with limits the wrong way round",
      (a: Entity, b: Entity) => Joint({ a, b, limit: true, lower: 1, upper: -1 }),
      "above its upper limit",
    ],
    ["with negative stiffness", (a: Entity, b: Entity) => Joint({ a, b, hertz: -1 }), "hertz is -1"],
    ["with a negative torque", (a: Entity, b: Entity) => Joint({ a, b, motorMax: -1 }), "motorMax is -1"],
    ["of no length", (a: Entity, b: Entity) => Joint({ kind: DISTANCE, a, b, length: 0 }), "length is 0"],
    ["of an unknown kind", (a: Entity, b: Entity) => Joint({ a, b, kind: 7 }), "kind"],
  ])("are refused %s, when they are added or set", (_name, make, why) => {
    const s = stage();
    const { post, crate } = pair(s);
    const other = s.world.spawn(s.space.at(9, 9), RigidBody, box);
    const init = make(post, crate);
    expect(refused(s.world, () => s.world.spawn(init)).message).toContain(why);
    const joint = s.world.spawn(Joint({ a: post, b: other }));
    s.run(1);
    expect(refused(s.world, () => s.world.set(joint, init)).message).toContain(why);
    expect(refused(s.world, () => s.world.add(joint, init)).message).toContain(why);
    expect(s.physics.isHolding(joint)).toBe(true);
  });

  it("are refused by the next step with values that were written past the world, before anything moves", () => {
    const s = stage();
    const { post, crate } = pair(s);
    const joint = s.world.spawn(Joint({ a: post, b: crate, anchorBX: -2 }));
    s.run(1);
    const { y } = s.space.localOf(crate);
    s.world.columns(Joint).hertz[indexOf(joint)] = -1;
    s.world.touch(joint, Joint);
    const error = thrown(() => s.physics.step(1 / 60));
    expect(error.code).toBe("physics/invalid-joint");
    expect(error.message).toContain("hertz is -1");
    expect(s.space.localOf(crate).y).toBe(y);
    s.world.destroy(joint);
    s.physics.step(1 / 60);
    expect(s.space.localOf(crate).y).toBeLessThan(y);
  });

  it("are refused field by field through views, too", () => {
    const s = stage();
    const { post, crate } = pair(s);
    s.world.spawn(Joint({ a: post, b: crate, limit: true, lower: -1, upper: 1 }));
    const query = s.world.query(Joint);
    const write = (values: { lower?: number; upper?: number }) => () =>
      query.update((joint) => {
        Object.assign(joint, values);
      });
    expect(refused(s.world, write({ lower: 2 })).message).toContain("Set both in one call");
    write({ upper: 3 })();
    write({ lower: 2 })();
    s.run(1);
  });

  it("are inactive while a side is missing", () => {
    const s = stage();
    const { post, crate } = pair(s);
    const joint = s.world.spawn(Joint({ a: post }));
    s.run(1);
    expect(s.physics.isHolding(joint)).toBe(false);
    s.world.set(joint, Joint, { b: crate, anchorBX: -2 });
    s.run(30);
    expect(s.physics.isHolding(joint)).toBe(true);
    expect(distanceTo(s, crate)).toBeCloseTo(2, 1);
  });

  it("need bodies on both sides", () => {
    const s = stage();
    const { post } = pair(s);
    const bare = s.world.spawn(s.space.at(0, 0));
    s.world.spawn(Joint({ a: post, b: bare }));
    expect(thrown(() => s.physics.step(1 / 60)).message).toContain("its b, #3, has no RigidBody");
    s.world.add(bare, RigidBody, circle);
    s.physics.step(1 / 60);
    expect(s.physics.counts.joints).toBe(1);
  });
});

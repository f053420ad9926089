import { type Entity, indexOf, observe } from "espalier";
import {
  createHistory,
  diff,
  expandColumns,
  followChanges,
  restoreSnapshot,
  takeSnapshot,
  transaction,
} from "espalier/history";
import { Active, inheritComponents } from "espalier/inherit";
import { Collider, createPhysics, KINEMATIC, physicsComponents, RigidBody } from "espalier/physics";
import { clone, createSceneFormat, shallowClone } from "espalier/scene";
import { transformComponents } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { box, circle, engine, type Stage, stage } from "./set-up.ts";

const format = createSceneFormat({ components: [transformComponents, inheritComponents, physicsComponents] });

/** How a body moves, from the engine. */
function motionOf({ physics }: Pick<Stage, "physics">, e: Entity) {
  return {
    ...physics.velocityOf(e),
    angular: physics.angularVelocityOf(e),
    awake: physics.isAwake(e),
  };
}

/** A ball on its way and a crate that sleeps on the ground. */
function busyStage(options: Parameters<typeof stage>[0] = {}) {
  const s = stage(options);
  s.ground();
  const crate = s.world.spawn(s.space.at(20, 0.5), RigidBody, box);
  s.run(120);
  const ball = s.ball(0, 50);
  s.physics.setVelocity(ball, 3, 4);
  s.physics.setAngularVelocity(ball, 2);
  s.run(20);
  expect(motionOf(s, crate)).toEqual({ x: 0, y: 0, angular: 0, awake: false });
  expect(motionOf(s, ball).y).toBeLessThan(3.9);
  return { ...s, ball, crate };
}

describe("how a body moves", () => {
  it("is restored by a snapshot automatically, with positions and sleep", () => {
    const s = busyStage();
    const before = [
      motionOf(s, s.ball),
      motionOf(s, s.crate),
      s.space.localOf(s.ball),
      s.space.localOf(s.crate),
    ];
    const taken = takeSnapshot(s.world, { trees: [s.tree] });
    s.physics.applyImpulse(s.crate, 5, 5);
    s.run(30);
    expect(s.physics.isAwake(s.crate)).toBe(true);
    restoreSnapshot(s.world, taken, { trees: [s.tree] });
    expect([
      motionOf(s, s.ball),
      motionOf(s, s.crate),
      s.space.localOf(s.ball),
      s.space.localOf(s.crate),
    ]).toEqual(before);
    // A second time, and it goes on from there.
    s.run(30);
    const later = s.space.localOf(s.ball);
    restoreSnapshot(s.world, taken, { trees: [s.tree] });
    s.run(30);
    expect(s.space.localOf(s.ball).x).toBeCloseTo(later.x, 3);
    expect(s.space.localOf(s.ball).y).toBeCloseTo(later.y, 3);
    expect(s.physics.isAwake(s.crate)).toBe(false);
  });

  it("is restored by a snapshot even when teleports stop bodies, and for destroyed bodies", () => {
    const s = busyStage({ onTeleport: "stop" });
    const before = [motionOf(s, s.ball), motionOf(s, s.crate)];
    const taken = takeSnapshot(s.world, { trees: [s.tree] });
    s.run(10);
    s.world.destroy(s.crate);
    s.run(10);
    restoreSnapshot(s.world, taken, { trees: [s.tree] });
    expect([motionOf(s, s.ball), motionOf(s, s.crate)]).toEqual(before);
  });

  it("is in a snapshot that another world takes over", () => {
    const s = busyStage();
    const taken = takeSnapshot(s.world, { trees: [s.tree] });
    const other = stage();
    restoreSnapshot(other.world, taken, { trees: [other.tree] });
    expect([motionOf(other, s.ball), motionOf(other, s.crate)]).toEqual([
      motionOf(s, s.ball),
      motionOf(s, s.crate),
    ]);
  });

  it("leads to the same bits from a snapshot after rebuild", () => {
    const s = busyStage();
    const taken = takeSnapshot(s.world, { trees: [s.tree] });
    s.physics.rebuild();
    s.run(60);
    const first = s.physics.hash();
    s.run(20);
    restoreSnapshot(s.world, taken, { trees: [s.tree] });
    s.physics.rebuild();
    s.run(60);
    expect(s.physics.hash()).toBe(first);
  });

  it("is saved and loaded", () => {
    const s = busyStage();
    const text = format.save(s.tree);
    const other = stage();
    format.load(other.tree, text);
    const [, crate, ball] = other.tree.roots() as unknown as Entity[];
    expect([motionOf(other, ball!), motionOf(other, crate!)]).toEqual([
      motionOf(s, s.ball),
      motionOf(s, s.crate),
    ]);
    other.run(1);
    s.run(1);
    expect(other.space.localOf(ball!).y).toBeCloseTo(s.space.localOf(s.ball).y, 4);
    expect(other.physics.isAwake(crate!)).toBe(false);
  });

  it("is cloned", () => {
    const s = busyStage();
    for (const copy of [clone(s.tree, s.ball), shallowClone(s.tree, s.ball)]) {
      s.space.setPosition(copy, -50, 50);
      expect(motionOf(s, copy)).toEqual(motionOf(s, s.ball));
    }
  });

  it("is part of a difference", () => {
    const s = busyStage();
    const trees = [s.tree];
    const taken = takeSnapshot(s.world, { trees });
    s.run(1);
    const entry = diff(taken, { world: s.world, trees }).find(
      (each) => "component" in each && each.id === s.ball && each.component === "RigidBody",
    );
    const { y } = s.physics.velocityOf(s.ball);
    expect(entry).toMatchObject({ values: { velocityY: expect.closeTo(y, 6) } });
  });

  it("is restored when destroying an entity or removing a RigidBody is undone", () => {
    const s = busyStage();
    const history = createHistory(s.world, { implicit: false });
    const before = motionOf(s, s.ball);
    for (const change of [() => s.world.destroy(s.ball), () => s.world.remove(s.ball, RigidBody)]) {
      for (const steps of [0, 3]) {
        history.step("end", change);
        s.run(steps);
        history.undo();
        expect(motionOf(s, s.ball)).toEqual(before);
      }
    }
    expect(history.canUndo).toBe(false);
  });

  it("is undone when it was set, to what it was then", () => {
    const s = busyStage();
    const history = createHistory(s.world, { implicit: false });
    const before = motionOf(s, s.ball);
    history.step("stop", () => s.world.set(s.ball, RigidBody, { velocityX: 0, velocityY: 0 }));
    expect(s.physics.velocityOf(s.ball)).toEqual({ x: 0, y: 0 });
    history.undo();
    expect(motionOf(s, s.ball)).toEqual(before);
    s.run(10);
    const later = s.physics.velocityOf(s.ball);
    history.redo();
    expect(s.physics.velocityOf(s.ball)).toEqual({ x: 0, y: 0 });
    history.undo();
    expect(s.physics.velocityOf(s.ball)).toEqual(later);
  });

  it("is rolled back by a transaction that fails", () => {
    const s = busyStage();
    const before = motionOf(s, s.ball);
    expect(() =>
      transaction(s.world, () => {
        s.world.set(s.ball, RigidBody, { velocityX: 99 });
        s.world.destroy(s.crate);
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(motionOf(s, s.ball)).toEqual(before);
    expect(s.physics.isAwake(s.crate)).toBe(false);
  });

  it("creates no step of a history when it is read", () => {
    const s = busyStage();
    const history = createHistory(s.world);
    takeSnapshot(s.world, { trees: [s.tree] });
    s.physics.setVelocity(s.ball, 1, 1);
    takeSnapshot(s.world, { trees: [s.tree] });
    format.save(s.tree);
    expect(history.canUndo).toBe(false);
  });

  it("is what is set, even when the component already has that value", () => {
    const s = busyStage();
    expect(s.world.get(s.ball, RigidBody)).toMatchObject({ velocityX: 0 });
    s.world.set(s.ball, RigidBody, { velocityX: 0 });
    expect(s.physics.velocityOf(s.ball).x).toBe(0);
    expect(s.physics.velocityOf(s.ball).y).not.toBe(0);
  });

  it("is not overwritten by a snapshot between a write and the next step", () => {
    const s = busyStage();
    s.world.set(s.ball, RigidBody, { velocityX: 7 });
    s.world.set(s.ball, RigidBody, { velocityY: 8 });
    const taken = takeSnapshot(s.world, { trees: [s.tree] });
    expect(s.physics.velocityOf(s.ball)).toEqual({ x: 7, y: 8 });
    s.run(3);
    restoreSnapshot(s.world, taken, { trees: [s.tree] });
    expect(s.physics.velocityOf(s.ball)).toEqual({ x: 7, y: 8 });
  });

  it("is not lost when it is written to a body that sleeps, by what comes before the next step", () => {
    for (const inBetween of ["nothing", "rebuild", "snapshot", "file"]) {
      const s = busyStage();
      s.world.set(s.crate, RigidBody, { velocityY: 7 });
      let physics = s.physics;
      let crate = s.crate;
      if (inBetween === "rebuild") s.physics.rebuild();
      if (inBetween === "snapshot") {
        const taken = takeSnapshot(s.world, { trees: [s.tree] });
        s.run(1);
        restoreSnapshot(s.world, taken, { trees: [s.tree] });
      }
      if (inBetween === "file") {
        const other = stage();
        format.load(other.tree, format.save(s.tree));
        physics = other.physics;
        crate = [...other.tree.roots()][1] as Entity;
      }
      expect([inBetween, physics.velocityOf(crate), physics.isAwake(crate)]).toEqual([
        inBetween,
        { x: 0, y: 7 },
        true,
      ]);
    }
  });

  it("is not lost when it is written to a body that a snapshot has just put to sleep", () => {
    const s = busyStage();
    const taken = takeSnapshot(s.world, { trees: [s.tree] });
    s.physics.setVelocity(s.crate, -1, 0);
    restoreSnapshot(s.world, taken, { trees: [s.tree] });
    s.world.set(s.crate, RigidBody, { velocityY: 7 });
    expect(motionOf(s, s.crate)).toEqual({ x: 0, y: 7, angular: 0, awake: true });
  });

  it("is not lost when it is written to a sleeping body that is switched off, by a rebuild", () => {
    const s = busyStage();
    const history = createHistory(s.world);
    s.world.add(s.crate, Active({ on: false }));
    // Before it records, it stores that the body sleeps.
    history.step("push", () =>
      s.world.query(RigidBody).update((body) => {
        body.velocityY = 7;
      }),
    );
    s.physics.rebuild();
    s.world.set(s.crate, Active, { on: true });
    expect(motionOf(s, s.crate)).toEqual({ x: 0, y: 7, angular: 0, awake: true });
  });

  it("is kept of bodies that are switched off, and of kinematic ones", () => {
    const s = busyStage();
    const lift = s.world.spawn(s.space.at(-9, 9), RigidBody({ type: KINEMATIC, velocityY: 1 }), box);
    s.run(1);
    s.physics.setVelocity(lift, 0, 2);
    const before = motionOf(s, s.ball);
    s.world.add(s.ball, Active({ on: false }));
    const other = stage();
    format.load(other.tree, format.save(s.tree));
    const [, , ball, copy] = other.tree.roots() as unknown as Entity[];
    expect(other.physics.velocityOf(copy!)).toEqual({ x: 0, y: 2 });
    expect(other.physics.isSimulated(ball!)).toBe(false);
    other.world.set(ball!, Active, { on: true });
    expect(motionOf(other, ball!)).toEqual(before);
  });

  it("continues in another physics of the same world", () => {
    const s = busyStage();
    const before = [motionOf(s, s.ball), motionOf(s, s.crate)];
    s.physics.dispose();
    const physics = createPhysics(s.space, engine);
    expect([motionOf({ ...s, physics }, s.ball), motionOf({ ...s, physics }, s.crate)]).toEqual(before);
    physics.dispose();
  });

  it("is written for queries by storeVelocities, which notifies listeners", () => {
    const s = busyStage();
    const reported: Entity[] = [];
    observe(s.world, RigidBody, { set: (e) => void reported.push(e) });
    s.physics.storeVelocities();
    expect(reported).toContain(s.ball);
    const { velocityX, velocityY, awake } = s.world.get(s.ball, RigidBody)!;
    expect({ x: velocityX, y: velocityY }).toEqual(s.physics.velocityOf(s.ball));
    expect(awake).toBe(true);
    expect(s.world.get(s.crate, RigidBody)?.awake).toBe(false);
  });

  it("is carried by a stream of changes once it is stored", () => {
    const s = busyStage();
    const stream = followChanges(s.world, { trees: [s.tree] });
    s.run(1);
    s.physics.storeVelocities();
    const { x, y } = s.physics.velocityOf(s.ball);
    const reported = expandColumns(stream.read().patch).filter(
      (entry) => entry.id === s.ball && "component" in entry,
    );
    expect(reported).toContainEqual({
      op: "set",
      id: s.ball,
      component: "RigidBody",
      values: expect.objectContaining({ velocityY: expect.closeTo(y, 6) }),
    });
    expect(s.world.get(s.ball, RigidBody)?.velocityX).toBe(x);
  });
});

describe("awake", () => {
  it("lets a body start asleep, and be put to sleep and woken", () => {
    const s = stage();
    const e = s.world.spawn(s.space.at(0, 9), RigidBody({ awake: false }), circle);
    s.run(30);
    expect(s.space.localOf(e).y).toBe(9);
    s.world.set(e, RigidBody, { awake: true });
    s.run(30);
    expect(s.space.localOf(e).y).toBeLessThan(9);
    s.world.set(e, RigidBody, { awake: false });
    expect(s.physics.isAwake(e)).toBe(false);
    expect(s.world.columns(RigidBody).awake[indexOf(e)]).toBe(0);
  });

  it("of a sleeping body is ended by a teleport, and by a shape that is taken away from below it", () => {
    const s = stage();
    s.ground();
    const e = s.world.spawn(s.space.at(0, 0.5), RigidBody, box);
    s.run(120);
    takeSnapshot(s.world);
    s.space.setPosition(e, 0, 5);
    s.run(1);
    expect(s.physics.isAwake(e)).toBe(true);
    s.world.set(e, Collider, { shapes: [{ type: "circle", radius: 1 }] });
    s.run(1);
    expect(s.physics.isAwake(e)).toBe(true);
  });
});

import { type Entity, observe } from "espalier";
import { createHistory, restoreSnapshot, takeSnapshot } from "espalier/history";
import { Active } from "espalier/inherit";
import { Collider, RigidBody } from "espalier/physics";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";
import { stage } from "./set-up.ts";

/** How a body moves, in plain numbers: nothing slows, pulls or hits these bodies. */
interface Motion {
  x: number;
  y: number;
  angular: number;
}

const fields = ["x", "y", "angular"] as const;

/** What an undo or a redo gives back. What a body did already when it was written is not in it. */
interface Entry {
  readonly body: number;
  readonly field: (typeof fields)[number];
  readonly value: number;
}

/** A recorded step. A loop is one block, which keeps the values of all bodies as long as one of them differs. */
interface Step {
  readonly isLoop: boolean;
  readonly entries: readonly Entry[];
}

const names = [
  "call",
  "call angular",
  "set one",
  "set both",
  "query one",
  "query both",
  "query angular",
  "step",
  "sleep",
  "read",
  "store",
  "snapshot",
  "restore",
  "undo",
  "redo",
  "active",
  "observed",
  "spawn",
  "rebuild",
  "sync",
] as const;

const operation = fc.record({
  name: fc.constantFrom(...names),
  a: fc.nat(5),
  // Whole numbers, so that nothing is rounded; 0, so that some fall asleep.
  x: fc.integer({ min: -3, max: 3 }),
  y: fc.constantFrom(0, 0, 1, -2),
});

describe("velocities that are read and set in all ways", () => {
  it("are those of bodies that only keep their numbers", () => {
    const compared = { reads: 0, components: 0 };
    property(
      fc.array(operation, { minLength: 5, maxLength: 50 }),
      (operations) => {
        const { world, tree, space, physics, run } = stage({ gravity: { x: 0, y: 0 } });
        const history = createHistory(world, { implicit: false });
        const bodies: Entity[] = [];
        let model: Motion[] = [];
        let kept: { readonly taken: ArrayBuffer; readonly model: readonly Motion[] } | undefined;
        let undos: Step[] = [];
        let redos: Step[] = [];
        const spawn = (x: number, y: number) => {
          const shapes = [{ type: "circle", radius: 0.5, collidesWith: [] }] as const;
          bodies.push(
            world.spawn(
              space.at(bodies.length * 9, 0),
              Active,
              RigidBody({ velocityX: x, velocityY: y }),
              Collider({ shapes }),
            ),
          );
          model.push({ x, y, angular: 0 });
        };
        const write = (
          which: readonly number[],
          values: Partial<Motion>,
          change: () => void,
          isLoop = true,
        ) => {
          const entries = which.flatMap((body) =>
            fields
              .filter((field) => values[field] !== undefined && values[field] !== model[body]?.[field])
              .map((field) => ({ body, field, value: model[body]?.[field] as number })),
          );
          if (entries.length > 0) {
            undos.push({ isLoop, entries });
            redos = [];
          }
          history.step("write", change);
          for (const k of which) Object.assign(model[k] as Motion, values);
        };
        /** Gives back the values of a step. The opposite step knows nothing of values that were there already. */
        const swap = ({ isLoop, entries }: Step): Step => {
          const before = entries.map(({ body, field }) => (model[body] as Motion)[field]);
          const differs = entries.map(({ value }, k) => value !== before[k]);
          const isKept = (k: number) => (isLoop ? differs.includes(true) : differs[k]);
          for (const { body, field, value } of entries) (model[body] as Motion)[field] = value;
          const opposite = entries.map((entry, k) => ({ ...entry, value: before[k] as number }));
          return { isLoop, entries: opposite.filter((_, k) => isKept(k)) };
        };
        const compareReads = () => {
          compared.reads++;
          bodies.forEach((e, k) => {
            const { x, y, angular } = model[k] as Motion;
            expect([physics.velocityOf(e), physics.angularVelocityOf(e)]).toEqual([{ x, y }, angular]);
          });
        };
        const compareComponents = () => {
          compared.components++;
          bodies.forEach((e, k) => {
            const { velocityX: x, velocityY: y, angularVelocity: angular } = world.get(e, RigidBody)!;
            expect({ x: x + 0, y: y + 0, angular: angular + 0 }).toEqual(model[k]);
          });
        };

        spawn(1, 0);
        spawn(0, 0);
        for (const { name, a, x, y } of operations) {
          const k = a % bodies.length;
          const e = bodies[k] as Entity;
          const all = bodies.map((_, each) => each);
          if (name === "call") {
            physics.setVelocity(e, x, y);
            Object.assign(model[k] as Motion, { x: x + 0, y: y + 0 });
          } else if (name === "call angular") {
            physics.setAngularVelocity(e, x);
            (model[k] as Motion).angular = x;
          } else if (name === "set one") {
            write([k], { x }, () => world.set(e, RigidBody, { velocityX: x }), false);
          } else if (name === "set both") {
            write([k], { x, y }, () => world.set(e, RigidBody, { velocityX: x, velocityY: y }), false);
          } else if (name === "query one") {
            write(all, { y }, () =>
              world.query(RigidBody).update((body) => {
                body.velocityY = y;
              }),
            );
          } else if (name === "query both") {
            write(all, { x, y }, () =>
              world.query(RigidBody).update((body) => {
                body.velocityX = x;
                body.velocityY = y;
              }),
            );
          } else if (name === "query angular") {
            write(all, { angular: x }, () =>
              world.query(RigidBody).update((body) => {
                body.angularVelocity = x;
              }),
            );
          } else if (name === "step") run(1);
          else if (name === "sleep") run(40);
          else if (name === "read") compareReads();
          else if (name === "store") {
            physics.storeVelocities();
            compareComponents();
          } else if (name === "snapshot") {
            const taken = takeSnapshot(world, { trees: [tree] });
            kept = { taken, model: model.map((motion) => ({ ...motion })) };
            compareComponents();
          } else if (name === "restore" && kept !== undefined) {
            restoreSnapshot(world, kept.taken, { trees: [tree] });
            bodies.length = kept.model.length;
            model = kept.model.map((motion) => ({ ...motion }));
            history.clear();
            undos = [];
            redos = [];
          } else if (name === "undo") {
            expect(history.canUndo).toBe(undos.length > 0);
            history.undo();
            const step = undos.pop();
            if (step !== undefined) redos.push(swap(step));
          } else if (name === "redo") {
            expect(history.canRedo).toBe(redos.length > 0);
            history.redo();
            const step = redos.pop();
            if (step !== undefined) undos.push(swap(step));
          } else if (name === "active") world.set(e, Active, { on: y === 0 });
          else if (name === "observed") {
            // An observer writes to another body in the middle of a write.
            const next = (k + 1) % bodies.length;
            let isCalled = false;
            const stop = observe(world, RigidBody, {
              set: () => {
                isCalled = true;
                physics.setVelocity(bodies[next] as Entity, y, x);
              },
            });
            world.set(e, RigidBody, { velocityX: x });
            stop();
            (model[k] as Motion).x = x;
            // Not called when the body has that velocity already.
            if (isCalled) Object.assign(model[next] as Motion, { x: y, y: x });
          } else if (name === "spawn") {
            spawn(x, y);
          } else if (name === "rebuild") physics.rebuild();
          else if (name === "sync") physics.sync();
        }
        compareReads();
        physics.storeVelocities();
        compareComponents();
        physics.dispose();
      },
      400,
    );
    expect(Math.min(compared.reads, compared.components)).toBeGreaterThan(300);
  });
});

/** What is seen by distance, found in squares, beside the same question asked of every entity. */
import { Encoder, StateView } from "@colyseus/schema";
import { Mirror, Sights } from "@espalier/colyseus/server";
import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms2D } from "espalier/transform";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Flag, net } from "./testing.ts";

function createSide() {
  const world = createWorld();
  const tree = createHierarchy(world);
  return { world, tree, space: createTransforms2D(tree) };
}

const positions = fc.array(fc.tuple(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -60, max: 60 })), {
  minLength: 1,
  maxLength: 30,
});

test("the entities that are seen by distance are those whose distance is small enough, and those above them", () => {
  fc.assert(
    fc.property(
      fc.array(positions, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      (rounds, distance) => {
        const side = createSide();
        const { world, tree, space } = side;
        const eye = tree.attachNew(null, space.at(0, 0));
        const flag = tree.attachNew(null, Flag());
        const mirror = new Mirror(net, side, { viewed: true });
        const encoder = new Encoder(mirror.state);
        const sights = new Sights(side, mirror, { distance, margin: 3 });
        const viewer = { sessionId: "a", owned: new Set([eye]) };
        const view = new StateView();
        const others: Entity[] = [];
        let seen = new Set<Entity>();
        for (const round of rounds) {
          round.forEach(([x, y], k) => {
            const other = others[k];
            if (other === undefined) {
              others.push(tree.attachNew(k % 3 === 2 ? (others[k - 1] as Entity) : null, space.at(x, y)));
            } else space.setTransform(other, x, y, 0);
          });
          mirror.read();
          sights.lookAll([[viewer, view]]);
          const now = new Set<Entity>([eye, flag]);
          const from = { ...space.worldPosition(eye) };
          for (const entity of others) {
            const { x, y } = space.worldPosition(entity);
            if (Math.hypot(x - from.x, y - from.y) > (seen.has(entity) ? distance + 3 : distance)) continue;
            for (let up: Entity | null = entity; up !== null; up = tree.parentOf(up)) now.add(up);
          }
          seen = now;
          for (const entity of world.entities())
            expect(view.has(mirror.stateOf(entity) as never), String(entity)).toBe(seen.has(entity));
          encoder.discardChanges();
        }
      },
    ),
  );
});

test("what a client owns keeps its owner while `where` leaves it out", () => {
  const side = createSide();
  const { world, tree } = side;
  const entity = tree.attachNew(null, Flag());
  const mirror = new Mirror(net, side, { where: world.query(Flag) });
  mirror.own(entity, "a");
  mirror.read();
  expect(mirror.stateOf(entity)?.owner).toBe("a");
  world.remove(entity, Flag);
  mirror.read();
  expect(mirror.stateOf(entity)).toBeUndefined();
  world.add(entity, Flag());
  mirror.read();
  expect(mirror.stateOf(entity)?.owner).toBe("a");
});

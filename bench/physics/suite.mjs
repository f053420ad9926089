/**
 * The physics suite: one frame of 1,000 stacked boxes that have four children each. A frame is a step, the positions of the
 * bodies that moved, and the world transforms of bodies and children.
 *
 * `box2d` is the engine alone: it steps, and reads the positions of its bodies from its memory. The additional time of Espalier
 * is the cost of keeping components, tree and transforms in sync with it.
 */
import { expectNear, expectTrue } from "../harness/expect.mjs";
import { children, places, steer } from "./scene.mjs";

export const subjects = {
  espalier: { file: "espalier.mjs", role: "own" },
  "espalier-query": { file: "espalier.mjs", role: "own" },
  "planck-three": { file: "planck-three.mjs", role: "peer" },
  box2d: { file: "box2d.mjs", role: "limit" },
};

const boxes = 1000;

export const cases = {
  stack: { size: boxes, unitCount: 1, unit: "frame", verify: verifyStack },
  // All bodies sleep: a frame should take almost no time, however many there are.
  asleep: { size: boxes, unitCount: 1, unit: "frame", verify: verifyStack },
  // Every body gets a velocity in every frame, as enemies do that follow a player.
  steer: { size: 2000, unitCount: 1, unit: "frame", verify: verifySteered },
  create: { size: 2000, unitCount: 2000, unit: "body", verify: verifyCreated },
};

async function verifySteered(it, { size }) {
  await it.run();
  for (let k = 0; k < size; k++) {
    const expected = steer(k, it.frames() - 1);
    const { x, y } = it.velocityOf(k);
    expectNear(x, expected.x, 1e-3, `velocity of body ${k} along x`);
    expectNear(y, expected.y, 1e-3, `velocity of body ${k} along y`);
  }
}

async function verifyCreated(it, { size }) {
  await it.reset();
  await it.run();
  expectTrue(it.count() === size, `there are ${it.count()} bodies in place of ${size}`);
}

/** Boxes stand on the ground and on each other, none has fallen through or away, and children are where their box is. */
async function verifyStack(it, { size }) {
  for (let k = 0; k < 30; k++) await it.run();
  const start = places(size);
  for (let k = 0; k < size; k++) {
    const { x, y, rotation } = it.bodyAt(k);
    expectTrue(y > 0.4 && y < start[k].y + 1, `box ${k} is at a height of ${y}`);
    expectTrue(Math.abs(x - start[k].x) < 30, `box ${k} has gone from ${start[k].x} to ${x}`);
    if (it.childAt === undefined) continue;
    children.forEach((child, c) => {
      const found = it.childAt(k, c);
      expectNear(
        found.x,
        x + child.x * Math.cos(rotation) - child.y * Math.sin(rotation),
        1e-3,
        "x of a child",
      );
      expectNear(
        found.y,
        y + child.x * Math.sin(rotation) + child.y * Math.cos(rotation),
        1e-3,
        "y of a child",
      );
    });
  }
}

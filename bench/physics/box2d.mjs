/** Box2D alone: a step, and x, y and rotation of the moved bodies out of its memory into an array. Nothing is drawn. */
import Box2D from "box2d3-wasm";
import { dt, grid, places, steer, substeps } from "./scene.mjs";

export const subjects = {
  box2d: {
    cases: {
      stack: (size) => build(size, false),
      asleep: (size) => build(size, true),
      steer: buildSteered,
      create: buildCreated,
    },
  },
};

/** An empty world without gravity, and a function that puts a ball into it. */
async function empty() {
  const box2d = await Box2D({ pthreadCount: 0 });
  const worldDef = box2d.b2DefaultWorldDef();
  worldDef.gravity.Set(0, 0);
  const world = box2d.b2CreateWorld(worldDef);
  const bodyDef = box2d.b2DefaultBodyDef();
  bodyDef.type = box2d.b2BodyType.b2_dynamicBody;
  const { position } = bodyDef;
  const shapeDef = box2d.b2DefaultShapeDef();
  const circle = new box2d.b2Circle();
  circle.radius = 0.5;
  const add = ({ x, y }) => {
    position.Set(x, y);
    const id = box2d.b2CreateBody(world, bodyDef);
    box2d.b2CreateCircleShape(id, shapeDef, circle);
    return id;
  };
  return { box2d, world, add };
}

async function buildSteered(size) {
  const { box2d, world, add } = await empty();
  const ids = grid(size).map(add);
  const rows = new Float32Array((size + 2) * 3);
  const vector = new box2d.b2Vec2();
  let frame = 0;
  const run = () => {
    const velocities = ids.map((_, k) => steer(k, frame));
    frame++;
    for (let k = 0; k < size; k++) {
      vector.Set(velocities[k].x, velocities[k].y);
      box2d.b2Body_SetLinearVelocity(ids[k], vector);
    }
    box2d.b2World_Step(world, dt, substeps);
    readMoves(box2d, world, rows);
  };
  const velocityOf = (k) => box2d.b2Body_GetLinearVelocity(ids[k]);
  return { run, velocityOf, frames: () => frame };
}

async function buildCreated(size) {
  const { box2d, world, add } = await empty();
  let ids = [];
  const run = () => {
    ids = grid(size).map(add);
  };
  return {
    run,
    reset: () => {
      for (const id of ids) box2d.b2DestroyBody(id);
      ids = [];
    },
    count: () => box2d.b2World_GetCounters(world).bodyCount,
  };
}

async function build(size, sleep) {
  const box2d = await Box2D({ pthreadCount: 0 });
  const worldDef = box2d.b2DefaultWorldDef();
  worldDef.enableSleep = sleep;
  const world = box2d.b2CreateWorld(worldDef);
  const bodyDef = box2d.b2DefaultBodyDef();
  const shapeDef = box2d.b2DefaultShapeDef();
  const ground = box2d.b2CreateBody(world, bodyDef);
  const flat = new box2d.b2Rot();
  flat.SetAngle(0);
  box2d.b2CreatePolygonShape(ground, shapeDef, box2d.b2MakeOffsetBox(200, 1, new box2d.b2Vec2(0, -1), flat));
  bodyDef.type = box2d.b2BodyType.b2_dynamicBody;
  const box = box2d.b2MakeBox(0.5, 0.5);
  const start = places(size);
  const ids = start.map(({ x, y }) => {
    bodyDef.position.Set(x, y);
    const id = box2d.b2CreateBody(world, bodyDef);
    box2d.b2CreatePolygonShape(id, shapeDef, box);
    return id.index1;
  });
  const rows = new Float32Array((size + 2) * 3);
  for (let k = 0; k < size; k++) rows.set([start[k].x, start[k].y, 0], ids[k] * 3);

  const run = () => {
    box2d.b2World_Step(world, dt, substeps);
    readMoves(box2d, world, rows);
  };
  if (sleep) for (let k = 0; k < 3000 && box2d.b2World_GetAwakeBodyCount(world) > 0; k++) run();
  return {
    run,
    bodyAt: (k) => ({ x: rows[ids[k] * 3], y: rows[ids[k] * 3 + 1], rotation: rows[ids[k] * 3 + 2] }),
  };
}

/** Position and rotation of the bodies that moved, out of the memory of the engine into an array. */
function readMoves(box2d, world, rows) {
  const events = box2d.b2World_GetBodyEvents(world);
  const count = events.moveCount;
  const words = new Uint32Array(box2d.HEAPU8.buffer);
  const floats = new Float32Array(box2d.HEAPU8.buffer);
  let entry = words[events.$$.ptr >> 2] >> 2;
  for (let k = 0; k < count; k++, entry += 8) {
    const row = words[entry + 5] * 3;
    rows[row] = floats[entry + 1];
    rows[row + 1] = floats[entry + 2];
    rows[row + 2] = Math.atan2(floats[entry + 4], floats[entry + 3]);
  }
  events.delete();
}

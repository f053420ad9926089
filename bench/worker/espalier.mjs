/** Both sides in one process: messages wait in a real channel until the page's turn, which is what is timed. */
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createFollower, followChanges } from "espalier/history";
import { createTransforms2D, Transform2D } from "espalier/transform";
import { hostWorld, mirrorWorld } from "espalier/worker";

function createSide(size) {
  const world = createWorld({ capacity: size + 100, checks: false });
  const tree = createHierarchy(world);
  return { world, tree, space: createTransforms2D(tree) };
}

/** A port whose messages are taken in by `deliver()`, not by the event loop. */
function turnedPort(port) {
  let take;
  return {
    port: {
      postMessage: (message, transfer) => port.postMessage(message, transfer),
      on(name, listener) {
        if (name === "message") take = listener;
      },
      off() {},
    },
    deliver() {
      for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port))
        take(got.message);
    },
  };
}

/** A world whose entities all move in a tick; with `births`, ten come and the ten oldest go. */
function createSource(size, births) {
  const side = createSide(size);
  const { world, space } = side;
  const entities = Array.from({ length: size }, (_, k) => world.spawn(space.at(k, 0)));
  let tick = 0;
  return {
    ...side,
    get entities() {
      return entities;
    },
    move() {
      tick++;
      if (births) {
        for (const entity of entities.splice(0, 10)) world.destroy(entity);
        for (let k = 0; k < 10; k++) entities.push(world.spawn(space.at(k, 0)));
      }
      for (let k = 0; k < entities.length; k++) space.setTransform(entities[k], k, tick, tick * 0.01);
    },
  };
}

/** How many entities of the page have the positions of those in the worker. */
function countSame(source, page, entityOf) {
  return source.entities.filter((entity) => {
    const there = source.space.localOf(entity);
    const here = page.space.localOf(entityOf(entity));
    return here.x === there.x && here.y === there.y && here.rotation === there.rotation;
  }).length;
}

function mirrored(size, memory, births) {
  const source = createSource(size, births);
  const page = createSide(size);
  const { port1, port2 } = new MessageChannel();
  const [worker, window] = [turnedPort(port1), turnedPort(port2)];
  const host = hostWorld(source.world, {
    components: [],
    spaces: [source.space],
    port: worker.port,
    ...memory,
  });
  const mirror = mirrorWorld(page.world, {
    components: [],
    spaces: [page.space],
    port: window.port,
    ...memory,
  });
  worker.deliver();
  window.deliver();
  return {
    reset() {
      worker.deliver();
      source.move();
      if (host.publish() !== "sent") throw new Error("Nothing was sent.");
    },
    run: window.deliver,
    moved: () => countSame(source, page, (entity) => mirror.entityOf(entity)),
  };
}

function streamed(size, births) {
  const source = createSource(size, births);
  const page = createSide(size);
  const { port1, port2 } = new MessageChannel();
  const stream = followChanges(source.world, { trees: [source.tree] });
  const follower = createFollower(page.world, { trees: [page.tree], components: [Transform2D] });
  const window = turnedPort(port2);
  window.port.on("message", (batch) => {
    if (follower.receive(batch).status !== "applied") throw new Error("A batch was not applied.");
  });
  const snapshot = stream.snapshot();
  stream.forget(snapshot.to);
  follower.receive(snapshot);
  return {
    reset() {
      source.move();
      port1.postMessage(stream.read());
    },
    run: window.deliver,
    moved: () => countSame(source, page, (entity) => follower.ids.entityOf(entity)),
  };
}

const casesOf = (build) => ({ tick: (size) => build(size, false), births: (size) => build(size, true) });

export const subjects = {
  shared: { cases: casesOf((size, births) => mirrored(size, {}, births)) },
  transferred: { cases: casesOf((size, births) => mirrored(size, { memory: "transferred" }, births)) },
  stream: { cases: casesOf(streamed) },
};

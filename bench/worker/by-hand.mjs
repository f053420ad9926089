/** A program that uses only objects, numbers and messages. */
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";

/** The objects of the worker; with `births`, ten come and the ten oldest go in a tick. */
function createSource(size, births) {
  let ids = size;
  let tick = 0;
  const all = Array.from({ length: size }, (_, k) => ({ id: k + 1, x: k, y: 0, rotation: 0 }));
  return {
    all,
    move() {
      tick++;
      const gone = births ? all.splice(0, 10).map(({ id }) => id) : [];
      if (births) for (let k = 0; k < 10; k++) all.push({ id: ++ids, x: k, y: 0, rotation: 0 });
      for (const [k, one] of all.entries())
        Object.assign(one, { x: k, y: tick, rotation: Math.fround(tick * 0.01) });
      return gone;
    },
  };
}

function page({ all }) {
  const objects = new Map(all.map((one) => [one.id, { ...one }]));
  const moved = () =>
    all.filter((one) => {
      const here = objects.get(one.id);
      return here?.x === one.x && here.y === one.y && here.rotation === one.rotation;
    }).length;
  const place = (id, x, y, rotation) => {
    const one = objects.get(id);
    if (one === undefined) {
      objects.set(id, { id, x, y, rotation });
      return;
    }
    one.x = x;
    one.y = y;
    one.rotation = rotation;
  };
  const remove = (gone) => {
    for (const id of gone) objects.delete(id);
  };
  return { moved, place, remove };
}

/** Numbers in shared memory, and a message that says that they are there. */
function sharedArray(size, births) {
  const source = createSource(size, births);
  const { moved, place, remove } = page(source);
  const numbers = new Float32Array(new SharedArrayBuffer(size * 16));
  const { port1, port2 } = new MessageChannel();
  return {
    reset() {
      const gone = source.move();
      for (const [k, { id, x, y, rotation }] of source.all.entries())
        numbers.set([id, x, y, rotation], k * 4);
      port1.postMessage(gone);
    },
    run() {
      remove(receiveMessageOnPort(port2).message);
      for (let k = 0; k < numbers.length; k += 4)
        place(numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]);
    },
    moved,
  };
}

/** A message with an object for each. */
function objects(size, births) {
  const source = createSource(size, births);
  const { moved, place, remove } = page(source);
  const { port1, port2 } = new MessageChannel();
  return {
    reset() {
      const gone = source.move();
      port1.postMessage({ gone, all: source.all });
    },
    run() {
      const { gone, all } = receiveMessageOnPort(port2).message;
      remove(gone);
      for (const { id, x, y, rotation } of all) place(id, x, y, rotation);
    },
    moved,
  };
}

const casesOf = (build) => ({ tick: (size) => build(size, false), births: (size) => build(size, true) });

export const subjects = {
  "shared-array": { cases: casesOf(sharedArray) },
  objects: { cases: casesOf(objects) },
};

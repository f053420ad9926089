/**
 * 10,000 moving entities followed by another world, and loops over 100,000 that are undone. `by-hand` is what a program does that
 * has nothing but arrays: it compares with the last state, writes messages as JSON and swaps copies.
 */
import { component, createWorld, f32 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createChangeFormat, createFollower, createHistory, followChanges } from "espalier/history";

const Position = component("Position", { x: f32(), y: f32() });

function createScene(size) {
  const world = createWorld({ capacity: size + 1, checks: false });
  const tree = createHierarchy(world);
  const entities = size > 0 ? world.spawnMany(size, Position) : [];
  const query = world.query(Position);
  const move = () =>
    query.update((position) => {
      position.x += 0.5;
      position.y += 0.25;
    });
  return { world, tree, entities, query, move };
}

function createStream(size) {
  const scene = createScene(size);
  return { ...scene, stream: followChanges(scene.world, { trees: [scene.tree] }) };
}

const stream = {
  read(size) {
    const { stream: changes, move } = createStream(size);
    let batch;
    return {
      reset: move,
      run() {
        batch = changes.read();
      },
      changed: () => batch.patch[0].ids.length,
    };
  },
  encode(size) {
    const { stream: changes, move } = createStream(size);
    const format = createChangeFormat({ components: [Position] });
    let batch;
    let bytes;
    return {
      reset() {
        move();
        batch = changes.read();
      },
      run() {
        bytes = format.encode(batch);
      },
      changed: () => format.decode(bytes).patch[0].ids.length,
    };
  },
  receive(size) {
    const source = createStream(size);
    const format = createChangeFormat({ components: [Position] });
    const copy = createScene(0);
    const follower = createFollower(copy.world, { trees: [copy.tree], components: [Position] });
    follower.receive(source.stream.snapshot());
    source.stream.read();
    let bytes;
    return {
      reset() {
        source.move();
        bytes = format.encode(source.stream.read());
      },
      run() {
        follower.receive(format.decode(bytes));
      },
      changed() {
        const here = follower.ids.entityOf(source.entities[0]);
        const isSame = copy.world.get(here, Position).x === source.world.get(source.entities[0], Position).x;
        return isSame ? follower.ids.size : -1;
      },
    };
  },
  undo_loop(size) {
    const { world, move, entities } = createScene(size);
    const history = createHistory(world);
    history.step("Move", move);
    return {
      run() {
        history.undo();
        history.redo();
      },
      changed: () => (world.get(entities[0], Position).x === 0.5 ? size : -1),
    };
  },
};

function createArrays(size) {
  const [x, y] = [new Float32Array(size), new Float32Array(size)];
  const move = () => {
    for (let k = 0; k < size; k++) {
      x[k] += 0.5;
      y[k] += 0.25;
    }
  };
  const [oldX, oldY] = [x.slice(), y.slice()];
  /** The values that differ from the last time. */
  const read = () => {
    const changes = [];
    for (let k = 0; k < size; k++) {
      if (x[k] === oldX[k] && y[k] === oldY[k]) continue;
      changes.push({ id: k + 1, x: x[k], y: y[k] });
    }
    oldX.set(x);
    oldY.set(y);
    return changes;
  };
  return { x, y, move, read };
}

const byHand = {
  read(size) {
    const { move, read } = createArrays(size);
    let changes;
    return {
      reset: move,
      run() {
        changes = read();
      },
      changed: () => changes.length,
    };
  },
  encode(size) {
    const { move, read } = createArrays(size);
    let changes;
    let text;
    return {
      reset() {
        move();
        changes = read();
      },
      run() {
        text = JSON.stringify(changes);
      },
      changed: () => JSON.parse(text).length,
    };
  },
  receive(size) {
    const { move, read } = createArrays(size);
    const copies = new Map(Array.from({ length: size }, (_, k) => [k + 1, { x: 0, y: 0 }]));
    let text;
    return {
      reset() {
        move();
        text = JSON.stringify(read());
      },
      run() {
        for (const { id, x, y } of JSON.parse(text)) {
          const copy = copies.get(id);
          copy.x = x;
          copy.y = y;
        }
      },
      changed: () => copies.size,
    };
  },
  undo_loop(size) {
    const { x, y, move } = createArrays(size);
    let other = [x.slice(), y.slice()];
    move();
    const swap = () => {
      const now = [x.slice(), y.slice()];
      x.set(other[0]);
      y.set(other[1]);
      other = now;
    };
    return {
      run() {
        swap();
        swap();
      },
      changed: () => (x[0] === 0.5 ? size : -1),
    };
  },
};

export const subjects = {
  stream: { cases: stream },
  "by-hand": { cases: byHand },
};

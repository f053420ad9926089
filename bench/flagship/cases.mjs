/**
 * The cases of the suite, written once for all subjects. A subject gives `createGame(capacity)`; every
 * process has one subject and one case, so V8 sees one library here and inlines its functions.
 *
 * A game has what its library needs for entities with a transform below their parent and two components of
 * three numbers, `Motion { x, y, spin }` and `Health { hp, armour, regen }`. Entity number n has the values
 * of data.mjs; entities are the handles of the library.
 *
 * - `spawn(parent, n)`: a new last child of `parent`, or a root without one.
 * - `spawnMany(count, n)`: `count` roots, all with the values of number n; returns them.
 * - `spawnPrefab(parent)`: the ten entities of the prefab; returns the first.
 * - `spawnPlace(parent, n)`: an entity with a transform and nothing else (`memory`).
 * - `setName(entity, name)`: missing where a library has no names.
 * - `destroy(entity)`: with everything below it. `destroyAll(roots)`: everything there is.
 * - `move(entity, parent)`: to the end of the children of `parent`.
 * - `setLocal(entity, x, y, rotation)`.
 * - `shiftAll(by, turn)`: adds to x, subtracts from y, adds to the rotation of all.
 * - `damp()`, `heal()`, `drift()`: the systems of the frame.
 * - `update()`: brings all world transforms up to date.
 * - `sumWorlds(entities)`: world x + y of all entities, which are those in the list.
 * - `sumChildren(entity)`, `visit(root)`: iterates the children; the root and its descendants depth
 *   first: the sum of `numberOf(entity)` times its 1-based position, in 32 bits.
 * - `settle()`: optional. What happens between two frames and is not timed where a case is about something
 *   else: read the events, forget the undo steps.
 * - `dispose()`: optional.
 * - `numberOf`, `ordered`, `valuesOf(entity)`, `readWorld(entity)`, `parentOf(entity)` (or undefined),
 *   `childrenOf(entity)`, `isAlive(entity)`, `count()`: for the checks.
 * - `perRun`: optional. `destroyed`: how many entities to destroy in one run where all of them would take
 *   too long.
 */
import { Unable } from "../harness/expect.mjs";
import { createRandom, parentsOf, shuffled } from "../shared/trees.mjs";
import {
  lifetime,
  numberOfTree,
  planOf,
  prefabSize,
  swapFirst,
  swapParentRole,
  swapRole,
  treeSize,
} from "./data.mjs";

export const parentCount = 100;

/**
 * The cases of one library. `unable(name, size)` may return why it cannot do one; `without` are the names
 * of those that its API does not have.
 */
export function casesOf(createGame, { unable = () => undefined, without = [] } = {}) {
  return Object.fromEntries(
    Object.entries(builders)
      .filter(([name]) => !without.includes(name))
      .map(([name, build]) => [
        name,
        (size, _, parameters = {}) => {
          const reason = unable(name, size);
          if (reason !== undefined) throw new Unable(reason);
          return build(createGame, size, parameters);
        },
      ]),
  );
}

const builders = {
  create_child,
  create_tree,
  spawn_many,
  destroy_one,
  cascade,
  destroy_all,
  reparent,
  build,
  set_local,
  update_local,
  read_world,
  visit,
  children,
  frame,
  frame_part,
  cold,
  memory,
};

/** The state at the start of a run: the update of the last frame is done, events are read. */
function settle(game) {
  game.update();
  game.settle?.();
}

function spawnParents(game) {
  return Array.from({ length: parentCount }, (_, p) => game.spawn(undefined, p));
}

/** 100 parents and the children in turn below them, each `children[i]` with the values of number i. */
function createFamilies(createGame, size) {
  const game = createGame(size + parentCount);
  const parents = spawnParents(game);
  const { spawn } = game;
  const children = new Array(size);
  function spawnChildren() {
    for (let i = 0; i < size; i++) children[i] = spawn(parents[i % parentCount], i);
  }
  return { game, parents, children, spawnChildren };
}

function create_child(createGame, size) {
  const { game, parents, children, spawnChildren } = createFamilies(createGame, size);
  let isEmpty = true;
  function reset() {
    if (!isEmpty) {
      for (const parent of parents) game.destroy(parent);
      parents.splice(0, parentCount, ...spawnParents(game));
    }
    isEmpty = false;
    settle(game);
  }
  return { game, parents, children, reset, run: spawnChildren };
}

function createPrefabs(createGame, size) {
  const game = createGame(size);
  const { spawnPrefab } = game;
  const roots = new Array(size / prefabSize);
  function spawnAll() {
    for (let i = 0; i < roots.length; i++) roots[i] = spawnPrefab();
  }
  return { game, roots, spawnAll };
}

function create_tree(createGame, size) {
  const { game, roots, spawnAll } = createPrefabs(createGame, size);
  let isEmpty = true;
  function reset() {
    if (!isEmpty) for (const root of roots) game.destroy(root);
    isEmpty = false;
    settle(game);
  }
  return { game, roots, reset, run: spawnAll };
}

function spawn_many(createGame, size) {
  const game = createGame(size);
  let made = [];
  function reset() {
    if (made.length > 0) game.destroyAll(made);
    made = [];
    settle(game);
  }
  function run() {
    made = game.spawnMany(size, 5);
  }
  return { game, made: () => made, reset, run };
}

function destroy_one(createGame, size) {
  const { game, parents, children, spawnChildren } = createFamilies(createGame, size);
  const { destroy } = game;
  const count = Math.min(size, game.perRun?.destroyed ?? size);
  const order = shuffled(size, createRandom(3));
  let isComplete = false;
  function reset() {
    if (isComplete) return;
    isComplete = true;
    if (children[0] === undefined) spawnChildren();
    else
      for (let k = 0; k < count; k++)
        children[order[k]] = game.spawn(parents[order[k] % parentCount], order[k]);
    settle(game);
  }
  function run() {
    isComplete = false;
    for (let k = 0; k < count; k++) destroy(children[order[k]]);
  }
  const destroyed = () => Array.from(order.subarray(0, count), (i) => children[i]);
  return { game, children, destroyed, left: parentCount + size - count, reset, run, unitCount: count };
}

function cascade(createGame, size) {
  const { game, roots, spawnAll } = createPrefabs(createGame, size);
  const { destroy } = game;
  const count = Math.min(roots.length, (game.perRun?.destroyed ?? size) / prefabSize);
  let isComplete = false;
  function reset() {
    if (isComplete) return;
    isComplete = true;
    if (roots[0] === undefined) spawnAll();
    else for (let i = 0; i < count; i++) roots[i] = game.spawnPrefab();
    settle(game);
  }
  function run() {
    isComplete = false;
    for (let i = 0; i < count; i++) destroy(roots[i]);
  }
  const destroyed = () => roots.slice(0, count);
  return { game, destroyed, left: size - count * prefabSize, reset, run, unitCount: count * prefabSize };
}

function destroy_all(createGame, size) {
  const { game, roots, spawnAll } = createPrefabs(createGame, size);
  let isComplete = false;
  function reset() {
    if (!isComplete) spawnAll();
    isComplete = true;
    settle(game);
  }
  function run() {
    isComplete = false;
    game.destroyAll(roots);
  }
  return { game, destroyed: () => [...roots], left: 0, reset, run };
}

/** Every run moves every child to another parent, in another order than they came. */
function reparent(createGame, size) {
  const { game, parents, children, spawnChildren } = createFamilies(createGame, size);
  const { move } = game;
  const random = createRandom(1);
  const orders = Array.from({ length: 4 }, () => shuffled(size, random));
  let round = 0;
  spawnChildren();
  function run() {
    round++;
    const order = orders[round % orders.length];
    const shift = (round * 37) % parentCount;
    for (let i = 0; i < size; i++) {
      const child = order[i];
      const target = (child % parentCount) + shift;
      move(children[child], parents[target < parentCount ? target : target - parentCount]);
    }
  }
  function expected() {
    const lists = Array.from({ length: parentCount }, () => []);
    for (const child of orders[round % orders.length]) {
      lists[(child + round * 37) % parentCount].push(children[child]);
    }
    return lists;
  }
  return { game, parents, expected, reset: () => settle(game), run };
}

/** A new world, and a balanced tree in it, created depth first. */
function build(createGame, size) {
  const shape = parentsOf("balanced", size);
  const nodes = new Array(size);
  let game;
  function reset() {
    game?.dispose?.();
    game = undefined;
    nodes.fill(undefined);
  }
  function run() {
    game = createGame(size);
    const { spawn } = game;
    for (let i = 0; i < size; i++) nodes[i] = spawn(shape[i] < 0 ? undefined : nodes[shape[i]], i);
    game.update();
  }
  return { game: () => game, nodes, shape, reset, run };
}

/** A balanced tree that stays. */
function createBalanced(createGame, size) {
  const shape = parentsOf("balanced", size);
  const game = createGame(size);
  const nodes = [];
  for (let i = 0; i < size; i++) nodes.push(game.spawn(nodes[shape[i]], i));
  settle(game);
  return { game, nodes, shape };
}

function set_local(createGame, size) {
  const { game, nodes } = createBalanced(createGame, size);
  const { setLocal } = game;
  let turn = 0;
  function run() {
    turn = (turn + 1) & 7;
    const rotation = turn * 0.125;
    for (let i = 0; i < size; i++) setLocal(nodes[i], (i & 63) + turn, turn - (i & 31), rotation);
  }
  const expected = (i) => [(i & 63) + turn, turn - (i & 31), turn * 0.125];
  return { game, nodes, expected, reset: () => settle(game), run };
}

function update_local(createGame, size) {
  const { game, nodes } = createBalanced(createGame, size);
  const { shiftAll } = game;
  let by = 0.25;
  let shifted = 0;
  function run() {
    shiftAll(by, by * 0.5);
    shifted += by;
    by = -by;
  }
  const expected = (i, [x, y]) => [x + shifted, y - shifted, shifted * 0.5];
  return { game, nodes, expected, reset: () => settle(game), run };
}

function read_world(createGame, size) {
  const { game, nodes } = createBalanced(createGame, size);
  let result = 0;
  function run() {
    result = game.sumWorlds(nodes);
  }
  return { game, nodes, run, result: () => result };
}

function visit(createGame, size) {
  const { game, nodes } = createBalanced(createGame, size);
  let result = 0;
  function run() {
    result = game.visit(nodes[0]);
  }
  return { game, nodes, run, result: () => result };
}

function children(createGame, size) {
  const { game, parents, spawnChildren } = createFamilies(createGame, size);
  const { sumChildren } = game;
  let result = 0;
  spawnChildren();
  settle(game);
  function run() {
    let sum = 0;
    for (let p = 0; p < parentCount; p++) sum = (sum + sumChildren(parents[p])) | 0;
    result = sum;
  }
  return { game, parents, run, result: () => result };
}

/**
 * One frame of a game: a batch of trees is destroyed, another one created, some entities swap parents, three
 * systems, world transforms, and every world position read out.
 */
function frame(createGame, size) {
  const { game, parts, ...rest } = createFrame(createGame, size);
  const { die, born, swap, damp, heal, drift, update, read, hear } = parts;
  function run() {
    die();
    born();
    swap();
    damp();
    heal();
    drift();
    update();
    read();
    hear();
  }
  return { ...rest, game, run, reset: game.forget };
}

/** One part of the frame is timed, the others run before and after it. */
function frame_part(createGame, size, { part }) {
  const { game, parts, ...rest } = createFrame(createGame, size);
  const names = Object.keys(parts);
  const timed = parts[part];
  const place = names.indexOf(part);
  let next = 0;
  function runUpTo(end) {
    while (next !== end) {
      parts[names[next]]();
      next = (next + 1) % names.length;
      if (next === 0) game.forget?.();
    }
  }
  return {
    ...rest,
    game,
    reset: () => runUpTo(place),
    run() {
      timed();
      next = (place + 1) % names.length;
    },
    /** From the end of a frame to the end of the next, for the check. */
    whole() {
      runUpTo(0);
      parts[names[next++]]();
      runUpTo(0);
    },
  };
}

function createFrame(createGame, size) {
  const { trees, batchSize, swaps } = planOf(size);
  const half = (batchSize >> 1) * treeSize;
  const game = createGame(size);
  const { spawn, destroy, move } = game;
  const nodes = new Array(size);
  let number = 0;
  let result = 0;

  function spawnTree(t) {
    const at = t * treeSize;
    const n = numberOfTree(number, t);
    const root = spawn(undefined, n);
    const left = spawn(root, n + 1);
    const right = spawn(root, n + 2);
    nodes[at] = root;
    nodes[at + 1] = left;
    nodes[at + 2] = right;
    nodes[at + 3] = spawn(left, n + 3);
    nodes[at + 4] = spawn(right, n + 4);
  }

  function destroyTrees(from, to) {
    for (let t = from; t < to; t++) destroy(nodes[t * treeSize]);
  }
  function spawnTrees(from, to) {
    for (let t = from; t < to; t++) spawnTree(t);
  }
  function swapLeaves() {
    for (let k = 0; k < swaps; k++) {
      const a = swapFirst(number, k, batchSize) * treeSize;
      const b = a + half;
      const first = nodes[a + swapRole];
      const second = nodes[b + swapRole];
      move(first, nodes[b + swapParentRole]);
      move(second, nodes[a + swapParentRole]);
      nodes[a + swapRole] = second;
      nodes[b + swapRole] = first;
    }
  }

  const batch = () => (number % lifetime) * batchSize;
  const parts = {
    die() {
      number++;
      destroyTrees(batch(), batch() + batchSize);
    },
    born: () => spawnTrees(batch(), batch() + batchSize),
    swap: swapLeaves,
    damp: () => game.damp(),
    heal: () => game.heal(),
    drift: () => game.drift(),
    update: () => game.update(),
    read() {
      result = game.sumWorlds(nodes);
    },
    hear: () => game.readEvents?.(),
  };

  spawnTrees(0, trees);
  settle(game);
  return { game, nodes, parts, number: () => number, result: () => result };
}

/** Each run is the first of a case in a new world. */
function cold(createGame, size, { of }) {
  let it;
  return {
    reset() {
      it?.game.dispose?.();
      it = builders[of](createGame, size);
      it.reset();
    },
    run: () => it.run(),
    current: () => it,
  };
}

/** `count` nodes with a transform and nothing else, four below each; `named`: with a name too. */
function memory(createGame, size, { named = false } = {}) {
  const shape = parentsOf("balanced", size);
  const game = createGame(size);
  const nodes = [];
  for (let i = 0; i < size; i++) {
    nodes.push(game.spawnPlace(nodes[shape[i]], i));
    if (named) game.setName(nodes[i], `node ${i}`);
  }
  settle(game);
  return { game, root: nodes[0] };
}

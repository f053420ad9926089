/**
 * The cases of the suite, written once for all subjects. A subject gives `createSpace(capacity)`; every
 * process has one subject and one case, so V8 sees one library here and inlines its functions.
 *
 * A space, or a promise of one, has what the cases below need; nodes are the handles of the library.
 *
 * - `spawn(parent, x, y, rotation, scaleX, scaleY)`: a new last child of `parent`, or the root of the
 *   tree without one.
 * - `set(node, x, y, rotation, scaleX, scaleY)`: writes its local transform.
 * - `setAll(nodes, table)`: optional. The same for all nodes, where there is a faster way than a loop of
 *   `set`; row i of `table`, five numbers, is for node i.
 * - `move(node, parent)`: to the end of the children of `parent`; the local transform stays.
 * - `destroy(node)`: with everything below it.
 * - `update()`: brings all world transforms up to date.
 * - `visit(root)`: iterates the tree depth first, parents before children: the sum of
 *   `numberOf(node)` times its 1-based position, in 32 bits (`(sum + Math.imul(number, ++place)) | 0`).
 * - `restart()`: removes everything; not timed.
 * - `settle()`: optional. Called after the tree is built, or after many `move`s, before the frames start: for
 *   `compact()`. Not timed.
 * - `readWorld(node, out)`: writes a, b, c, d, tx, ty as `update` left them; numberOf(node),
 *   childrenOf(node), isAlive(node): for the checks.
 */
import { Unable } from "../harness/expect.mjs";
import { childrenOf, createRandom, depthsOf, parentsOf, shuffled } from "../shared/trees.mjs";

/** As in hierarchy/cases.mjs: `unable` says why not, `without` what the API does not have. */
export function casesOf(createSpace, { unable = () => undefined, without = [] } = {}) {
  return Object.fromEntries(
    Object.entries(builders)
      .filter(([name]) => !without.includes(name))
      .map(([name, build]) => [
        name,
        async (size, _, { shape }) => {
          const reason = unable(name, { size, shape });
          if (reason !== undefined) throw new Unable(reason);
          return build(createSpace, size, shape);
        },
      ]),
  );
}

const builders = { full, sparse, idle, churn, build, destroy, visit, pass, full_churned, moving };

/**
 * Local transforms for all nodes, five numbers each. Scales stay near 1, so that values of deep trees stay
 * in range; numbers are exact in 32 bits.
 */
function createTable(size, seed) {
  const random = createRandom(seed);
  const table = new Float32Array(size * 5);
  for (let at = 0; at < table.length; at += 5) {
    table[at] = random() * 20 - 10;
    table[at + 1] = random() * 20 - 10;
    table[at + 2] = (random() * 2 - 1) * Math.PI;
    table[at + 3] = 0.95 + random() * 0.1;
    table[at + 4] = 0.95 + random() * 0.1;
  }
  return table;
}

/** Two tables whose rows all differ: what is written is never what was there. */
const createTables = (size) => [createTable(size, 11), createTable(size, 12)];

/** The tree, built from the first table and up to date, with everything that the checks need. */
async function createBuilt(createSpace, size, shape) {
  const parents = parentsOf(shape, size);
  const tables = createTables(size);
  const space = await createSpace(size);
  const nodes = new Array(size);
  const { spawn, set } = space;
  function build() {
    const table = tables[0];
    for (let i = 0, at = 0; i < size; i++, at += 5) {
      const parent = i === 0 ? undefined : nodes[parents[i]];
      nodes[i] = spawn(parent, table[at], table[at + 1], table[at + 2], table[at + 3], table[at + 4]);
    }
  }
  function setOneByOne(nodes, table) {
    for (let i = 0, at = 0; i < size; i++, at += 5) {
      set(nodes[i], table[at], table[at + 1], table[at + 2], table[at + 3], table[at + 4]);
    }
  }
  build();
  space.settle?.();
  space.update();
  return {
    space,
    nodes,
    tables,
    parents,
    build,
    setAll: space.setAll ?? setOneByOne,
    /** What the checks compare with: a table of locals and the parents, as they must be now. */
    expected: () => ({ table: tables[0], parents }),
  };
}

/** Every local transform changes. */
async function full(createSpace, size, shape) {
  const it = await createBuilt(createSpace, size, shape);
  const { space, nodes, tables, setAll } = it;
  const { update } = space;
  let round = 0;
  function run() {
    setAll(nodes, tables[++round & 1]);
    update();
  }
  return { ...it, run, expected: () => ({ ...it.expected(), table: tables[round & 1] }) };
}

/** The same, of which only the update is timed. */
async function pass(createSpace, size, shape) {
  const it = await createBuilt(createSpace, size, shape);
  const { space, nodes, tables, setAll } = it;
  const { update } = space;
  let round = 0;
  function reset() {
    setAll(nodes, tables[++round & 1]);
  }
  const run = () => update();
  return { ...it, run, reset, expected: () => ({ ...it.expected(), table: tables[round & 1] }) };
}

/** An odd number of samples and two tables: each sample gets the one table and the other in turn. */
const sampleCount = 15;

async function sparse(createSpace, size, shape) {
  const it = await createBuilt(createSpace, size, shape);
  const { space, nodes, tables } = it;
  const { set, update } = space;
  const random = createRandom(21);
  const samples = Array.from({ length: sampleCount }, () =>
    shuffled(size, random).slice(0, Math.ceil(size / 100)),
  );
  let round = 0;
  function run() {
    const sample = samples[++round % sampleCount];
    const table = tables[round & 1];
    for (let k = 0; k < sample.length; k++) {
      const i = sample[k];
      const at = i * 5;
      set(nodes[i], table[at], table[at + 1], table[at + 2], table[at + 3], table[at + 4]);
    }
    update();
  }
  function expected() {
    const table = tables[0].slice();
    for (let past = Math.max(1, round - sampleCount + 1); past <= round; past++) {
      for (const i of samples[past % sampleCount]) {
        table.set(tables[past & 1].subarray(i * 5, i * 5 + 5), i * 5);
      }
    }
    return { ...it.expected(), table };
  }
  return { ...it, run, expected };
}

/** Which of the movable nodes move in a frame, by shape. */
const movers = {
  /** 4,096 of those in the lower four layers, others in each frame. */
  layers: (parents) => {
    const depths = depthsOf(parents);
    return { all: Int32Array.from(parents.keys()).filter((node) => depths[node] >= 4), batch: 4096 };
  },
  /** The same 10,000 of 110,000. */
  wide: () => ({ all: Int32Array.from({ length: 10_000 }, (_, k) => 1 + k * 11), batch: 10_000 }),
};

/** Some nodes get another local transform, one call each; the rest of the scene stands still. */
async function moving(createSpace, size, shape) {
  const it = await createBuilt(createSpace, size, shape);
  const { space, nodes, tables, parents } = it;
  const { set, update } = space;
  const { all, batch } = movers[shape](parents);
  let round = 0;
  function run() {
    const table = tables[++round & 1];
    const from = (round * batch) % all.length;
    for (let k = 0; k < batch; k++) {
      const i = all[from + k < all.length ? from + k : from + k - all.length];
      const at = i * 5;
      set(nodes[i], table[at], table[at + 1], table[at + 2], table[at + 3], table[at + 4]);
    }
    update();
  }
  /** Nothing is recorded while frames are timed: the last rounds wrote every node that was ever written. */
  function expected() {
    const table = tables[0].slice();
    const rounds = Math.ceil(all.length / batch) + 1;
    for (let past = Math.max(1, round - rounds); past <= round; past++) {
      for (let k = 0; k < batch; k++) {
        const at = all[(past * batch + k) % all.length] * 5;
        table.set(tables[past & 1].subarray(at, at + 5), at);
      }
    }
    return { ...it.expected(), table };
  }
  return { ...it, run, expected };
}

async function idle(createSpace, size, shape) {
  const it = await createBuilt(createSpace, size, shape);
  const { update } = it.space;
  return { ...it, run: () => update() };
}

/** So many runs move nodes somewhere; as many then take the moves back, last one first. */
const churnRuns = 8;

/** 1 % of the nodes go to a random parent outside of what is below them. */
async function churn(createSpace, size, shape) {
  const it = await createBuilt(createSpace, size, shape);
  const { space, nodes, parents } = it;
  const { move, update } = space;
  const now = parents.slice();
  const random = createRandom(31);
  const there = Array.from({ length: churnRuns }, () =>
    Array.from({ length: Math.ceil(size / 100) }, () => moveAnywhere(now, random)),
  );
  const back = there.map((moves) =>
    moves.map(({ node, from, to }) => ({ node, from: to, to: from })).reverse(),
  );
  const frames = [...there, ...back.reverse()].map((moves) =>
    Int32Array.from(moves.flatMap(({ node, to }) => [node, to])),
  );
  let round = 0;
  function run() {
    const moves = frames[round++ % frames.length];
    for (let k = 0; k < moves.length; k += 2) move(nodes[moves[k]], nodes[moves[k + 1]]);
    update();
  }
  function expected() {
    const state = parents.slice();
    for (const moves of frames.slice(0, round % frames.length)) {
      for (let k = 0; k < moves.length; k += 2) state[moves[k]] = moves[k + 1];
    }
    return { ...it.expected(), parents: state };
  }
  return { ...it, run, expected };
}

/** Picks a node and a parent outside of its subtree, and moves it in `parents`. */
function moveAnywhere(parents, random, node = 1 + Math.floor(random() * (parents.length - 1))) {
  let to;
  do to = Math.floor(random() * parents.length);
  while (isWithin(to, node, parents));
  const from = parents[node];
  parents[node] = to;
  return { node, from, to };
}

function isWithin(node, root, parents) {
  let up = node;
  while (up >= 0 && up !== root) up = parents[up];
  return up === root;
}

/** All nodes are created with their local transforms, and brought up to date. */
async function build(createSpace, size, shape) {
  const it = await createBuilt(createSpace, size, shape);
  const { space, build } = it;
  const { update } = space;
  function run() {
    build();
    update();
  }
  return { ...it, run, reset: () => space.restart() };
}

async function destroy(createSpace, size, shape) {
  const it = await createBuilt(createSpace, size, shape);
  const { space, nodes, build } = it;
  let isBuilt = true;
  function reset() {
    if (isBuilt) return;
    space.restart();
    build();
    space.update();
    isBuilt = true;
  }
  function run() {
    isBuilt = false;
    space.destroy(nodes[0]);
  }
  return { ...it, run, reset };
}

async function visit(createSpace, size, shape) {
  const it = await createBuilt(createSpace, size, shape);
  const { space, nodes } = it;
  const { visit } = space;
  let result;
  function run() {
    result = visit(nodes[0]);
  }
  return { ...it, run, result: () => result };
}

/** `full` in a tree in which every node was moved at random since it was built. */
async function full_churned(createSpace, size, shape) {
  const it = await createBuilt(createSpace, size, shape);
  const { space, nodes, tables, setAll } = it;
  const { move, update } = space;
  const parents = it.parents.slice();
  const random = createRandom(41);
  for (const node of shuffled(size, random)) {
    if (node === 0) continue;
    move(nodes[node], nodes[moveAnywhere(parents, random, node).to]);
  }
  space.settle?.();
  update();
  let round = 0;
  function run() {
    setAll(nodes, tables[++round & 1]);
    update();
  }
  return { ...it, run, expected: () => ({ table: tables[round & 1], parents }) };
}

/** The nodes in the order in which a visit should meet them, as the library orders siblings. */
export function visitOrder({ space, nodes }) {
  const order = [];
  const open = [nodes[0]];
  while (open.length > 0) {
    const node = open.pop();
    order.push(node);
    const children = Array.from(space.childrenOf(node));
    for (let i = children.length - 1; i >= 0; i--) open.push(children[i]);
  }
  return order;
}

/** World transforms in 64 bits, the naive way: a, b, c, d, tx, ty of every node. */
export function referenceWorlds({ table, parents }) {
  const worlds = new Float64Array(parents.length * 6);
  for (const node of parentsFirst(parents)) {
    const from = node * 5;
    const cos = Math.cos(table[from + 2]);
    const sin = Math.sin(table[from + 2]);
    const local = [
      cos * table[from + 3],
      sin * table[from + 3],
      -sin * table[from + 4],
      cos * table[from + 4],
      table[from],
      table[from + 1],
    ];
    const above = parents[node] * 6;
    for (let k = 0; k < 6; k++)
      worlds[node * 6 + k] = above < 0 ? local[k] : product(worlds, above, local, k);
  }
  return worlds;
}

/** Entry k (a, b, c, d, tx or ty) of parent x local. */
function product(worlds, above, local, k) {
  const row = above + (k & 1);
  const column = k & ~1;
  const sum = worlds[row] * local[column] + worlds[row + 2] * local[column + 1];
  return k < 4 ? sum : sum + worlds[row + 4];
}

function parentsFirst(parents) {
  const isSorted = parents.every((parent, node) => parent < node);
  if (isSorted) return parents.keys();
  const children = childrenOf(parents);
  const order = [0];
  for (let at = 0; at < order.length; at++) for (const child of children[order[at]]) order.push(child);
  return order;
}

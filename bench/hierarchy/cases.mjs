/**
 * The cases of the suite, written once for all subjects. A subject gives `createTree(capacity, { isKept })`;
 * every process has one subject and one case, so V8 sees one library here and inlines its functions.
 * `isKept` says that the tree will be built once and not change, for libraries that make room for change.
 *
 * A tree, or a promise of one, has what the cases below need; nodes are the handles of the library.
 *
 * - `spawn(parent, isLeaf)`: a new last child of `parent`, or a root without one. `isLeaf` promises that
 *   it never gets children, for libraries that prepare parents.
 * - `move(node, parent)`: to the end of the children of `parent`, wherever it was.
 * - `detach(node)`: makes it a root.
 * - `insertBefore(node, sibling)`: a root becomes the sibling's neighbour. Missing without order.
 * - `destroy(node)`: with everything below it.
 * - `count(node)`: how many children it has.
 * - `sumChildren(node)`: iterates the children, the timed loop of iterate_children: the sum of
 *   `numberOf(child)` times its 1-based position, in 32 bits (`(sum + Math.imul(number, ++place)) | 0`).
 * - `visit(root)`: the same sum over the whole tree, depth first, parents before children.
 * - `climb(node)`: goes up to the root and returns the number of steps.
 * - `setName(node, name)`, `find(root, path)`: the node at "name/name/name" below `root`.
 * - `numberOf(node)`: a whole number that no other living node has.
 * - `ordered`, `parentOf(node)` (or undefined), `childrenOf(node)`, `isAlive(node)`: for the checks.
 * - `frame(work)`: optional. Returns a function that runs `work` where the library wants it to be run.
 * - `restart()`: optional. Forgets all nodes faster than destroying them.
 * - `perRun`: optional. How much of a case to do in one run where all of it would take too long:
 *   `destroyedParents`, `siblings`, `counts`.
 */
import { Unable } from "../harness/expect.mjs";
import { createRandom, depthsOf, parentsOf, shuffled } from "../shared/trees.mjs";

export const parentCount = 100;
export const lookupCount = 1000;

/**
 * The cases of one library. `unable(name, parameters)` may return why it cannot do one; `without` are
 * the names of those that its API does not have.
 */
export function casesOf(createTree, { unable = () => undefined, without = [] } = {}) {
  return Object.fromEntries(
    Object.entries(builders)
      .filter(([name]) => !without.includes(name))
      .map(([name, build]) => [
        name,
        async (size, _, parameters = {}) => {
          const reason = unable(name, { size, ...parameters });
          if (reason !== undefined) throw new Unable(reason);
          return build(createTree, size, parameters);
        },
      ]),
  );
}

const builders = {
  create_child,
  reparent,
  cascade_destroy,
  iterate_children,
  visit,
  ancestor_step,
  find_path,
  bytes_per_child,
  siblings_detach,
  siblings_insert,
  siblings_count,
  chain_build,
  chain_walk,
  chain_move,
  chain_destroy,
};

const atOnce = (work) => work;

/** The tree, and its nodes as the checks know them: parents first, then child i as number 100 + i. */
async function createForest(createTree, size) {
  const tree = await createTree(size + parentCount);
  const { frame = atOnce, spawn } = tree;
  const parents = new Array(parentCount);
  const children = new Array(size);
  function spawnParents() {
    for (let p = 0; p < parentCount; p++) parents[p] = spawn(undefined, false);
  }
  function spawnChildren() {
    for (let i = 0; i < size; i++) children[i] = spawn(parents[i % parentCount], true);
  }
  return {
    tree,
    frame,
    parents,
    children,
    spawnParents,
    spawnChildren,
    nodes: () => [...parents, ...children],
  };
}

async function create_child(createTree, size) {
  const { tree, frame, parents, spawnParents, spawnChildren, nodes } = await createForest(createTree, size);
  let isEmpty = true;
  const reset = frame(() => {
    if (tree.restart) tree.restart();
    else if (!isEmpty) for (const parent of parents) tree.destroy(parent);
    isEmpty = false;
    spawnParents();
  });
  return { tree, nodes, reset, run: frame(spawnChildren) };
}

/**
 * Every run moves every child to another parent. The order in which they move differs from the order in
 * which they came, so that they leave from random positions among their siblings.
 */
async function reparent(createTree, size) {
  const { tree, frame, parents, children, spawnParents, spawnChildren, nodes } = await createForest(
    createTree,
    size,
  );
  const { move } = tree;
  const random = createRandom(1);
  const orders = Array.from({ length: 8 }, () => shuffled(size, random));
  const home = Uint8Array.from({ length: size }, (_, i) => i % parentCount);
  let round = 0;
  await frame(() => {
    spawnParents();
    spawnChildren();
  })();
  const run = frame(() => {
    round++;
    const order = orders[round % orders.length];
    const shift = (round * 37) % parentCount;
    for (let i = 0; i < size; i++) {
      const child = order[i];
      const target = home[child] + shift;
      move(children[child], parents[target < parentCount ? target : target - parentCount]);
    }
  });
  /** Where the last run has put the children: a list of their numbers for each parent. */
  function expected() {
    const lists = Array.from({ length: parentCount }, () => []);
    for (const child of orders[round % orders.length]) {
      lists[(home[child] + round * 37) % parentCount].push(parentCount + child);
    }
    return lists;
  }
  return { tree, nodes, run, expected };
}

async function cascade_destroy(createTree, size) {
  const { tree, frame, parents, children, spawnParents, spawnChildren, nodes } = await createForest(
    createTree,
    size,
  );
  const { destroy, spawn } = tree;
  let isComplete = true;
  const destroyed = tree.perRun?.destroyedParents ?? parentCount;
  await frame(() => {
    spawnParents();
    spawnChildren();
  })();
  const reset = frame(() => {
    if (isComplete) return;
    isComplete = true;
    for (let p = 0; p < destroyed; p++) {
      parents[p] = spawn(undefined, false);
      for (let i = p; i < size; i += parentCount) children[i] = spawn(parents[p], true);
    }
  });
  const run = frame(() => {
    isComplete = false;
    for (let p = 0; p < destroyed; p++) destroy(parents[p]);
  });
  return { tree, nodes, run, reset, destroyed, unitCount: destroyed * (1 + size / parentCount) };
}

async function iterate_children(createTree, size) {
  const { tree, frame, parents, spawnParents, spawnChildren, nodes } = await createForest(createTree, size);
  const { sumChildren } = tree;
  let result;
  await frame(() => {
    spawnParents();
    spawnChildren();
  })();
  const run = frame(() => {
    let sum = 0;
    for (let p = 0; p < parentCount; p++) sum = (sum + sumChildren(parents[p])) | 0;
    result = sum;
  });
  return { tree, nodes, run, result: () => result };
}

/** The tree of branching 4, created depth first. */
async function createBalanced(createTree, size) {
  const shape = parentsOf("balanced", size);
  const isLeaf = new Uint8Array(size).fill(1);
  for (let i = 1; i < size; i++) isLeaf[shape[i]] = 0;
  const tree = await createTree(size);
  const { frame = atOnce, spawn } = tree;
  const nodes = [];
  await frame(() => {
    for (let i = 0; i < size; i++) nodes.push(spawn(nodes[shape[i]], isLeaf[i] === 1));
  })();
  return { tree, frame, shape, nodes };
}

async function visit(createTree, size) {
  const { tree, frame, nodes } = await createBalanced(createTree, size);
  const { visit } = tree;
  let result;
  const run = frame(() => {
    result = visit(nodes[0]);
  });
  return { tree, nodes: () => nodes, run, result: () => result };
}

async function ancestor_step(createTree, size) {
  const { tree, frame, nodes } = await createBalanced(createTree, size);
  const { climb } = tree;
  let result;
  const run = frame(() => {
    let steps = 0;
    for (let i = 0; i < size; i++) steps += climb(nodes[i]);
    result = steps;
  });
  return { tree, nodes: () => nodes, run, result: () => result };
}

/**
 * 1,000 paths looked up: of the deepest nodes of the tree of branching 4 (`tree`), or of children under
 * 100 parents under one root (`wide`). Names repeat under other parents.
 */
async function find_path(createTree, size, { layout }) {
  const { tree, frame, nodes, shape } =
    layout === "tree" ? await createBalanced(createTree, size) : await createWide(createTree, size);
  const { find, numberOf, setName } = tree;
  const names = new Array(nodes.length).fill("");
  const places = new Int32Array(nodes.length);
  await frame(() => {
    for (let i = 1; i < nodes.length; i++) {
      names[i] = `${layout === "tree" ? "part" : "thing"}${places[shape[i]]++}`;
      setName(nodes[i], names[i]);
    }
  })();
  const depths = depthsOf(shape);
  const deepest = depths.reduce((most, depth) => Math.max(most, depth), 0);
  const random = createRandom(2);
  const targets = Array.from(shuffled(nodes.length, random))
    .filter((i) => depths[i] >= deepest - 1)
    .slice(0, lookupCount);
  const paths = targets.map((target) => pathTo(target, shape, names));
  const root = nodes[0];
  let result;
  const run = frame(() => {
    let sum = 0;
    for (let i = 0; i < lookupCount; i++) sum = (sum + Math.imul(numberOf(find(root, paths[i])), i + 1)) | 0;
    result = sum;
  });
  const expected = () =>
    targets.reduce((sum, target, i) => (sum + Math.imul(numberOf(nodes[target]), i + 1)) | 0, 0);
  return { tree, nodes: () => nodes, run, result: () => result, expected };
}

async function createWide(createTree, size) {
  const tree = await createTree(size + parentCount + 1);
  const { frame = atOnce, spawn } = tree;
  const nodes = [];
  const shape = [-1];
  await frame(() => {
    nodes.push(spawn(undefined, false));
    for (let p = 0; p < parentCount; p++) {
      shape.push(0);
      nodes.push(spawn(nodes[0], false));
    }
    for (let i = 0; i < size; i++) {
      shape.push(1 + (i % parentCount));
      nodes.push(spawn(nodes[1 + (i % parentCount)], true));
    }
  })();
  return { tree, frame, nodes, shape };
}

function pathTo(target, shape, names) {
  const segments = [];
  for (let node = target; node !== 0; node = shape[node]) segments.push(names[node]);
  return segments.reverse().join("/");
}

/** Only the parents refer to the nodes here: handles kept by the benchmark would not count for the library. */
async function bytes_per_child(createTree, size) {
  const tree = await createTree(size + parentCount, { isKept: true });
  const { frame = atOnce, spawn } = tree;
  const parents = [];
  await frame(() => {
    for (let p = 0; p < parentCount; p++) parents.push(spawn(undefined, false));
    for (let i = 0; i < size; i++) spawn(parents[i % parentCount], true);
  })();
  return { tree, parents };
}

/**
 * `size` siblings, and a window in their middle whose members leave or come back in random order. Inserted
 * in reverse order, each finds its next sibling again, and the original order is restored.
 */
async function createSiblings(createTree, size) {
  const tree = await createTree(size + 1);
  const { frame = atOnce, spawn } = tree;
  const windowSize = tree.perRun?.siblings ?? 256;
  const start = (size - windowSize) >> 1;
  const order = shuffled(windowSize, createRandom(3)).map((i) => start + i);
  const isGone = new Uint8Array(size);
  const nextOf = order.map((index) => {
    let next = index + 1;
    while (isGone[next] === 1) next++;
    isGone[index] = 1;
    return next;
  });
  const children = new Array(size);
  let parent;
  await frame(() => {
    parent = spawn(undefined, false);
    for (let i = 0; i < size; i++) children[i] = spawn(parent, true);
  })();
  let areIn = true;
  function takeOut() {
    const { detach } = tree;
    for (let k = 0; k < windowSize; k++) detach(children[order[k]]);
    areIn = false;
  }
  function putBack() {
    const { insertBefore } = tree;
    for (let k = windowSize - 1; k >= 0; k--) insertBefore(children[order[k]], children[nextOf[k]]);
    areIn = true;
  }
  function putAnywhere() {
    const { move } = tree;
    for (let k = windowSize - 1; k >= 0; k--) move(children[order[k]], parent);
    areIn = true;
  }
  return {
    tree,
    frame,
    parent,
    takeOut,
    putBack: tree.ordered ? putBack : putAnywhere,
    areIn: () => areIn,
    nodes: () => [parent, ...children],
    order,
    unitCount: windowSize,
  };
}

async function siblings_detach(createTree, size) {
  const it = await createSiblings(createTree, size);
  const { frame, takeOut, putBack, areIn } = it;
  const reset = frame(() => {
    if (!areIn()) putBack();
  });
  return { ...it, run: frame(takeOut), reset };
}

async function siblings_insert(createTree, size) {
  const it = await createSiblings(createTree, size);
  const { frame, takeOut, putBack, areIn } = it;
  const reset = frame(() => {
    if (areIn()) takeOut();
  });
  return { ...it, run: frame(putBack), reset };
}

async function siblings_count(createTree, size) {
  const { tree, frame, parent, nodes } = await createSiblings(createTree, size);
  const { count } = tree;
  const times = tree.perRun?.counts ?? 1000;
  let result;
  const run = frame(() => {
    let sum = 0;
    for (let i = 0; i < times; i++) sum += count(parent);
    result = sum;
  });
  return { tree, nodes, run, result: () => result / times, unitCount: times };
}

/** A chain, each node the only child of the one before. */
async function createChain(createTree, size) {
  const tree = await createTree(size);
  const { frame = atOnce, spawn } = tree;
  const nodes = new Array(size);
  function build() {
    nodes[0] = spawn(undefined, false);
    for (let i = 1; i < size; i++) nodes[i] = spawn(nodes[i - 1], false);
  }
  return { tree, frame, nodes, build };
}

async function chain_build(createTree, size) {
  const { tree, frame, nodes, build } = await createChain(createTree, size);
  const reset = frame(() => {
    if (tree.restart) tree.restart();
    else if (nodes[0] !== undefined) tree.destroy(nodes[0]);
  });
  return { tree, nodes: () => nodes, run: frame(build), reset };
}

async function chain_walk(createTree, size) {
  const { tree, frame, nodes, build } = await createChain(createTree, size);
  await frame(build)();
  const { climb } = tree;
  let result;
  const run = frame(() => {
    result = climb(nodes[size - 1]);
  });
  return { tree, nodes: () => nodes, run, result: () => result };
}

/** The lower half goes under the root, and back. */
async function chain_move(createTree, size) {
  const { tree, frame, nodes, build } = await createChain(createTree, size);
  await frame(build)();
  const { move } = tree;
  const middle = size >> 1;
  const thereAndBack = [nodes[0], nodes[middle - 1]];
  const step = frame(() => {
    move(nodes[middle], thereAndBack[0]);
    thereAndBack.reverse();
  });
  const run = frame(() => {
    move(nodes[middle], thereAndBack[0]);
    move(nodes[middle], thereAndBack[1]);
  });
  return { tree, nodes: () => nodes, run, step, middle };
}

async function chain_destroy(createTree, size) {
  const { tree, frame, nodes, build } = await createChain(createTree, size);
  let isBuilt = false;
  const reset = frame(() => {
    if (!isBuilt) build();
    isBuilt = true;
  });
  const run = frame(() => {
    isBuilt = false;
    tree.destroy(nodes[0]);
  });
  return { tree, nodes: () => nodes, run, reset };
}

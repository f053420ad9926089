/**
 * The hierarchy suite: its subjects, its cases, and the check of every case.
 *
 * The cases are in cases.mjs, shared by all subjects; a subject's file implements the steps with its
 * library. The checks read parents, ordered children and living entities from the library and compare
 * them with values computed here.
 */
import { expectEqual, expectSame, expectTrue, WrongResult } from "../harness/expect.mjs";
import { childrenOf, depthsOf, parentsOf } from "../shared/trees.mjs";
import { lookupCount, parentCount } from "./cases.mjs";

const peer = (file) => ({ file, role: "peer" });

export const subjects = {
  espalier: { file: "espalier.mjs", role: "own" },
  "espalier-each": { file: "espalier.mjs", role: "own" },
  bitecs: peer("bitecs.mjs"),
  koota: peer("koota.mjs"),
  "koota-ordered": peer("koota.mjs"),
  becsy: peer("becsy.mjs"),
  three: peer("three.mjs"),
  pixi: peer("pixi.mjs"),
  objects: { file: "objects.mjs", role: "peer", byHand: true },
  limit: { file: "limit.mjs", role: "limit" },
};

const childCount = 10_000;
const nodeCount = 10_000;
const treeShape = parentsOf("balanced", nodeCount);
const stepCount = depthsOf(treeShape).reduce((sum, depth) => sum + depth, 0);

/** Runs are long here, and V8 counts the turns of the loops in them: fewer runs warm it up. */
const effort = { warmRuns: 50 };

const children = { effort, size: childCount, unitCount: childCount, unit: "child" };
const nodes = { effort, size: nodeCount, unitCount: nodeCount, unit: "node" };

export const cases = {
  create_child: { ...children, verify: verifyCreate },
  reparent: { ...children, unit: "move", verify: verifyReparent },
  cascade_destroy: {
    ...children,
    unitCount: childCount + parentCount,
    unit: "entity",
    verify: verifyCascade,
  },
  iterate_children: { ...children, verify: verifyIterate },
  visit: { ...nodes, verify: verifyVisit },
  ancestor_step: { ...nodes, unitCount: stepCount, unit: "step", verify: verifyAncestors },
  find_path: {
    ...nodes,
    unitCount: lookupCount,
    unit: "lookup",
    parameters: { layout: "tree" },
    verify: verifyFind,
  },
  "find_path/wide": {
    ...children,
    quick: false,
    builder: "find_path",
    unitCount: lookupCount,
    unit: "lookup",
    parameters: { layout: "wide" },
    verify: verifyFind,
  },
  bytes_per_child: { ...children, kind: "memory", warmSize: 1000, verify: verifyBytes },
  ...siblings("detach", "detach", verifySiblings),
  ...siblings("insert", "insert", verifySiblings),
  ...siblings("count", "count", verifyCount),
  ...chain("build", "node", verifyChain),
  ...chain("walk", "step", verifyChainWalk),
  ...chain("move", "move", verifyChainMove),
  ...chain("destroy", "node", verifyChainDestroy),
};

/** The quick run shows how the library grows, and what is possible; the peers take minutes. */
function growth(definition) {
  const short = { warmMs: 200, warmRuns: 20, rounds: 9, budgetMs: 1000 };
  return { effort: short, quick: ["espalier", "limit"], ...definition };
}

function siblings(name, unit, verify) {
  const builder = `siblings_${name}`;
  const sizes = { "1k": 1000, "10k": 10_000, "100k": 100_000, "1m": 1_000_000 };
  return Object.fromEntries(
    Object.entries(sizes).map(([label, size]) => [
      `${builder}/${label}`,
      growth({ builder, size, unitCount: 1, unit, verify }),
    ]),
  );
}

function chain(name, unit, verify) {
  const size = 1_000_000;
  const unitCount = unit === "move" ? 2 : size;
  return { [`chain/${name}`]: growth({ builder: `chain_${name}`, size, unitCount, unit, verify }) };
}

/** Compares the tree with `lists`: the children of each node, by their indices in `nodes()`. */
function expectTree({ tree, nodes }, lists) {
  const all = nodes();
  const numbers = Float64Array.from(all, (node) => tree.numberOf(node));
  const parents = new Int32Array(all.length).fill(-1); // a node in no list of children is a root
  lists.forEach((list, parent) => {
    for (const child of list) parents[child] = parent;
    const actual = Array.from(tree.childrenOf(all[parent]), (child) => tree.numberOf(child));
    const expected = Array.from(list, (child) => numbers[child]);
    expectSame(actual, expected, `children of node ${parent}`, tree.ordered);
    expectEqual(tree.count(all[parent]), list.length, `number of children of node ${parent}`);
  });
  expectParents({ tree, nodes }, parents);
  numbers.sort();
  for (let i = 1; i < all.length; i++)
    if (numbers[i] === numbers[i - 1]) throw new WrongResult("a node twice");
}

function expectParents({ tree, nodes }, parents) {
  const all = nodes();
  for (let i = 0; i < all.length; i++) {
    if (!tree.isAlive(all[i])) throw new WrongResult(`node ${i} is not alive`);
    const parent = tree.parentOf(all[i]);
    const number = parent === undefined ? undefined : tree.numberOf(parent);
    const expected = parents[i] < 0 ? undefined : tree.numberOf(all[parents[i]]);
    if (number !== expected) throw new WrongResult(`node ${i} has a wrong parent`);
  }
}

/** Child i under parent i mod 100, in the order of creation. */
function forestLists(size) {
  return Array.from({ length: parentCount }, (_, p) =>
    Array.from({ length: size / parentCount }, (_, k) => parentCount + p + k * parentCount),
  );
}

async function verifyCreate(it, { size }) {
  for (let i = 0; i < 2; i++) {
    await it.reset();
    expectEqual(it.tree.count(it.nodes()[0]), 0, "number of children before they are created");
    await it.run();
    expectTree(it, forestLists(size));
  }
}

async function verifyReparent(it) {
  for (let i = 0; i < 2; i++) {
    await it.run();
    expectTree(it, it.expected());
  }
}

async function verifyCascade(it, { size }) {
  for (let i = 0; i < 2; i++) {
    await it.reset();
    expectTree(it, forestLists(size));
    await it.run();
    it.nodes().forEach((node, n) => {
      const family = n < parentCount ? n : (n - parentCount) % parentCount;
      const isLeft = family >= it.destroyed;
      expectEqual(it.tree.isAlive(node), isLeft, `whether node ${n} is alive`);
    });
  }
}

async function verifyIterate(it, { size }) {
  expectTree(it, forestLists(size));
  await it.run();
  const { tree } = it;
  let sum = 0;
  for (const parent of it.nodes().slice(0, parentCount)) {
    Array.from(tree.childrenOf(parent)).forEach((child, i) => {
      sum = (sum + Math.imul(tree.numberOf(child), i + 1)) | 0;
    });
  }
  expectEqual(it.result(), sum, "sum over the children");
}

async function verifyVisit(it) {
  expectTree(it, childrenOf(treeShape));
  await it.run();
  const { tree } = it;
  const stack = [it.nodes()[0]];
  let sum = 0;
  let visited = 0;
  while (stack.length > 0) {
    const node = stack.pop();
    sum = (sum + Math.imul(tree.numberOf(node), ++visited)) | 0;
    stack.push(...Array.from(tree.childrenOf(node)).reverse());
  }
  expectEqual(visited, nodeCount, "number of nodes to visit");
  expectEqual(it.result(), sum, "sum over the tree, depth first");
}

async function verifyAncestors(it) {
  expectParents(it, treeShape);
  await it.run();
  expectEqual(it.result(), stepCount, "number of steps to the root from all nodes");
}

async function verifyFind(it) {
  await it.run();
  expectEqual(it.result(), it.expected(), "sum over the nodes found");
}

function verifyBytes({ tree, parents }, { size }) {
  const numbers = new Set();
  for (const parent of parents) {
    for (const child of tree.childrenOf(parent)) {
      expectEqual(tree.numberOf(tree.parentOf(child)), tree.numberOf(parent), "parent of a child");
      numbers.add(tree.numberOf(child));
    }
  }
  expectEqual(numbers.size, size, "number of children");
}

/** Before the run and after it; forth and back, because the first run has nothing to undo yet. */
async function verifySiblings(it, { size }) {
  await it.reset();
  await it.run();
  await it.reset();
  expectSiblings(it, size);
  await it.run();
  expectSiblings(it, size);
}

function expectSiblings(it, size) {
  const isGone = new Uint8Array(size);
  if (!it.areIn()) for (const index of it.order) isGone[index] = 1;
  const list = [];
  for (let i = 0; i < size; i++) if (isGone[i] === 0) list.push(i + 1);
  expectTree(it, [list]);
}

async function verifyCount(it, { size }) {
  await it.run();
  expectEqual(it.result(), size, "number of siblings");
}

function chainLists(size) {
  return Array.from({ length: size }, (_, i) => (i + 1 < size ? [i + 1] : []));
}

async function verifyChain(it, { size }) {
  await it.reset();
  await it.run();
  expectTree(it, chainLists(size));
}

async function verifyChainWalk(it, { size }) {
  expectTree(it, chainLists(size));
  await it.run();
  expectEqual(it.result(), size - 1, "number of steps to the root");
}

async function verifyChainMove(it, { size }) {
  const lists = chainLists(size);
  const moved = [...lists];
  moved[0] = [1, it.middle];
  moved[it.middle - 1] = [];
  await it.step();
  expectTree(it, moved);
  await it.step();
  await it.run();
  expectTree(it, lists);
}

async function verifyChainDestroy(it, { size }) {
  await it.reset();
  expectTree(it, chainLists(size));
  await it.run();
  expectTrue(!it.nodes().some((node) => it.tree.isAlive(node)), "a node is still alive");
}

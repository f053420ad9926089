/** Shapes of trees and repeatable chance, shared by the suites. */

/** A repeatable `random()` in [0, 1) (mulberry32). */
export function createRandom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The numbers 0 to count - 1 in random order. */
export function shuffled(count, random) {
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const other = order[j];
    order[j] = order[i];
    order[i] = other;
  }
  return order;
}

/**
 * The parent of each of `count` nodes, in the order in which they are created: every parent before its
 * children, node 0 the only root (parent -1).
 *
 * - `balanced`: four children each, the levels filled one after the other; created depth first, as when a
 *   scene is loaded or built part by part;
 * - `scattered`: the same tree, created in random order (parents first);
 * - `wide`: all under the root;
 * - `deep`: chains of 64 under the root;
 * - `chain`: one below the other;
 * - `layers`: 48 trees of six layers under the root, with 4, 4, 3, 3, 2 and 2 children each: the scene of Bevy's transform benchmarks,
 *   51,697 nodes whatever `count` says;
 * - `groups`: groups of 2, 5, 8, 13 and 24 in turn, leaves at every level: the scene graph of koota's propagation benchmark.
 */
export function parentsOf(shape, count) {
  if (shape === "layers") return layers();
  if (shape === "groups") return renumbered(groups(count), takeLast);
  if (shape === "balanced") return renumbered(levels(count), takeLast);
  if (shape === "scattered") return renumbered(levels(count), takeRandom(createRandom(5)));
  const parents = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const startsChain = shape === "wide" || (shape === "deep" && (i - 1) % 64 === 0);
    parents[i] = startsChain ? 0 : i - 1;
  }
  parents[0] = -1;
  return parents;
}

function layers() {
  const parents = [-1];
  const grow = (parent, [width, ...below]) => {
    for (let i = 0; i < width; i++) {
      parents.push(parent);
      if (below.length > 0) grow(parents.length - 1, below);
    }
  };
  grow(0, [48, 4, 4, 3, 3, 2, 2]);
  return Int32Array.from(parents);
}

/** From the bottom: each group takes the nodes that wait longest, and waits in turn; then a leaf joins them, as long as there are any. */
function groups(count) {
  const widths = [2, 5, 8, 13, 24];
  // A group replaces 10.4 nodes by one on average, so this many are needed.
  const groupCount = Math.ceil((count - 1) / 10.4);
  const parents = new Int32Array(count).fill(-1);
  const waiting = [];
  let next = count - 1;
  const late = Math.floor(groupCount / 2);
  while (next >= groupCount + late) waiting.push(next--);
  let group = groupCount - 1;
  for (let taken = 0; group > 0; group--) {
    const end = Math.min(taken + widths[group % widths.length], waiting.length);
    for (; taken < end; taken++) parents[waiting[taken]] = group;
    waiting.push(group);
    if (next >= groupCount) waiting.push(next--);
  }
  for (const node of waiting) if (parents[node] < 0) parents[node] = 0;
  return parents;
}

/** Branching 4, numbered level by level. */
function levels(count) {
  const parents = new Int32Array(count);
  for (let i = 0; i < count; i++) parents[i] = (i - 1) >> 2;
  return parents;
}

/** The same tree, its nodes renumbered in the order in which `take` picks them from the open ones. */
function renumbered(parents, take) {
  const children = childrenOf(parents);
  const numbers = new Int32Array(parents.length);
  const result = new Int32Array(parents.length);
  const open = [0];
  for (let number = 0; number < parents.length; number++) {
    const node = take(open);
    numbers[node] = number;
    result[number] = node === 0 ? -1 : numbers[parents[node]];
    for (let i = children[node].length - 1; i >= 0; i--) open.push(children[node][i]);
  }
  return result;
}

function takeLast(open) {
  return open.pop();
}

function takeRandom(random) {
  return (open) => {
    const at = Math.floor(random() * open.length);
    const node = open[at];
    const last = open.pop();
    if (at < open.length) open[at] = last;
    return node;
  };
}

/** The children of each node, in the order in which they were created. */
export function childrenOf(parents) {
  const children = Array.from(parents, () => []);
  for (let i = 0; i < parents.length; i++) if (parents[i] >= 0) children[parents[i]].push(i);
  return children;
}

/** How many steps each node is below its root. */
export function depthsOf(parents) {
  const depths = new Int32Array(parents.length);
  for (let i = 0; i < parents.length; i++) depths[i] = parents[i] < 0 ? 0 : depths[parents[i]] + 1;
  return depths;
}

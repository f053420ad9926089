/**
 * The limit: links in typed arrays by entity id, written by hand. Entities are those of the limit in the
 * ecs suite: ids from a free list, a generation, a typed list of the living ones; ids start at 1, 0
 * means none. No check, no event, capacity for exactly the nodes needed.
 */
import { casesOf } from "./cases.mjs";

export const subjects = { limit: { cases: casesOf(createTree) } };

function createTree(capacity) {
  const [parent, first, last, previous, next, count] = Array.from(
    { length: 6 },
    () => new Int32Array(capacity + 1),
  );
  const generation = new Uint32Array(capacity + 1);
  const living = new Int32Array(capacity);
  const place = new Int32Array(capacity + 1);
  const isAlive = new Uint8Array(capacity + 1);
  const free = new Int32Array(capacity);
  let livingCount = 0;
  let freeCount = capacity;
  for (let i = 0; i < capacity; i++) free[i] = capacity - i;

  function append(node, target) {
    const sibling = last[target];
    parent[node] = target;
    previous[node] = sibling;
    next[node] = 0;
    if (sibling === 0) first[target] = node;
    else next[sibling] = node;
    last[target] = node;
    count[target]++;
  }

  function unlink(node) {
    const from = parent[node];
    if (from === 0) return;
    const before = previous[node];
    const after = next[node];
    if (before === 0) first[from] = after;
    else next[before] = after;
    if (after === 0) last[from] = before;
    else previous[after] = before;
    count[from]--;
  }

  function spawn(target) {
    const node = free[--freeCount];
    isAlive[node] = 1;
    place[node] = livingCount;
    living[livingCount++] = node;
    if (target !== undefined) append(node, target);
    return node;
  }

  function move(node, target) {
    unlink(node);
    append(node, target);
  }

  function detach(node) {
    unlink(node);
    parent[node] = 0;
    previous[node] = 0;
    next[node] = 0;
  }

  function insertBefore(node, sibling) {
    const target = parent[sibling];
    const before = previous[sibling];
    parent[node] = target;
    previous[node] = before;
    next[node] = sibling;
    previous[sibling] = node;
    if (before === 0) first[target] = node;
    else next[before] = node;
    count[target]++;
  }

  /** The free list is the queue of the nodes to come: they end up in it anyway. */
  function destroy(root) {
    unlink(root);
    let at = freeCount;
    free[freeCount++] = root;
    while (at < freeCount) {
      const node = free[at++];
      for (let child = first[node]; child !== 0; child = next[child]) free[freeCount++] = child;
      const lastLiving = living[--livingCount];
      living[place[node]] = lastLiving;
      place[lastLiving] = place[node];
      isAlive[node] = 0;
      generation[node]++;
      parent[node] = 0;
      first[node] = 0;
      last[node] = 0;
      count[node] = 0;
    }
  }

  function sumChildren(node) {
    let sum = 0;
    let place = 0;
    for (let child = first[node]; child !== 0; child = next[child]) {
      sum = (sum + Math.imul(child, ++place)) | 0;
    }
    return sum;
  }

  function visit(root) {
    let node = root;
    let sum = 0;
    let place = 0;
    for (;;) {
      sum = (sum + Math.imul(node, ++place)) | 0;
      let to = first[node];
      while (to === 0) {
        if (node === root) return sum;
        to = next[node];
        if (to === 0) node = parent[node];
      }
      node = to;
    }
  }

  function climb(node) {
    let steps = 0;
    for (let up = parent[node]; up !== 0; up = parent[up]) steps++;
    return steps;
  }

  const nameIds = new Map();
  const childByName = new Map(); // parent * 2^16 + name
  function setName(node, name) {
    if (!nameIds.has(name)) nameIds.set(name, nameIds.size);
    childByName.set(parent[node] * 65536 + nameIds.get(name), node);
  }

  function find(root, path) {
    let node = root;
    let start = 0;
    while (start <= path.length) {
      let end = path.indexOf("/", start);
      if (end < 0) end = path.length;
      node = childByName.get(node * 65536 + nameIds.get(path.slice(start, end)));
      start = end + 1;
    }
    return node;
  }

  return {
    ordered: true,
    spawn,
    move,
    detach,
    insertBefore,
    destroy,
    count: (node) => count[node],
    sumChildren,
    visit,
    climb,
    setName,
    find,
    numberOf: (node) => node,
    parentOf: (node) => parent[node] || undefined,
    childrenOf(node) {
      const children = [];
      for (let child = first[node]; child !== 0; child = next[child]) children.push(child);
      return children;
    },
    isAlive: (node) => isAlive[node] === 1,
  };
}

/**
 * Espalier: `createHierarchy` on a world, entities as nodes, events on, no reader.
 *
 * Creating, moving and destroying are the calls of everyday use, with all their checks. The cases that only read use what
 * the library offers for loops: the flat order, in which a subtree is a contiguous range of slots (`iterate_children`, `visit`; it is
 * put in order once, before the first run, and kept while nothing changes) and every slot has the slot of its parent
 * (`ancestor_step`). Their world is `fixed`, so that loops may hold the arrays of the order in constants, as those of the
 * limit do. The cases of `espalier-each` read the same with a callback per node and with handles.
 *
 * Imported by its public names, as built (`npm run build`). Without a build its rows are left out.
 */
import { casesOf } from "./cases.mjs";

const library = await Promise.all([import("espalier"), import("espalier/hierarchy")]).catch((error) => {
  if (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
    return undefined;
  throw error;
});

/** Shown instead of results as long as `subjects` does not name the subject. */
export const skipped = "espalier is not built (npm run build)";

const hierarchy = library?.[1];

const readingCases = ["iterate_children", "visit", "ancestor_step", "chain_walk"];

export const subjects = library
  ? {
      espalier: {
        cases: {
          ...casesOf((capacity) => createTree(capacity)),
          ...only(
            casesOf((capacity) => createTree(capacity, readRaw, true)),
            readingCases,
          ),
        },
      },
      "espalier-each": {
        cases: only(
          casesOf((capacity) => createTree(capacity, readEach)),
          readingCases,
        ),
      },
    }
  : {};

function only(cases, names) {
  return Object.fromEntries(names.map((name) => [name, cases[name]]));
}

function createTree(capacity, read = () => undefined, fixed = false) {
  const [{ createWorld, indexOf }, { createHierarchy }] = library;
  const world = createWorld({ capacity, fixed });
  const tree = createHierarchy(world);
  return {
    ordered: true,
    spawn: (parent) => (parent === undefined ? world.spawn() : tree.attachNew(parent)),
    move: (entity, parent) => tree.attach(entity, parent),
    detach: (entity) => tree.detach(entity),
    insertBefore: (entity, sibling) => tree.attach(entity, tree.parentOf(sibling), { before: sibling }),
    destroy: (entity) => world.destroy(entity),
    count: (entity) => tree.childCount(entity),
    ...read(tree, indexOf),
    setName: (entity, name) => tree.setName(entity, name),
    find: (root, path) => tree.find(path, root),
    // No two living entities have the same index.
    numberOf: indexOf,
    parentOf: (entity) => tree.parentOf(entity) ?? undefined,
    childrenOf: (entity) => tree.childrenOf(entity),
    isAlive: (entity) => world.isAlive(entity),
  };
}

function readRaw(tree, indexOf) {
  const order = hierarchy.flatOrder(tree);
  const raw = hierarchy.rawLinks(tree);
  const { slotOf, nodeAt, parentSlot, end } = order;

  function sumChildren(parent) {
    putInOrder();
    const node = indexOf(parent);
    const slot = slotOf[node];
    const to = end[slot];
    // The children have no children: the range holds exactly them.
    if (to - slot - 1 === raw.count(node)) return sumSlots(slot + 1, to);
    let sum = 0;
    let place = 0;
    for (let child = slot + 1; child < to; child = end[child]) {
      sum = (sum + Math.imul(nodeAt[child], ++place)) | 0;
    }
    return sum;
  }

  function sumSlots(from, to) {
    let sum = 0;
    let place = 0;
    for (let slot = from; slot < to; slot++) sum = (sum + Math.imul(nodeAt[slot], ++place)) | 0;
    return sum;
  }

  function putInOrder() {
    if (!order.exact || order.holes !== 0) hierarchy.compactOrder(tree);
  }

  function visit(root) {
    const [from, to] = hierarchy.subtreeRange(tree, root);
    return sumSlots(from, to);
  }

  function climb(entity) {
    let steps = 0;
    for (let up = parentSlot[slotOf[indexOf(entity)]]; up !== 0; up = parentSlot[up]) steps++;
    return steps;
  }

  return { sumChildren, visit, climb };
}

function readEach(tree, indexOf) {
  let sum = 0;
  let place = 0;
  const add = (entity) => {
    sum = (sum + Math.imul(indexOf(entity), ++place)) | 0;
  };

  function sumChildren(parent) {
    sum = 0;
    place = 0;
    tree.forEachChild(parent, add);
    return sum;
  }

  function visit(root) {
    sum = 0;
    place = 0;
    add(root);
    tree.forEachDescendant(root, add);
    return sum;
  }

  function climb(entity) {
    let steps = 0;
    for (let up = tree.parentOf(entity); up !== null; up = tree.parentOf(up)) steps++;
    return steps;
  }

  return { sumChildren, visit, climb };
}

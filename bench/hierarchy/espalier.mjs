/**
 * Espalier: `createHierarchy` on a world, entities as nodes, events on and nobody reading them.
 *
 * Loops use the callbacks, which allocate nothing per node; climbing asks for one parent after the other. Imported by
 * its public names, as built (`npm run build`). While it is not, its rows are left out.
 */
import { casesOf } from "./cases.mjs";

const library = await Promise.all([import("espalier"), import("espalier/hierarchy")]).catch((error) => {
  if (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
    return undefined;
  throw error;
});

/** Shown instead of results as long as `subjects` does not name the subject. */
export const skipped = library ? "not written yet" : "espalier is not built (npm run build)";

export const subjects = library ? { espalier: { cases: casesOf(createTree) } } : {};

function createTree(capacity) {
  const [{ createWorld }, { createHierarchy }] = library;
  const world = createWorld({ capacity });
  const tree = createHierarchy(world);

  let sum = 0;
  let place = 0;
  const add = (entity) => {
    sum = (sum + Math.imul(entity, ++place)) | 0;
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

  return {
    ordered: true,
    spawn: (parent) => (parent === undefined ? world.spawn() : tree.attachNew(parent)),
    move: (entity, parent) => tree.attach(entity, parent),
    detach: (entity) => tree.detach(entity),
    insertBefore: (entity, sibling) => tree.attach(entity, tree.parentOf(sibling), { before: sibling }),
    destroy: (entity) => world.destroy(entity),
    count: (entity) => tree.childCount(entity),
    sumChildren,
    visit,
    climb,
    setName: (entity, name) => tree.setName(entity, name),
    find: (root, path) => tree.find(path, root),
    numberOf: (entity) => entity,
    parentOf: (entity) => tree.parentOf(entity) ?? undefined,
    childrenOf: (entity) => tree.childrenOf(entity),
    isAlive: (entity) => world.isAlive(entity),
  };
}

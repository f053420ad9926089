/**
 * Espalier: `createTransforms2D` on a hierarchy, events on and nobody reading them. `espalier` uses the
 * JavaScript kernel, `espalier-wasm` the WASM one; everything else is the same. Both write all locals
 * by a batch (`space.batch(entities).write(rows)`); `espalier-set` calls `space.setTransform` for every one
 * instead, as programs do that write here and there.
 *
 * Imported by its public names, as built (`npm run build`). While it is not, its rows are left out.
 */
import { casesOf } from "./cases.mjs";

const [ecs, hierarchy, transform] = await Promise.all(
  ["espalier", "espalier/hierarchy", "espalier/transform"].map((name) =>
    import(name).catch((error) => {
      if (["ERR_MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"].includes(error.code)) return undefined;
      throw error;
    }),
  ),
);

/** Shown instead of results as long as `subjects` does not name the subject. */
export const skipped = "espalier is not built (npm run build)";

export const subjects = transform && {
  espalier: { cases: casesOf((capacity) => createSpace(capacity, "javascript")) },
  "espalier-wasm": { cases: casesOf((capacity) => createSpace(capacity, "wasm")) },
  "espalier-set": {
    cases: casesOf((capacity) => ({ ...createSpace(capacity, "auto"), setAll: undefined }), {
      without: ["idle", "churn", "build", "destroy", "visit"],
    }),
  },
};

function createSpace(capacity, kernel) {
  const { Transform2D } = transform;
  const world = ecs.createWorld({ capacity });
  const tree = hierarchy.createHierarchy(world);
  const space = transform.createTransforms2D(tree, { kernel });
  let root;
  let batch;

  function spawn(parent, x, y, rotation, scaleX, scaleY) {
    const node = tree.attachNew(parent ?? null, Transform2D({ x, y, rotation, scaleX, scaleY }));
    if (parent === undefined) root = node;
    return node;
  }

  function set(node, x, y, rotation, scaleX, scaleY) {
    space.setTransform(node, x, y, rotation, scaleX, scaleY);
  }

  /** A row of the table is what a batch takes: x, y, rotation, scaleX, scaleY. */
  function setAll(nodes, table) {
    batch ??= space.batch(nodes);
    batch.write(table);
  }

  let visitSum = 0;
  let visitCount = 0;
  function addUp(node) {
    visitSum = (visitSum + Math.imul(node, ++visitCount)) | 0;
  }
  function visit(top) {
    visitSum = 0;
    visitCount = 0;
    addUp(top);
    tree.forEachDescendant(top, addUp);
    return visitSum;
  }

  return {
    spawn,
    set,
    setAll,
    move: (node, parent) => tree.attach(node, parent),
    destroy: (node) => tree.destroy(node),
    update: () => space.propagate(),
    settle: () => tree.compact(),
    visit,
    restart() {
      tree.destroy(root);
      batch = undefined;
    },
    readWorld(node, out) {
      const at = space.worldRowOf(node);
      for (let k = 0; k < 6; k++) out[k] = space.worlds[at + k];
    },
    numberOf: (node) => node,
    childrenOf: (node) => tree.childrenOf(node),
    isAlive: (node) => world.isAlive(node),
  };
}

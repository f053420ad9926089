/**
 * Espalier: `createTransforms2D` on a hierarchy, events on, no reader. `espalier` uses the
 * JavaScript kernel, `espalier-wasm` the WASM one; everything else is the same. Both write all locals
 * by a batch (`transformBatch(space, entities).write(rows)`); `espalier-set` calls `space.setTransform` for every one
 * instead, as programs do that write single entities. A visit reads the flat order, in which a subtree is a contiguous
 * range of slots; `espalier-each` calls a function for each entity, which is half of its time.
 *
 * Imported by its public names, as built (`npm run build`). Without a build its rows are left out.
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

// From the first run on: in a game JavaScript computes the first frames, until the kernel is there.
if (transform) {
  const tree = hierarchy.createHierarchy(ecs.createWorld());
  await transform.loadKernel(transform.createTransforms2D(tree, { kernel: "wasm" }));
}

/** Shown instead of results as long as `subjects` does not name the subject. */
export const skipped = "espalier is not built (npm run build)";

export const subjects = transform && {
  espalier: {
    bundle: `import { createWorld } from "espalier";
      import { createHierarchy } from "espalier/hierarchy";
      import { createTransforms2D } from "espalier/transform";
      createTransforms2D(createHierarchy(createWorld()));`,
    cases: casesOf((capacity) => createSpace(capacity, "javascript")),
  },
  "espalier-wasm": { cases: casesOf((capacity) => createSpace(capacity, "wasm")) },
  "espalier-set": {
    cases: casesOf((capacity) => ({ ...createSpace(capacity, "auto"), setAll: undefined }), {
      without: ["idle", "churn", "build", "destroy", "visit"],
    }),
  },
  "espalier-each": {
    cases: casesOf((capacity) => withVisitor(createSpace(capacity, "auto")), {
      without: ["full", "sparse", "idle", "churn", "build", "destroy", "pass", "full_churned"],
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
    batch ??= transform.transformBatch(space, nodes);
    batch.write(table);
  }

  function visit(top) {
    const [from, to] = hierarchy.subtreeRange(tree, top);
    const { entityAt } = hierarchy.flatOrder(tree);
    let sum = 0;
    for (let slot = from; slot < to; slot++) sum = (sum + Math.imul(entityAt[slot], slot - from + 1)) | 0;
    return sum;
  }

  return {
    spawn,
    set,
    setAll,
    move: (node, parent) => tree.attach(node, parent),
    destroy: (node) => tree.destroy(node),
    update: () => space.propagate(),
    settle: () => hierarchy.compactOrder(tree),
    visit,
    restart() {
      tree.destroy(root);
      batch = undefined;
    },
    tree,
    readWorld(node, out) {
      const raw = transform.rawTransforms(space);
      const at = raw.worldRowOf(node);
      for (let k = 0; k < 6; k++) out[k] = raw.worlds[at + k];
    },
    numberOf: (node) => node,
    childrenOf: (node) => tree.childrenOf(node),
    isAlive: (node) => world.isAlive(node),
  };
}

function withVisitor(space) {
  const { tree } = space;
  let sum = 0;
  let count = 0;
  function addUp(node) {
    sum = (sum + Math.imul(node, ++count)) | 0;
  }
  function visit(top) {
    sum = 0;
    count = 0;
    addUp(top);
    tree.forEachDescendant(top, addUp);
    return sum;
  }
  return { ...space, visit };
}

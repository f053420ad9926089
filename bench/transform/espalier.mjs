/**
 * Espalier: `createTransforms2D` on a hierarchy, events on and nobody reading them. `espalier` uses the
 * JavaScript kernel, `espalier-wasm` the WASM one; everything else is the same.
 *
 * Imported by its public names, as built (`npm run build`). While it is not, its rows are left out.
 */
const library = await import("espalier/transform").catch((error) => {
  if (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
    return undefined;
  throw error;
});

/** Shown instead of results as long as `subjects` does not name the subject. */
export const skipped = library ? "not written yet" : "espalier is not built (npm run build)";

/**
 * What `createSpace` must return stands at the head of cases.mjs; three.mjs is the shortest example,
 * limit-js.mjs the fastest. Nodes are entities, so `numberOf` is the entity itself. Case by case:
 *
 *   full, full_churned  `set` or `setAll`, then `update`: every local of every node is new, rotations
 *                       included. `setAll(nodes, table)` is for a bulk way of the public API, if there is
 *                       one; row i of the table is x, y, rotation, scaleX, scaleY of nodes[i]
 *   pass                the same, of which only `update` is timed; cosines and sines belong to `set`
 *   sparse              `set` of 1 % of the nodes at random, then `update`
 *   idle                `update` with nothing to do
 *   churn               `move` of 1 % of the nodes at random, then `update`; local transforms stay
 *   build               `restart()` (not timed), then `spawn` of every node with its local, and `update`
 *   destroy             `destroy(root)`
 *   visit               `visit(root)`: the fastest public way through a tree, depth first
 *   garbage/*           the same functions; bytes allocated per frame, expected 0
 *
 * `settle()` is called once after the tree is built, and in full_churned again after every node was
 * moved: `compact()`. `update` is `propagate()`. `restart` destroys the root if it is alive.
 * `readWorld(node, out)` must read what `update` left (a, b, c, d, tx, ty), not compute it.
 *
 *   import { createWorld } from "espalier";
 *   import { createHierarchy } from "espalier/hierarchy";
 *   import { casesOf } from "./cases.mjs";
 *
 *   function createSpace(kernel) {
 *     return (capacity) => {
 *       const world = createWorld();
 *       const tree = createHierarchy(world);
 *       const space = library.createTransforms2D(tree, { kernel });
 *       return { spawn: (parent, x, y, rotation, scaleX, scaleY) => ..., ... };
 *     };
 *   }
 */
export const subjects = {
  // espalier: { cases: casesOf(createSpace("js")) },
  // "espalier-wasm": { cases: casesOf(createSpace("wasm")) },
};

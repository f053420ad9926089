/**
 * Espalier in its two styles: `espalier` loops over raw columns and ids, `espalier-each` gives a
 * callback per entity to the query.
 *
 * Imported by its public name, as built (`npm run build`). While it is not, its rows are left out.
 */
const library = await import("espalier").catch((error) => {
  if (error.code === "ERR_MODULE_NOT_FOUND") return undefined;
  throw error;
});

/** Shown instead of results as long as `subjects` does not name the subject. */
export const skipped = library ? "not written yet" : "espalier is not built (npm run build)";

/**
 * What each case gets and must return: the head of suite.mjs. For instance
 *
 *   packed_1(size) {
 *     const world = createWorld();
 *     const components = ...            // A to E, one i32 field each
 *     const ids = ...                   // `size` entities with all five
 *     function run() { ... }            // doubles A of all entities
 *     return {
 *       run,
 *       get: (name, i) => ...           // the value of component `name` of ids[i]
 *       set: (name, i, value) => ...,
 *       has: (name, i) => ...,
 *     };
 *   }
 */
export const subjects = {
  // espalier: { cases: { packed_1, ... }, bundle: 'export { createWorld, ... } from "espalier";' },
  // "espalier-each": { cases: { packed_1: ... } },
};

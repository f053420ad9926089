/**
 * The data of the game of this suite, the same for all subjects: the values of entity number n, the
 * prefab of ten, the trees of five, and the plan of a frame. All numbers are exact in 32 bits, and cheap
 * to compute, because that is timed too.
 */

export const xOf = (n) => (n & 63) - 32;
export const yOf = (n) => ((n >> 1) & 63) - 32;
export const motionXOf = (n) => (n & 7) - 4;
export const motionYOf = (n) => ((n >> 3) & 7) - 4;
export const spinOf = (n) => ((n & 15) - 8) * 0.125;
export const hpOf = (n) => 40 + (n & 31);
export const armourOf = (n) => n & 3;
export const regenOf = (n) => (n & 3) * 0.25;

/** Position, rotation, motion, health: what `valuesOf(entity)` of a game gives for entity number n. */
export function valuesOf(n) {
  return [xOf(n), yOf(n), 0, motionXOf(n), motionYOf(n), spinOf(n), hpOf(n), armourOf(n), regenOf(n)];
}

/** A prefab of ten: the parent of each of its entities; entity k has the values of number k. */
export const prefabParents = [-1, 0, 0, 0, 1, 1, 2, 2, 3, 3];
export const prefabSize = prefabParents.length;

/** A tree of the frame: a root, two below it, one below each of those. */
export const treeParents = [-1, 0, 0, 1, 2];
export const treeSize = treeParents.length;

/** A tree lives for so many frames: each frame replaces one batch of trees. */
export const lifetime = 20;

export const seconds = 1 / 64;
export const damping = 0.96875;
export const fullHealth = 100;
export const fullArmour = 8;

/** The number of the first entity of tree t, born in frame f. */
export function numberOfTree(frame, tree) {
  return (frame * 131 + tree * treeSize) & 0xffff;
}

/**
 * The partner in swap k of frame f: two trees of one batch, which are destroyed together, exchange their
 * entities of role 3. Every tree keeps five entities.
 */
export function swapFirst(frame, k, batchSize) {
  const batch = (frame * 7 + k) % lifetime;
  const half = batchSize >> 1;
  return batch * batchSize + ((((k / lifetime) | 0) * 13 + frame * 31) % half);
}
export const swapRole = 3;
export const swapParentRole = 1;

/** How much of everything a frame with `size` entities does. */
export function planOf(size) {
  const trees = size / treeSize;
  return { trees, batchSize: trees / lifetime, swaps: (size * 3) / 200 };
}

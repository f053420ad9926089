/** What the frame must lead to, worked out in 64 bits from the plan alone. */
import {
  damping,
  fullArmour,
  fullHealth,
  lifetime,
  numberOfTree,
  planOf,
  seconds,
  swapFirst,
  swapRole,
  treeParents,
  treeSize,
  valuesOf,
} from "./data.mjs";

/**
 * World positions `[x, y, ...]` and values of all entities after `frame` frames, by tree and role. Frames
 * longer ago than the lifetime of a tree are left out: everything has been replaced since.
 */
export function referenceAfter(frame, size) {
  const { trees, batchSize, swaps } = planOf(size);
  const first = Math.max(0, frame - lifetime);
  const nodes = Array.from({ length: size }, (_, i) =>
    valuesOf(numberOfTree(0, (i / treeSize) | 0) + (i % treeSize)),
  );
  for (let f = first + 1; f <= frame; f++) {
    const born = (f % lifetime) * batchSize;
    for (let t = born; t < born + batchSize; t++) {
      for (let role = 0; role < treeSize; role++)
        nodes[t * treeSize + role] = valuesOf(numberOfTree(f, t) + role);
    }
    for (let k = 0; k < swaps; k++) {
      const a = swapFirst(f, k, batchSize) * treeSize + swapRole;
      const b = a + (batchSize >> 1) * treeSize;
      [nodes[a], nodes[b]] = [nodes[b], nodes[a]];
    }
    for (const node of nodes) step(node);
  }
  return { nodes, positions: positionsOf(nodes, trees) };
}

function step(node) {
  node[3] *= damping;
  node[4] *= damping;
  node[5] *= damping;
  node[6] = Math.min(fullHealth, node[6] + node[8] * seconds);
  node[7] += (fullArmour - node[7]) * seconds;
  node[0] += node[3] * seconds;
  node[1] += node[4] * seconds;
  node[2] += node[5] * seconds;
}

function positionsOf(nodes, trees) {
  const positions = new Float64Array(nodes.length * 2);
  const turns = new Float64Array(treeSize);
  for (let t = 0; t < trees; t++) {
    for (let role = 0; role < treeSize; role++) {
      const at = t * treeSize + role;
      const [x, y, rotation] = nodes[at];
      const parent = treeParents[role];
      const up = parent < 0 ? undefined : t * treeSize + parent;
      const turn = up === undefined ? 0 : turns[parent];
      positions[at * 2] =
        (up === undefined ? 0 : positions[up * 2]) + x * Math.cos(turn) - y * Math.sin(turn);
      positions[at * 2 + 1] =
        (up === undefined ? 0 : positions[up * 2 + 1]) + x * Math.sin(turn) + y * Math.cos(turn);
      turns[role] = turn + rotation;
    }
  }
  return positions;
}

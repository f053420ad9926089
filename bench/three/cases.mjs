/**
 * The cases of the suite, written once for all subjects, in Node and in a browser. A subject gives
 * `createScene(parents)`: a 3D tree, node i below node `parents[i]`, and what is needed to draw it.
 *
 * - `writeAll(table)`: writes the local transforms of all nodes; seven numbers each: position, quaternion.
 * - `write(node, values, at)`: writes one, by the seven numbers from `values[at]` on.
 * - `update()`: brings everything up to date that the renderer needs: world matrices, and the array of
 *   instance matrices where there is one.
 * - `readWorld(node, out)`: the 16 numbers of the world matrix as the renderer would see them.
 * - `attribute`: optional. The matrices that a renderer uploads, when their version has changed.
 */
import { createRandom, parentsOf, shuffled } from "../shared/trees.mjs";

export const WIDTH = 7;
const sampleCount = 15;

function createTable(size, seed) {
  const random = createRandom(seed);
  const table = new Float64Array(size * WIDTH);
  for (let at = 0; at < table.length; at += WIDTH) {
    for (let k = 0; k < 3; k++) table[at + k] = random() * 4 - 2;
    const q = [0, 1, 2, 3].map(() => random() * 2 - 1);
    const length = Math.hypot(...q);
    for (let k = 0; k < 4; k++) table[at + 3 + k] = q[k] / length;
  }
  return table;
}

export function casesOf(createScene) {
  return {
    frame: (size) => frame(createScene, size),
    sparse: (size) => sparse(createScene, size),
    idle: (size) => idle(createScene, size),
  };
}

function build(createScene, size) {
  const parents = parentsOf("balanced", size);
  const tables = [createTable(size, 11), createTable(size, 12)];
  const scene = createScene(parents);
  scene.writeAll(tables[0]);
  scene.update();
  return { scene, parents, tables, size };
}

/** Every node is written, everything is brought up to date. */
function frame(createScene, size) {
  const it = build(createScene, size);
  const { scene, tables } = it;
  let round = 0;
  function run() {
    scene.writeAll(tables[++round & 1]);
    scene.update();
  }
  return { ...it, run, expected: () => tables[round & 1] };
}

/** 1 % of the nodes, at random. */
function sparse(createScene, size) {
  const it = build(createScene, size);
  const { scene, tables } = it;
  const random = createRandom(21);
  const samples = Array.from({ length: sampleCount }, () =>
    shuffled(size, random).slice(0, Math.ceil(size / 100)),
  );
  // The values are stored in the order in which they are written: a game computes them, and does not fetch them from all over the memory.
  const values = samples.map((sample) => tables.map((table) => rowsOf(table, sample)));
  let round = 0;
  function run() {
    const sample = samples[++round % sampleCount];
    const rows = values[round % sampleCount][round & 1];
    for (let k = 0; k < sample.length; k++) scene.write(sample[k], rows, k * WIDTH);
    scene.update();
  }
  function expected() {
    const table = tables[0].slice();
    for (let past = Math.max(1, round - sampleCount + 1); past <= round; past++) {
      for (const i of samples[past % sampleCount]) {
        table.set(tables[past & 1].subarray(i * WIDTH, (i + 1) * WIDTH), i * WIDTH);
      }
    }
    return table;
  }
  return { ...it, run, expected };
}

function rowsOf(table, nodes) {
  const rows = new Float64Array(nodes.length * WIDTH);
  for (const [k, node] of nodes.entries())
    rows.set(table.subarray(node * WIDTH, (node + 1) * WIDTH), k * WIDTH);
  return rows;
}

/** Nothing was written. */
function idle(createScene, size) {
  const it = build(createScene, size);
  const { scene, tables } = it;
  return { ...it, run: () => scene.update(), expected: () => tables[0] };
}

/** The largest difference between the world matrices and a plain reference in 64 bits. */
export function worstError({ scene, parents, size, expected }) {
  const table = expected();
  const worlds = [];
  const out = new Float64Array(16);
  let worst = 0;
  for (let i = 0; i < size; i++) {
    const local = matrixOf(table, i * WIDTH);
    worlds.push(parents[i] < 0 ? local : multiply(worlds[parents[i]], local));
    scene.readWorld(i, out);
    for (let k = 0; k < 16; k++) worst = Math.max(worst, Math.abs(out[k] - worlds[i][k]));
  }
  return worst;
}

function matrixOf(t, at) {
  const [x, y, z, qx, qy, qz, qw] = t.subarray(at, at + WIDTH);
  return [
    1 - 2 * (qy * qy + qz * qz),
    2 * (qx * qy + qw * qz),
    2 * (qx * qz - qw * qy),
    0,
    2 * (qx * qy - qw * qz),
    1 - 2 * (qx * qx + qz * qz),
    2 * (qy * qz + qw * qx),
    0,
    2 * (qx * qz + qw * qy),
    2 * (qy * qz - qw * qx),
    1 - 2 * (qx * qx + qy * qy),
    0,
    x,
    y,
    z,
    1,
  ];
}

function multiply(a, b) {
  return Array.from({ length: 16 }, (_, k) => {
    const [row, column] = [k & 3, k & ~3];
    return (
      a[row] * b[column] +
      a[row + 4] * b[column + 1] +
      a[row + 8] * b[column + 2] +
      a[row + 12] * b[column + 3]
    );
  });
}

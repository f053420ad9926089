/**
 * The limit for dense tables: entities with the same components are in consecutive rows, so a
 * loop needs no ids; adding, removing and destroying moves rows.
 */
import { five, letters, simpleShapes } from "./suite.mjs";

const cases = {
  packed_1,
  packed_5,
  simple_iter,
  frag_iter,
  entity_cycle,
  add_remove,
  velocity_100k,
  interference,
  memory,
};

export const subjects = { "limit-dense": { cases } };

function createTable(names, rows) {
  return Object.fromEntries(names.map((name) => [name, new Int32Array(rows)]));
}

/** `tableOf(i)` and `rowOf(i)`: where the i-th entity stands. */
function access(tableOf, rowOf) {
  return {
    get: (name, i) => tableOf(i)[name][rowOf(i)],
    set: (name, i, value) => {
      tableOf(i)[name][rowOf(i)] = value;
    },
    has: (name, i) => name in tableOf(i),
  };
}

function packed_1(size) {
  const table = createTable(five, size);
  const a = table.A;
  const rows = size;
  function run() {
    for (let row = 0; row < rows; row++) a[row] *= 2;
  }
  return {
    run,
    ...access(
      () => table,
      (i) => i,
    ),
  };
}

function packed_5(size) {
  const table = createTable(five, size);
  const { A, B, C, D, E } = table;
  const rows = size;
  function run() {
    for (let row = 0; row < rows; row++) A[row] *= 2;
    for (let row = 0; row < rows; row++) B[row] *= 2;
    for (let row = 0; row < rows; row++) C[row] *= 2;
    for (let row = 0; row < rows; row++) D[row] *= 2;
    for (let row = 0; row < rows; row++) E[row] *= 2;
  }
  return {
    run,
    ...access(
      () => table,
      (i) => i,
    ),
  };
}

/** Every loop is written out: a shared `swap(x, y)` gets its columns as arguments and costs twice. */
function simple_iter(size) {
  const tables = simpleShapes.map((shape) => createTable(shape, size));
  const [ab, abc, abcd, abce] = tables;
  const { A: A0, B: B0 } = ab;
  const { A: A1, B: B1 } = abc;
  const { A: A2, B: B2, C: C2, D: D2 } = abcd;
  const { A: A3, B: B3, C: C3, E: E3 } = abce;
  const rows = size;
  function run() {
    for (let row = 0; row < rows; row++) {
      const a = A0[row];
      A0[row] = B0[row];
      B0[row] = a;
    }
    for (let row = 0; row < rows; row++) {
      const a = A1[row];
      A1[row] = B1[row];
      B1[row] = a;
    }
    for (let row = 0; row < rows; row++) {
      const a = A2[row];
      A2[row] = B2[row];
      B2[row] = a;
    }
    for (let row = 0; row < rows; row++) {
      const a = A3[row];
      A3[row] = B3[row];
      B3[row] = a;
    }
    for (let row = 0; row < rows; row++) {
      const c = C2[row];
      C2[row] = D2[row];
      D2[row] = c;
    }
    for (let row = 0; row < rows; row++) {
      const c = C3[row];
      C3[row] = E3[row];
      E3[row] = c;
    }
  }
  return {
    run,
    ...access(
      (i) => tables[i % 4],
      (i) => i >> 2,
    ),
  };
}

function frag_iter(size) {
  const tables = letters.map((letter) => createTable(["Data", letter], size));
  const data = tables.map((table) => table.Data);
  const z = tables[25].Z;
  function run() {
    for (let t = 0; t < data.length; t++) {
      const column = data[t];
      for (let row = 0; row < column.length; row++) column[row] *= 2;
    }
    for (let row = 0; row < z.length; row++) z[row] *= 2;
  }
  return {
    run,
    ...access(
      (i) => tables[i % 26],
      (i) => Math.floor(i / 26),
    ),
  };
}

function entity_cycle(size, probe) {
  const capacity = size * 2;
  const a = new Int32Array(size);
  const b = new Int32Array(capacity);
  const idOf = new Uint32Array(capacity);
  const rowOf = new Uint32Array(capacity);
  const generation = new Uint32Array(capacity);
  const free = new Uint32Array(capacity);
  for (let i = 0; i < capacity; i++) free[i] = capacity - 1 - i;
  let freeCount = capacity - size;
  let rows = 0;

  function create(value) {
    const id = free[--freeCount];
    rowOf[id] = rows;
    idOf[rows] = id;
    b[rows++] = value;
    return id;
  }

  function destroy(id) {
    const row = rowOf[id];
    const last = idOf[--rows];
    idOf[row] = last;
    rowOf[last] = row;
    b[row] = b[rows];
    generation[id]++;
    free[freeCount++] = id;
  }

  function run() {
    for (let row = 0; row < size; row++) create(a[row]);
    probe.middle?.();
    for (let row = rows - 1; row >= 0; row--) destroy(idOf[row]);
  }

  return {
    run,
    get: (_, i) => a[i],
    set: (_, i, value) => {
      a[i] = value;
    },
    has: () => true,
    count: (name) => (name === "A" ? size : rows),
    values: () => b.slice(0, rows),
  };
}

function add_remove(size, probe) {
  const rowOf = Uint32Array.from({ length: size }, (_, i) => i);
  const tableOf = new Uint8Array(size);
  const idA = Uint32Array.from(rowOf);
  const idBoth = new Uint32Array(size);
  const onlyA = createTable(["A"], size);
  const both = createTable(["A", "B"], size);
  const a = onlyA.A;
  const bothA = both.A;
  const bothB = both.B;
  let rowsA = size;
  let rowsBoth = 0;

  function add(id, value) {
    const row = rowOf[id];
    const moved = a[row];
    const last = idA[--rowsA];
    idA[row] = last;
    rowOf[last] = row;
    a[row] = a[rowsA];
    rowOf[id] = rowsBoth;
    idBoth[rowsBoth] = id;
    bothA[rowsBoth] = moved;
    bothB[rowsBoth++] = value;
    tableOf[id] = 1;
  }

  function remove(id) {
    const row = rowOf[id];
    const moved = bothA[row];
    const last = idBoth[--rowsBoth];
    idBoth[row] = last;
    rowOf[last] = row;
    bothA[row] = bothA[rowsBoth];
    bothB[row] = bothB[rowsBoth];
    rowOf[id] = rowsA;
    idA[rowsA] = id;
    a[rowsA++] = moved;
    tableOf[id] = 0;
  }

  function run() {
    for (let row = rowsA - 1; row >= 0; row--) add(idA[row], a[row]);
    probe.middle?.();
    for (let row = rowsBoth - 1; row >= 0; row--) remove(idBoth[row]);
  }

  return {
    run,
    ...access(
      (i) => (tableOf[i] === 1 ? both : onlyA),
      (i) => rowOf[i],
    ),
    count: (name) => (name === "A" ? rowsA + rowsBoth : rowsBoth),
  };
}

function velocity_100k(size) {
  const table = Object.fromEntries(["px", "py", "vx", "vy"].map((name) => [name, new Float32Array(size)]));
  const { px, py, vx, vy } = table;
  const rows = size;
  function run() {
    for (let row = 0; row < rows; row++) {
      px[row] += vx[row];
      py[row] += vy[row];
    }
  }
  return {
    run,
    ...access(
      () => table,
      (i) => i,
    ),
  };
}

function interference(size, probe, { further }) {
  const it = packed_1(size);
  if (further === 0) return it;
  const second = packed_1(size);
  const stores = [];
  const systems = [];
  for (let n = 0; n < further; n++) {
    const store = new [Int32Array, Float32Array, Float64Array][n % 3](100);
    stores.push(store);
    systems.push(() => {
      for (let row = 0; row < store.length; row++) store[row] *= 2;
    });
  }
  return {
    ...it,
    second,
    others: [...systems, second.run],
    further: access(
      () => stores,
      (i) => i,
    ),
  };
}

function memory(size) {
  const [px, py, vx, vy] = [1.5, 2.5, 3.5, 4.5].map((value) => new Float32Array(size).fill(value));
  const entities = [new Uint32Array(size), new Uint32Array(size), new Uint32Array(size)]; // id, row, generation
  function sums() {
    const total = { count: 0, px: 0, py: 0, vx: 0, vy: 0 };
    for (let row = 0; row < size; row++) {
      total.count++;
      total.px += px[row];
      total.py += py[row];
      total.vx += vx[row];
      total.vy += vy[row];
    }
    return total;
  }
  return { sums, entities };
}

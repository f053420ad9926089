/**
 * bitecs 0.4: components are typed arrays of the benchmark, indexed by entity id. Ids start at 1, so a store
 * for n entities has n + 1 elements; the terms of a query are arrays made once.
 */
import {
  addComponent,
  addComponents,
  addEntity,
  createWorld,
  hasComponent,
  query,
  removeComponent,
  removeEntity,
} from "bitecs";
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

export const subjects = {
  bitecs: {
    cases,
    bundle: `export {
      addComponent, addComponents, addEntity, createWorld, hasComponent, query, removeComponent, removeEntity,
    } from "bitecs";`,
  },
};

function defineComponents(names, size) {
  return Object.fromEntries(names.map((name) => [name, { value: new Int32Array(size + 1) }]));
}

function spawn(world, components) {
  const id = addEntity(world);
  addComponents(world, id, components);
  return id;
}

function access(world, components, ids) {
  return {
    get: (name, i) => components[name].value[ids[i]],
    set: (name, i, value) => {
      components[name].value[ids[i]] = value;
    },
    has: (name, i) => hasComponent(world, ids[i], components[name]),
  };
}

function packed_1(size) {
  const world = createWorld();
  const components = defineComponents(five, size);
  const a = components.A.value;
  const withA = [components.A];
  const ids = Array.from({ length: size }, () => spawn(world, Object.values(components)));
  function run() {
    const entities = query(world, withA);
    for (let i = 0; i < entities.length; i++) a[entities[i]] *= 2;
  }
  return { run, ...access(world, components, ids) };
}

function packed_5(size) {
  const world = createWorld();
  const components = defineComponents(five, size);
  const [a, b, c, d, e] = five.map((name) => components[name].value);
  const [withA, withB, withC, withD, withE] = five.map((name) => [components[name]]);
  const ids = Array.from({ length: size }, () => spawn(world, Object.values(components)));
  function doubleA() {
    const entities = query(world, withA);
    for (let i = 0; i < entities.length; i++) a[entities[i]] *= 2;
  }
  function doubleB() {
    const entities = query(world, withB);
    for (let i = 0; i < entities.length; i++) b[entities[i]] *= 2;
  }
  function doubleC() {
    const entities = query(world, withC);
    for (let i = 0; i < entities.length; i++) c[entities[i]] *= 2;
  }
  function doubleD() {
    const entities = query(world, withD);
    for (let i = 0; i < entities.length; i++) d[entities[i]] *= 2;
  }
  function doubleE() {
    const entities = query(world, withE);
    for (let i = 0; i < entities.length; i++) e[entities[i]] *= 2;
  }
  function run() {
    doubleA();
    doubleB();
    doubleC();
    doubleD();
    doubleE();
  }
  return { run, ...access(world, components, ids) };
}

function simple_iter(size) {
  const world = createWorld();
  const components = defineComponents(five, size * simpleShapes.length);
  const { A, B, C, D, E } = components;
  const [a, b, c, d, e] = five.map((name) => components[name].value);
  const withAB = [A, B];
  const withCD = [C, D];
  const withCE = [C, E];
  const ids = [];
  for (let i = 0; i < size; i++) {
    for (const shape of simpleShapes)
      ids.push(
        spawn(
          world,
          shape.map((name) => components[name]),
        ),
      );
  }
  function swapAB() {
    const entities = query(world, withAB);
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i];
      const value = a[id];
      a[id] = b[id];
      b[id] = value;
    }
  }
  function swapCD() {
    const entities = query(world, withCD);
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i];
      const value = c[id];
      c[id] = d[id];
      d[id] = value;
    }
  }
  function swapCE() {
    const entities = query(world, withCE);
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i];
      const value = c[id];
      c[id] = e[id];
      e[id] = value;
    }
  }
  function run() {
    swapAB();
    swapCD();
    swapCE();
  }
  return { run, ...access(world, components, ids) };
}

function frag_iter(size) {
  const world = createWorld();
  const components = defineComponents([...letters, "Data"], size * letters.length);
  const { Data, Z } = components;
  const data = Data.value;
  const z = Z.value;
  const withData = [Data];
  const withZ = [Z];
  const ids = [];
  for (let i = 0; i < size; i++) {
    for (const letter of letters) ids.push(spawn(world, [components[letter], Data]));
  }
  function doubleData() {
    const entities = query(world, withData);
    for (let i = 0; i < entities.length; i++) data[entities[i]] *= 2;
  }
  function doubleZ() {
    const entities = query(world, withZ);
    for (let i = 0; i < entities.length; i++) z[entities[i]] *= 2;
  }
  function run() {
    doubleData();
    doubleZ();
  }
  return { run, ...access(world, components, ids) };
}

function entity_cycle(size, probe) {
  const world = createWorld();
  const components = defineComponents(["A", "B"], size * 2);
  const { A, B } = components;
  const a = A.value;
  const b = B.value;
  const withA = [A];
  const withB = [B];
  const ids = Array.from({ length: size }, () => spawn(world, [A]));
  function create() {
    const entities = query(world, withA);
    for (let i = 0; i < entities.length; i++) {
      const id = addEntity(world);
      addComponent(world, id, B);
      b[id] = a[entities[i]];
    }
  }
  function destroy() {
    const entities = query(world, withB);
    for (let i = 0; i < entities.length; i++) removeEntity(world, entities[i]);
  }
  function run() {
    create();
    probe.middle?.();
    destroy();
  }
  return {
    run,
    ...access(world, components, ids),
    count: (name) => query(world, name === "A" ? withA : withB).length,
    values: () => query(world, withB).map((id) => b[id]),
  };
}

function add_remove(size, probe) {
  const world = createWorld();
  const components = defineComponents(["A", "B"], size);
  const { A, B } = components;
  const a = A.value;
  const b = B.value;
  const withA = [A];
  const withB = [B];
  const ids = Array.from({ length: size }, () => spawn(world, [A]));
  function add() {
    const entities = query(world, withA);
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i];
      addComponent(world, id, B);
      b[id] = a[id];
    }
  }
  function remove() {
    const entities = query(world, withB);
    for (let i = 0; i < entities.length; i++) removeComponent(world, entities[i], B);
  }
  function run() {
    add();
    probe.middle?.();
    remove();
  }
  return {
    run,
    ...access(world, components, ids),
    count: (name) => query(world, name === "A" ? withA : withB).length,
  };
}

function defineVector(size) {
  return { x: new Float32Array(size + 1), y: new Float32Array(size + 1) };
}

function velocity_100k(size) {
  const world = createWorld();
  const position = defineVector(size);
  const velocity = defineVector(size);
  const moving = [position, velocity];
  const ids = Array.from({ length: size }, () => spawn(world, [position, velocity]));
  const fields = { px: position.x, py: position.y, vx: velocity.x, vy: velocity.y };
  const { px, py, vx, vy } = fields;
  function run() {
    const entities = query(world, moving);
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i];
      px[id] += vx[id];
      py[id] += vy[id];
    }
  }
  return {
    run,
    get: (name, i) => fields[name][ids[i]],
    set: (name, i, value) => {
      fields[name][ids[i]] = value;
    },
  };
}

function interferenceWorld(size, further) {
  const world = createWorld();
  const components = defineComponents(five, size);
  const a = components.A.value;
  const withA = [components.A];
  const ids = Array.from({ length: size }, () => spawn(world, Object.values(components)));
  function run() {
    const entities = query(world, withA);
    for (let i = 0; i < entities.length; i++) a[entities[i]] *= 2;
  }
  const extra = Array.from({ length: further }, (_, n) => ({
    value: new [Int32Array, Float32Array, Float64Array][n % 3](size + 1 + further * 100),
  }));
  const others = extra.map((component) => {
    const terms = [component];
    const column = component.value;
    return () => {
      const entities = query(world, terms);
      for (let i = 0; i < entities.length; i++) column[entities[i]] *= 2;
    };
  });
  const furtherIds = extra.map((component) => Array.from({ length: 100 }, () => spawn(world, [component])));
  return {
    run,
    ...access(world, components, ids),
    others,
    further: {
      get: (n, i) => extra[n].value[furtherIds[n][i]],
      set: (n, i, value) => {
        extra[n].value[furtherIds[n][i]] = value;
      },
    },
  };
}

function interference(size, _, { further }) {
  const it = interferenceWorld(size, further);
  if (further === 0) return it;
  const second = interferenceWorld(size, 0);
  return { ...it, second, others: [...it.others, second.run] };
}

function memory(size) {
  const world = createWorld();
  const position = defineVector(size);
  const velocity = defineVector(size);
  const tag = {};
  const all = [position, velocity, tag];
  for (let i = 0; i < size; i++) {
    const id = spawn(world, all);
    position.x[id] = 1.5;
    position.y[id] = 2.5;
    velocity.x[id] = 3.5;
    velocity.y[id] = 4.5;
  }
  query(world, all);
  function sums() {
    const total = { count: 0, px: 0, py: 0, vx: 0, vy: 0 };
    for (const id of query(world, all)) {
      total.count++;
      total.px += position.x[id];
      total.py += position.y[id];
      total.vx += velocity.x[id];
      total.vy += velocity.y[id];
    }
    return total;
  }
  return { world, sums };
}

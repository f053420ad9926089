/** bitecs 0.3: typed-array stores by entity id, queries defined once. */
import {
  addComponent,
  addEntity,
  createWorld,
  defineComponent,
  defineQuery,
  hasComponent,
  removeComponent,
  removeEntity,
  setDefaultSize,
  Types,
} from "bitecs03";
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
  "bitecs-0.3": {
    cases,
    bundle: `export {
      addComponent, addEntity, createWorld, defineComponent, defineQuery, hasComponent, removeComponent, removeEntity, Types,
    } from "bitecs03";`,
  },
};

/**
 * Entity ids, the room for entities and the ids that are waiting for reuse belong to the process, not to a
 * world, so a case starts by resetting them (100,000 is the library's default).
 */
function resetProcess(size = 100_000) {
  setDefaultSize(size);
}

function defineComponents(names) {
  return Object.fromEntries(names.map((name) => [name, defineComponent({ value: Types.i32 })]));
}

function spawn(world, components) {
  const id = addEntity(world);
  for (const component of components) addComponent(world, component, id);
  return id;
}

function access(world, components, ids) {
  return {
    get: (name, i) => components[name].value[ids[i]],
    set: (name, i, value) => {
      components[name].value[ids[i]] = value;
    },
    has: (name, i) => hasComponent(world, components[name], ids[i]),
  };
}

function packed_1(size) {
  resetProcess();
  const world = createWorld();
  const components = defineComponents(five);
  const a = components.A.value;
  const withA = defineQuery([components.A]);
  const ids = Array.from({ length: size }, () => spawn(world, Object.values(components)));
  function run() {
    const entities = withA(world);
    for (let i = 0; i < entities.length; i++) a[entities[i]] *= 2;
  }
  return { run, ...access(world, components, ids) };
}

function packed_5(size) {
  resetProcess();
  const world = createWorld();
  const components = defineComponents(five);
  const [a, b, c, d, e] = five.map((name) => components[name].value);
  const [withA, withB, withC, withD, withE] = five.map((name) => defineQuery([components[name]]));
  const ids = Array.from({ length: size }, () => spawn(world, Object.values(components)));
  function doubleA() {
    const entities = withA(world);
    for (let i = 0; i < entities.length; i++) a[entities[i]] *= 2;
  }
  function doubleB() {
    const entities = withB(world);
    for (let i = 0; i < entities.length; i++) b[entities[i]] *= 2;
  }
  function doubleC() {
    const entities = withC(world);
    for (let i = 0; i < entities.length; i++) c[entities[i]] *= 2;
  }
  function doubleD() {
    const entities = withD(world);
    for (let i = 0; i < entities.length; i++) d[entities[i]] *= 2;
  }
  function doubleE() {
    const entities = withE(world);
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
  resetProcess();
  const world = createWorld();
  const components = defineComponents(five);
  const { A, B, C, D, E } = components;
  const [a, b, c, d, e] = five.map((name) => components[name].value);
  const withAB = defineQuery([A, B]);
  const withCD = defineQuery([C, D]);
  const withCE = defineQuery([C, E]);
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
    const entities = withAB(world);
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i];
      const value = a[id];
      a[id] = b[id];
      b[id] = value;
    }
  }
  function swapCD() {
    const entities = withCD(world);
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i];
      const value = c[id];
      c[id] = d[id];
      d[id] = value;
    }
  }
  function swapCE() {
    const entities = withCE(world);
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
  resetProcess();
  const world = createWorld();
  const components = defineComponents([...letters, "Data"]);
  const { Data, Z } = components;
  const data = Data.value;
  const z = Z.value;
  const withData = defineQuery([Data]);
  const withZ = defineQuery([Z]);
  const ids = [];
  for (let i = 0; i < size; i++) {
    for (const letter of letters) ids.push(spawn(world, [components[letter], Data]));
  }
  function doubleData() {
    const entities = withData(world);
    for (let i = 0; i < entities.length; i++) data[entities[i]] *= 2;
  }
  function doubleZ() {
    const entities = withZ(world);
    for (let i = 0; i < entities.length; i++) z[entities[i]] *= 2;
  }
  function run() {
    doubleData();
    doubleZ();
  }
  return { run, ...access(world, components, ids) };
}

function entity_cycle(size, probe) {
  resetProcess();
  const world = createWorld();
  const components = defineComponents(["A", "B"]);
  const { A, B } = components;
  const a = A.value;
  const b = B.value;
  const withA = defineQuery([A]);
  const withB = defineQuery([B]);
  const ids = Array.from({ length: size }, () => spawn(world, [A]));
  function create() {
    const entities = withA(world);
    for (let i = 0; i < entities.length; i++) {
      const id = addEntity(world);
      addComponent(world, B, id);
      b[id] = a[entities[i]];
    }
  }
  function destroy() {
    const entities = withB(world);
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
    count: (name) => (name === "A" ? withA : withB)(world).length,
    values: () => withB(world).map((id) => b[id]),
  };
}

function add_remove(size, probe) {
  resetProcess();
  const world = createWorld();
  const components = defineComponents(["A", "B"]);
  const { A, B } = components;
  const a = A.value;
  const b = B.value;
  const withA = defineQuery([A]);
  const withB = defineQuery([B]);
  const ids = Array.from({ length: size }, () => spawn(world, [A]));
  function add() {
    const entities = withA(world);
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i];
      addComponent(world, B, id);
      b[id] = a[id];
    }
  }
  function remove() {
    const entities = withB(world);
    for (let i = 0; i < entities.length; i++) removeComponent(world, B, entities[i]);
  }
  function run() {
    add();
    probe.middle?.();
    remove();
  }
  return {
    run,
    ...access(world, components, ids),
    count: (name) => (name === "A" ? withA : withB)(world).length,
  };
}

function defineMoving() {
  const vector = { x: Types.f32, y: Types.f32 };
  return { position: defineComponent(vector), velocity: defineComponent(vector) };
}

function velocity_100k(size) {
  resetProcess(size);
  const world = createWorld();
  const { position, velocity } = defineMoving();
  const moving = defineQuery([position, velocity]);
  const ids = Array.from({ length: size }, () => spawn(world, [position, velocity]));
  const fields = { px: position.x, py: position.y, vx: velocity.x, vy: velocity.y };
  const { px, py, vx, vy } = fields;
  function run() {
    const entities = moving(world);
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
  const components = defineComponents(five);
  const a = components.A.value;
  const withA = defineQuery([components.A]);
  const ids = Array.from({ length: size }, () => spawn(world, Object.values(components)));
  function run() {
    const entities = withA(world);
    for (let i = 0; i < entities.length; i++) a[entities[i]] *= 2;
  }
  const extra = Array.from({ length: further }, (_, n) =>
    defineComponent({ value: [Types.i32, Types.f32, Types.f64][n % 3] }),
  );
  const others = extra.map((component) => {
    const query = defineQuery([component]);
    const column = component.value;
    return () => {
      const entities = query(world);
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
  resetProcess();
  const it = interferenceWorld(size, further);
  if (further === 0) return it;
  const second = interferenceWorld(size, 0);
  return { ...it, second, others: [...it.others, second.run] };
}

function memory(size) {
  resetProcess(size);
  const world = createWorld();
  const { position, velocity } = defineMoving();
  const tag = defineComponent();
  const query = defineQuery([position, velocity, tag]);
  for (let i = 0; i < size; i++) {
    const id = spawn(world, [position, velocity, tag]);
    position.x[id] = 1.5;
    position.y[id] = 2.5;
    velocity.x[id] = 3.5;
    velocity.y[id] = 4.5;
  }
  query(world);
  function sums() {
    const total = { count: 0, px: 0, py: 0, vx: 0, vy: 0 };
    for (const id of query(world)) {
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

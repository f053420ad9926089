/**
 * wolf-ecs: columns by entity id, archetypes; manual loops that run backwards, as its README
 * recommends. The loop over an archetype is a function of its own: with both loops in one function
 * V8 does not keep the columns in registers, and every case costs up to 2.5 times as much.
 */
import { ECS, types } from "wolf-ecs";
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
  "wolf-ecs": { cases, bundle: 'export { ECS, types, all, any, not } from "wolf-ecs";' },
};

function defineComponents(ecs, names) {
  return Object.fromEntries(names.map((name) => [name, ecs.defineComponent(types.i32)]));
}

function spawn(ecs, components) {
  const id = ecs.createEntity();
  for (const component of components) ecs.addComponent(id, component);
  return id;
}

/** The library has no `has`: a query is created for it. */
function access(ecs, components, ids) {
  const queries = {};
  const queryOf = (name) => (queries[name] ??= ecs.createQuery(components[name]));
  return {
    get: (name, i) => components[name][ids[i]],
    set: (name, i, value) => {
      components[name][ids[i]] = value;
    },
    has: (name, i) => queryOf(name).a.some((archetype) => archetype.has(ids[i])),
  };
}

function forArchetypes(query, system) {
  for (let i = 0; i < query.a.length; i++) system(query.a[i].e);
}

function countIn(query) {
  return query.a.reduce((sum, archetype) => sum + archetype.e.length, 0);
}

function packed_1(size) {
  const ecs = new ECS(size);
  const components = defineComponents(ecs, five);
  const a = components.A;
  const withA = ecs.createQuery(a);
  const ids = Array.from({ length: size }, () => spawn(ecs, Object.values(components)));
  function doubleA(entities) {
    for (let j = entities.length - 1; j >= 0; j--) a[entities[j]] *= 2;
  }
  const run = () => forArchetypes(withA, doubleA);
  return { run, ...access(ecs, components, ids) };
}

function packed_5(size) {
  const ecs = new ECS(size);
  const components = defineComponents(ecs, five);
  const { A, B, C, D, E } = components;
  const [withA, withB, withC, withD, withE] = five.map((name) => ecs.createQuery(components[name]));
  const ids = Array.from({ length: size }, () => spawn(ecs, Object.values(components)));
  function doubleA(entities) {
    for (let j = entities.length - 1; j >= 0; j--) A[entities[j]] *= 2;
  }
  function doubleB(entities) {
    for (let j = entities.length - 1; j >= 0; j--) B[entities[j]] *= 2;
  }
  function doubleC(entities) {
    for (let j = entities.length - 1; j >= 0; j--) C[entities[j]] *= 2;
  }
  function doubleD(entities) {
    for (let j = entities.length - 1; j >= 0; j--) D[entities[j]] *= 2;
  }
  function doubleE(entities) {
    for (let j = entities.length - 1; j >= 0; j--) E[entities[j]] *= 2;
  }
  function run() {
    forArchetypes(withA, doubleA);
    forArchetypes(withB, doubleB);
    forArchetypes(withC, doubleC);
    forArchetypes(withD, doubleD);
    forArchetypes(withE, doubleE);
  }
  return { run, ...access(ecs, components, ids) };
}

function simple_iter(size) {
  const ecs = new ECS(size * simpleShapes.length);
  const components = defineComponents(ecs, five);
  const { A, B, C, D, E } = components;
  const withAB = ecs.createQuery(A, B);
  const withCD = ecs.createQuery(C, D);
  const withCE = ecs.createQuery(C, E);
  const ids = [];
  for (let i = 0; i < size; i++) {
    for (const shape of simpleShapes)
      ids.push(
        spawn(
          ecs,
          shape.map((name) => components[name]),
        ),
      );
  }
  function swapAB(entities) {
    for (let j = entities.length - 1; j >= 0; j--) {
      const id = entities[j];
      const value = A[id];
      A[id] = B[id];
      B[id] = value;
    }
  }
  function swapCD(entities) {
    for (let j = entities.length - 1; j >= 0; j--) {
      const id = entities[j];
      const value = C[id];
      C[id] = D[id];
      D[id] = value;
    }
  }
  function swapCE(entities) {
    for (let j = entities.length - 1; j >= 0; j--) {
      const id = entities[j];
      const value = C[id];
      C[id] = E[id];
      E[id] = value;
    }
  }
  function run() {
    forArchetypes(withAB, swapAB);
    forArchetypes(withCD, swapCD);
    forArchetypes(withCE, swapCE);
  }
  return { run, ...access(ecs, components, ids) };
}

function frag_iter(size) {
  const ecs = new ECS(size * letters.length);
  const components = defineComponents(ecs, [...letters, "Data"]);
  const { Data, Z } = components;
  const withData = ecs.createQuery(Data);
  const withZ = ecs.createQuery(Z);
  const ids = [];
  for (let i = 0; i < size; i++) {
    for (const letter of letters) ids.push(spawn(ecs, [components[letter], Data]));
  }
  function doubleData(entities) {
    for (let j = entities.length - 1; j >= 0; j--) Data[entities[j]] *= 2;
  }
  function doubleZ(entities) {
    for (let j = entities.length - 1; j >= 0; j--) Z[entities[j]] *= 2;
  }
  function run() {
    forArchetypes(withData, doubleData);
    forArchetypes(withZ, doubleZ);
  }
  return { run, ...access(ecs, components, ids) };
}

function entity_cycle(size, probe) {
  const ecs = new ECS(size * 2);
  const components = defineComponents(ecs, ["A", "B"]);
  const { A, B } = components;
  const withA = ecs.createQuery(A);
  const withB = ecs.createQuery(B);
  const ids = Array.from({ length: size }, () => spawn(ecs, [A]));
  function create(entities) {
    for (let j = entities.length - 1; j >= 0; j--) {
      const id = ecs.createEntity();
      ecs.addComponent(id, B);
      B[id] = A[entities[j]];
    }
  }
  function destroy(entities) {
    for (let j = entities.length - 1; j >= 0; j--) ecs.destroyEntity(entities[j]);
  }
  function run() {
    forArchetypes(withA, create);
    probe.middle?.();
    forArchetypes(withB, destroy);
  }
  return {
    run,
    ...access(ecs, components, ids),
    count: (name) => countIn(name === "A" ? withA : withB),
    values: () => withB.a.flatMap((archetype) => archetype.e.map((id) => B[id])),
  };
}

function add_remove(size, probe) {
  const ecs = new ECS(size);
  const components = defineComponents(ecs, ["A", "B"]);
  const { A, B } = components;
  const withA = ecs.createQuery(A);
  const withB = ecs.createQuery(B);
  const ids = Array.from({ length: size }, () => spawn(ecs, [A]));
  function add(entities) {
    for (let j = entities.length - 1; j >= 0; j--) {
      const id = entities[j];
      ecs.addComponent(id, B);
      B[id] = A[id];
    }
  }
  function remove(entities) {
    for (let j = entities.length - 1; j >= 0; j--) ecs.removeComponent(entities[j], B);
  }
  function run() {
    forArchetypes(withA, add);
    probe.middle?.();
    forArchetypes(withB, remove);
  }
  return {
    run,
    ...access(ecs, components, ids),
    count: (name) => countIn(name === "A" ? withA : withB),
  };
}

function velocity_100k(size) {
  const ecs = new ECS(size);
  const position = ecs.defineComponent({ x: types.f32, y: types.f32 });
  const velocity = ecs.defineComponent({ x: types.f32, y: types.f32 });
  const moving = ecs.createQuery(position, velocity);
  const ids = Array.from({ length: size }, () => spawn(ecs, [position, velocity]));
  const fields = { px: position.x, py: position.y, vx: velocity.x, vy: velocity.y };
  const { px, py, vx, vy } = fields;
  function move(entities) {
    for (let j = entities.length - 1; j >= 0; j--) {
      const id = entities[j];
      px[id] += vx[id];
      py[id] += vy[id];
    }
  }
  return {
    run: () => forArchetypes(moving, move),
    get: (name, i) => fields[name][ids[i]],
    set: (name, i, value) => {
      fields[name][ids[i]] = value;
    },
  };
}

function interferenceWorld(size, further) {
  const ecs = new ECS(size + further * 100);
  const components = defineComponents(ecs, five);
  const extra = Array.from({ length: further }, (_, n) =>
    ecs.defineComponent([types.i32, types.f32, types.f64][n % 3]),
  );
  const a = components.A;
  const withA = ecs.createQuery(a);
  const ids = Array.from({ length: size }, () => spawn(ecs, Object.values(components)));
  function doubleA(entities) {
    for (let j = entities.length - 1; j >= 0; j--) a[entities[j]] *= 2;
  }
  const run = () => forArchetypes(withA, doubleA);
  const others = extra.map((column) => {
    const query = ecs.createQuery(column);
    function double(entities) {
      for (let j = entities.length - 1; j >= 0; j--) column[entities[j]] *= 2;
    }
    return () => forArchetypes(query, double);
  });
  const furtherIds = extra.map((column) => Array.from({ length: 100 }, () => spawn(ecs, [column])));
  return {
    run,
    ...access(ecs, components, ids),
    others,
    further: {
      get: (n, i) => extra[n][furtherIds[n][i]],
      set: (n, i, value) => {
        extra[n][furtherIds[n][i]] = value;
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
  const ecs = new ECS(size);
  const position = ecs.defineComponent({ x: types.f32, y: types.f32 });
  const velocity = ecs.defineComponent({ x: types.f32, y: types.f32 });
  const tag = ecs.defineComponent();
  const query = ecs.createQuery(position, velocity, tag);
  for (let i = 0; i < size; i++) {
    const id = spawn(ecs, [position, velocity, tag]);
    position.x[id] = 1.5;
    position.y[id] = 2.5;
    velocity.x[id] = 3.5;
    velocity.y[id] = 4.5;
  }
  function sums() {
    const total = { count: 0, px: 0, py: 0, vx: 0, vy: 0 };
    for (const { e } of query.a) {
      for (const id of e) {
        total.count++;
        total.px += position.x[id];
        total.py += position.y[id];
        total.vx += velocity.x[id];
        total.vy += velocity.y[id];
      }
    }
    return total;
  }
  return { ecs, sums };
}

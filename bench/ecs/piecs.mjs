/**
 * piecs: entities and archetypes; component values are typed arrays of the benchmark, indexed by entity.
 * Systems are registered and run by `world.update()`.
 */
import { buildQuery, createArchetypeSystem, createEntitySystem, World } from "piecs";
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
  piecs: {
    cases,
    bundle: 'export { World, createEntitySystem, createArchetypeSystem, buildQuery } from "piecs";',
  },
};

function defineComponents(world, names, capacity) {
  return Object.fromEntries(
    names.map((name) => [name, { id: world.createComponentId(), value: new Int32Array(capacity) }]),
  );
}

function access(world, components, ids) {
  return {
    get: (name, i) => components[name].value[ids[i]],
    set: (name, i, value) => {
      components[name].value[ids[i]] = value;
    },
    has: (name, i) => world.hasComponent(ids[i], components[name]),
  };
}

/** Doubles `value` of all entities with a component. */
function doubling(component) {
  const { value } = component;
  return createEntitySystem(
    function double(entities) {
      for (let i = 0, l = entities.length; i < l; i++) value[entities[i]] *= 2;
    },
    (q) => q.every(component),
  );
}

function packedWorld(size) {
  const world = new World();
  const components = defineComponents(world, five, size);
  const prefab = world.prefabricate(Object.values(components));
  const spawn = () => Array.from({ length: size }, () => world.createEntity(prefab));
  return { world, components, spawn };
}

function packed_1(size) {
  const { world, components, spawn } = packedWorld(size);
  const { value } = components.A;
  world.registerSystem(
    createEntitySystem(
      function doubleA(entities) {
        for (let i = 0, l = entities.length; i < l; i++) value[entities[i]] *= 2;
      },
      (q) => q.every(components.A),
    ),
  );
  world.initialize();
  const ids = spawn();
  return { run: () => world.update(), ...access(world, components, ids) };
}

function packed_5(size) {
  const { world, components, spawn } = packedWorld(size);
  const [a, b, c, d, e] = five.map((name) => components[name].value);
  world
    .registerSystem(
      createEntitySystem(
        function doubleA(entities) {
          for (let i = 0, l = entities.length; i < l; i++) a[entities[i]] *= 2;
        },
        (q) => q.every(components.A),
      ),
    )
    .registerSystem(
      createEntitySystem(
        function doubleB(entities) {
          for (let i = 0, l = entities.length; i < l; i++) b[entities[i]] *= 2;
        },
        (q) => q.every(components.B),
      ),
    )
    .registerSystem(
      createEntitySystem(
        function doubleC(entities) {
          for (let i = 0, l = entities.length; i < l; i++) c[entities[i]] *= 2;
        },
        (q) => q.every(components.C),
      ),
    )
    .registerSystem(
      createEntitySystem(
        function doubleD(entities) {
          for (let i = 0, l = entities.length; i < l; i++) d[entities[i]] *= 2;
        },
        (q) => q.every(components.D),
      ),
    )
    .registerSystem(
      createEntitySystem(
        function doubleE(entities) {
          for (let i = 0, l = entities.length; i < l; i++) e[entities[i]] *= 2;
        },
        (q) => q.every(components.E),
      ),
    )
    .initialize();
  const ids = spawn();
  return { run: () => world.update(), ...access(world, components, ids) };
}

function simple_iter(size) {
  const world = new World();
  const components = defineComponents(world, five, size * simpleShapes.length);
  const { A, B, C, D, E } = components;
  const [a, b, c, d, e] = five.map((name) => components[name].value);
  const prefabs = simpleShapes.map((shape) => world.prefabricate(shape.map((name) => components[name])));
  world
    .registerSystem(
      createEntitySystem(
        function swapAB(entities) {
          for (let i = 0, l = entities.length; i < l; i++) {
            const entity = entities[i];
            const value = a[entity];
            a[entity] = b[entity];
            b[entity] = value;
          }
        },
        (q) => q.every(A, B),
      ),
    )
    .registerSystem(
      createEntitySystem(
        function swapCD(entities) {
          for (let i = 0, l = entities.length; i < l; i++) {
            const entity = entities[i];
            const value = c[entity];
            c[entity] = d[entity];
            d[entity] = value;
          }
        },
        (q) => q.every(C, D),
      ),
    )
    .registerSystem(
      createEntitySystem(
        function swapCE(entities) {
          for (let i = 0, l = entities.length; i < l; i++) {
            const entity = entities[i];
            const value = c[entity];
            c[entity] = e[entity];
            e[entity] = value;
          }
        },
        (q) => q.every(C, E),
      ),
    )
    .initialize();
  const ids = [];
  for (let i = 0; i < size; i++) for (const prefab of prefabs) ids.push(world.createEntity(prefab));
  return { run: () => world.update(), ...access(world, components, ids) };
}

function frag_iter(size) {
  const world = new World();
  const components = defineComponents(world, [...letters, "Data"], size * letters.length);
  const { Data, Z } = components;
  const data = Data.value;
  const z = Z.value;
  const prefabs = letters.map((letter) => world.prefabricate([Data, components[letter]]));
  world
    .registerSystem(
      createEntitySystem(
        function doubleData(entities) {
          for (let i = 0, l = entities.length; i < l; i++) data[entities[i]] *= 2;
        },
        (q) => q.every(Data),
      ),
    )
    .registerSystem(
      createEntitySystem(
        function doubleZ(entities) {
          for (let i = 0, l = entities.length; i < l; i++) z[entities[i]] *= 2;
        },
        (q) => q.every(Z),
      ),
    )
    .initialize();
  const ids = [];
  for (let i = 0; i < size; i++) for (const prefab of prefabs) ids.push(world.createEntity(prefab));
  return { run: () => world.update(), ...access(world, components, ids) };
}

/** Entities with a component now; the query belongs to a system that is registered. */
function countIn(query) {
  return query.archetypes.reduce((sum, archetype) => sum + archetype.entities.length, 0);
}

/** A system without work between two others, for the checks. */
function probing(probe) {
  return createArchetypeSystem(
    function middle() {
      probe.middle?.();
    },
    (q) => q,
  );
}

function entity_cycle(size, probe) {
  const world = new World();
  const components = defineComponents(world, ["A", "B"], size * 2);
  const { A, B } = components;
  const a = A.value;
  const b = B.value;
  const prefabA = world.prefabricate([A]);
  const prefabB = world.prefabricate([B]);
  const withA = buildQuery((q) => q.every(A));
  const withB = buildQuery((q) => q.every(B));
  world
    .registerSystem(
      createEntitySystem(function spawn(entities, world) {
        for (let i = 0, l = entities.length; i < l; i++) {
          b[world.createEntity(prefabB)] = a[entities[i]];
        }
      }, withA),
    )
    .registerSystem(probing(probe))
    .registerSystem(
      createEntitySystem(function kill(entities, world) {
        for (let i = entities.length - 1; i >= 0; i--) world.deleteEntity(entities[i]);
      }, withB),
    )
    .initialize();
  const ids = Array.from({ length: size }, () => world.createEntity(prefabA));
  return {
    run: () => world.update(),
    ...access(world, components, ids),
    count: (name) => countIn(name === "A" ? withA : withB),
    values: () => withB.archetypes.flatMap(({ entities }) => Array.from(entities, (id) => b[id])),
  };
}

function add_remove(size, probe) {
  const world = new World();
  const components = defineComponents(world, ["A", "B"], size);
  const { A, B } = components;
  const a = A.value;
  const b = B.value;
  const prefabA = world.prefabricate([A]);
  const prefabAB = world.prefabricate([A, B]);
  const withA = buildQuery((q) => q.every(A));
  const onlyA = buildQuery((q) => q.every(A).not(B));
  const withB = buildQuery((q) => q.every(B));
  world
    .registerSystem(
      createEntitySystem(function add(entities, world) {
        for (let i = entities.length - 1; i >= 0; i--) {
          const entity = entities[i];
          world.transformEntity(entity, prefabAB);
          b[entity] = a[entity];
        }
      }, onlyA),
    )
    .registerSystem(probing(probe))
    .registerSystem(
      createEntitySystem(function remove(entities, world) {
        for (let i = entities.length - 1; i >= 0; i--) world.transformEntity(entities[i], prefabA);
      }, withB),
    )
    .registerSystem(createArchetypeSystem(function unused() {}, withA))
    .initialize();
  const ids = Array.from({ length: size }, () => world.createEntity(prefabA));
  return {
    run: () => world.update(),
    ...access(world, components, ids),
    count: (name) => countIn(name === "A" ? withA : withB),
  };
}

function velocity_100k(size) {
  const world = new World();
  const ids = [];
  const [px, py, vx, vy] = Array.from({ length: 4 }, () => new Float32Array(size));
  const position = { id: world.createComponentId(), x: px, y: py };
  const velocity = { id: world.createComponentId(), x: vx, y: vy };
  const prefab = world.prefabricate([position, velocity]);
  world.registerSystem(
    createEntitySystem(
      function move(entities) {
        for (let i = 0, l = entities.length; i < l; i++) {
          const entity = entities[i];
          px[entity] += vx[entity];
          py[entity] += vy[entity];
        }
      },
      (q) => q.every(position, velocity),
    ),
  );
  world.initialize();
  for (let i = 0; i < size; i++) ids.push(world.createEntity(prefab));
  const fields = { px, py, vx, vy };
  return {
    run: () => world.update(),
    get: (name, i) => fields[name][ids[i]],
    set: (name, i, value) => {
      fields[name][ids[i]] = value;
    },
  };
}

/** `world.update()` would run the further systems too, so here each system is run by itself. */
function runSystem(world, { query, execute }) {
  const { archetypes } = query;
  for (let i = archetypes.length - 1; i >= 0; i--) {
    const { entities } = archetypes[i];
    if (entities.length > 0) execute(entities, world);
  }
}

function interferenceWorld(size, further) {
  const { world, components, spawn } = packedWorld(size);
  const { value } = components.A;
  const system = createEntitySystem(
    function doubleA(entities) {
      for (let i = 0, l = entities.length; i < l; i++) value[entities[i]] *= 2;
    },
    (q) => q.every(components.A),
  );
  world.registerSystem(system);
  const extra = Array.from({ length: further }, (_, n) => ({
    id: world.createComponentId(),
    value: new [Int32Array, Float32Array, Float64Array][n % 3](size + further * 100),
  }));
  const systems = extra.map(doubling);
  for (const one of systems) world.registerSystem(one);
  const prefabs = extra.map((component) => world.prefabricate([component]));
  world.initialize();
  const ids = spawn();
  const furtherIds = prefabs.map((prefab) => Array.from({ length: 100 }, () => world.createEntity(prefab)));
  return {
    run: () => runSystem(world, system),
    ...access(world, components, ids),
    others: systems.map((one) => () => runSystem(world, one)),
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
  const world = new World();
  const [px, py, vx, vy] = Array.from({ length: 4 }, () => new Float32Array(size));
  const position = { id: world.createComponentId(), x: px, y: py };
  const velocity = { id: world.createComponentId(), x: vx, y: vy };
  const tag = { id: world.createComponentId() };
  const prefab = world.prefabricate([position, velocity, tag]);
  const query = buildQuery((q) => q.every(position, velocity, tag));
  world.registerSystem(createArchetypeSystem(() => {}, query));
  world.initialize();
  for (let i = 0; i < size; i++) {
    const entity = world.createEntity(prefab);
    px[entity] = 1.5;
    py[entity] = 2.5;
    vx[entity] = 3.5;
    vy[entity] = 4.5;
  }
  function sums() {
    const total = { count: 0, px: 0, py: 0, vx: 0, vy: 0 };
    for (const { entities } of query.archetypes) {
      for (let i = 0; i < entities.length; i++) {
        const entity = entities[i];
        total.count++;
        total.px += px[entity];
        total.py += py[entity];
        total.vx += vx[entity];
        total.vy += vy[entity];
      }
    }
    return total;
  }
  return { world, sums };
}

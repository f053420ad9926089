/**
 * The flagship suite: a game's world as users write it. Its subjects, its cases, and the check of every
 * case.
 *
 * The cases are in cases.mjs, shared by all subjects; a subject's file implements the steps with its library.
 * The expected result of a case is computed here and in reference.mjs, only from the plan in data.mjs.
 */
import { expectEqual, expectNear, expectSame, expectTrue } from "../harness/expect.mjs";
import { parentCount } from "./cases.mjs";
import { prefabParents, prefabSize, valuesOf } from "./data.mjs";
import { referenceAfter } from "./reference.mjs";

const own = (file) => ({ file, role: "own" });
const peer = (file) => ({ file, role: "peer" });
const limit = (file) => ({ file, role: "limit" });

export const subjects = {
  espalier: own("espalier.mjs"),
  "espalier-fast": own("espalier.mjs"),
  "espalier-history": own("espalier.mjs"),
  pixi: peer("pixi.mjs"),
  three: peer("three.mjs"),
  koota: peer("koota.mjs"),
  bitecs: peer("bitecs.mjs"),
  "bitecs-columns": peer("bitecs.mjs"),
  objects: { ...peer("objects.mjs"), byHand: true },
  limit: limit("limit.mjs"),
  piecs: peer("company.mjs"),
  "wolf-ecs": peer("company.mjs"),
  "limit-flat": limit("company.mjs"),
};

const sizes = { "1k": 1000, "10k": 10_000, "100k": 100_000, "1m": 1_000_000 };

/** Runs are long and V8 counts the turns of the loops in them: fewer runs warm it up. */
const effort = { warmRuns: 30 };

const workloads = {
  create_child: { unit: "child", verify: verifyCreateChild },
  create_tree: { unit: "entity", verify: verifyCreateTree },
  spawn_many: { unit: "entity", verify: verifySpawnMany },
  destroy_one: { unit: "entity", verify: verifyDestroy },
  cascade: { unit: "entity", verify: verifyDestroy },
  destroy_all: { unit: "entity", verify: verifyDestroy },
  reparent: { unit: "move", verify: verifyReparent },
  build: { unit: "entity", verify: verifyBuild },
  set_local: { unit: "set", verify: verifyLocals },
  update_local: { unit: "entity", verify: verifyLocals },
  read_world: { unit: "entity", verify: verifyReadWorld },
  visit: { unit: "entity", verify: verifyVisit },
  children: { unit: "child", verify: verifyChildren },
  frame: { unit: "entity", verify: verifyFrame },
};

/** The parts of the frame, in order: destroy, create, swap parents, ... */
const frameParts = ["die", "born", "swap", "damp", "heal", "drift", "update", "read", "hear"];

const own10k = { size: sizes["10k"], unitCount: sizes["10k"] };

/** The subjects of cases whose quick run shows only Espalier and hand-written code. */
const short = ["espalier", "espalier-fast", "espalier-history", "objects", "limit"];

export const cases = {
  ...Object.fromEntries(
    Object.entries(workloads).map(([name, { unit, verify }]) => [
      name,
      { builder: name, ...own10k, unit, effort, verify },
    ]),
  ),
  ...Object.fromEntries(
    frameParts.map((part) => [
      `frame_part/${part}`,
      {
        builder: "frame_part",
        parameters: { part },
        ...own10k,
        unit: "entity of the frame",
        effort,
        quick: false,
        verify: verifyPart,
      },
    ]),
  ),
  ...Object.fromEntries(
    ["alone", "game"].map((name) => [
      `company/${name}`,
      {
        builder: "company",
        parameters: { isAlone: name === "alone" },
        group: "company", // compared with each other
        size: sizes["100k"],
        unitCount: sizes["100k"],
        unit: "entity",
        effort,
        verify: verifyCompany,
      },
    ]),
  ),
  ...Object.fromEntries(
    ["create_child", "reparent", "destroy_one"].flatMap((name) => [
      [
        `cold/${name}`,
        {
          builder: "cold",
          parameters: { of: name },
          ...own10k,
          unit: workloads[name].unit,
          effort,
          quick: short,
          verify: (it, definition) => verifyCold(it, definition, workloads[name]),
        },
      ],
      [`first/${name}`, { ...workloads[name], builder: name, kind: "first", ...own10k, quick: short }],
    ]),
  ),
  ...Object.fromEntries(
    ["build", "spawn_many"].map((name) => [
      `first/${name}`,
      { ...workloads[name], builder: name, kind: "first", ...own10k, quick: short },
    ]),
  ),
  "new_world/first": {
    builder: "new_world",
    kind: "first",
    size: 0,
    unitCount: 1,
    unit: "world",
    verify: verifyNewWorld,
  },
  "new_world/later": {
    builder: "new_world",
    size: 0,
    unitCount: 1,
    unit: "world",
    effort: { warmRuns: 200 },
    verify: verifyNewWorld,
  },
  steady_frame: {
    builder: "frame",
    kind: "steady",
    ...own10k,
    unit: "entity",
    quick: short,
    verify: verifyFrame,
  },
  "memory/node": defineMemory(false),
  "memory/named": defineMemory(true),
  ...Object.fromEntries(
    Object.entries(workloads).flatMap(([name, { unit, verify }]) =>
      Object.entries(sizes).map(([label, size]) => [
        `${name}/${label}`,
        { builder: name, size, unitCount: size, unit, effort: { warmRuns: 10 }, scaling: true, verify },
      ]),
    ),
  ),
};

function defineMemory(named) {
  return {
    builder: "memory",
    kind: "memory",
    parameters: { named },
    size: sizes["100k"],
    warmSize: 100,
    unitCount: sizes["100k"],
    unit: "node",
    verify: verifyMemory,
  };
}

async function verifyMemory({ game, root }, { size }) {
  const open = [root];
  let count = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    count++;
    for (const child of game.childrenOf(node)) open.push(child);
  }
  expectEqual(count, size, "number of nodes");
}

async function verifyNewWorld({ reset, run, made }) {
  reset();
  run();
  const { world, tree, space } = made();
  const child = tree.attachNew(world.spawn(space.at(1, 2)), space.at(3, 4));
  expectEqual(space.worldX(child), 4, "world x of a child in a new world");
}

async function verifyCompany({ run, get, set, others }, { size }) {
  for (const other of others) other();
  for (let i = 0; i < size; i++) {
    set("px", i, i & 1023);
    set("py", i, 0);
    set("vx", i, 2);
    set("vy", i, -1);
  }
  run();
  run();
  for (let i = 0; i < size; i++) {
    if (get("px", i) !== (i & 1023) + 4) expectEqual(get("px", i), (i & 1023) + 4, `x of entity ${i}`);
    if (get("py", i) !== -2) expectEqual(get("py", i), -2, `y of entity ${i}`);
  }
}

async function verifyCold(it, definition, { verify }) {
  it.reset();
  await verify(it.current(), definition);
}

async function verifyPart(it, definition) {
  await verifyFrame({ ...it, run: it.whole, reset: undefined }, definition);
}

function expectValues(game, entity, n, what) {
  const actual = game.valuesOf(entity);
  const expected = valuesOf(n);
  for (let k = 0; k < expected.length; k++) {
    if (actual[k] !== expected[k]) expectEqual(actual[k], expected[k], `value ${k} of ${what}`);
  }
}

async function verifyCreateChild({ game, parents, children, reset, run }, { size }) {
  for (let round = 0; round < 2; round++) {
    reset();
    expectEqual(game.count(), parentCount, "number of entities before");
    run();
    expectEqual(game.count(), parentCount + size, "number of entities");
    for (let i = 0; i < size; i++) {
      expectTrue(game.parentOf(children[i]) === parents[i % parentCount], `child ${i} has another parent`);
      expectValues(game, children[i], i, `child ${i}`);
    }
    expectWorlds(game, children, (i) => [i, i % parentCount]);
  }
}

/** World positions of entities whose ancestors are not turned: the sums of the positions on the way. */
function expectWorlds(game, entities, numbersOf) {
  game.update();
  for (let i = 0; i < entities.length; i++) {
    const { x, y } = game.readWorld(entities[i]);
    const values = numbersOf(i).map(valuesOf);
    expectEqual(x, sumOf(values, 0), `world x of entity ${i}`);
    expectEqual(y, sumOf(values, 1), `world y of entity ${i}`);
  }
}

function sumOf(rows, column) {
  return rows.reduce((sum, row) => sum + row[column], 0);
}

async function verifyCreateTree({ game, roots, reset, run }, { size }) {
  for (let round = 0; round < 2; round++) {
    reset();
    run();
    expectEqual(game.count(), size, "number of entities");
    for (const root of [roots[0], roots[7], roots.at(-1)]) {
      const made = [];
      collect(game, root, 0, made);
      expectEqual(made.filter(Boolean).length, prefabSize, "number of entities of an instance");
      made.forEach((entity, k) => {
        expectValues(game, entity, k, `entity ${k} of an instance`);
      });
      expectWorlds(game, made, (k) => lineOf(k));
    }
  }
}

/** The entities of an instance by their number in the prefab; those without order are recognised by their hp. */
function collect(game, entity, k, made) {
  made[k] = entity;
  const numbers = prefabParents.flatMap((parent, child) => (parent === k ? [child] : []));
  const children = [...game.childrenOf(entity)].sort((a, b) => game.valuesOf(a)[6] - game.valuesOf(b)[6]);
  expectEqual(children.length, numbers.length, `number of children of entity ${k} of an instance`);
  numbers.forEach((number, i) => {
    collect(game, children[i], number, made);
  });
}

function lineOf(k) {
  return k < 0 ? [] : [k, ...lineOf(prefabParents[k])];
}

async function verifySpawnMany({ game, made, reset, run }, { size }) {
  for (let round = 0; round < 2; round++) {
    reset();
    expectEqual(game.count(), 0, "number of entities before");
    run();
    expectEqual(game.count(), size, "number of entities");
    expectEqual(new Set(made()).size, size, "number of different entities");
    for (const entity of made()) expectValues(game, entity, 5, "an entity");
    expectWorlds(game, made(), () => [5]);
  }
}

async function verifyDestroy({ game, destroyed, left, reset, run }, { size }) {
  for (let round = 0; round < 2; round++) {
    reset();
    expectTrue(game.count() >= size, "not all entities are there");
    expectTrue(
      destroyed().every((entity) => game.isAlive(entity)),
      "an entity is not alive",
    );
    run();
    expectEqual(game.count(), left, "number of entities");
    expectTrue(!destroyed().some((entity) => game.isAlive(entity)), "an entity is still alive");
  }
}

async function verifyReparent({ game, parents, expected, reset, run }) {
  for (let round = 0; round < 3; round++) {
    reset();
    run();
    const lists = expected();
    parents.forEach((parent, p) => {
      const { numberOf } = game;
      expectSame(
        Array.from(game.childrenOf(parent), numberOf),
        lists[p].map(numberOf),
        `children of parent ${p}`,
        game.ordered,
      );
      for (const child of lists[p]) expectTrue(game.parentOf(child) === parent, "a child has another parent");
    });
  }
}

async function verifyBuild({ game, nodes, shape, reset, run }, { size }) {
  reset();
  run();
  expectEqual(game().count(), size, "number of entities");
  for (let i = 0; i < size; i++) {
    expectTrue(game().parentOf(nodes[i]) === nodes[shape[i]], `node ${i} has another parent`);
    expectValues(game(), nodes[i], i, `node ${i}`);
  }
  const line = (i) => (i < 0 ? [] : [i, ...line(shape[i])]);
  expectWorlds(game(), nodes, line);
}

async function verifyLocals({ game, nodes, expected, reset, run }) {
  for (let round = 0; round < 2; round++) {
    reset();
    run();
    game.update();
    const root = nodes[0];
    const [x, y] = expected(0, valuesOf(0));
    expectEqual(game.readWorld(root).x, x, "world x of the root");
    expectEqual(game.readWorld(root).y, y, "world y of the root");
    nodes.forEach((node, i) => {
      const actual = game.valuesOf(node);
      expected(i, valuesOf(i)).forEach((value, k) => {
        expectEqual(actual[k], value, `value ${k} of node ${i}`);
      });
    });
  }
}

async function verifyReadWorld({ game, nodes, run, result }) {
  run();
  let sum = 0;
  for (const node of nodes) {
    const { x, y } = game.readWorld(node);
    sum += x + y;
  }
  expectTrue(sum !== 0, "all world positions are 0");
  expectNear(result(), sum, 1e-6, "sum of world positions");
}

async function verifyVisit({ game, nodes, run, result }) {
  run();
  const order = [];
  const open = [nodes[0]];
  while (open.length > 0) {
    const node = open.pop();
    order.push(node);
    open.push(...[...game.childrenOf(node)].reverse());
  }
  expectEqual(order.length, nodes.length, "number of entities to visit");
  expectEqual(result(), weighted(game, order), "sum over the tree, depth first");
}

function weighted({ numberOf }, entities) {
  let sum = 0;
  for (let i = 0; i < entities.length; i++) sum = (sum + Math.imul(numberOf(entities[i]), i + 1)) | 0;
  return sum;
}

async function verifyChildren({ game, parents, run, result }, { size }) {
  run();
  let sum = 0;
  let count = 0;
  for (const parent of parents) {
    const children = [...game.childrenOf(parent)];
    count += children.length;
    sum = (sum + weighted(game, children)) | 0;
  }
  expectEqual(count, size, "number of children");
  expectEqual(result(), sum, "sum over the children");
}

/** Frame by frame at first, then after every entity has been replaced. */
async function verifyFrame(it, { size }) {
  const { game, nodes, number, run, reset, result } = it;
  for (const frames of [1, 1, 3, 21]) {
    for (let i = 0; i < frames; i++) {
      reset?.();
      run();
    }
    expectEqual(game.count(), size, "number of entities");
    const reference = referenceAfter(number(), size);
    let sum = 0;
    for (let i = 0; i < size; i++) {
      const { x, y } = game.readWorld(nodes[i]);
      sum += x + y;
      expectNear(x, reference.positions[i * 2], 1e-3, `world x of entity ${i} in frame ${number()}`);
      expectNear(y, reference.positions[i * 2 + 1], 1e-3, `world y of entity ${i} in frame ${number()}`);
      const values = game.valuesOf(nodes[i]);
      for (let k = 0; k < values.length; k++) {
        expectNear(values[k], reference.nodes[i][k], 1e-4, `value ${k} of entity ${i} in frame ${number()}`);
      }
    }
    expectNear(result(), sum, 1e-4, "sum of world positions");
  }
}

/**
 * Espalier, in the world of a game: `createWorld()` with automatic growth, a hierarchy, 2D transforms,
 * visibility and z-index, an open event reader.
 *
 * - `espalier`: written the plain way, as README and the first sections of the guides show it.
 * - `espalier-fast`: the fastest documented style: raw columns, loops compiled for their arrays, slots.
 * - `espalier-history`: the plain way with a history attached, which records everything.
 *
 * Imported by its public names, as built (`npm run build`). Without a build its rows are left out.
 */
import { casesOf } from "./cases.mjs";
import { byCompiledLoop, byUpdate, ownCompany } from "./company.mjs";
import {
  armourOf,
  damping,
  fullArmour,
  fullHealth,
  hpOf,
  motionXOf,
  motionYOf,
  prefabParents,
  regenOf,
  seconds,
  spinOf,
  xOf,
  yOf,
} from "./data.mjs";

const rooms = ["", "/hierarchy", "/transform", "/inherit", "/history", "/scene"];
const library = await Promise.all(rooms.map((room) => import(`espalier${room}`))).catch((error) => {
  if (["ERR_MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"].includes(error.code)) return undefined;
  throw error;
});

/** Shown instead of results as long as `subjects` does not name the subject. */
export const skipped = "espalier is not built (npm run build)";

export const subjects = library
  ? {
      espalier: {
        cases: {
          ...casesOf(() => createGame()),
          new_world,
          company: ownCompany(library[0], startGame, byUpdate),
        },
      },
      "espalier-fast": {
        cases: {
          ...casesOf(() => withFastLoops(createGame()), { without: ["memory"] }),
          company: ownCompany(library[0], startGame, byCompiledLoop),
        },
      },
      "espalier-history": {
        cases: casesOf(() => createGame({ isRecorded: true }), {
          without: ["read_world", "visit", "children", "memory"],
        }),
      },
    }
  : {};

/** What every game begins with; also the whole of the case `new_world`. */
function createSpace() {
  const [{ createWorld }, { createHierarchy }, { createTransforms2D }] = library;
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  return { world, tree, space };
}

function createGame({ isRecorded = false } = {}) {
  const [
    { component, f32 },
    { spawnTree },
    { Transform2D },
    inherit,
    { createHistory },
    { createSceneFormat },
  ] = library;
  const Motion = component("Motion", { x: f32(), y: f32(), spin: f32() });
  const Health = component("Health", { hp: f32(), armour: f32(), regen: f32() });
  const { world, tree, space } = createSpace();
  const visible = inherit.createInherited(tree, inherit.visibility);
  const z = inherit.createInherited(tree, inherit.zIndex);
  const events = tree.events.reader({ onMissed: () => undefined });
  const history = isRecorded ? createHistory(world) : undefined;

  const placed = world.query(Transform2D);
  const moving = world.query(Motion);
  const living = world.query(Health);
  const drifting = world.query(Transform2D, Motion);

  function spawn(parent, n) {
    if (parent === undefined) {
      return world.spawn(
        space.at(xOf(n), yOf(n)),
        Motion({ x: motionXOf(n), y: motionYOf(n), spin: spinOf(n) }),
        Health({ hp: hpOf(n), armour: armourOf(n), regen: regenOf(n) }),
      );
    }
    return tree.attachNew(
      parent,
      space.at(xOf(n), yOf(n)),
      Motion({ x: motionXOf(n), y: motionYOf(n), spin: spinOf(n) }),
      Health({ hp: hpOf(n), armour: armourOf(n), regen: regenOf(n) }),
    );
  }

  function spawnMany(count, n) {
    return world.spawnMany(
      count,
      space.at(xOf(n), yOf(n)),
      Motion({ x: motionXOf(n), y: motionYOf(n), spin: spinOf(n) }),
      Health({ hp: hpOf(n), armour: armourOf(n), regen: regenOf(n) }),
    );
  }

  const inits = (n) => [
    space.at(xOf(n), yOf(n)),
    Motion({ x: motionXOf(n), y: motionYOf(n), spin: spinOf(n) }),
    Health({ hp: hpOf(n), armour: armourOf(n), regen: regenOf(n) }),
  ];
  const literalOf = (k) => ({
    with: inits(k),
    children: prefabParents.flatMap((parent, child) => (parent === k ? [literalOf(child)] : [])),
  });
  const literal = literalOf(0);

  let prefab;
  function readPrefab() {
    const components = [Transform2D, Motion, Health];
    const format = createSceneFormat({ components });
    const entities = prefabParents.map((parent, k) => ({
      id: `part-${k}`,
      ...(parent < 0 ? {} : { parent: `part-${parent}` }),
      components: {
        Transform2D: { x: xOf(k), y: yOf(k) },
        Motion: { x: motionXOf(k), y: motionYOf(k), spin: spinOf(k) },
        Health: { hp: hpOf(k), armour: armourOf(k), regen: regenOf(k) },
      },
    }));
    return format.prefab({ entities });
  }
  function spawnPrefab() {
    prefab ??= readPrefab();
    return prefab.instantiate(tree).root;
  }

  let shift = 0;
  let turn = 0;
  function shiftAll(by, byTurn) {
    shift = by;
    turn = byTurn;
    placed.update((transform) => {
      transform.x += shift;
      transform.y -= shift;
      transform.rotation += turn;
    });
  }

  function damp() {
    moving.update((motion) => {
      motion.x *= damping;
      motion.y *= damping;
      motion.spin *= damping;
    });
  }
  function heal() {
    living.update((health, dt) => {
      health.hp = Math.min(fullHealth, health.hp + health.regen * dt);
      health.armour += (fullArmour - health.armour) * dt;
    }, seconds);
  }
  function drift() {
    drifting.update((transform, motion, dt) => {
      transform.x += motion.x * dt;
      transform.y += motion.y * dt;
      transform.rotation += motion.spin * dt;
    }, seconds);
  }

  /** Where world values are terms of queries, that is the plain way to read them out. */
  const worlds = isTerm(space.world) ? world.query(space.world) : undefined;
  const total = { sum: 0 };
  function sumByTerm() {
    total.sum = 0;
    // As an argument: a number of a closure that changes is a new object in V8 each time.
    worlds.update((place, all) => {
      all.sum += place.x + place.y;
    }, total);
    return total.sum;
  }
  function sumByCall(entities) {
    let sum = 0;
    for (const entity of entities) {
      const { x, y } = space.worldPosition(entity);
      sum += x + y;
    }
    return sum;
  }

  let sum = 0;
  let place = 0;
  const { destroyAll, indexOf } = library[0];
  const add = (entity) => {
    sum = (sum + Math.imul(indexOf(entity), ++place)) | 0;
  };

  function update() {
    space.propagate();
    visible.propagate();
    z.propagate();
  }

  return {
    ordered: true,
    world,
    tree,
    space,
    Motion,
    Health,
    moving,
    living,
    drifting,
    placed,
    spawn,
    spawnMany,
    spawnPrefab,
    spawnLiteral: () => spawnTree(tree, literal).root,
    spawnPlace: (parent, n) =>
      parent === undefined
        ? world.spawn(space.at(xOf(n), yOf(n)))
        : tree.attachNew(parent, space.at(xOf(n), yOf(n))),
    setName: (entity, name) => tree.setName(entity, name),
    destroy: (entity) => tree.destroy(entity),
    destroyAll: () => destroyAll(placed),
    move: (entity, parent) => tree.attach(entity, parent),
    setLocal: (entity, x, y, rotation) => space.setLocal(entity, { x, y, rotation }),
    shiftAll,
    damp,
    heal,
    drift,
    update,
    sumWorlds: worlds ? sumByTerm : sumByCall,
    sumChildren(entity) {
      sum = 0;
      place = 0;
      tree.forEachChild(entity, add);
      return sum;
    },
    visit(root) {
      sum = 0;
      place = 0;
      add(root);
      tree.forEachDescendant(root, add);
      return sum;
    },
    readEvents: () => events.read(),
    forget: history && (() => history.clear()),
    settle() {
      events.read();
      history?.clear();
    },
    dispose: () => world.dispose(),
    numberOf: indexOf,
    valuesOf(entity) {
      const { x, y, rotation } = space.localOf(entity);
      const motion = world.get(entity, Motion);
      const health = world.get(entity, Health);
      return [x, y, rotation, motion.x, motion.y, motion.spin, health.hp, health.armour, health.regen];
    },
    readWorld: (entity) => space.worldPosition(entity),
    parentOf: (entity) => tree.parentOf(entity) ?? undefined,
    childrenOf: (entity) => tree.childrenOf(entity),
    isAlive: (entity) => world.isAlive(entity),
    count: () => world.count,
  };
}

function isTerm(value) {
  return value !== undefined && value !== null;
}

/** The same game; loops compiled for their columns, worlds and children read from the flat order. */
function withFastLoops(game) {
  const [{ compileLoop, indexOf }, { flatOrder, subtreeRange }, { rawTransforms, worldRowsOf }] = library;
  const { tree, space, moving, living, placed } = game;

  const dampAll = compileLoop(moving, ([ids, { x, y, spin }]) => (count, factor) => {
    for (let k = 0; k < count; k++) {
      const i = ids[k];
      x[i] *= factor;
      y[i] *= factor;
      spin[i] *= factor;
    }
  });
  const healAll = compileLoop(
    living,
    ([ids, { hp, armour, regen }]) =>
      (count, time, mostHealth, mostArmour) => {
        for (let k = 0; k < count; k++) {
          const i = ids[k];
          hp[i] = Math.min(mostHealth, hp[i] + regen[i] * time);
          armour[i] += (mostArmour - armour[i]) * time;
        }
      },
  );

  const raw = rawTransforms(space);
  function drift() {
    const { locals } = raw;
    moving.each((entity, motion) => {
      const at = raw.rowOf(entity);
      locals[at] += motion.x * seconds;
      locals[at + 1] += motion.y * seconds;
      locals[at + 2] += motion.spin * seconds;
    });
    raw.touchAll();
  }
  function shiftAll(by, turn) {
    const { locals } = raw;
    placed.each((entity) => {
      const at = raw.rowOf(entity);
      locals[at] += by;
      locals[at + 1] -= by;
      locals[at + 2] += turn;
    });
    raw.touchAll();
  }

  function sumWorlds() {
    const { values, slotOf, stride } = worldRowsOf(space);
    const count = placed.sync();
    const { indices } = placed;
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const at = slotOf[indices[k]] * stride;
      sum += values[at + 4] + values[at + 5];
    }
    return sum;
  }

  function visit(root) {
    const [from, to] = subtreeRange(tree, root);
    const { nodeAt } = flatOrder(tree);
    let sum = 0;
    for (let slot = from; slot < to; slot++) sum = (sum + Math.imul(nodeAt[slot], slot - from + 1)) | 0;
    return sum;
  }

  return {
    ...game,
    spawnPrefab: game.spawnLiteral,
    setLocal: (entity, x, y, rotation) => space.setTransform(entity, x, y, rotation),
    damp: () => dampAll(damping),
    heal: () => healAll(seconds, fullHealth, fullArmour),
    drift,
    shiftAll,
    sumWorlds,
    visit,
    numberOf: indexOf,
  };
}

/** A game that keeps running frames beside another, with a change reader: company for a loop. */
export function startGame() {
  const { changesOf, component, f32 } = library[0];
  let game;
  const { frame } = casesOf(() => {
    game = createGame();
    return game;
  });
  const { frame: secondFrame } = casesOf(() => createGame());
  const { run } = frame(10_000);
  const { run: runSecond } = secondFrame(1000);
  const Watched = component("Watched", { x: f32(), y: f32() });
  const { world } = game;
  world.spawnMany(100, Watched);
  const watched = world.query(Watched);
  const changes = changesOf(world, Watched);
  function runWatched() {
    watched.update((value) => {
      value.x += 1;
    });
    changes.read();
  }
  return { world, others: [run, runSecond, runWatched] };
}

/** A new world with what a game needs; nothing in it. */
function new_world() {
  let made;
  return {
    reset() {
      made?.world.dispose();
    },
    run() {
      made = createSpace();
    },
    made: () => made,
  };
}

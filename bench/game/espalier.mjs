/**
 * The game layer: behaviours by `game.step()`, with everything else a step does, and reads through entity objects that are
 * kept in a list, as user code keeps them.
 */
const library = await Promise.all([
  import("espalier"),
  import("espalier/game"),
  import("espalier/hierarchy"),
  import("espalier/inherit"),
]).catch((error) => {
  if (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
    return undefined;
  throw error;
});

/** Shown instead of results as long as `subjects` does not name the subject. */
export const skipped = "espalier is not built (npm run build)";

let counted = 0;

function stepping(size, hooks) {
  const [, { behaviour, createGame }] = library;
  const Work = behaviour("Work", {}, hooks);
  const game = createGame({ behaviours: [Work] });
  const top = game.spawn();
  for (let k = 0; k < size; k++) game.tree.attachNew(top.id, Work);
  game.step();
  return { run: () => void game.step(), runs: () => game.tick, count: () => counted };
}

class Empty {
  update(_dt) {}
}

class Counting {
  update(_dt) {
    counted++;
  }
}

function reading(size, read, expected) {
  const [{ component, f32 }, { createGame }] = library;
  const Health = component("Health", { hp: f32(100) });
  const game = createGame({ world: { capacity: size + 1 } });
  const top = game.spawn(game.space.at(1, 0));
  const entities = Array.from({ length: size }, (_, k) => top.spawn(game.space.at(k, 0), Health({ hp: 3 })));
  game.space.propagate();
  let sum = 0;
  const run = () => {
    sum = 0;
    for (let k = 0; k < entities.length; k++) sum += read(entities[k], { top, Health });
  };
  return { run, result: () => sum, expected };
}

function switching(size) {
  const [{ createWorld, tag }, , { createHierarchy }, { Active, activityOf }] = library;
  const world = createWorld();
  const tree = createHierarchy(world);
  const Enemy = tag("Enemy");
  const top = world.spawn(Active, Enemy);
  const last = Array.from({ length: size - 1 }, () => tree.attachNew(top, Enemy)).at(-1);
  const activity = activityOf(tree);
  activity.propagate();
  let on = true;
  const run = () => {
    on = !on;
    world.set(top, Active, { on });
    activity.propagate();
  };
  return { run, isOn: () => world.query(Enemy, library[3].active).ids().includes(last) };
}

function querying(size) {
  const [{ component, createWorld, f32 }, , { createHierarchy }, { Active, active, activityOf }] = library;
  const world = createWorld();
  const tree = createHierarchy(world);
  const Health = component("Health", { hp: f32(3) });
  const off = world.spawn(Active({ on: false }));
  for (let k = 0; k < size; k++) tree.attachNew(k % 10 === 0 ? off : null, Health);
  activityOf(tree).propagate();
  const query = world.query(Health, active);
  let sum = 0;
  const run = () => {
    sum = 0;
    query.each((_entity, health) => void (sum += health.hp));
  };
  return { run, result: () => sum, expected: (count) => 2.7 * count };
}

const upTo = (count) => (count * (count - 1)) / 2;

export const subjects = library
  ? {
      espalier: {
        cases: {
          update_empty: (size) => stepping(size, Empty),
          update_count: (size) => stepping(size, Counting),
          update_hooks: (size) => stepping(size, { update: () => void counted++ }),
          read_x: (size) => reading(size, (entity) => entity.x, upTo),
          read_world: (size) =>
            reading(
              size,
              (entity) => entity.absolutePosition.x,
              (count) => upTo(count) + count,
            ),
          read_parent: (size) =>
            reading(
              size,
              (entity, { top }) => (entity.parent === top ? 1 : 0),
              (count) => count,
            ),
          read_component: (size) =>
            reading(
              size,
              (entity, { Health }) => entity.get(Health).hp,
              (count) => 3 * count,
            ),
          switch_branch: switching,
          query_active: querying,
        },
      },
    }
  : {};

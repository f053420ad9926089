/**
 * The limit: a plain loop over objects for updates, and for reads the calls of the rooms that entity objects make,
 * with handles.
 */
const [
  { component, createWorld, f32, tag },
  { createHierarchy },
  { createTransforms2D },
  { Active, activity, createInherited },
] = await Promise.all([
  import("espalier"),
  import("espalier/hierarchy"),
  import("espalier/transform"),
  import("espalier/inherit"),
]);

class Empty {
  update(_dt) {}
}

class Counting {
  count = 0;
  update(_dt) {
    this.count++;
  }
}

function update_empty(size) {
  const objects = Array.from({ length: size }, () => new Empty());
  let runs = 0;
  const run = () => {
    runs++;
    for (let k = 0; k < objects.length; k++) objects[k].update(0.1);
  };
  return { run, runs: () => runs };
}

function update_count(size) {
  const objects = Array.from({ length: size }, () => new Counting());
  const run = () => {
    for (let k = 0; k < objects.length; k++) objects[k].update(0.1);
  };
  return { run, count: () => objects.reduce((sum, { count }) => sum + count, 0) };
}

const Health = component("Health", { hp: f32(100) });

function reading(size, read, expected) {
  const world = createWorld({ capacity: size + 1 });
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const top = world.spawn(space.at(1, 0));
  const entities = Array.from({ length: size }, (_, k) =>
    tree.attachNew(top, space.at(k, 0), Health({ hp: 3 })),
  );
  space.propagate();
  let sum = 0;
  const run = () => {
    sum = 0;
    for (let k = 0; k < entities.length; k++) sum += read({ world, tree, space, top }, entities[k]);
  };
  return { run, result: () => sum, expected };
}

/** The inherited value alone: queries include inactive entities. */
function switch_branch(size) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const Enemy = tag("Enemy");
  const top = world.spawn(Active, Enemy);
  const last = Array.from({ length: size - 1 }, () => tree.attachNew(top, Enemy)).at(-1);
  const values = createInherited(tree, activity);
  values.propagate();
  let on = true;
  const run = () => {
    on = !on;
    world.set(top, Active, { on });
    values.propagate();
  };
  return { run, isOn: () => values.of(last) };
}

/** A world that holds only what the query with `active` finds. */
function query_active(size) {
  const world = createWorld();
  const Points = component("Health", { hp: f32(3) });
  world.spawnMany(size * 0.9, Points);
  const query = world.query(Points);
  let sum = 0;
  const run = () => {
    sum = 0;
    query.each((_entity, health) => void (sum += health.hp));
  };
  return { run, result: () => sum, expected: (count) => 2.7 * count };
}

const upTo = (count) => (count * (count - 1)) / 2;

export const subjects = {
  plain: {
    cases: {
      update_empty,
      update_count,
      update_hooks: update_count,
      read_x: (size) => reading(size, ({ space }, entity) => space.localOf(entity).x, upTo),
      read_world: (size) =>
        reading(
          size,
          ({ space }, entity) => space.worldPosition(entity).x,
          (count) => upTo(count) + count,
        ),
      read_parent: (size) =>
        reading(
          size,
          ({ tree, top }, entity) => (tree.parentOf(entity) === top ? 1 : 0),
          (count) => count,
        ),
      read_component: (size) =>
        reading(
          size,
          ({ world }, entity) => world.get(entity, Health).hp,
          (count) => 3 * count,
        ),
      switch_branch,
      query_active,
    },
  },
};

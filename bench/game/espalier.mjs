/**
 * The game layer: behaviours by `game.step()`, with everything else a step does, and reads through entity objects that are
 * kept in a list, as user code keeps them.
 */
const library = await Promise.all([import("espalier"), import("espalier/game")]).catch((error) => {
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
        },
      },
    }
  : {};

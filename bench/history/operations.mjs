/**
 * Every operation on its own, with and without a history. What a run creates or changes is reverted by `reset`,
 * which is not timed, and the history is emptied there.
 */
import { addAll, component, createWorld, destroyAll, f32, i32, removeAll, string, tag } from "espalier";
import { createHierarchy, sortChildren } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createTransforms2D, Transform2D, transformBatch } from "espalier/transform";

const parentCount = 50;

function build(size, isRecorded, withTree = true, withTransforms = false) {
  const Position = component("Position", { x: f32(), y: f32() });
  const Velocity = component("Velocity", { x: f32(), y: f32() });
  const Health = component("Health", { hp: i32() });
  const Label = component("Label", { text: string("label") });
  const Frozen = tag("Frozen");
  const Tagged = component("Tagged", { x: f32(), y: f32() }, { storage: "sparse" });
  const world = createWorld({ capacity: size * 4 + 1000, checks: false });
  const tree = withTree ? createHierarchy(world) : undefined;
  const space = withTransforms ? createTransforms2D(tree) : undefined;
  const parents = world.spawnMany(parentCount, Position);
  const entities = world.spawnMany(size, Position, Velocity, Health);
  const history = isRecorded ? createHistory(world) : undefined;
  let made = [];
  const all = [Position, Velocity, Health, Label, Frozen, Tagged, Transform2D];
  /** Everything about every entity. */
  function state() {
    const lines = world
      .entities()
      .map((entity) => [
        entity,
        tree?.parentOf(entity),
        tree?.nextSibling(entity),
        tree?.nameOf(entity),
        ...all.map((each) => (world.has(entity, each) ? Object.values(world.get(entity, each)) : "-")),
      ]);
    return JSON.stringify(lines);
  }
  const forget = (reset) => () => {
    reset();
    history?.clear();
  };
  const instance = (reset, run) => ({ history, state, reset: forget(reset), run });
  const spawns = (spawn) =>
    instance(
      () => {
        for (const entity of made) world.destroy(entity);
        made = [];
      },
      () => {
        for (let i = 0; i < size; i++) made[i] = spawn(i);
      },
    );
  const destroys = (spawn) =>
    instance(
      () => {
        for (let i = 0; i < size; i++) if (!made[i] || !world.isAlive(made[i])) made[i] = spawn(i);
      },
      () => {
        for (let i = 0; i < size; i++) world.destroy(made[i]);
      },
    );
  const forEach = (reset, each) =>
    instance(
      () => {
        for (let i = 0; i < size; i++) reset(entities[i], i);
      },
      () => {
        for (let i = 0; i < size; i++) each(entities[i], i);
      },
    );
  return {
    world,
    tree,
    space,
    history,
    parents,
    entities,
    Position,
    Velocity,
    Health,
    Label,
    Frozen,
    Tagged,
    instance,
    spawns,
    destroys,
    forEach,
    query: world.query(Position),
  };
}

function casesOf(isRecorded) {
  const on = (fn) => (size) => fn(build(size, isRecorded), size);
  const attached = ({ tree, entities, parents }) => {
    entities.forEach((entity, i) => {
      tree.attach(entity, parents[i % parentCount]);
    });
  };
  const withTransforms = (size) => {
    const built = build(size, isRecorded, true, true);
    for (const entity of built.entities) built.world.add(entity, Transform2D);
    return built;
  };
  let turn = 0;
  const cases = {
    spawn: on(({ world, spawns, Position }) => spawns(() => world.spawn(Position))),
    spawn_3: on(({ world, spawns, Position, Velocity, Health }) =>
      spawns((i) => world.spawn(Position({ x: i }), Velocity, Health)),
    ),
    attach_new: on(({ tree, spawns, parents, Position }) =>
      spawns((i) => tree.attachNew(parents[i % parentCount], Position)),
    ),
    destroy: (size) => {
      const { world, destroys, Position } = build(size, isRecorded, false);
      return destroys((i) => world.spawn(Position({ x: i })));
    },
    destroy_3: (size, _probe, { tree = false } = {}) => {
      const { world, destroys, Position, Velocity, Health } = build(size, isRecorded, tree);
      return destroys((i) => world.spawn(Position({ x: i }), Velocity, Health({ hp: i })));
    },
    cascade: on(({ world, tree, instance, Position }, size) => {
      let top;
      return instance(
        () => {
          if (top !== undefined && world.isAlive(top)) return;
          top = world.spawn();
          for (let i = 1; i < size; i++) tree.attachNew(top, Position);
        },
        () => world.destroy(top),
      );
    }),
    add: on(({ world, forEach, Label }) =>
      forEach(
        (e) => world.remove(e, Label),
        (e) => world.add(e, Label),
      ),
    ),
    add_tag: on(({ world, forEach, Frozen }) =>
      forEach(
        (e) => world.remove(e, Frozen),
        (e) => world.add(e, Frozen),
      ),
    ),
    remove: on(({ world, forEach, Velocity }) =>
      forEach(
        (e) => world.add(e, Velocity),
        (e) => world.remove(e, Velocity),
      ),
    ),
    remove_tag: on(({ world, forEach, Frozen }) =>
      forEach(
        (e) => world.add(e, Frozen),
        (e) => world.remove(e, Frozen),
      ),
    ),
    set: on(({ world, forEach, Position }) =>
      forEach(
        () => {},
        (e, i) => world.set(e, Position, { x: i + turn, y: ++turn % 1000 }),
      ),
    ),
    set_1: on(({ world, forEach, Health }) =>
      forEach(
        () => {},
        (e) => world.set(e, Health, { hp: ++turn % 100_000 }),
      ),
    ),
    cascade_tree: (size, _probe, { turn = 10 } = {}) => {
      const { world, tree, instance, Position, Velocity } = build(size, isRecorded);
      let top;
      return instance(
        () => {
          if (top !== undefined && world.isAlive(top)) return;
          top = world.spawn(Position);
          // Ten children each, alternating between two kinds.
          const made = [top];
          for (let i = 1; i < size; i++) {
            const parent = made[Math.floor((i - 1) / 10)];
            made.push(
              i % (2 * turn) < turn
                ? tree.attachNew(parent, Position)
                : tree.attachNew(parent, Position, Velocity),
            );
          }
        },
        () => world.destroy(top),
      );
    },
    view_write: on(({ query, instance }) =>
      instance(
        () => {},
        () =>
          query.update((position) => {
            position.x += 1;
            position.y += 2;
          }),
      ),
    ),
    // Bulk calls, in a world without trees, where they take the shortest path.
    spawn_many: (size) => {
      const { world, instance, Position, Frozen } = build(size, isRecorded, false);
      const query = world.query(Frozen);
      return instance(
        () => destroyAll(query),
        () => world.spawnMany(size, Position, Frozen),
      );
    },
    destroy_all: (size) => {
      const { world, instance, Position, Frozen } = build(size, isRecorded, false);
      const query = world.query(Frozen);
      return instance(
        () => {
          if (query.isEmpty()) world.spawnMany(size, Position, Frozen);
        },
        () => destroyAll(query),
      );
    },
    add_all: on(({ world, instance, Velocity, Frozen }) => {
      const query = world.query(Velocity);
      return instance(
        () => removeAll(query, Frozen),
        () => addAll(query, Frozen),
      );
    }),
    remove_all: on(({ world, instance, Velocity, Health }) => {
      const query = world.query(Health);
      return instance(
        () => addAll(query, Velocity),
        () => removeAll(query, Velocity),
      );
    }),
    transform_set: (size) => {
      const { entities, instance, space } = withTransforms(size);
      return instance(
        () => {
          turn++;
        },
        () => {
          for (let i = 0; i < entities.length; i++) space.setPosition(entities[i], i + turn, turn % 1000);
        },
      );
    },
    transform_batch: (size) => {
      const { entities, instance, space } = withTransforms(size);
      const batch = transformBatch(space, entities);
      const rows = new Float32Array(size * 3);
      return instance(
        () => {
          turn++;
          for (let k = 0; k < rows.length; k++) rows[k] = k % 3 === 2 ? 0.5 : k + (turn % 1000);
        },
        () => batch.write(rows),
      );
    },
    // Components that are not kept by entity index.
    view_write_sparse: on(({ world, entities, instance, Tagged }) => {
      for (const entity of entities) world.add(entity, Tagged);
      const query = world.query(Tagged);
      return instance(
        () => {},
        () =>
          query.update((tagged) => {
            tagged.x += 1;
            tagged.y += 2;
          }),
      );
    }),
    view_write_transform: (size) => {
      const { world, instance } = withTransforms(size);
      const query = world.query(Transform2D);
      return instance(
        () => {},
        () =>
          query.update((transform) => {
            transform.x += 1;
            transform.y += 2;
          }),
      );
    },
    view_write_each: on(({ query, instance }) =>
      instance(
        () => {},
        () =>
          query.each((_, position) => {
            position.x += 1;
          }),
      ),
    ),
    // Every hundredth, as a loop that looks for something does.
    view_write_few: on(({ query, instance }) =>
      instance(
        () => {},
        () => {
          let k = 0;
          query.update((position) => {
            if (++k % 100 === 0) position.x += 1;
          });
        },
      ),
    ),
    attach: on((it) => {
      attached(it);
      const { tree, parents, entities, instance } = it;
      return instance(
        () => {
          turn++;
        },
        () => {
          for (let i = 0; i < entities.length; i++)
            tree.attach(entities[i], parents[(i + turn) % parentCount]);
        },
      );
    }),
    detach: on((it) => {
      const { tree, parents, forEach } = it;
      return forEach(
        (e, i) => tree.attach(e, parents[i % parentCount]),
        (e) => tree.detach(e),
      );
    }),
    move: on((it) => {
      attached(it);
      const { tree, entities, instance } = it;
      return instance(
        () => {
          turn++;
        },
        () => {
          // Every third one, alternately to the front and to the back, so that the order changes in each run.
          const place = turn % 2 === 0 ? "first" : "last";
          for (let i = 0; i < entities.length; i += 3) tree.moveChild(entities[i], place);
        },
      );
    }),
    sort: on((it) => {
      attached(it);
      const { tree, parents, instance } = it;
      const [up, down] = [(a, b) => a - b, (a, b) => b - a];
      return instance(
        () => {
          turn++;
        },
        () => {
          for (const parent of parents) sortChildren(tree, parent, turn % 2 === 0 ? up : down);
        },
      );
    }),
    rename: on(({ tree, entities, instance }) =>
      instance(
        () => {
          turn++;
        },
        () => {
          for (let i = 0; i < entities.length; i++) tree.setName(entities[i], `name ${(i + turn) % 1000}`);
        },
      ),
    ),
  };
  if (isRecorded) cases.undo_cascade = undoCascade;
  return cases;
}

/** A destroyed tree of many entities comes back. */
function undoCascade(size) {
  const { world, tree, history, Position, parents, entities } = build(0, true);
  for (const entity of [...parents, ...entities]) world.destroy(entity);
  const top = world.spawn(Position);
  let last = [top];
  for (let made = 1; made < size; ) {
    const next = [];
    for (const parent of last) {
      for (let k = 0; k < 10 && made < size; k++, made++)
        next.push(tree.attachNew(parent, Position({ x: made })));
    }
    last = next;
  }
  history.clear();
  return {
    count: () => world.count,
    reset() {
      history.clear();
      world.destroy(top);
    },
    run: () => history.undo(),
  };
}

export const subjects = {
  recorded: { cases: casesOf(true) },
  bare: { cases: casesOf(false) },
};

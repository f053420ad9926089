/**
 * 100,000 entities with three components of two numbers each: as a snapshot, and as plain objects copied by
 * `structuredClone` and by JSON. The objects are what a program without columns would have.
 */
import { component, createWorld, destroyAll, f32, i32 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { restoreSnapshot, takeSnapshot } from "espalier/history";

function buildWorld(size) {
  const Position = component("Position", { x: f32(), y: f32() });
  const Velocity = component("Velocity", { x: f32(), y: f32() });
  const Health = component("Health", { hp: i32(), max: i32() });
  const world = createWorld({ capacity: size + 1, checks: false });
  const tree = createHierarchy(world);
  for (let i = 0; i < size; i++) {
    world.spawn(Position({ x: i, y: i / 2 }), Velocity({ x: 1, y: 2 }), Health({ hp: i, max: 100 }));
  }
  return { world, options: { trees: [tree] }, query: world.query(Position, Velocity, Health) };
}

const espalier = {
  take(size) {
    const { world, options } = buildWorld(size);
    let snapshot;
    return {
      run() {
        snapshot = takeSnapshot(world, options);
      },
      copied() {
        destroyAll(world.query());
        restoreSnapshot(world, snapshot, options);
        return world.count;
      },
    };
  },
  restore(size, _probe, { destroy }) {
    const { world, options, query } = buildWorld(size);
    const snapshot = takeSnapshot(world, options);
    return {
      reset() {
        if (destroy) destroyAll(query);
        else {
          query.update((position, velocity, health) => {
            position.x += velocity.x;
            position.y += velocity.y;
            health.hp -= 1;
          });
        }
      },
      run: () => restoreSnapshot(world, snapshot, options),
      state: () => sum(query.ids().map((entity) => world.get(entity, query.terms[0]).x)),
    };
  },
};

function buildObjects(size) {
  return Array.from({ length: size }, (_, i) => ({
    id: i + 1,
    parent: null,
    Position: { x: i, y: i / 2 },
    Velocity: { x: 1, y: 2 },
    Health: { hp: i, max: 100 },
  }));
}

/** They can only copy everything, whatever changed. */
function copying(write, read) {
  return {
    take(size) {
      const entities = buildObjects(size);
      let copy;
      return {
        run() {
          copy = write(entities);
        },
        copied: () => read(copy).length,
      };
    },
    restore(size, _probe, { destroy }) {
      let entities = buildObjects(size);
      const copy = write(entities);
      return {
        reset() {
          if (destroy) entities = [];
          else for (const { Position } of entities) Position.x += 1;
        },
        run() {
          entities = read(copy);
        },
        state: () => sum(entities.map(({ Position }) => Position.x)),
      };
    },
  };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

export const subjects = {
  espalier: { cases: espalier },
  "structured-clone": { cases: copying(structuredClone, structuredClone) },
  json: { cases: copying(JSON.stringify, JSON.parse) },
};

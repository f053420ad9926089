/**
 * The case `company`: position += velocity over 100,000 entities, alone in a bare world, and in the process of
 * a game. That game keeps running frames of this suite, has a change reader on another component, and a second
 * world beside it; Espalier's loop then runs in the game's own world, which grew automatically. Peers run
 * the loop of the ecs suite, alone and in the same process as such a game.
 */

export const subjects = {
  piecs: { cases: { company: peerCompany("../ecs/piecs.mjs", "piecs") } },
  "wolf-ecs": { cases: { company: peerCompany("../ecs/wolf-ecs.mjs", "wolf-ecs") } },
  "limit-flat": { cases: { company: peerCompany("../ecs/limit.mjs", "limit") } },
};

export function peerCompany(file, name) {
  return async (size, probe, { isAlone }) => {
    const others = isAlone ? [] : await startCompany();
    const { subjects: found } = await import(file);
    return { ...(await found[name].cases.velocity_100k(size, probe)), others };
  };
}

async function startCompany() {
  const { startGame } = await import("./espalier.mjs");
  return startGame().others;
}

/** `style(world, query)` returns the loop. */
export function ownCompany(library, startGame, style) {
  return (size, _, { isAlone }) => {
    const { component, createWorld, f32 } = library;
    const Position = component("Position", { x: f32(), y: f32() });
    const Velocity = component("Velocity", { x: f32(), y: f32() });
    const { world, others } = isAlone ? { world: createWorld({ capacity: size }), others: [] } : startGame();
    const entities = [];
    for (let i = 0; i < size; i++) entities.push(world.spawn(Position, Velocity));
    const fields = { px: [Position, "x"], py: [Position, "y"], vx: [Velocity, "x"], vy: [Velocity, "y"] };
    return {
      others,
      run: style(library, world.query(Position, Velocity)),
      get: (name, i) => world.get(entities[i], fields[name][0])[fields[name][1]],
      set: (name, i, value) => world.set(entities[i], fields[name][0], { [fields[name][1]]: value }),
    };
  };
}

export function byUpdate(_, query) {
  return () =>
    query.update((position, velocity) => {
      position.x += velocity.x;
      position.y += velocity.y;
    });
}

export function byCompiledLoop({ compileLoop }, query) {
  return compileLoop(query, ([ids, { x: px, y: py }, { x: vx, y: vy }]) => (count) => {
    for (let k = 0; k < count; k++) {
      const i = ids[k];
      px[i] += vx[i];
      py[i] += vy[i];
    }
  });
}

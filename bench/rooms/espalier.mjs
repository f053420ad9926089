/** Espalier: one step of the room, with nothing else of a game around it. */
import {
  columnOf,
  FRAMES,
  placeOf,
  rowOf,
  STEP,
  solidAfter,
  TIMES,
  tileAt,
  VALUES,
  valueAt,
} from "./shared.mjs";

const library = await Promise.all([
  import("espalier"),
  import("espalier/hierarchy"),
  import("espalier/transform"),
  import("espalier/render"),
  import("espalier/animation"),
  import("espalier/audio"),
  import("espalier/game"),
]).catch((error) => {
  if (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
    return undefined;
  throw error;
});

/** Shown instead of results as long as `subjects` does not name the subject. */
export const skipped = "espalier is not built (npm run build)";

const [ecs, { createHierarchy } = {}, transform, render, animation, audio, game] = library ?? [];

function setUp() {
  const world = ecs.createWorld();
  const tree = createHierarchy(world);
  return { world, tree, space: transform.createTransforms2D(tree) };
}

function sprites(size) {
  const { world, tree } = setUp();
  const frame = { frame: { x: 0, y: 0, w: 8, h: 8 } };
  const frames = Object.fromEntries(FRAMES.map((name) => [name, frame]));
  const hero = animation.readAtlas({ frames, animations: { run: FRAMES } }, { fps: 12 });
  const animations = animation.createSpriteAnimations(tree, { atlases: { hero } });
  const all = Array.from({ length: size }, (_, k) =>
    world.spawn(
      render.Sprite({ texture: "hero" }),
      animation.SpriteAnimation({ clip: "run", time: (k % 20) / 60 }),
    ),
  );
  const result = () => all.filter((it) => FRAMES.includes(world.get(it, render.Sprite).frame)).length;
  return { run: () => animations.step(STEP), result, expected: () => size };
}

function keyframes(size) {
  const { world, tree, space } = setUp();
  const track = (field) => ({
    path: "leaf",
    component: "Transform2D",
    field,
    times: TIMES,
    values: VALUES[field],
    easing: "quadOut",
  });
  const clips = { open: { seconds: 1, loop: true, tracks: [track("x"), track("rotation")] } };
  const players = animation.createKeyframes(tree, { clips });
  const { KeyframeAnimation } = animation;
  const doors = Array.from({ length: size }, () => world.spawn(KeyframeAnimation({ clip: "open" })));
  const leaves = doors.map((door) => {
    const leaf = tree.attachNew(door, space.at(0, 0));
    tree.setName(leaf, "leaf");
    return leaf;
  });
  return {
    run: () => players.step(STEP),
    result: () => leaves.reduce((sum, leaf) => sum + space.localOf(leaf).x, 0) / size,
    expected: () => valueAt(VALUES.x, world.get(doors[0], KeyframeAnimation).time),
  };
}

function sounds(size) {
  const { world, space } = setUp();
  let [n, calls] = [0, 0];
  const voice = { isOver: false, set: () => void calls++, stop() {} };
  const output = {
    isLocked: false,
    names: () => undefined,
    secondsOf: () => 1,
    start: () => voice,
    setBus() {},
    onUnlocked: () => () => {},
    dispose() {},
  };
  const room = audio.createSounds(space, output, { voices: size });
  const all = Array.from({ length: size }, (_, k) =>
    world.spawn(space.at(k % 100, k / 10), audio.Sound({ sound: "engine", loop: true, far: 600 })),
  );
  const run = () => {
    n++;
    for (let k = 0; k < size; k += 10) space.setPosition(all[k], (k + n) % 100, k / 10);
    room.step(STEP);
  };
  return { run, calls: () => calls };
}

function nearest(size) {
  const { world, space } = setUp();
  const near = transform.createNearby(space, world.query(transform.Transform2D), { cell: 32 });
  const all = Array.from({ length: size }, (_, k) => world.spawn(space.at(0, rowOf(k))));
  let [n, sum] = [0, 0];
  const run = () => {
    n++;
    for (let k = 0; k < size; k++) space.setPosition(all[k], placeOf(k, n), rowOf(k));
    sum = 0;
    for (let k = 0; k < size; k++) {
      const [x, y] = [rowOf(k), placeOf(k, 3)];
      const found = near.nearest(x, y);
      sum += Math.hypot(space.worldX(found) - x, space.worldY(found) - y);
    }
  };
  const expected = () => {
    let wanted = 0;
    for (let k = 0; k < size; k++) {
      let least = Infinity;
      for (let j = 0; j < size; j++)
        least = Math.min(least, Math.hypot(placeOf(j, n) - rowOf(k), rowOf(j) - placeOf(k, 3)));
      wanted += least;
    }
    return wanted;
  };
  return { run, result: () => sum, expected };
}

function set_tile(size) {
  const side = Math.sqrt(size);
  const host = game.createGame({ parts: { tiles: game.tileColliderPart() } });
  const tiles = Array.from({ length: size }, (_, k) => tileAt(k));
  const map = host.spawn(
    render.Tilemap({ columns: side, rows: side, tiles }),
    game.TileCollider({ solid: [1] }),
  );
  host.parts.tiles.update();
  let n = 0;
  const run = () => {
    n++;
    render.setTile(host.world, map.id, columnOf(n, side), columnOf(n * 7, side), n & 1);
    host.parts.tiles.update();
  };
  return {
    run,
    result: () => map.get(render.Tilemap).tiles.filter((tile) => tile === 1).length,
    expected: () => solidAfter(size, n),
  };
}

export const subjects = library
  ? { espalier: { cases: { sprites, keyframes, sounds, nearest, set_tile } } }
  : {};

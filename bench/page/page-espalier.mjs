/** The same by the rooms `canvas` and `audio`. */
import { createWorld } from "espalier";
import { createSounds, Listener, Sound } from "espalier/audio";
import { openWebAudio } from "espalier/audio/web";
import { createCanvasRenderer } from "espalier/canvas";
import { createHierarchy } from "espalier/hierarchy";
import { Camera, Sprite, Tilemap } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import {
  columns,
  createAudio,
  createCanvas,
  far,
  height,
  pixels,
  rows,
  sheet,
  tileOf,
  viewX,
  viewY,
  width,
  xOf,
  yOf,
} from "./shared.mjs";

function setUp() {
  const world = createWorld();
  const space = createTransforms2D(createHierarchy(world));
  return { world, space };
}

function stage() {
  const { world, space } = setUp();
  const canvas = createCanvas();
  const renderer = createCanvasRenderer(space, { canvas, width, height, yAxis: "down", smooth: false });
  return { world, space, canvas, renderer };
}

function sprites(size) {
  const { world, space, canvas, renderer } = stage();
  renderer.textures.add("sheet", sheet(), { first: { x: 0, y: 0, width: 16, height: 16 } });
  const all = Array.from({ length: size }, (_, k) =>
    world.spawn(space.at(xOf(k, 0), yOf(k)), Sprite({ texture: "sheet", frame: "first" })),
  );
  function run(frame) {
    for (let k = 0; k < size; k += 10) space.setPosition(all[k], xOf(k, frame), yOf(k));
    renderer.render();
  }
  return { run, result: () => pixels(canvas) };
}

function tiles(size) {
  const { world, space, canvas, renderer } = stage();
  renderer.textures.add("sheet", sheet());
  const map = Array.from({ length: size }, (_, k) => tileOf(k));
  world.spawn(space.at(0, 0), Tilemap({ texture: "sheet", columns, rows, tiles: map }));
  const camera = world.spawn(space.at(0, 0), Camera({ width, height }));
  function run(frame) {
    space.setPosition(camera, viewX(frame) + width / 2, viewY(frame) + height / 2);
    renderer.render();
  }
  return { run, result: () => pixels(canvas) };
}

function sounds(size) {
  const { world, space } = setUp();
  const { context, buffer } = createAudio();
  const output = openWebAudio({ context });
  output.addBuffer("engine", buffer);
  const gains = new Map();
  const { start } = output;
  // Read at the end: the last gain of each voice.
  const watched = Object.assign(Object.create(output), {
    start(given) {
      const voice = start(given);
      const key = gains.size;
      gains.set(key, given.gain);
      return {
        get isOver() {
          return voice.isOver;
        },
        set(gain, pan, rate) {
          gains.set(key, gain);
          voice.set(gain, pan, rate);
        },
        stop: (fade) => voice.stop(fade),
      };
    },
  });
  const room = createSounds(space, watched, { voices: size });
  world.spawn(space.at(0, 0), Listener);
  const all = Array.from({ length: size }, (_, k) =>
    world.spawn(space.at(xOf(k, 0), yOf(k)), Sound({ sound: "engine", loop: true, far })),
  );
  room.step(1 / 60);
  function run(frame) {
    for (let k = 0; k < size; k += 10) space.setPosition(all[k], xOf(k, frame), yOf(k));
    room.step(1 / 60);
  }
  return { run, result: () => [...gains.values()] };
}

export const espalier = { sprites, tiles, sounds };

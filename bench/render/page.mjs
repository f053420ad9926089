/** Both subjects in one page, a frame of one and a frame of the other in turn. */
import { createAnimatedEspalier, createAnimatedPixi } from "./page-animated.mjs";
import { createEspalier } from "./page-espalier.mjs";
import { createBarePixi } from "./page-pixi.mjs";
import { readPixels } from "./page-shared.mjs";

let subjects;
let frame = 0;

window.setUp = async ({ size, moving, turning, scattered, animated }) => {
  // One after the other in the order of drawing, or evenly among all.
  const step = scattered ? size / moving : 1;
  const given = { size, turning, moving: Array.from({ length: moving }, (_, k) => Math.floor(k * step)) };
  subjects = [
    { name: "espalier", ...(await (animated ? createAnimatedEspalier : createEspalier)(given)) },
    { name: "pixi", ...(await (animated ? createAnimatedPixi : createBarePixi)(given)) },
  ];
};

/**
 * Milliseconds per frame of each subject, the mean without the tenth at either end. Who begins changes with every frame. After each
 * frame the graphics process finishes what it got, untimed: otherwise one subject would wait for the uploads of the other. Draw
 * calls are made but not executed, because where Chromium draws by software a frame would wait 28 ms for them.
 */
window.measure = ({ frames, isUploading }) => {
  const times = { espalier: new Float64Array(frames), pixi: new Float64Array(frames) };
  const skipped = isUploading ? ["drawElements"] : ["drawElements", "bufferSubData"];
  for (const { pixi } of subjects) for (const call of skipped) pixi.gl[call] = () => {};
  window.gc();
  for (let n = 0; n < frames; n++) {
    frame++;
    for (let k = 0; k < 2; k++) {
      const { name, pixi, runFrame } = subjects[(n + k) % 2];
      const start = performance.now();
      runFrame(frame);
      times[name][n] = performance.now() - start;
      pixi.gl.finish();
    }
  }
  for (const { pixi } of subjects) for (const call of skipped) delete pixi.gl[call];
  return { espalier: trimmedMean(times.espalier), pixi: trimmedMean(times.pixi) };
};

/** What one frame of each asks of the graphics card. */
window.count = () => {
  frame++;
  return Object.fromEntries(
    subjects.map(({ name, pixi: { gl }, runFrame }) => {
      const counts = { draws: 0, uploads: 0, bytes: 0 };
      const { drawElements, bufferSubData } = gl;
      gl.drawElements = (...given) => {
        counts.draws++;
        drawElements.apply(gl, given);
      };
      gl.bufferSubData = (...given) => {
        counts.uploads++;
        counts.bytes += given[4] * given[2].BYTES_PER_ELEMENT;
        bufferSubData.apply(gl, given);
      };
      runFrame(frame);
      delete gl.drawElements;
      delete gl.bufferSubData;
      return [name, counts];
    }),
  );
};

/** Draws for real, and gives what is wrong with it. */
window.check = () => {
  frame++;
  for (const { runFrame } of subjects) runFrame(frame);
  const [ours, bare] = subjects.map(({ places, pixi }) => ({ places: places(), pixels: readPixels(pixi) }));
  const isOff = (x, k) => Math.abs(x - bare.places[k]) > 1e-4;
  if (ours.places.length !== bare.places.length || ours.places.some(isOff)) return "sprites stand elsewhere";
  if (bare.pixels.filter((value) => value > 0).length < 4000) return "nothing is drawn";
  const differing = bare.pixels.filter((value, k) => Math.abs(value - ours.pixels[k]) > 8).length;
  // Sprites that turn: the last bit of an angle may move an edge by a pixel.
  return differing <= bare.pixels.length / 1000 ? "" : `the pictures differ in ${differing} values`;
};

function trimmedMean(times) {
  times.sort();
  const cut = Math.floor(times.length / 10);
  const kept = times.subarray(cut, times.length - cut);
  return kept.reduce((sum, time) => sum + time, 0) / kept.length;
}

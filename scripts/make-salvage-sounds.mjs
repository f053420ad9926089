/**
 * Computes the sounds of the example `salvage`: `node scripts/make-salvage-sounds.mjs`. The same bytes each time, and our own work.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.mjs";
import { waveRate, writeWave } from "./write-wave.mjs";

const folder = join(root, "examples/salvage/sounds");
mkdirSync(folder, { recursive: true });

/** Noise that is the same each time. */
let seed = 1;
function noise() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 31 - 1;
}

/** @param {string} name @param {number} seconds @param {(time: number, part: number) => number} sample - Receives the seconds, and the part that has passed, from 0 to 1. */
function write(name, seconds, sample) {
  const count = Math.round(seconds * waveRate);
  writeWave(
    join(folder, `${name}.wav`),
    Array.from({ length: count }, (_, k) => sample(k / waveRate, k / count)),
  );
}

const tone = (/** @type {number} */ frequency, /** @type {number} */ time) =>
  Math.sin(2 * Math.PI * frequency * time);

// Two notes of a bell: something sticks to the ship.
write("collect", 0.25, (time, part) => 0.5 * (1 - part) ** 2 * tone(part < 0.3 ? 660 : 880, time));

// A crack: noise that becomes lower and dies away.
let smooth = 0;
write("break", 0.4, (_, part) => {
  smooth += (noise() - smooth) * (0.6 - 0.5 * part);
  return 0.8 * (1 - part) ** 2 * smooth;
});

// The end: a tone that falls, with a rumble below it.
write("over", 1.2, (time, part) => {
  smooth += (noise() - smooth) * 0.1;
  return (1 - part) * (0.4 * tone(220 - 120 * time, time) + 0.9 * smooth);
});

// The engine: a loop without a seam, because its end is mixed into its beginning.
const length = Math.round(0.6 * waveRate);
const overlap = Math.round(0.1 * waveRate);
const rumble = Array.from({ length: length + overlap }, () => {
  smooth += (noise() - smooth) * 0.12;
  return 1.2 * smooth;
});
writeWave(
  join(folder, "engine.wav"),
  Array.from({ length }, (_, k) => {
    const part = Math.min(1, k / overlap);
    return part * (rumble[k] ?? 0) + (1 - part) * (rumble[length + k] ?? 0);
  }),
);

/** Sounds as files: WAV, one channel of 8 bits, small enough for a repository. */
import { writeFileSync } from "node:fs";

/** Samples per second. */
export const waveRate = 11_025;

/** Writes a sound, whose samples are from -1 to 1. @param {string} path @param {readonly number[]} samples */
export function writeWave(path, samples) {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(waveRate, 24);
  head.writeUInt32LE(waveRate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.length, 40);
  const bytes = samples.map((sample) => Math.round(128 + 127 * Math.max(-1, Math.min(1, sample))));
  writeFileSync(path, Buffer.concat([head, Buffer.from(bytes)]));
}

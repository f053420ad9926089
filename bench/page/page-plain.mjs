/** By hand: loops over objects. */
import {
  columns,
  createAudio,
  createCanvas,
  far,
  gainAt,
  height,
  pixels,
  sheet,
  tileOf,
  viewX,
  viewY,
  width,
  xOf,
  yOf,
} from "./shared.mjs";

function sprites(size) {
  const canvas = createCanvas();
  const context = canvas.getContext("2d");
  const image = sheet();
  const all = Array.from({ length: size }, (_, k) => ({ x: xOf(k, 0), y: yOf(k) }));
  function run(frame) {
    for (let k = 0; k < size; k += 10) all[k].x = xOf(k, frame);
    context.clearRect(0, 0, width, height);
    for (const { x, y } of all) context.drawImage(image, 0, 0, 16, 16, x - 8, y - 8, 16, 16);
  }
  return { run, result: () => pixels(canvas) };
}

function tiles(size) {
  const canvas = createCanvas();
  const context = canvas.getContext("2d");
  const image = sheet();
  const map = Array.from({ length: size }, (_, k) => tileOf(k));
  function run(frame) {
    const [left, top] = [viewX(frame), viewY(frame)];
    context.clearRect(0, 0, width, height);
    for (let row = Math.floor(top / 16); row * 16 < top + height; row++) {
      for (let column = Math.floor(left / 16); column * 16 < left + width; column++) {
        const tile = map[row * columns + column];
        const [x, y] = [(tile % 8) * 16, Math.floor(tile / 8) * 16];
        context.drawImage(image, x, y, 16, 16, column * 16 - left, row * 16 - top, 16, 16);
      }
    }
  }
  return { run, result: () => pixels(canvas) };
}

function sounds(size) {
  const { context, buffer } = createAudio();
  const all = Array.from({ length: size }, (_, k) => {
    const source = new AudioBufferSourceNode(context, { buffer, loop: true });
    const gain = context.createGain();
    const panner = context.createStereoPanner();
    source.connect(gain).connect(panner).connect(context.destination);
    source.start();
    return { gain: gain.gain, pan: panner.pan, x: xOf(k, 0), y: yOf(k), last: Number.NaN };
  });
  const place = (it) => {
    it.last = gainAt(it.x, it.y);
    it.gain.setTargetAtTime(it.last, context.currentTime, 0.015);
    it.pan.setTargetAtTime(it.x / far, context.currentTime, 0.015);
  };
  for (const it of all) place(it);
  function run(frame) {
    for (let k = 0; k < size; k += 10) all[k].x = xOf(k, frame);
    for (const it of all) if (gainAt(it.x, it.y) !== it.last) place(it);
  }
  return { run, result: () => all.map(({ last }) => last) };
}

export const plain = { sprites, tiles, sounds };

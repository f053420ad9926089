/** What both subjects draw and play. */
export const width = 320;
export const height = 240;
export const columns = 100;
export const rows = 60;

/** Where a sprite or sound is in a frame: a tenth of them moves. */
export const xOf = (k, frame) => 8 + ((k * 37 + (k % 10 === 0 ? frame : 0)) % (width - 16));
export const yOf = (k) => 8 + ((k * 91) % (height - 16));
export const tileOf = (k) => (k * 7) % 16;
/** Where the upper left corner of the view is on the map. */
export const viewX = (frame) => (frame * 3) % (columns * 16 - width);
export const viewY = (frame) => (frame * 2) % (rows * 16 - height);

/** Sixteen squares of 16 pixels in two rows, each of another colour. */
export function sheet() {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [128, 32];
  const context = canvas.getContext("2d");
  for (let k = 0; k < 16; k++) {
    context.fillStyle = `rgb(${40 + k * 12}, ${200 - k * 9}, ${(k * 53) % 255})`;
    context.fillRect((k % 8) * 16, Math.floor(k / 8) * 16, 16, 16);
  }
  return canvas;
}

export function createCanvas() {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  document.body.append(canvas);
  return canvas;
}

export const pixels = (canvas) => [...canvas.getContext("2d").getImageData(0, 0, width, height).data];

/** A context that runs: in one that stands still, writes to a gain queue up, and each takes longer than the one before. */
export function createAudio() {
  const context = new AudioContext();
  const buffer = context.createBuffer(1, 4800, context.sampleRate);
  buffer.getChannelData(0).fill(0.001);
  return { context, buffer };
}
export const far = 600;
/** How loud a sound is at that distance from the corner. */
export const gainAt = (x, y) => Math.max(0, 1 - Math.hypot(x, y) / far);

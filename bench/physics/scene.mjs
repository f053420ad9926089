/**
 * The scene of all subjects: a pyramid of boxes on the ground, each with four children that are only drawn. No body sleeps,
 * so that every step moves every body.
 */
export const dt = 1 / 60;
export const substeps = 4;
export const children = [
  { x: -0.25, y: -0.25 },
  { x: 0.25, y: -0.25 },
  { x: 0.25, y: 0.25 },
  { x: -0.25, y: 0.25 },
];

/** Where the steered bodies are at first: a wide grid, without gravity, so that almost nothing touches. */
export function grid(count) {
  const side = Math.ceil(Math.sqrt(count));
  return Array.from({ length: count }, (_, k) => ({ x: (k % side) * 4, y: Math.floor(k / side) * 4 }));
}

/** The velocity of body `k` in frame `frame`: a different one in every frame, so that nothing can be skipped. */
export function steer(k, frame) {
  const angle = k + frame * 0.1;
  return { x: Math.cos(angle), y: Math.sin(angle) };
}

/** Where the boxes are at first: rows of a pyramid, from the ground up, a last row as long as the rest. */
export function places(count) {
  const rows = [];
  for (let row = 1, left = count; left > 0; row++) {
    rows.push(Math.min(row, left));
    left -= row;
  }
  rows.sort((a, b) => b - a);
  return rows.flatMap((length, row) =>
    Array.from({ length }, (_, k) => ({ x: (k - (length - 1) / 2) * 1.05, y: row * 1.01 + 0.5 })),
  );
}

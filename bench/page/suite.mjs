/**
 * What browsers do themselves, and what the rooms add to it: pictures by `drawImage` and sounds by Web Audio. Both subjects are in one page and take turns, frame by
 * frame.
 */
export const subjects = {
  espalier: { role: "own" },
  // The same by hand: a loop over objects that calls the browser.
  plain: { role: "limit" },
};

const frame = (builder, size, frames = 120) => ({
  together: "together.mjs",
  size,
  unitCount: 1,
  unit: "frame",
  parameters: { builder, frames },
});

export const cases = {
  /** A thousand sprites on a canvas, of which a hundred move. Everything is drawn anew in each frame, by both. */
  sprites: frame("sprites", 1000),
  /** A map of 100 by 60 tiles, below a camera that moves. */
  tiles: frame("tiles", 6000),
  /** Two hundred loops that sound, of which twenty move. With more, the thread that computes them is what is measured; `rooms` has a thousand. */
  sounds: frame("sounds", 200, 60),
};

/**
 * The render suite: 10,000 sprites in a real browser, some of which move in every frame, beside bare Pixi that moves the
 * same sprites. Both are in one page and take turns frame by frame.
 */
export const subjects = {
  espalier: { role: "own" },
  // The tree as people build it with Pixi alone: the sprites directly on the stage.
  pixi: { role: "limit" },
};

const sprites = (parameters, quick) => ({
  together: "together.mjs",
  size: 10_000,
  unitCount: 1,
  unit: "frame",
  parameters,
  ...(quick === undefined ? {} : { quick }),
});

export const cases = {
  "sprites/1pct": sprites({ moving: 0.01 }),
  "sprites/1pct_scattered": sprites({ moving: 0.01, scattered: true }),
  "sprites/1pct_script": sprites({ moving: 0.01, isUploading: false }),
  "sprites/1pct_turning": sprites({ moving: 0.01, turning: true }, false),
  "sprites/10pct": sprites({ moving: 0.1 }, false),
  "sprites/idle": sprites({ moving: 0 }, false),
  "frames/250": { ...sprites({ moving: 0.25, animated: true }), size: 1000 },
};

import { createWorld } from "espalier";
import {
  type CanvasRendererOptions,
  createCanvasRenderer,
  createCanvasTextures,
  createRecordingContext,
} from "espalier/canvas";
import { createHierarchy } from "espalier/hierarchy";
import {
  Camera,
  circle,
  createParticles,
  linearGradient,
  NineSlice,
  ParticleEmitter,
  polygon,
  type RenderProblem,
  rect,
  Sprite,
  setTile,
  TextBlock,
  Tilemap,
} from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { describe, expect, it } from "vitest";

/** Something with a size, as an image has: the recording context draws nothing. */
const image = (width: number, height: number) => ({ width, height }) as unknown as ImageBitmap;

function setUp(options: Partial<CanvasRendererOptions> = {}) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const context = createRecordingContext();
  const textures = createCanvasTextures();
  const sheet = image(64, 32);
  textures.add("sheet", sheet, { gun: { x: 16, y: 0, width: 16, height: 8 } });
  const problems: RenderProblem[] = [];
  const renderer = createCanvasRenderer(space, {
    context,
    textures,
    width: 100,
    height: 50,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  /** The calls of one frame with these names. */
  const frame = (...names: string[]) => {
    context.calls.length = 0;
    renderer.render();
    return context.calls.filter(([name]) => names.includes(name));
  };
  return { world, tree, space, context, textures, sheet, renderer, problems, frame };
}

describe("the canvas renderer", () => {
  it("draws shapes at their position, y upwards", () => {
    const { world, space, frame } = setUp();
    world.spawn(space.at(10, 20), rect(4, 2, { fill: 0xff8800 }));
    expect(frame("setTransform", "rect", "fillStyle", "fill").slice(1)).toEqual([
      ["setTransform", 1, 0, 0, -1, 10, 30],
      ["rect", -2, -1, 4, 2],
      ["fillStyle", "#ff8800"],
      ["fill"],
    ]);
    expect(frame("fill")).toEqual([]); // nothing changed, nothing is drawn
  });

  it("strokes, fills with gradients, and multiplies alpha", () => {
    const { world, space, frame } = setUp();
    world.spawn(
      space.at(0, 0),
      circle(5, {
        gradient: linearGradient(0xff0000, 0x0000ff),
        strokeWidth: 2,
        stroke: 0x00ff00,
        alpha: 0.5,
      }),
    );
    expect(
      frame("globalAlpha", "createLinearGradient", "addColorStop", "lineWidth", "stroke", "strokeStyle"),
    ).toEqual([
      ["globalAlpha", 0.5],
      ["createLinearGradient", -5, 5, -5, -5],
      ["addColorStop", 0, "#ff0000"],
      ["addColorStop", 1, "#0000ff"],
      ["strokeStyle", "#00ff00"],
      ["lineWidth", 2],
      ["stroke"],
    ]);
  });

  it("draws frames of textures about their anchor", () => {
    const { world, space, sheet, frame } = setUp();
    world.spawn(space.at(50, 25), Sprite({ texture: "sheet", frame: "gun", anchorX: 0 }));
    expect(frame("drawImage")).toEqual([["drawImage", sheet, 16, 0, 16, 8, 0, -4, 16, 8]]);
  });
  it("draws trimmed frames where they were cut out, and rotated ones upright", () => {
    const { world, space, textures, sheet, frame, renderer } = setUp();
    textures.add("packed", sheet, {
      trimmed: { x: 4, y: 2, width: 6, height: 4, trim: { x: 1, y: 3, width: 10, height: 10 } },
      rotated: { x: 20, y: 2, width: 6, height: 4, rotated: true },
    });
    const sprite = world.spawn(space.at(50, 25), Sprite({ texture: "packed", frame: "trimmed" }));
    expect(frame("drawImage")).toEqual([["drawImage", sheet, 4, 2, 6, 4, -4, -2, 6, 4]]);
    expect(renderer.boundsOf(sprite)).toMatchObject({ minX: 45, maxX: 55, minY: 20, maxY: 30 });
    world.set(sprite, Sprite, { frame: "rotated" });
    expect(frame("transform", "drawImage")).toEqual([
      ["transform", 0, -1, 1, 0, -3, 2],
      ["drawImage", sheet, 20, 2, 4, 6, 0, 0, 4, 6],
    ]);
    expect(renderer.boundsOf(sprite)).toMatchObject({ minX: 47, maxX: 53, minY: 23, maxY: 27 });
  });

  it("keeps the corners of nine slices", () => {
    const { world, space, sheet, frame } = setUp();
    world.spawn(
      space.at(0, 0),
      NineSlice({
        texture: "sheet",
        left: 8,
        top: 8,
        right: 8,
        bottom: 8,
        width: 100,
        height: 40,
        anchorX: 0,
        anchorY: 0,
      }),
    );
    const calls = frame("drawImage");
    expect(calls).toHaveLength(9);
    expect(calls[0]).toEqual(["drawImage", sheet, 0, 0, 8, 8, 0, 0, 8, 8]);
    expect(calls[4]).toEqual(["drawImage", sheet, 8, 8, 48, 16, 8, 8, 84, 24]);
  });

  it("draws only the chunks of a tilemap that are seen", () => {
    const { world, space, frame } = setUp({ yAxis: "down" });
    const tiles = Array.from({ length: 64 * 64 }, () => 0);
    const map = world.spawn(
      space.at(0, 0),
      Tilemap({ texture: "sheet", columns: 64, rows: 64, tiles, chunk: 8 }),
    );
    // 100 by 50 pixels of chunks of 128: the one at the top left.
    expect(frame("drawImage")).toHaveLength(64);
    setTile(world, map, 0, 0, -1);
    expect(frame("drawImage")).toHaveLength(63);
  });

  it("cuts no chunks of a tilemap that are not seen or hold no tiles", () => {
    const { world, space, frame } = setUp({ yAxis: "down" });
    const size = { texture: "sheet", columns: 65_535, rows: 65_535 };
    const tiles = [...new Array<number>(65_535).fill(-1), 0];
    const map = world.spawn(space.at(0, 0), Tilemap({ ...size, tiles }));
    expect(frame("drawImage")).toEqual([expect.arrayContaining([0, 16, 16, 16])]);
    // All of it on the canvas: the tiles there are stand in one row of chunks.
    space.setScale(map, 1e-5);
    expect(frame("drawImage")).toHaveLength(1);
    // Elsewhere in the map, where only the first tiles of a row are given.
    space.setScale(map, 1);
    space.setPosition(map, -65_534 * 16, 0);
    expect(frame("drawImage")).toHaveLength(0);
    setTile(world, map, 65_534, 1, 0);
    expect(frame("drawImage")).toHaveLength(1);
    world.set(map, Tilemap, { anchorX: 1 });
    space.setPosition(map, 16, 0);
    expect(frame("drawImage")).toHaveLength(1);
  });

  it("writes text, line by line, with a fallback for fonts that are not named", () => {
    const { world, space, frame } = setUp();
    world.spawn(
      space.at(0, 0),
      TextBlock({ text: "hello\nyou", size: 10, lineHeight: 1.5, anchorX: 0, anchorY: 0 }),
    );
    expect(frame("font", "fillText")).toEqual([
      ["fillText", "hello", 0, 7.5],
      ["fillText", "you", 0, 22.5],
    ]);
    world.spawn(space.at(0, 0), TextBlock({ text: "x", size: 20, font: "Arial", bold: true }));
    expect(frame("font").at(-1)).toEqual(["font", 'bold 20px "Arial", sans-serif']);
  });

  it("draws particles", () => {
    const world = createWorld();
    const space = createTransforms2D(createHierarchy(world));
    const particles = createParticles(space);
    const context = createRecordingContext();
    const renderer = createCanvasRenderer(space, { context, particles, width: 100, height: 100 });
    world.spawn(space.at(50, 50), ParticleEmitter({ rate: 10, size: 2, speed: 1 }));
    particles.step(0.5);
    renderer.render();
    expect(context.calls.filter(([name]) => name === "fillRect")).toHaveLength(5);
    particles.step(0.01);
    context.calls.length = 0;
    renderer.render();
    expect(context.calls.filter(([name]) => name === "fillRect")).toHaveLength(5);
  });

  it("clips to the area between the bars and fills it with the camera's background", () => {
    const { world, space, frame } = setUp();
    world.spawn(space.at(0, 0), Camera({ width: 10, height: 10, background: 0x112233, backgroundAlpha: 1 }));
    expect(frame("rect", "clip", "fillRect", "fillStyle")).toEqual([
      ["rect", 25, 0, 50, 50],
      ["clip"],
      ["fillStyle", "#112233"],
      ["fillRect", 25, 0, 50, 50],
    ]);
  });

  it("draws thumbnails of a subtree as large as fits", () => {
    const { world, tree, space, renderer } = setUp();
    const tank = world.spawn(space.at(500, 500), rect(10, 10));
    tree.attachNew(tank, space.at(10, 0), rect(10, 10));
    world.spawn(space.at(500, 500), circle(3));
    const context = createRecordingContext();
    renderer.drawThumbnail(tank, { context, width: 40, height: 40 });
    const calls = context.calls.filter(([name]) => name === "setTransform" || name === "rect");
    expect(calls).toEqual([
      ["setTransform", 1, 0, 0, 1, 0, 0],
      ["setTransform", 2, 0, 0, -2, 10, 20],
      ["rect", -5, -5, 10, 10],
      ["setTransform", 2, 0, 0, -2, 30, 20],
      ["rect", -5, -5, 10, 10],
    ]);
  });
});

describe("bad input on a canvas", () => {
  it("marks a missing texture, reports it once, and draws it when it comes", () => {
    const { world, tree, space, textures, problems, frame } = setUp();
    const tank = world.spawn(space.at(0, 0), Sprite({ texture: "late" }));
    tree.setName(tank, "tank");
    expect(frame("fillRect", "drawImage")).toEqual([
      ["fillRect", -16, -16, 32, 32],
      ["fillRect", -16, -16, 16, 16],
      ["fillRect", 0, 0, 16, 16],
    ]);
    space.setPosition(tank, 1, 1);
    frame();
    expect(problems.map(({ message }) => message)).toEqual([
      '/tank: the texture "late" is missing. Add it with textures.add() or textures.load().',
    ]);
    const late = image(8, 8);
    textures.add("late", late);
    expect(frame("fillRect", "drawImage")).toEqual([["drawImage", late, 0, 0, 8, 8, -4, -4, 8, 8]]);
    textures.remove("late");
    expect(frame("fillRect")).toHaveLength(3);
    expect(problems).toHaveLength(2);
  });

  it("marks an unknown frame", () => {
    const { world, space, problems, frame } = setUp();
    world.spawn(space.at(0, 0), Sprite({ texture: "sheet", frame: "gnu" }));
    expect(frame("fillRect")).toHaveLength(3);
    expect(problems[0]?.message).toContain('the texture "sheet" has no frame "gnu" (frames: gun).');
  });

  it("continues when one drawing throws", () => {
    const { world, space, context, problems, frame } = setUp();
    world.spawn(space.at(0, 0), Sprite({ texture: "sheet" }));
    world.spawn(space.at(0, 0), circle(1));
    context.drawImage = () => {
      throw new Error("the image is broken");
    };
    expect(frame("arc")).toHaveLength(1);
    expect(problems).toMatchObject([{ code: "failed-draw" }]);
  });

  it("draws nothing for scales of zero, empty polygons, empty texts and sizes of zero", () => {
    const { world, space, problems, frame } = setUp();
    const flat = world.spawn(space.at(0, 0), Sprite({ texture: "sheet" }));
    space.setScale(flat, 0, 0);
    world.spawn(space.at(0, 0), polygon([]));
    world.spawn(space.at(0, 0), TextBlock);
    world.spawn(space.at(0, 0), TextBlock({ text: "x", size: 0 }));
    world.spawn(space.at(0, 0), Tilemap({ texture: "sheet", tileWidth: 0, columns: 3, rows: 3, chunk: 0 }));
    expect(frame("drawImage", "fillText")).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("refuses to have nothing to draw on", () => {
    const { space } = setUp();
    expect(() => createCanvasRenderer(space, {})).toThrow("it has nothing to draw on");
    const canvas = { getContext: () => null } as unknown as HTMLCanvasElement;
    expect(() => createCanvasRenderer(space, { canvas })).toThrow("a context of another kind");
  });

  it("draws in the fallback where a font has a name that no style sheet can hold", () => {
    const { world, space, frame } = setUp();
    for (const [k, font] of ["Mono", "in\nput", 'a"b\\', '"'].entries())
      world.spawn(space.at(k, 0), TextBlock({ text: "a", font, size: 10 + k }));
    expect(frame("font").slice(-4)).toEqual([
      ["font", '10px "Mono", sans-serif'],
      ["font", '11px "input", sans-serif'],
      ["font", '12px "ab", sans-serif'],
      ["font", "13px sans-serif"],
    ]);
  });
});

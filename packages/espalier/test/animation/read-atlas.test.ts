import { InvalidAtlasError, InvalidClipError, readAtlas } from "espalier/animation";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const box = (x: number, y: number, w = 16, h = 16) => ({ x, y, w, h });

/** As Aseprite exports it, as an object and as an array. */
const asepriteFrames = [0, 1, 2, 3].map((k) => ({
  filename: `hero ${k}.aseprite`,
  frame: box(k * 16, 0),
  rotated: false,
  trimmed: false,
  spriteSourceSize: box(0, 0),
  sourceSize: { w: 16, h: 16 },
  duration: k === 3 ? 200 : 100,
}));
const asepriteMeta = {
  app: "https://www.aseprite.org/",
  version: "1.3.7",
  image: "hero.png",
  format: "RGBA8888",
  size: { w: 64, h: 16 },
  scale: "1",
  frameTags: [
    { name: "run", from: 0, to: 2, direction: "forward", color: "#000000ff" },
    { name: "jump", from: 2, to: 3, direction: "reverse", repeat: "1" },
    { name: "idle", from: 0, to: 3, direction: "pingpong" },
    { name: "fall", from: 0, to: 1, direction: "pingpong_reverse", repeat: "3" },
  ],
};
const hash = Object.fromEntries(asepriteFrames.map(({ filename, ...rest }) => [filename, rest]));

describe("readAtlas", () => {
  it("reads frames, tags, directions, repeats and durations of Aseprite, from objects, arrays and text alike", () => {
    const fromHash = readAtlas({ frames: hash, meta: asepriteMeta });
    expect(fromHash.image).toBe("hero.png");
    expect(fromHash.frames["hero 1.aseprite"]).toEqual({ x: 16, y: 0, width: 16, height: 16 });
    expect(fromHash.clips).toEqual({
      run: {
        frames: ["hero 0.aseprite", "hero 1.aseprite", "hero 2.aseprite"],
        seconds: [0.1, 0.1, 0.1],
        direction: "forward",
        repeat: 0,
        events: {},
      },
      jump: {
        frames: ["hero 2.aseprite", "hero 3.aseprite"],
        seconds: [0.1, 0.2],
        direction: "reverse",
        repeat: 1,
        events: {},
      },
      idle: {
        frames: asepriteFrames.map(({ filename }) => filename),
        seconds: [0.1, 0.1, 0.1, 0.2],
        direction: "pingpong",
        repeat: 0,
        events: {},
      },
      fall: {
        frames: ["hero 0.aseprite", "hero 1.aseprite"],
        seconds: [0.1, 0.1],
        direction: "pingpong_reverse",
        repeat: 3,
        events: {},
      },
    });
    expect(readAtlas({ frames: asepriteFrames, meta: asepriteMeta })).toEqual(fromHash);
    expect(readAtlas(JSON.stringify({ frames: hash, meta: asepriteMeta }))).toEqual(fromHash);
  });

  it("reads trim, rotation and pivots of TexturePacker", () => {
    const atlas = readAtlas({
      frames: {
        "walk_1.png": {
          frame: box(2, 2, 20, 30),
          rotated: true,
          trimmed: true,
          spriteSourceSize: box(6, 1, 20, 30),
          sourceSize: { w: 32, h: 32 },
          pivot: { x: 0.5, y: 1 },
        },
      },
      meta: {
        app: "https://www.codeandweb.com/texturepacker",
        image: "walk.png",
        size: { w: 64, h: 32 },
        scale: "1",
      },
    });
    expect(atlas.frames["walk_1.png"]).toEqual({
      x: 2,
      y: 2,
      width: 20,
      height: 30,
      rotated: true,
      trim: { x: 6, y: 1, width: 32, height: 32 },
      anchor: { x: 0.5, y: 1 },
    });
    expect(atlas.clips).toEqual({});
  });

  it("reads animations by name and anchors of Pixi, and takes further clips and events", () => {
    const frame = { frame: box(0, 0), anchor: { x: 0, y: 1 } };
    const atlas = readAtlas(
      { frames: { a: frame, b: { frame: box(16, 0) } }, animations: { blink: ["a", "b", "a"] } },
      {
        fps: 20,
        clips: { shut: ["b"], slow: { frames: ["a", "b"], fps: 2, repeat: 1, direction: "reverse" } },
        events: { blink: { 1: "closed" } },
      },
    );
    expect(atlas.frames.a?.anchor).toEqual({ x: 0, y: 1 });
    expect(atlas.clips.blink).toEqual({
      frames: ["a", "b", "a"],
      seconds: [0.05, 0.05, 0.05],
      direction: "forward",
      repeat: 0,
      events: { 1: "closed" },
    });
    expect(atlas.clips.shut?.frames).toEqual(["b"]);
    expect(atlas.clips.slow).toMatchObject({ seconds: [0.5, 0.5], repeat: 1, direction: "reverse" });
  });

  it("keeps frames whose names objects have already", () => {
    const atlas = readAtlas('{ "frames": { "__proto__": { "frame": { "x": 0, "y": 0, "w": 1, "h": 1 } } } }');
    expect(Object.keys(atlas.frames)).toEqual(["__proto__"]);
  });

  const sheet = (changes: object) => ({ frames: hash, meta: asepriteMeta, ...changes });
  const withTag = (tag: object) => sheet({ meta: { frameTags: [{ name: "run", from: 0, to: 1, ...tag }] } });
  const withFrame = (changes: object) => ({ frames: { a: { frame: box(0, 0), ...changes } } });

  it.each<[string, unknown, string]>([
    ["text that is not JSON", "{", "it is not JSON"],
    ["null", null, "it is null, not an object"],
    ["a sheet without frames", {}, "frames is undefined, not an object"],
    ["an empty sheet", { frames: {} }, "it has no frames"],
    ["several textures", { textures: [{ frames: [] }] }, "it has several textures"],
    ["another scale", sheet({ meta: { scale: "0.5" } }), 'its scale is "0.5"'],
    ["a frame without a rectangle", { frames: { a: {} } }, "frame a is undefined, not an object"],
    [
      "a width that is a text",
      withFrame({ frame: { ...box(0, 0), w: "16" } }),
      'w of frame a is "16", not a number',
    ],
    ["a negative position", withFrame({ frame: box(-1, 0) }), "frame a has a negative position or size"],
    ["a rotation in degrees", withFrame({ rotated: 90 }), "rotated of frame a is 90, not true or false"],
    ["a trim without a size", withFrame({ trimmed: true }), "spriteSourceSize of frame a is undefined"],
    [
      "a trim larger than the whole",
      withFrame({ trimmed: true, spriteSourceSize: box(8, 0), sourceSize: { w: 16, h: 16 } }),
      "16 by 16 at 8, 0 is not inside it",
    ],
    [
      "a frame outside of the texture",
      { ...withFrame({}), meta: { size: { w: 8, h: 8 } } },
      "not inside the texture",
    ],
    ["a duration of 0", withFrame({ duration: 0 }), "the duration of frame a is 0"],
    ["two frames of one name", { frames: [asepriteFrames[0], asepriteFrames[0]] }, "two frames named"],
    ["a frame without a name", { frames: [{ frame: box(0, 0) }] }, "frame 0 has no filename"],
    ["a tag beyond the frames", withTag({ to: 9 }), "the tag run goes from 0 to 9, and there are 4 frames"],
    ["a tag that goes backwards", withTag({ from: 2 }), "the tag run goes from 2 to 1"],
    ["an unknown direction", withTag({ direction: "forwards" }), 'Did you mean "forward"?'],
    ["a negative repeat", withTag({ repeat: "-1" }), "repeats"],
    [
      "two tags of one name",
      sheet({ meta: { frameTags: [asepriteMeta.frameTags[0], asepriteMeta.frameTags[0]] } }),
      'two tags named "run"',
    ],
    ["an animation of unknown frames", sheet({ animations: { a: ["hero 9.aseprite"] } }), "Did you mean"],
  ])("refuses %s", (_what, json, message) => {
    expect(() => readAtlas(json)).toThrow(InvalidAtlasError);
    expect(() => readAtlas(json)).toThrow(message);
  });

  it("refuses clips and events in the options that do not fit the sheet", () => {
    expect(() => readAtlas(sheet({}), { clips: { a: [] } })).toThrow(InvalidClipError);
    expect(() => readAtlas(sheet({}), { clips: { a: ["hero 9.aseprite"] } })).toThrow("Did you mean");
    expect(() => readAtlas(sheet({}), { events: { rnu: { 0: "step" } } })).toThrow('Did you mean "run"?');
    expect(() => readAtlas(sheet({}), { events: { run: { 3: "step" } } })).toThrow(InvalidClipError);
    expect(() => readAtlas(sheet({}), { fps: 0 })).toThrow("fps is 0");
    expect(() => readAtlas(sheet({}), { fps: Number.NaN })).toThrow(InvalidClipError);
  });

  it("reads any input, or refuses it with a typed error", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (frames, meta, animations) => {
        for (const json of [
          frames,
          { frames, meta, animations },
          { frames: { a: { frame: meta } }, meta: animations },
        ]) {
          try {
            readAtlas(json);
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidAtlasError);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

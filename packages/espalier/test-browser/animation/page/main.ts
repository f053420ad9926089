/**
 * The same sprites from a sheet with plain frames and from one that a packer made: trimmed, rotated, both. What is drawn must be the same
 * picture. The sheet is painted here as packers define it: a rotated frame is turned clockwise by a quarter.
 */
import { createWorld } from "espalier";
import { createSpriteAnimations, readAtlas, SpriteAnimation } from "espalier/animation";
import { createCanvasRenderer, createCanvasTextures } from "espalier/canvas";
import { createHierarchy } from "espalier/hierarchy";
import { createPixiRenderer } from "espalier/pixi";
import { Camera, NineSlice, Sprite } from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { autoDetectRenderer, type Renderer, Texture } from "pixi.js";

export type Harness = typeof harness;

const size = { width: 320, height: 240 };
const [W, H] = [24, 16];
/** What is left of the picture when its transparent edges are cut off. */
const rest = { x: 4, y: 2, w: 16, h: 12 };

function canvasOf(width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return [canvas, canvas.getContext("2d")!];
}

/** A picture that no turn and no flip leaves as it is, with transparent edges. */
function paintPicture(): HTMLCanvasElement {
  const [canvas, context] = canvasOf(W, H);
  for (let y = 0; y < rest.h; y++) {
    for (let x = 0; x < rest.w; x++) {
      context.fillStyle = `rgb(${x * 16}, ${y * 20}, ${(x * y) % 7 < 3 ? 255 : 0})`;
      context.fillRect(rest.x + x, rest.y + y, 1, 1);
    }
  }
  return canvas;
}

const packings = ["plain", "trimmed", "rotated", "both"] as const;

/** All four ways in one sheet, as TexturePacker writes them, and as Aseprite does: as an array. */
function pack() {
  const picture = paintPicture();
  const [sheet, context] = canvasOf(256, 64);
  const frames: Record<string, object> = {};
  for (const [k, name] of packings.entries()) {
    const trimmed = name === "trimmed" || name === "both";
    const rotated = name === "rotated" || name === "both";
    const cut = trimmed ? rest : { x: 0, y: 0, w: W, h: H };
    const at = { x: 3 + k * 50, y: 5 };
    context.save();
    context.translate(at.x, at.y);
    if (rotated) {
      context.translate(cut.h, 0);
      context.rotate(Math.PI / 2);
    }
    context.drawImage(picture, cut.x, cut.y, cut.w, cut.h, 0, 0, cut.w, cut.h);
    context.restore();
    frames[name] = {
      frame: { ...at, w: cut.w, h: cut.h },
      rotated,
      trimmed,
      spriteSourceSize: cut,
      sourceSize: { w: W, h: H },
      duration: 100,
    };
  }
  const meta = {
    size: { w: 256, h: 64 },
    frameTags: [{ name: "all", from: 0, to: 3, direction: "forward" }],
  };
  const hash = readAtlas({ frames, meta });
  const list = Object.entries(frames).map(([filename, frame]) => ({ filename, ...frame }));
  const array = readAtlas(JSON.stringify({ frames: list, meta }));
  return { sheet, hash, array };
}

const packed = pack();
let pixi: Renderer | undefined;

/** Sprites in many positions, all of one frame; nine slices only where asked. */
function createScene(frame: string, slices: boolean) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  world.spawn(space.at(0, 0), Camera({ background: 0x203040, backgroundAlpha: 1 }));
  const sprite = (more = {}) => Sprite({ texture: "sheet", frame, ...more });
  world.spawn(space.at(-100, 80), sprite());
  world.spawn(space.at(-60, 80), sprite({ flipX: true }));
  world.spawn(space.at(-20, 80), sprite({ flipY: true, anchorX: 0, anchorY: 1 }));
  world.spawn(space.at(40, 80), sprite({ anchorX: 1, anchorY: 0, tint: 0xff8080, alpha: 0.5 }));
  world.spawn(space.at(100, 80), sprite({ scaleX: 2, scaleY: 3 }));
  const parent = world.spawn(space.at(-80, 0, Math.PI / 2));
  tree.attachNew(parent, space.at(0, 20), sprite());
  tree.attachNew(parent, space.at(0, -30), sprite({ flipX: true, anchorX: 0.25 }));
  if (slices) {
    const borders = { left: 6, right: 6, top: 4, bottom: 4 };
    world.spawn(space.at(60, -40), NineSlice({ texture: "sheet", frame, width: 96, height: 64, ...borders }));
  }
  return { world, tree, space };
}

const harness = {
  packings,
  isSameAtlas: () => JSON.stringify(packed.hash) === JSON.stringify(packed.array),
  canvas(frame: string, slices: boolean) {
    const { space } = createScene(frame, slices);
    const [canvas] = canvasOf(size.width, size.height);
    document.body.replaceChildren(canvas);
    const textures = createCanvasTextures();
    textures.add("sheet", packed.sheet, packed.hash.frames);
    createCanvasRenderer(space, { ...size, canvas, textures, smooth: false }).render();
  },
  async pixi(frame: string) {
    const { space } = createScene(frame, false);
    pixi ??= await autoDetectRenderer({
      ...size,
      preference: "webgl",
      antialias: false,
      preserveDrawingBuffer: true,
    });
    document.body.replaceChildren(pixi.canvas as HTMLCanvasElement);
    const renderer = createPixiRenderer(space, { ...size, renderer: pixi, load: false });
    const texture = Texture.from(packed.sheet);
    texture.source.scaleMode = "nearest";
    renderer.textures.add("sheet", texture, packed.hash.frames);
    renderer.render();
    renderer.dispose();
  },
  /** The frames that a sprite shows while its clip plays, drawn by Pixi in each step. */
  async playPixi() {
    const { world, tree, space } = createScene("plain", false);
    pixi ??= await autoDetectRenderer({
      ...size,
      preference: "webgl",
      antialias: false,
      preserveDrawingBuffer: true,
    });
    document.body.replaceChildren(pixi.canvas as HTMLCanvasElement);
    const renderer = createPixiRenderer(space, { ...size, renderer: pixi, load: false });
    renderer.textures.add("sheet", Texture.from(packed.sheet), packed.hash.frames);
    const animations = createSpriteAnimations(tree, { atlases: { sheet: packed.hash } });
    const hero = world.spawn(space.at(0, 0), Sprite({ texture: "sheet" }), SpriteAnimation({ clip: "all" }));
    const shown: string[] = [];
    for (let k = 0; k < 5; k++) {
      animations.step(0.1);
      renderer.render();
      shown.push(world.get(hero, Sprite)!.frame);
    }
    // Another sheet under the same name, then none.
    renderer.textures.add("sheet", Texture.from(packed.sheet), packed.array.frames);
    renderer.render();
    renderer.textures.remove("sheet");
    renderer.dispose();
    return { shown };
  },
};
Object.assign(window, { harness });

/** Worlds edited at random: what a renderer shows after any edits is what a new one shows. */
import { createWorld, type Entity } from "espalier";
import { type CanvasRenderer, createCanvasRenderer, createCanvasTextures } from "espalier/canvas";
import { createHierarchy } from "espalier/hierarchy";
import { HIDDEN, INHERIT, VISIBLE, Visibility, ZIndex } from "espalier/inherit";
import { createPixiRenderer, openPixiRenderer, type PixiRenderer } from "espalier/pixi";
import {
  Alpha,
  Camera,
  createParticles,
  ParticleEmitter,
  type RenderProblem,
  Sprite,
  Tint,
} from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import type { Container, WebGLRenderer } from "pixi.js";
import { createRandom, type Random } from "../../../test/random.ts";
import { pick, randomDrawing, redress } from "../../../test/render/random-drawings.ts";
import { paintImages, size } from "./scene.ts";

function createStage(random: Random, isExtreme: boolean) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const particles = createParticles(space);
  const camera = world.spawn(space.at(0, 0), Camera({ background: 0x203040, backgroundAlpha: 1 }));
  const some = () => {
    const all = world.entities().filter((entity) => entity !== camera);
    return all.length === 0 ? spawn(null) : pick(random, all);
  };
  const coordinate = () => Math.round(random() * 240 - 120);
  function spawn(parent: Entity | null): Entity {
    return tree.attachNew(parent, space.at(coordinate(), coordinate()), randomDrawing(random, isExtreme));
  }
  const edits = [
    () => void spawn(null),
    () => void spawn(some()),
    () => void spawn(some()),
    () => redress(world, some(), random, isExtreme),
    () => redress(world, some(), random, isExtreme),
    () => space.setPosition(some(), coordinate(), coordinate()),
    () => space.setPosition(some(), coordinate(), coordinate()),
    () => space.setRotation(some(), random() * 6),
    () => space.setScale(some(), pick(random, isExtreme ? [0, 1e-20, -1, 1e20] : [0, 0.5, -1, 2]), 1),
    () => space.setLocal(some(), { skew: random() }),
    () => void tree.destroy(some()),
    () => {
      const [child, parent] = [some(), some()];
      if (tree.canAttach(child, parent)) tree.attach(child, parent);
    },
    () => void tree.attach(some(), null, { at: 0 }),
    () => void world.add(some(), Visibility({ mode: pick(random, [HIDDEN, VISIBLE, INHERIT]) })),
    () => void world.add(some(), ZIndex({ z: Math.floor(random() * 4) })),
    () => void world.add(some(), Tint({ color: Math.floor(random() * 0xffffff) })),
    () => void world.add(some(), Alpha({ value: random() })),
    () => particles.step(random() / 4),
    () => {
      const emitters = world.query(ParticleEmitter).ids();
      if (emitters.length > 0) particles.burst(pick(random, emitters), 3);
    },
    () => space.setPosition(camera, coordinate(), coordinate()),
    () => world.set(camera, Camera, { zoom: pick(random, [0.5, 1, 2]) }),
  ];
  return { world, space, particles, edit: () => pick(random, edits)() };
}

function pixelsOf(renderer: PixiRenderer): Uint8Array {
  const { gl } = renderer.pixi as WebGLRenderer;
  const data = new Uint8Array(size.width * size.height * 4);
  gl.readPixels(0, 0, size.width, size.height, gl.RGBA, gl.UNSIGNED_BYTE, data);
  return data;
}

function countDifferent(a: Uint8Array | Uint8ClampedArray, b: Uint8Array | Uint8ClampedArray): number {
  let count = 0;
  for (let k = 0; k < a.length; k++) if (Math.abs(a[k]! - b[k]!) > 3) count++;
  return count;
}

/** What is on the stage, back to front. */
function describeStage({ stage }: PixiRenderer): string[] {
  const world = stage.getChildByLabel("world", true) as Container;
  const nodes = world.children.filter(({ visible }) => visible);
  nodes.sort((a, b) => a.zIndex - b.zIndex);
  return nodes.map((node) => {
    const { a, b, c, d, tx, ty } = node.localTransform;
    const matrix = [a, b, c, d, tx, ty].map((value) => value.toFixed(2).replace("-0.00", "0.00"));
    return `${node.constructor.name} ${matrix} ${node.tint.toString(16)} ${node.alpha.toFixed(3)}`;
  });
}

const pixiOptions = { preserveDrawingBuffer: true, antialias: false };
const quiet = { ...size, load: false, onProblem() {} };

/** Edits a world with a Pixi renderer on it; now and then a new renderer on the same world must show the same. */
export async function compareWithNew(seed: number, edits: number) {
  const random = createRandom(seed);
  const { space, particles, edit } = createStage(random, false);
  const cull = seed % 2 === 0;
  const renderer = await openPixiRenderer(space, { ...quiet, cull, particles, pixi: pixiOptions });
  const found: string[] = [];
  let lit = 0;
  for (let k = 1; k <= edits; k++) {
    edit();
    if (random() < 0.5) renderer.render();
    if (k % 40 !== 0) continue;
    renderer.invalidate();
    renderer.render();
    const kept = pixelsOf(renderer);
    const fresh = createPixiRenderer(space, { ...quiet, cull, particles, renderer: renderer.pixi });
    fresh.render();
    const anew = pixelsOf(fresh);
    const different = countDifferent(kept, anew);
    if (different > 0) found.push(`seed ${seed}, edit ${k}: ${different} values of pixels differ`);
    const [ours, theirs] = [describeStage(renderer), describeStage(fresh)];
    if (!cull && ours.join("\n") !== theirs.join("\n"))
      found.push(`seed ${seed}, edit ${k}:\n${ours.join("\n")}\nand not\n${theirs.join("\n")}`);
    lit += anew.filter((value, at) => at % 4 === 0 && value !== 0x20).length;
    fresh.dispose();
  }
  renderer.dispose();
  return { found, lit };
}

/** Draws what nobody should write. Gives what was thrown, and what is not a number. */
export async function drawExtremes(kind: "canvas" | "pixi", seed: number, edits: number) {
  const random = createRandom(seed);
  const { world, space, particles, edit } = createStage(random, true);
  const problems: RenderProblem[] = [];
  const options = { ...size, particles, onProblem: (problem: RenderProblem) => problems.push(problem) };
  const renderer =
    kind === "pixi"
      ? await openPixiRenderer(space, { ...options, load: false, pixi: pixiOptions })
      : openCanvas(space, options);
  const wrong: string[] = [];
  // Where Chromium draws by software, shapes of a million corners take minutes. Everything but that happens.
  const gl = "stage" in renderer ? (renderer.pixi as WebGLRenderer).gl : undefined;
  if (gl !== undefined) gl.drawElements = () => {};
  for (let k = 0; k < edits; k++) {
    edit();
    try {
      renderer.render();
    } catch (error) {
      wrong.push(`seed ${seed}, edit ${k}: ${error instanceof Error ? error.stack : error}`);
      break;
    }
  }
  const code = gl?.getError() ?? 0;
  if (code !== 0) wrong.push(`seed ${seed}: WebGL error ${code}`);
  for (const entity of world.entities()) {
    const { minX, minY, maxX, maxY } = renderer.boundsOf(entity, { subtree: true });
    if ([minX, minY, maxX, maxY].some(Number.isNaN))
      wrong.push(`seed ${seed}: the bounds of ${entity} are NaN`);
  }
  renderer.dispose();
  return { wrong, reported: problems.length };
}

function openCanvas(space: Parameters<typeof createCanvasRenderer>[0], options: object): CanvasRenderer {
  const textures = createCanvasTextures();
  for (const [name, image] of Object.entries(paintImages())) textures.add(name, image);
  return createCanvasRenderer(space, { ...options, canvas: document.createElement("canvas"), textures });
}

/** Makes and disposes of so many renderers on one Pixi renderer. Gives what Pixi and the page hold before and after. */
export async function comeAndGo(count: number) {
  const { space } = createStage(createRandom(1), false);
  const keeper = await openPixiRenderer(space, { ...quiet, pixi: pixiOptions });
  keeper.render();
  const renderer = keeper.pixi as WebGLRenderer;
  const counted = () => {
    const { _batchersByInstructionSet: batchers } = renderer.renderPipes.batch as unknown as Record<
      string,
      object
    >;
    const { _managedBuffers: buffers } = renderer.buffer as unknown as { _managedBuffers: { items: object } };
    return {
      batchers: Object.keys(batchers!).length,
      buffers: Object.values(buffers.items).filter((buffer) => buffer !== null).length,
    };
  };
  const once = (isDrawn: boolean) => {
    const other = createPixiRenderer(space, { ...quiet, renderer });
    if (isDrawn) other.render();
    else other.update();
    other.dispose();
  };
  for (const isDrawn of [true, false]) once(isDrawn);
  const before = counted();
  for (let k = 0; k < count; k++) once(k % 4 === 0);
  keeper.invalidate();
  keeper.render();
  const after = counted();
  keeper.dispose();
  return { before, after };
}

/** How many bytes of corners a frame uploads when so many of 1,000 sprites moved, beside each other or not. */
export async function countUploads() {
  const { world, space } = createStage(createRandom(1), false);
  const sprites = Array.from({ length: 1000 }, (_, k) =>
    world.spawn(space.at((k % 40) * 4 - 80, Math.floor(k / 40) * 4 - 50), Sprite({ texture: "flag" })),
  );
  const renderer = await openPixiRenderer(space, { ...quiet, pixi: pixiOptions });
  renderer.render();
  const { gl } = renderer.pixi as WebGLRenderer;
  let bytes = 0;
  gl.bufferSubData = (...given: unknown[]) => {
    if (given[0] === gl.ARRAY_BUFFER) bytes += (given[4] as number) * 4;
    (WebGL2RenderingContext.prototype.bufferSubData as (...args: unknown[]) => void).apply(gl, given);
  };
  const moved = (which: readonly number[]) => {
    bytes = 0;
    for (const k of which) space.setPosition(sprites[k]!, 10, 10);
    renderer.render();
    return bytes;
  };
  const result = {
    three: moved([500, 501, 502]),
    apart: moved([0, 999]),
    all: moved(sprites.map((_, k) => k)),
  };
  renderer.dispose();
  return result;
}

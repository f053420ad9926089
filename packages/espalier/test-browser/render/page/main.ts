/** What the tests call in the page: `window.harness`. */
import { destroyAll } from "espalier";
import { createCanvasRenderer, createCanvasTextures } from "espalier/canvas";
import { ZIndex } from "espalier/inherit";
import { openPixiRenderer, type PixiRenderer } from "espalier/pixi";
import {
  Camera,
  circle,
  type RenderProblem,
  rect,
  Shape,
  Sprite,
  setTile,
  shapeKinds,
  TextBlock,
  Tilemap,
  Tint,
} from "espalier/render";
import { Cache, type Container, Graphics, Spritesheet, Texture, type WebGLRenderer } from "pixi.js";
import { openOnScreen } from "./on-screen.ts";
import { comeAndGo, compareWithNew, countUploads, drawExtremes } from "./random.ts";
import { createScene, paintImages, size } from "./scene.ts";

export type Harness = typeof harness;

const images = paintImages();
for (const [name, image] of Object.entries(images)) Cache.set(name, Texture.from(image));

let opened: { scene: ReturnType<typeof createScene>; renderer: PixiRenderer } | undefined;
const problems: RenderProblem[] = [];

async function openPixi(yAxis: "up" | "down" = "up"): Promise<void> {
  opened?.renderer.dispose();
  document.body.replaceChildren();
  problems.length = 0;
  const scene = createScene();
  const renderer = await openPixiRenderer(scene.space, {
    ...size,
    particles: scene.particles,
    load: false,
    yAxis,
    onProblem: (problem) => problems.push(problem),
    // So that a page screenshot shows what was drawn.
    pixi: { preserveDrawingBuffer: true, antialias: false },
  });
  document.body.append(renderer.view!);
  renderer.render();
  opened = { scene, renderer };
}

const gpuOf = ({ pixi }: PixiRenderer): WebGLRenderer => pixi as WebGLRenderer;

function countBelow(top: Container): number {
  return top.children.reduce((sum, child) => sum + 1 + countBelow(child), 0);
}

const harness = {
  openPixi,
  openOnScreen,
  comeAndGo,
  compareWithNew,
  countUploads,
  drawExtremes,
  openCanvas(yAxis: "up" | "down" = "up") {
    document.body.replaceChildren();
    problems.length = 0;
    const scene = createScene();
    const canvas = document.createElement("canvas");
    document.body.append(canvas);
    const textures = createCanvasTextures();
    for (const [name, image] of Object.entries(images)) textures.add(name, image);
    const renderer = createCanvasRenderer(scene.space, {
      ...size,
      canvas,
      textures,
      particles: scene.particles,
      yAxis,
      onProblem: (problem) => problems.push(problem),
    });
    renderer.render();
  },
  problems: () => problems.map(({ code, message }) => ({ code, message })),
  /** What is kept on the stage and on the GPU. */
  resources() {
    const { renderer } = opened!;
    const gpu = gpuOf(renderer);
    return {
      drawings: renderer.count,
      containers: countBelow(renderer.stage),
      textures: gpu.texture.managedTextures.filter((source) => source !== null).length,
    };
  },
  /** Creates, draws and destroys so many sprites, shapes and texts. */
  churn(sprites: number, others: number) {
    const { scene, renderer } = opened!;
    const { world, space } = scene;
    const made = [];
    for (let k = 0; k < sprites; k++)
      made.push(world.spawn(space.at((k % 300) - 150, (k % 200) - 100), Sprite({ texture: "flag" })));
    for (let k = 0; k < others; k++) {
      made.push(world.spawn(space.at(k % 100, 0), circle(5 + (k % 5))));
      made.push(world.spawn(space.at(k % 100, 0), TextBlock({ text: `text ${k}` })));
    }
    renderer.render();
    const drawn = harness.resources();
    for (const entity of made) world.destroy(entity);
    renderer.render();
    return drawn;
  },
  unloadUnused: () => opened!.renderer.textures.unloadUnused(),
  loseContext() {
    const gpu = gpuOf(opened!.renderer);
    const canvas = gpu.canvas as HTMLCanvasElement;
    const state = { lost: false, restored: false };
    canvas.addEventListener("webglcontextlost", () => (state.lost = true));
    canvas.addEventListener("webglcontextrestored", () => (state.restored = true));
    Object.assign(window, { contextState: state });
    gpu.context.extensions.loseContext!.loseContext();
  },
  restoreContext() {
    gpuOf(opened!.renderer).context.extensions.loseContext!.restoreContext();
  },
  render: () => opened!.renderer.render(),
  /** A world of its own in which textures are loaded by their name. */
  async openLoading(textures: { texture: string; frame?: string }[]) {
    opened?.renderer.dispose();
    document.body.replaceChildren();
    problems.length = 0;
    const sheet = new Spritesheet(Cache.get<Texture>("tiles"), {
      frames: {
        yellow: { frame: { x: 0, y: 0, w: 16, h: 16 } },
        pink: { frame: { x: 16, y: 0, w: 16, h: 16 } },
      },
      meta: { scale: 1 },
    });
    await sheet.parse();
    Cache.set("sheet", sheet);
    const scene = createScene();
    for (const entity of scene.world.entities()) scene.world.destroy(entity);
    const renderer = await openPixiRenderer(scene.space, {
      ...size,
      onProblem: (problem) => problems.push(problem),
      pixi: { preserveDrawingBuffer: true },
    });
    document.body.append(renderer.view!);
    const sprites = textures.map((values, k) =>
      scene.world.spawn(
        scene.space.at(40 + k * 60, 120),
        Sprite({ frame: "", ...values, scaleX: 2, scaleY: 2 }),
      ),
    );
    renderer.render();
    opened = { scene, renderer };
    return sprites.length;
  },
  /** Textures of the program's own: one that is there, one that comes later, one that is not there. */
  async openOwnTextures() {
    opened?.renderer.dispose();
    document.body.replaceChildren();
    problems.length = 0;
    const scene = createScene();
    for (const entity of scene.world.entities()) scene.world.destroy(entity);
    const own = new Map<string, Texture | "loading">([
      ["mine", Cache.get<Texture>("tiles")],
      ["later", "loading"],
    ]);
    const renderer = await openPixiRenderer(scene.space, {
      ...size,
      onProblem: (problem) => problems.push(problem),
      pixi: { preserveDrawingBuffer: true },
      findTexture: (name, frame) => (frame === "" ? own.get(name) : undefined),
    });
    document.body.append(renderer.view!);
    for (const [k, texture] of ["mine", "later", "nothing", "mine"].entries())
      scene.world.spawn(
        scene.space.at(40 + k * 80, 120),
        Sprite({ texture, frame: k === 3 ? "part" : "", scaleX: 2, scaleY: 2 }),
      );
    renderer.render();
    opened = { scene, renderer };
    return {
      sizes: ["mine", "later"].map((name) => renderer.textures.measure(name, "")?.width),
      arrive() {
        own.set("later", Cache.get<Texture>("tiles"));
        renderer.refresh("later");
        renderer.render();
        return renderer.textures.measure("later", "")?.width;
      },
    };
  },
  destroySprites() {
    const { scene, renderer } = opened!;
    destroyAll(scene.world.query(Sprite));
    renderer.render();
  },
  /** Letterbox: bars left and right of a square world. */
  openBars() {
    const { scene, renderer } = opened!;
    scene.world.set(scene.world.query(Camera).single(), Camera, { width: 200, height: 200 });
    scene.world.spawn(scene.space.at(0, 0), rect(4000, 10, { fill: 0xffffff }), ZIndex({ z: 9 }));
    renderer.render();
  },
  /** Two halves and a map in a corner: three cameras, each on a ball of its own colour. */
  async openViewports(kind: "canvas" | "pixi") {
    opened?.renderer.dispose();
    opened = undefined;
    document.body.replaceChildren();
    const scene = createScene();
    const { world, space } = scene;
    for (const entity of world.entities()) world.destroy(entity);
    const cameras = [0xff0000, 0x00ff00, 0x0000ff].map((fill, k) => {
      world.spawn(space.at(k * 1000, 0), circle(40, { fill }));
      return world.spawn(
        space.at(k * 1000, 0),
        Camera({ background: 0x404040 * (k + 1), backgroundAlpha: 1 }),
      );
    });
    const viewports = [
      { camera: cameras[0]!, width: 0.5 },
      { camera: cameras[1]!, x: 0.5, width: 0.5 },
      { camera: cameras[2]!, x: 0.75, width: 0.25, height: 0.25 },
    ];
    if (kind === "canvas") {
      const canvas = document.createElement("canvas");
      document.body.append(canvas);
      createCanvasRenderer(space, { ...size, canvas, viewports }).render();
      return;
    }
    const renderer = await openPixiRenderer(space, {
      ...size,
      viewports,
      pixi: { preserveDrawingBuffer: true, antialias: false },
    });
    document.body.append(renderer.view!);
    renderer.render();
    // A second frame, in which one of them has moved.
    space.setPosition(cameras[0]!, 20, 0);
    renderer.render();
    space.setPosition(cameras[0]!, 0, 0);
    renderer.render();
    opened = { scene, renderer };
  },
  setTile(column: number, row: number, tile: number) {
    const { world, map } = opened!.scene;
    setTile(world, map, column, row, tile);
    opened!.renderer.render();
    return world.get(map, Tilemap)!.tiles.length;
  },
  /** Makes the map as large as maps can be; its first tile stays where it is. */
  growMap() {
    const { world, map } = opened!.scene;
    const most = 65_535;
    world.set(map, Tilemap, { columns: most, rows: most, anchorX: 1.5 / most, anchorY: 1.5 / most });
    opened!.renderer.render();
  },
  /** Changes the red rectangle by a tint, or by writing into its points and saying so. */
  paintRectangle(how: "tint" | "points") {
    const { world } = opened!.scene;
    const square = world
      .query(Shape)
      .ids()
      .find((e) => world.get(e, Shape)!.fill === 0xff0000)!;
    if (how === "tint") world.add(square, Tint({ color: 0x800000 }));
    else {
      const points = [-12, -12, 12, -12, 12, 12, -12, 12];
      world.set(square, Shape, { kind: shapeKinds.polygon, points });
      opened!.renderer.render();
      points.splice(0, 8, 0, 0, 1, 0, 1, 1);
      world.touch(square, Shape);
    }
    opened!.renderer.render();
  },
  moveFlag(x: number, y: number) {
    opened!.scene.space.setPosition(opened!.scene.flag, x, y);
    opened!.renderer.render();
  },
  /** Attaches a Pixi object to the flag; gives how many objects were there before and after the flag's end. */
  attachGraphics() {
    const { scene, renderer } = opened!;
    const graphics = new Graphics().rect(-4, -4, 8, 8).fill(0xffffff);
    renderer.attachContainer(scene.flag, graphics);
    renderer.render();
    return renderer.hitTest(-120, 40) === scene.flag;
  },
  destroyFlag() {
    opened!.scene.world.destroy(opened!.scene.flag);
    opened!.renderer.render();
  },
};

Object.assign(window, { harness });

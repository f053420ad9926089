/** A world that is drawn: on a canvas, and by a renderer that only remembers. */
import { createWorld } from "espalier";
import { createCanvasRenderer, createCanvasTextures, createRecordingContext } from "espalier/canvas";
import { createHierarchy } from "espalier/hierarchy";
import {
  Camera,
  circle,
  createInterpolation,
  createParticles,
  createRecordingRenderer,
  emptyBounds,
  linearGradient,
  NineSlice,
  ParticleEmitter,
  rect,
  Shape,
  Sprite,
  TextBlock,
  Tilemap,
} from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { otherHandles } from "./other-handles.ts";
import type { Stage } from "./runner.ts";

export function drawingStage(): Stage {
  const reported: unknown[] = [];
  const world = createWorld({ onError: (error) => void reported.push(error) });
  const tree = createHierarchy(world, { onWarn: () => {} });
  const space = createTransforms2D(tree);
  const interpolation = createInterpolation(space);
  const particles = createParticles(space);
  const camera = world.spawn(space.at(0, 0), Camera);
  const entity = world.spawn(space.at(1, 2), rect(10, 10), TextBlock({ text: "a" }));
  const fountain = world.spawn(space.at(5, 6), ParticleEmitter({ rate: 10 }));
  tree.attachNew(entity, space.at(3, 4), Sprite({ texture: "ship" }));
  tree.attachNew(entity, space.at(3, 4), NineSlice({ texture: "ship", width: 9, height: 9 }));
  tree.attachNew(
    entity,
    space.at(0, 0),
    Tilemap({ texture: "ship", columns: 2, rows: 1, tiles: [0, -1], tileWidth: 4, tileHeight: 4 }),
  );
  const context = createRecordingContext();
  const textures = createCanvasTextures();
  const image = { width: 16, height: 16 } as unknown as ImageBitmap;
  textures.add("ship", image);
  const options = { width: 100, height: 50, onProblem: () => {} };
  const canvas = createCanvasRenderer(space, { ...options, context, textures });
  const recording = createRecordingRenderer(space, { ...options, interpolation, particles });
  recording.render();
  const [node] = recording.drawn();
  const view = recording.cameraView();
  const shape = { ...world.get(entity, Shape) };
  const tilemap = { columns: 2, rows: 2, chunk: 2, tiles: [0, 1, 2, 3], tileWidth: 4, tileHeight: 4 };
  const size = { width: 100, height: 50 };
  return {
    world,
    ...otherHandles(world),
    reported,
    objects: [
      ["interpolation", "Interpolation", interpolation],
      ["particles", "Particles", particles],
      ["recording", "RecordingRenderer", recording],
      ["canvas", "CanvasRenderer", canvas],
      ["textures", "CanvasTextures", textures],
    ],
    right: {
      World: world,
      Hierarchy: tree,
      Transforms2D: space,
      Entity: entity,
      "Entity | null": camera,
      number: 1,
      string: "ship",
      text: "#ffffff",
      name: "ship",
      value: 0xffffff,
      json: "#ffffff",
      Bounds: { minX: 0, minY: 0, maxX: 10, maxY: 10 },
      out: emptyBounds(),
      Size: size,
      screen: size,
      CameraView: view,
      CameraSettings: { zoom: 1 },
      CameraPose: { x: 0, y: 0, rotation: 0 },
      Rectangle: { x: 0, y: 0, width: 10, height: 10 },
      Affine2D: { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 },
      Map: tilemap,
      TileChunk: { index: 0, column: 0, row: 0, columns: 2, rows: 2 },
      Drawing: { kind: "shape", entity, value: shape, tint: 0xffffff, alpha: 1, pool: null },
      Measures: { measureTexture: () => size, measureText: () => size },
      "ValueOf<ShapeSchema>": shape,
      "ValueOf<NineSliceSchema>": { left: 1, top: 1, right: 1, bottom: 1, width: 9, height: 9 },
      "ValueOf<SpriteSchema>": {
        anchorX: 0.5,
        anchorY: 0.5,
        scaleX: 1,
        scaleY: 1,
        flipX: false,
        flipY: false,
      },
      "ValueOf<TilemapSchema>": tilemap,
      points: [0, 0, 1, 1, 2, 0],
      Gradient: linearGradient(0, 1),
      Node: node,
      node,
      image,
      frames: {},
      target: { context: createRecordingContext(), ...size },
      "(host: RenderHost) => RenderBackend<Node>": () => recording.backend,
      CanvasRendererOptions: { context: createRecordingContext() },
      x: 1,
      y: 1,
    },
    poke() {
      if (world.isDisposed) return;
      world.add(fountain, circle(2));
      space.setPosition(entity, 2, 3);
      interpolation.keep();
      particles.step(1 / 60);
      canvas.render();
      recording.render(0.5);
      world.destroy(world.spawn(space.at(0, 0), circle(1)));
      canvas.render();
      recording.render(1);
    },
  };
}

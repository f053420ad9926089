import { checkWorld, createWorld, type Entity } from "espalier";
import { createGame, PointerDown } from "espalier/game";
import { createHierarchy } from "espalier/hierarchy";
import { Active, HIDDEN, Visibility, ZIndex } from "espalier/inherit";
import { treeOf } from "espalier/internal/hierarchy";
import {
  Camera,
  circle,
  createRecordingRenderer,
  NineSlice,
  OnScreen,
  type RecordingOptions,
  rect,
  renderComponents,
  type YAxis,
} from "espalier/render";
import { createSceneFormat } from "espalier/scene";
import {
  createRectTransforms,
  createTransforms2D,
  RectTransform,
  type Transforms2D,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const size = { width: 200, height: 100 };

function stage(options: RecordingOptions = {}) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const renderer = createRecordingRenderer(space, { ...size, ...options });
  /** Where drawings are on the screen, in pixels from the top left. */
  const spots = () => {
    renderer.render();
    const { yAxis = "up" } = options;
    const { height } = renderer.cameraView().screen;
    return renderer
      .drawn()
      .filter(({ onScreen }) => onScreen)
      .map(({ matrix: { x, y } }) => [x, yAxis === "up" ? height - y : y]);
  };
  return { world, tree, space, renderer, spots };
}

describe("OnScreen", () => {
  it("observes only its own component until the first entity has it", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const space = createTransforms2D(tree);
    const watched = () =>
      treeOf(tree)
        .ecs.stores.filter(({ log }) => log !== undefined)
        .map(({ component }) => component.name);
    const renderer = createRecordingRenderer(space, { ...size, layout: createRectTransforms });
    expect(watched()).toContain("OnScreen");
    expect(watched()).not.toContain("RectTransform");
    const panel = world.spawn(OnScreen, RectTransform({ anchorMaxX: 1, height: 20 }), rect(0, 0));
    expect(renderer.boundsOf(panel)).toMatchObject({ minX: 0, maxX: 200 });
    expect(watched()).toContain("RectTransform");
    world.set(panel, RectTransform, { anchorMaxX: 0.5 });
    expect(renderer.boundsOf(panel)).toMatchObject({ minX: 0, maxX: 100 });
    renderer.dispose();
  });

  it("counts positions in pixels from its anchor, y as in the world", () => {
    const up = stage();
    up.world.spawn(OnScreen({ anchorX: 1, anchorY: 1 }), up.space.at(-10, -20), rect(4, 4));
    up.world.spawn(OnScreen, up.space.at(5, 5), rect(4, 4));
    expect(up.spots()).toEqual([
      [190, 20],
      [5, 95],
    ]);
    const down = stage({ yAxis: "down" });
    down.world.spawn(OnScreen({ anchorX: 1, anchorY: 1 }), down.space.at(-10, -20), rect(4, 4));
    expect(down.spots()).toEqual([[190, 80]]);
  });

  it("stays where it is when the camera moves, turns and zooms, and follows the size of the screen", () => {
    const { world, space, renderer, spots } = stage();
    const camera = world.spawn(space.at(0, 0), Camera);
    const bar = world.spawn(OnScreen({ anchorX: 0.5, anchorY: 1 }), space.at(0, -8), rect(40, 8));
    expect(spots()).toEqual([[100, 8]]);
    space.setPosition(camera, 5000, -300);
    space.setRotation(camera, 1);
    world.set(camera, Camera, { zoom: 3 });
    expect(spots()).toEqual([[100, 8]]);
    renderer.resize(400, 300);
    expect(spots()).toEqual([[200, 8]]);
    expect(renderer.onScreenAt(200, 8)).toEqual([bar]);
    expect(renderer.onScreenAt(100, 8)).toEqual([]);
  });

  it("counts from the area between bars, or of one of two viewports, when it names one", () => {
    const boxed = stage({ width: 400, height: 100 });
    boxed.world.spawn(boxed.space.at(0, 0), Camera({ width: 100, height: 100 }));
    const inside = boxed.world.spawn(OnScreen({ anchorX: 1, viewport: 0 }), boxed.space.at(0, 0), rect(4, 4));
    boxed.world.spawn(OnScreen({ anchorX: 1 }), boxed.space.at(0, 0), rect(4, 4));
    expect(boxed.spots()).toEqual([
      [250, 100],
      [400, 100],
    ]);
    expect(boxed.renderer.onScreenAt(249, 99)).toEqual([inside]);

    const cameras: Entity[] = [];
    const split = stage({
      viewports: () => [
        { camera: cameras[0]!, width: 0.5 },
        ...(cameras.length > 1 ? [{ camera: cameras[1]!, x: 0.5, width: 0.5 }] : []),
      ],
    });
    cameras.push(split.world.spawn(split.space.at(0, 0), Camera));
    split.world.spawn(OnScreen({ anchorY: 1, viewport: 0 }), split.space.at(3, -3), rect(4, 4));
    const second = split.world.spawn(
      OnScreen({ anchorY: 1, viewport: 1 }),
      split.space.at(3, -3),
      rect(4, 4),
    );
    expect(split.spots()).toEqual([[3, 3]]);
    expect(split.renderer.onScreenAt(103, 3)).toEqual([]);
    cameras.push(split.world.spawn(split.space.at(900, 0), Camera));
    expect(split.spots()).toEqual([
      [3, 3],
      [103, 3],
    ]);
    expect(split.renderer.onScreenAt(103, 3)).toEqual([second]);
  });

  it("is drawn once and not culled, and is not found in the world", () => {
    const { world, space, renderer } = stage();
    world.spawn(space.at(1e6, 1e6), Camera);
    const hud = world.spawn(OnScreen, space.at(20, 20), circle(5));
    const far = world.spawn(space.at(20, 20), circle(5));
    renderer.render();
    expect(renderer.drawn().map(({ entity }) => entity)).toEqual([hud]);
    expect(renderer.hitTestAll(20, 20)).toEqual([far]);
    expect(renderer.entitiesIn({ minX: 0, minY: 0, maxX: 50, maxY: 50 })).toEqual([far]);
    expect(renderer.boundsOf(hud, { subtree: true })).toEqual({ minX: 15, minY: 15, maxX: 25, maxY: 25 });
    world.remove(hud, OnScreen);
    renderer.render();
    expect(renderer.drawn()).toEqual([]);
    expect(renderer.hitTestAll(20, 20)).toEqual([far, hud]);
  });

  it("holds for everything below, by folders too; the nearest counts, and hidden or inactive ones are skipped", () => {
    const { world, tree, space, renderer, spots } = stage();
    const folder = world.spawn();
    const hud = tree.attachNew(folder, OnScreen({ anchorX: 1 }), space.at(-50, 10));
    const icon = tree.attachNew(hud, space.at(5, 5), rect(10, 10));
    const other = tree.attachNew(hud, OnScreen, space.at(50, 0), ZIndex({ z: 5 }), rect(10, 10));
    expect(spots()).toEqual([
      [155, 85],
      [0, 90],
    ]);
    space.setPosition(hud, -195, 10);
    expect(renderer.onScreenAt(10, 85)).toEqual([icon]);
    world.add(icon, Visibility({ mode: HIDDEN }));
    expect(renderer.onScreenAt(10, 85)).toEqual([]);
    world.add(folder, Active({ on: false }));
    expect(spots()).toEqual([]);
    world.set(folder, Active, { on: true });
    world.destroy(hud);
    expect(spots()).toEqual([]);
    expect(world.isAlive(other)).toBe(false);
    expect(checkWorld(world)).toEqual([]);
  });

  it("lays out rectangles below it; boxes and panels without a size fill theirs", () => {
    const { world, tree, renderer, spots } = stage({ layout: createRectTransforms, textures: { p: size } });
    const hud = world.spawn(OnScreen);
    const panel = tree.attachNew(
      hud,
      RectTransform({ anchorMinX: 1, anchorMaxX: 1, anchorMaxY: 1, pivotX: 1, width: 60 }),
      NineSlice({ texture: "p", width: 0, height: 0 }),
    );
    const title = tree.attachNew(panel, RectTransform({ anchorMaxX: 1, height: 20 }), rect(0, 0));
    const dot = tree.attachNew(panel, RectTransform({ anchorMinX: 0.5, anchorMaxX: 0.5, y: 50 }), circle(4));
    expect(spots()).toEqual([
      [170, 50],
      [170, 10],
      [170, 50],
    ]);
    expect(renderer.boundsOf(title)).toEqual({ minX: 140, minY: 80, maxX: 200, maxY: 100 });
    expect(renderer.onScreenAt(199, 1)).toEqual([title, panel]);
    expect(renderer.onScreenAt(170, 47)).toEqual([dot, panel]);
    world.set(panel, RectTransform, { width: 100 });
    expect(renderer.boundsOf(title)).toEqual({ minX: 100, minY: 80, maxX: 200, maxY: 100 });
    renderer.resize(300, 100);
    expect(renderer.boundsOf(panel)).toEqual({ minX: 200, minY: 0, maxX: 300, maxY: 100 });
    expect(checkWorld(world)).toEqual([]);
  });

  it("is saved and loaded", () => {
    const { world, tree } = stage();
    const format = createSceneFormat({ components: [renderComponents()] });
    const file = { entities: [{ id: "hud", components: { OnScreen: { anchorX: 1, viewport: 2 } } }] };
    const scene = format.load(tree, JSON.stringify(file));
    expect(world.get(scene.entity("hud"), OnScreen)).toEqual({ anchorX: 1, anchorY: 0, viewport: 2 });
    expect(JSON.parse(scene.save()).entities[0].components).toEqual({
      OnScreen: { anchorX: 1, viewport: 2 },
    });
  });

  it("draws in the world for a renderer with look, so that editors can move it", () => {
    const { world, space } = stage();
    const editor = createRecordingRenderer(space, {
      ...size,
      look: () => createRecordingRenderer(space, size).cameraView(),
    });
    const hud = world.spawn(OnScreen({ anchorX: 1 }), space.at(30, 30), rect(10, 10));
    expect(editor.hitTest(30, 30)).toBe(hud);
  });

  it("agrees with the anchor added by hand, through random edits", () => {
    const edit = fc.tuple(
      fc.constantFrom("anchor", "move", "spawn", "screen", "world", "resize", "camera", "attach", "destroy"),
      fc.nat(7),
      fc.integer({ min: -50, max: 50 }),
      fc.integer({ min: -50, max: 50 }),
    );
    property(
      fc.tuple(fc.constantFrom<YAxis>("up", "down"), fc.array(edit, { maxLength: 40 })),
      ([yAxis, edits]) => {
        const { world, tree, space, renderer } = stage({ yAxis });
        const camera = world.spawn(space.at(0, 0), Camera({ width: 100, height: 100 }));
        const all: Entity[] = [];
        for (const [what, k, x, y] of edits) {
          const entity = all[k % Math.max(all.length, 1)];
          if (what === "spawn" || entity === undefined) all.push(world.spawn(space.at(x, y), rect(6, 6)));
          else if (what === "screen") world.add(entity, OnScreen({ anchorX: x / 50, anchorY: y / 50 }));
          else if (what === "world") world.remove(entity, OnScreen);
          else if (what === "anchor" && world.has(entity, OnScreen))
            world.set(entity, OnScreen, { anchorX: x / 50, viewport: y > 0 ? 0 : -1 });
          else if (what === "move") space.setPosition(entity, x, y);
          else if (what === "resize") renderer.resize(100 + x, 100 + y);
          else if (what === "camera") space.setPosition(camera, x, y);
          else if (what === "attach" && all.length > 1 && tree.canAttach(entity, all[(k + 1) % all.length]!))
            tree.attach(entity, all[(k + 1) % all.length]!);
          else if (what === "destroy") {
            world.destroy(entity);
            all.splice(0, all.length, ...all.filter((each) => world.isAlive(each)));
          }
          if (k > 3) renderer.render();
        }
        renderer.render();
        for (const { entity, matrix, onScreen } of renderer.drawn()) {
          const by = screenOf(tree.parentOf.bind(tree), (e) => world.get(e, OnScreen), entity);
          expect(onScreen).toBe(by !== undefined);
          const { x, y } = placeByHand(space, renderer.cameraView(), yAxis, entity, by);
          expect(matrix.x).toBeCloseTo(x, 4);
          expect(matrix.y).toBeCloseTo(y, 4);
        }
        expect(renderer.drawn().filter(({ onScreen }) => onScreen)).toHaveLength(
          all.filter((e) => screenOf(tree.parentOf.bind(tree), (k) => world.get(k, OnScreen), e)).length,
        );
        expect(checkWorld(world)).toEqual([]);
      },
      150,
    );
  });
});

type Anchor = { anchorX: number; anchorY: number; viewport: number };

function screenOf(
  parentOf: (entity: Entity) => Entity | null,
  own: (entity: Entity) => Anchor | undefined,
  entity: Entity,
): Anchor | undefined {
  for (let e: Entity | null = entity; e !== null; e = parentOf(e)) if (own(e) !== undefined) return own(e);
  return undefined;
}

function placeByHand(
  space: Transforms2D,
  view: {
    screen: { width: number; height: number };
    area: { x: number; y: number; width: number; height: number };
  },
  yAxis: YAxis,
  entity: Entity,
  by: Anchor | undefined,
): { x: number; y: number } {
  const { x, y } = space.worldOf(entity);
  if (by === undefined) return { x, y };
  const { width, height } = view.screen;
  const area = by.viewport === 0 ? view.area : { x: 0, y: 0, width, height };
  const bottom = yAxis === "up" ? height - (area.y + area.height) : area.y;
  return { x: area.x + by.anchorX * area.width + x, y: bottom + by.anchorY * area.height + y };
}

describe("pointers", () => {
  it("meet what is on the screen first, and nothing of the world on bars", () => {
    const game = createGame();
    game.input.feed({ type: "resize", width: 400, height: 100 });
    game.spawn(game.space.at(0, 0), Camera({ width: 100, height: 100 }));
    const seen: string[] = [];
    const log = (name: string) => () => void seen.push(name);
    const field = game.spawn(game.space.at(0, 0), rect(1000, 1000));
    const button = game.spawn(OnScreen({ anchorX: 1, anchorY: 1 }), game.space.at(-20, -20), rect(20, 20));
    field.on(PointerDown, log("field"));
    button.on(PointerDown, log("button"));
    const press = (x: number, y: number) => {
      game.input.feed({ type: "pointer", phase: "down", id: 1, kind: "mouse", button: 0, x, y, pressure: 1 });
      game.step();
      game.input.feed({ type: "pointer", phase: "up", id: 1, kind: "mouse", button: 0, x, y, pressure: 0 });
      game.step();
    };
    press(380, 20);
    press(200, 50);
    press(20, 50);
    expect(seen).toEqual(["button", "field"]);
  });
});

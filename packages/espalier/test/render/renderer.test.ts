import { createWorld, indexOf } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { transaction } from "espalier/history";
import { HIDDEN, INHERIT, Visibility, ZIndex } from "espalier/inherit";
import {
  Alpha,
  Camera,
  cameraView,
  circle,
  createInterpolation,
  createRecordingRenderer,
  type RecordingOptions,
  type RenderProblem,
  rect,
  Shape,
  type Size,
  Sprite,
  TextBlock,
  Tint,
} from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import { describe, expect, it } from "vitest";

function setUp(options: RecordingOptions = {}) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const problems: RenderProblem[] = [];
  const textures = { tank: { width: 64, height: 32 }, "tank/turret": { width: 16, height: 16 } };
  const renderer = createRecordingRenderer(space, {
    textures,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  const types = () => renderer.calls.splice(0).map(({ type }) => type);
  const drawn = () => {
    renderer.render();
    return renderer.drawn().map(({ entity }) => entity);
  };
  return { world, tree, space, renderer, problems, types, drawn };
}

describe("a renderer", () => {
  it("shows what changed before a destruction that was taken back, and keeps attached nodes", () => {
    const { world, space, renderer, drawn } = setUp({ cull: false });
    const [ball, other] = [world.spawn(space.at(1, 2), circle(3)), world.spawn(space.at(5, 5), circle(3))];
    const matrix = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };
    const node = {
      kind: "external",
      value: null,
      tint: 0,
      alpha: 1,
      visible: true,
      onScreen: false,
    } as const;
    renderer.attachNode(ball, { ...node, entity: ball, matrix });
    expect(drawn()).toHaveLength(3);
    space.setPosition(ball, 9, 9);
    world.add(other, Visibility({ mode: HIDDEN }));
    const taken = () =>
      transaction(world, () => {
        world.destroy(ball);
        world.destroy(other);
        throw new Error("taken back");
      });
    expect(taken).toThrow("taken back");
    expect(drawn()).toEqual([ball, ball]);
    expect(renderer.drawn().map(({ matrix }) => matrix.x)).toEqual([9, 9]);
  });

  it("is notified only of what changed, and of nothing while the scene is idle", () => {
    const { world, space, renderer, types } = setUp();
    const ball = world.spawn(space.at(1, 2), circle(3));
    world.spawn(space.at(5, 5), circle(3));
    renderer.render();
    expect(types()).toEqual(["create", "create", "style", "matrix", "style", "matrix", "reorder", "draw"]);
    renderer.render();
    expect(types()).toEqual([]);
    space.setPosition(ball, 4, 5);
    renderer.render();
    expect(types()).toEqual(["matrix", "draw"]);
    world.set(ball, Shape, { radius: 5 });
    renderer.render();
    expect(types()).toEqual(["style", "matrix", "draw"]);
    world.destroy(ball);
    renderer.render();
    expect(types()).toEqual(["destroy", "draw"]);
  });

  it("draws what was there before it", () => {
    const world = createWorld();
    const space = createTransforms2D(createHierarchy(world));
    const ball = world.spawn(space.at(7, 8), circle(3));
    const renderer = createRecordingRenderer(space);
    renderer.render();
    expect(renderer.drawn()).toMatchObject([{ entity: ball, kind: "shape", matrix: { x: 7, y: 8 } }]);
  });

  it("follows components that come and go, also at an index that is used again", () => {
    const { world, space, renderer, drawn } = setUp();
    const first = world.spawn(space.at(0, 0), Sprite({ texture: "tank" }), TextBlock({ text: "hi" }));
    expect(drawn()).toEqual([first, first]);
    world.remove(first, TextBlock);
    expect(drawn()).toEqual([first]);
    world.destroy(first);
    const second = world.spawn(space.at(0, 0), TextBlock({ text: "ho" }));
    expect(drawn()).toEqual([second]);
    expect(renderer.count).toBe(1);
    world.remove(second, TextBlock);
    world.add(second, TextBlock({ text: "back" }));
    expect(drawn()).toEqual([second]);
    expect(renderer.drawn()[0]).toMatchObject({ value: { text: "back" } });
  });

  it("turns pictures over where y points up, with own scale and flip, and shapes not", () => {
    const up = setUp();
    up.world.spawn(
      up.space.at(0, 0),
      Sprite({ texture: "tank", scaleX: 2, scaleY: 3, flipX: true }),
      rect(4, 2),
    );
    up.renderer.render();
    expect(up.renderer.drawn().map(({ matrix }) => [matrix.a, matrix.d])).toEqual([
      [1, 1],
      [-2, -3],
    ]);
    const down = setUp({ yAxis: "down" });
    down.world.spawn(down.space.at(0, 0), Sprite({ texture: "tank", flipY: true }));
    down.renderer.render();
    expect(down.renderer.drawn()[0]?.matrix).toMatchObject({ a: 1, d: -1 });
  });

  it("multiplies tint and alpha down the tree and with the sprite's own", () => {
    const { world, tree, space, renderer, types } = setUp();
    const group = world.spawn(space.at(0, 0), Tint({ color: 0xff8000 }), Alpha({ value: 0.5 }));
    tree.attachNew(group, space.at(0, 0), Sprite({ texture: "tank", tint: 0x808080, alpha: 0.5 }));
    renderer.render();
    expect(renderer.drawn()).toMatchObject([{ tint: 0x804000, alpha: 0.25 }]);
    types();
    world.set(group, Alpha, { value: 1 });
    renderer.render();
    expect(renderer.drawn()).toMatchObject([{ alpha: 0.5 }]);
    expect(types()).toEqual(["style", "draw"]);
  });

  it("does not draw hidden subtrees", () => {
    const { world, tree, space, drawn } = setUp();
    const tank = world.spawn(space.at(0, 0), Visibility, circle(1));
    const turret = tree.attachNew(tank, space.at(0, 0), circle(1));
    expect(drawn()).toEqual([tank, turret]);
    world.set(tank, Visibility, { mode: HIDDEN });
    expect(drawn()).toEqual([]);
    world.set(tank, Visibility, { mode: INHERIT });
    expect(drawn()).toEqual([tank, turret]);
  });
});

describe("the drawing order", () => {
  it("follows effective z, then the tree", () => {
    const { world, tree, space, drawn } = setUp();
    const [a, b] = [world.spawn(space.at(0, 0), circle(1)), world.spawn(space.at(0, 0), circle(1))];
    const below = tree.attachNew(a, space.at(0, 0), circle(1));
    expect(drawn()).toEqual([a, below, b]);
    world.add(a, ZIndex({ z: 5 }));
    expect(drawn()).toEqual([b, a, below]);
    world.add(below, ZIndex({ z: -10, zRelative: true }));
    expect(drawn()).toEqual([below, b, a]);
    world.remove(below, ZIndex);
    world.remove(a, ZIndex);
    tree.attach(below, b);
    expect(drawn()).toEqual([a, b, below]);
    tree.attach(b, null, { before: a });
    expect(drawn()).toEqual([b, below, a]);
  });

  it("is right when more happened in the tree than events are kept", () => {
    const { world, tree, space, drawn } = setUp();
    const parents = [world.spawn(space.at(0, 0)), world.spawn(space.at(0, 0))] as const;
    const children = Array.from({ length: 3000 }, () =>
      tree.attachNew(parents[0], space.at(0, 0), circle(1)),
    );
    expect(drawn()).toEqual(children);
    for (const child of children) tree.attach(child, parents[1], { at: 0 });
    expect(drawn()).toEqual([...children].reverse());
  });
});

describe("culling", () => {
  it("shows what the camera sees and hides the rest", () => {
    const { world, tree, space, drawn } = setUp({ width: 100, height: 100 });
    const camera = world.spawn(space.at(0, 0), Camera);
    const near = world.spawn(space.at(40, 0), circle(5));
    const group = world.spawn(space.at(1000, 0));
    const far = tree.attachNew(group, space.at(10, 0), circle(5));
    expect(drawn()).toEqual([near]);
    space.setPosition(camera, 1000, 0);
    expect(drawn()).toEqual([far]);
    space.setPosition(group, 0, 0);
    expect(drawn()).toEqual([]);
    space.setPosition(camera, 0, 0);
    expect(drawn()).toEqual([near, far]);
    world.set(camera, Camera, { zoom: 20 });
    expect(drawn()).toEqual([]);
  });

  it("can be turned off", () => {
    const { world, space, drawn } = setUp({ cull: false });
    const far = world.spawn(space.at(1e6, 0), circle(5));
    expect(drawn()).toEqual([far]);
  });
});

describe("interpolated drawing", () => {
  it("draws between two steps, arrives, and then rests", () => {
    const world = createWorld();
    const space = createTransforms2D(createHierarchy(world));
    const interpolation = createInterpolation(space);
    const renderer = createRecordingRenderer(space, { interpolation });
    const ball = world.spawn(space.at(0, 0), circle(1));
    const x = (alpha: number) => {
      renderer.render(alpha);
      return renderer.drawn()[0]?.matrix.x;
    };
    expect(x(0)).toBe(0);
    interpolation.keep();
    space.setPosition(ball, 10, 0);
    expect([x(0), x(0.25), x(0.5)]).toEqual([0, 2.5, 5]);
    interpolation.keep();
    expect([x(0), x(0.5)]).toEqual([10, 10]);
    renderer.calls.length = 0;
    renderer.render(0.75);
    expect(renderer.calls).toEqual([]);
  });
});

describe("asking a renderer", () => {
  it("finds the topmost entity at a point, by its form and not only by its bounds", () => {
    const { world, tree, space, renderer } = setUp();
    const disc = world.spawn(space.at(100, 100), circle(10));
    const box = tree.attachNew(disc, space.at(0, 0), rect(4, 4));
    expect(renderer.hitTest(100, 100)).toBe(box);
    expect(renderer.hitTestAll(101, 101)).toEqual([box, disc]);
    expect(renderer.hitTest(108, 108)).toBeNull(); // in the bounds, not in the circle
    world.add(box, ZIndex({ z: -1 }));
    expect(renderer.hitTestAll(100, 100)).toEqual([disc, box]);
    world.add(disc, Visibility({ mode: HIDDEN }));
    expect(renderer.hitTest(100, 100)).toBeNull();
  });

  it("measures an entity alone and with all below it", () => {
    const { world, tree, space, renderer } = setUp();
    const tank = world.spawn(space.at(10, 20), Sprite({ texture: "tank" }));
    const turret = tree.attachNew(
      tank,
      space.at(50, 0),
      Sprite({ texture: "tank", frame: "turret", anchorX: 0 }),
    );
    expect(renderer.boundsOf(tank)).toEqual({ minX: -22, minY: 4, maxX: 42, maxY: 36 });
    expect(renderer.boundsOf(tank, { subtree: true })).toEqual({ minX: -22, minY: 4, maxX: 76, maxY: 36 });
    tree.destroy(turret);
    expect(renderer.boundsOf(tank, { subtree: true })).toEqual({ minX: -22, minY: 4, maxX: 42, maxY: 36 });
    expect(renderer.entitiesIn({ minX: 40, minY: 30, maxX: 60, maxY: 60 })).toEqual([tank]);
    world.destroy(tank);
    expect(() => renderer.boundsOf(tank)).toThrow("was destroyed");
  });

  it("converts from the screen to the world and back", () => {
    const { world, space, renderer } = setUp({ width: 200, height: 100 });
    world.spawn(space.at(10, 10), Camera({ zoom: 2 }));
    expect(renderer.toWorld(100, 50)).toEqual({ x: 10, y: 10 });
    expect(renderer.toScreen(11, 11)).toEqual({ x: 102, y: 48 });
    renderer.resize(400, 100);
    expect(renderer.toWorld(200, 50)).toEqual({ x: 10, y: 10 });
  });
});

describe("bad input", () => {
  it("reports a missing texture once, with the path of the entity", () => {
    const { world, tree, space, renderer, problems } = setUp();
    const tank = world.spawn(space.at(0, 0), Sprite({ texture: "tnak" }));
    tree.setName(tank, "tank");
    world.spawn(space.at(0, 0), Sprite({ texture: "tnak" }));
    renderer.render();
    renderer.render();
    expect(problems).toMatchObject([{ code: "missing-texture", entity: tank, name: "tnak" }]);
    expect(problems[0]?.message).toContain('/tank: the texture "tnak" is missing.');
  });

  it("continues to draw and to answer when a scale is zero", () => {
    const { world, space, renderer } = setUp();
    const flat = world.spawn(space.at(5, 5), circle(5));
    space.setScale(flat, 0, 1);
    renderer.render();
    expect(renderer.hitTest(5, 5)).toBeNull();
    expect(renderer.boundsOf(flat)).toEqual({ minX: 5, minY: 0, maxX: 5, maxY: 10 });
  });

  it("refuses invalid options", () => {
    const { space } = setUp();
    const other = createTransforms2D(createHierarchy(createWorld()));
    expect(() => createRecordingRenderer(space, { width: 0 })).toThrow("Cannot draw on a screen of 0 by 600");
    expect(() => createRecordingRenderer(space, { yAxis: "left" as never })).toThrow('the y axis "left"');
    expect(() => createRecordingRenderer(space, { interpolation: createInterpolation(other) })).toThrow(
      "belongs to another space",
    );
  });

  it("reports that it was disposed, and frees its nodes", () => {
    const { world, space, renderer, types } = setUp();
    world.spawn(space.at(0, 0), circle(1));
    renderer.render();
    types();
    renderer.dispose();
    renderer.dispose();
    expect(types()).toEqual(["destroy"]);
    expect(() => renderer.render()).toThrow("this renderer was disposed");
    world.spawn(space.at(0, 0), circle(1)); // the world goes on
  });
});

describe("a renderer with its own look", () => {
  it("uses it instead of any camera, and follows it", () => {
    let zoom = 2;
    const look = (screen: Size) => cameraView({ zoom }, { x: 10, y: 0, rotation: 0 }, screen, "down");
    const { world, space, renderer, drawn } = setUp({ look, width: 100, height: 100 });
    world.spawn(space.at(500, 0), Camera);
    const near = world.spawn(space.at(12, 0), circle(1));
    const far = world.spawn(space.at(70, 0), circle(1));
    expect(drawn()).toEqual([near]);
    expect(renderer.toScreen(10, 0)).toEqual({ x: 50, y: 50 });
    zoom = 0.5;
    expect(drawn()).toEqual([near, far]);
  });

  it("removes the drawings of a destroyed entity even if its index is already in use again", () => {
    const { world, space, renderer, drawn } = setUp({ cull: false });
    const old = world.spawn(space.at(0, 0), Sprite({ texture: "tank" }), TextBlock({ text: "old" }));
    expect(drawn()).toEqual([old, old]);
    world.destroy(old);
    // Shapes are asked before sprites and texts: the newcomer is known before the old one is let go.
    const fresh = world.spawn(space.at(0, 0), circle(3));
    expect(indexOf(fresh)).toBe(indexOf(old));
    expect(drawn()).toEqual([fresh]);
    expect(renderer.count).toBe(1);
    renderer.refresh();
    expect(drawn()).toEqual([fresh]);
    expect(renderer.calls.filter(({ type }) => type === "destroy")).toHaveLength(2);
  });
});

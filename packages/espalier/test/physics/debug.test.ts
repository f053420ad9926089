import { createCanvasRenderer, createRecordingContext } from "espalier/canvas";
import { Active } from "espalier/inherit";
import {
  Collider,
  createPhysicsDebug,
  DISTANCE,
  Joint,
  KINEMATIC,
  physicsComponents,
  RigidBody,
  STATIC,
} from "espalier/physics";
import { circle as circleForm, createRecordingRenderer, line, polygon, type Shape } from "espalier/render";
import { createSceneFormat } from "espalier/scene";
import { transformComponents } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { box, circle, stage } from "./set-up.ts";

const forms = { circle: circleForm, line, polygon };
type Drawn = { readonly value: ReturnType<typeof Shape>["values"] };

describe("the debug picture", () => {
  it("has every shape where its body is, by state", () => {
    const { world, space, physics, run } = stage({ unitsPerMetre: 10, gravity: { x: 0, y: 0 } });
    world.spawn(
      space.at(0, 0),
      RigidBody({ type: STATIC }),
      Collider({ shapes: [{ type: "box", width: 20, height: 10 }] }),
    );
    world.spawn(
      space.at(100, 0, Math.PI / 2),
      RigidBody({ type: KINEMATIC }),
      Collider({ shapes: [{ type: "segment", x1: 0, y1: 0, x2: 20, y2: 0 }] }),
    );
    world.spawn(
      space.at(200, 0),
      RigidBody,
      Collider({ shapes: [{ type: "circle", radius: 5, sensor: true, x: 10 }] }),
      Active({ on: false }),
    );
    run(1);
    const { shapes } = physics.debugPicture();
    expect(shapes.map(({ form, state, sensor }) => [form, state, sensor])).toEqual([
      ["outline", "static", false],
      ["line", "kinematic", false],
      ["circle", "disabled", true],
    ]);
    expect(shapes[0]!.points.map(Math.round)).toEqual([-10, -5, 10, -5, 10, 5, -10, 5]);
    expect(shapes[1]!.points.map(Math.round)).toEqual([100, 0, 100, 20]);
    expect(shapes[2]!.points.map(Math.round)).toEqual([210, 0, 215, 0]);
  });

  it("distinguishes sleeping from awake bodies, and shows contact points", () => {
    const { physics, ground, ball, run } = stage();
    ground();
    ball(3, 0.5);
    run(5);
    const first = physics.debugPicture();
    expect(first.shapes[1]!.state).toBe("awake");
    expect(first.contacts[0]).toMatchObject({ x: expect.closeTo(3, 2), y: expect.closeTo(0, 1) });
    run(200);
    expect(physics.debugPicture().shapes[1]!.state).toBe("asleep");
  });

  it("shows joints as lines between their anchors", () => {
    const { world, space, physics } = stage({ gravity: { x: 0, y: 0 } });
    const a = world.spawn(space.at(0, 0), RigidBody({ type: STATIC }));
    const b = world.spawn(space.at(5, 0), RigidBody, box);
    const joint = world.spawn(Joint({ kind: DISTANCE, a, b, anchorBX: -0.5, anchorAY: 1 }));
    expect(physics.debugPicture().joints).toEqual([{ joint, points: [0, 1, 4.5, 0] }]);
  });
});

describe("the debug drawing", () => {
  it("is drawn by any renderer, follows the bodies, and uses its entities again", () => {
    const { world, tree, space, physics, ground, ball, run } = stage();
    ground();
    const e = ball(3, 5);
    const debug = createPhysicsDebug(physics, forms);
    const renderer = createRecordingRenderer(space);
    debug.update();
    renderer.render();
    expect(tree.childCount(debug.root)).toBe(3);
    expect(renderer.drawn()).toHaveLength(3);
    run(30);
    debug.update();
    renderer.render();
    const shown = renderer
      .drawn()
      .map(({ value, matrix }) => [(value as Drawn["value"] & { kind: number }).kind, matrix.y]);
    expect(shown).toContainEqual([2, space.worldOf(e).y]);
    run(60);
    debug.update();
    expect(tree.childCount(debug.root)).toBe(5);
    world.destroy(e);
    debug.update();
    expect(tree.childCount(debug.root)).toBe(1);
    debug.dispose();
    expect(world.count).toBe(1);
  });

  it("is in no scene file, and comes again when it was destroyed", () => {
    const { world, tree, physics, ground } = stage();
    ground();
    const debug = createPhysicsDebug(physics, forms);
    debug.update();
    const format = createSceneFormat({ components: [transformComponents, physicsComponents] });
    const text = format.save(tree);
    expect(text).not.toContain("physics debug");
    const other = stage();
    format.load(other.tree, text);
    expect(other.world.count).toBe(1);
    world.destroy(debug.root);
    debug.update();
    expect(tree.childCount(debug.root)).toBe(1);
  });

  it("draws on a canvas", () => {
    const { space, physics, ground, ball } = stage();
    ground();
    ball(0, 5);
    const context = createRecordingContext();
    const renderer = createCanvasRenderer(space, { context, width: 100, height: 100 });
    createPhysicsDebug(physics, forms, { contacts: false, lineWidth: 0.1 }).update();
    renderer.render();
    expect(context.calls.filter(([name]) => name === "fill" || name === "stroke").length).toBeGreaterThan(3);
  });
});

it("a body that is drawn is not moved by it", () => {
  const { world, space, physics, run } = stage();
  const e = world.spawn(space.at(0, 0), RigidBody, circle);
  const debug = createPhysicsDebug(physics, forms);
  for (let k = 0; k < 30; k++) {
    run(1);
    debug.update();
  }
  const drawn = physics.hash();
  const plain = stage();
  plain.world.spawn(plain.space.at(0, 0), RigidBody, circle);
  plain.run(30);
  expect(plain.physics.hash()).toBe(drawn);
  expect(world.isAlive(e)).toBe(true);
});

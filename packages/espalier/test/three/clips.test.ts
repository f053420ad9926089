/** Clips of three.js that move entities, beside the same model moved by three.js alone. */
import { changesOf, createWorld, type Entity } from "espalier";
import { createGame, InState, State } from "espalier/game";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { Active, TimeScale } from "espalier/inherit";
import { attachClips, createThreeSync, joinTree } from "espalier/three";
import { createTransforms2D, createTransforms3D, Transform3D } from "espalier/transform";
import fc from "fast-check";
import {
  type AnimationAction,
  AnimationClip,
  AnimationMixer,
  Bone,
  ColorKeyframeTrack,
  Group,
  type KeyframeTrack,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Quaternion,
  QuaternionKeyframeTrack,
  Scene,
  Skeleton,
  SkinnedMesh,
  Vector3,
  VectorKeyframeTrack,
} from "three";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const turned = (angle: number) => new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), angle).toArray();
const turn = (name: string, from: number, to: number) =>
  new QuaternionKeyframeTrack(`${name}.quaternion`, [0, 1], [...turned(from), ...turned(to)]);
const walk = new AnimationClip("walk", 1, [
  turn("leg", -0.5, 0.5),
  new VectorKeyframeTrack("hip.position", [0, 0.5, 1], [0, 1, 0, 0, 1.2, 0, 0, 1, 0]),
]);
const wave = new AnimationClip("wave", 1, [
  turn("arm", 0, 2),
  new VectorKeyframeTrack("arm.scale", [0, 1], [1, 1, 1, 2, 2, 2]),
]);
const jump = new AnimationClip("jump", 0.7, [
  turn("leg", 0, 1),
  new VectorKeyframeTrack("hip.position", [0, 0.35, 0.7], [0, 1, 0, 0, 3, 0, 0, 1, 0]),
]);
const clips = [walk, wave, jump];

/** model > hip > (leg, arm > hand) */
function createModel() {
  const parts = Object.fromEntries(
    ["model", "hip", "leg", "arm", "hand"].map((name) => [name, Object.assign(new Group(), { name })]),
  ) as Record<"model" | "hip" | "leg" | "arm" | "hand", Group>;
  const { model, hip, leg, arm, hand } = parts;
  model.add(hip);
  hip.add(leg, arm);
  arm.add(hand);
  hip.position.set(0, 1, 0);
  arm.position.set(1, 0, 0);
  hand.position.set(0, 2, 0);
  return parts;
}

function createActor(given: readonly AnimationClip[] = clips) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms3D(tree);
  const view = createThreeSync(space);
  const objects = createModel();
  const entities = {} as Record<keyof typeof objects, Entity>;
  for (const [name, object] of Object.entries(objects)) {
    const { x, y, z } = object.position;
    const parent = entities[object.parent?.name as "model"] ?? null;
    entities[name as "model"] = tree.attachNew(parent, Transform3D({ x, y, z }));
  }
  joinTree(view, objects.model, entities.model);
  const scene = new Scene().add(objects.model);
  const actor = attachClips(view, objects.model, given);
  const draw = () => {
    view.sync();
    scene.updateMatrixWorld();
  };
  return { world, tree, space, view, objects, entities, actor, draw };
}

const matricesOf = (objects: Record<string, Object3D>) =>
  Object.values(objects).flatMap((object) => object.matrixWorld.elements);

describe("attachClips", () => {
  it("moves what hangs on a joint, by the transforms of entities", () => {
    const { space, tree, entities, actor } = createActor();
    const sword = tree.attachNew(entities.hand, space.at(0, 1, 0));
    actor.play("wave", { loop: false });
    actor.step(2);
    const { x, y } = space.worldPosition(sword);
    // The arm, twice as large, is turned by 2 about (1, 1).
    expect([x, y]).toEqual([1 - 6 * Math.sin(2), 1 + 6 * Math.cos(2)].map((each) => expect.closeTo(each, 5)));
    expect(actor.playing).toBe("wave");
    expect(actor.clips).toEqual(["walk", "wave", "jump"]);
  });

  it("poses a model as three.js alone does, whatever is played in whatever order", () => {
    const act = fc.oneof(
      fc.record({
        clip: fc.constantFrom("walk", "wave", "jump"),
        fade: fc.constantFrom(0, 0.25, 0.6),
        speed: fc.constantFrom(1, 0.5, -1),
      }),
      fc.record({ seconds: fc.constantFrom(0.1, 0.3, 0.016, 0) }),
      fc.record({ moved: fc.constantFrom("hip", "leg", "arm", "model"), x: fc.integer({ min: -3, max: 3 }) }),
    );
    property(fc.array(act, { maxLength: 20 }), (acts) => {
      const { space, objects, entities, actor, draw } = createActor();
      const twin = createModel();
      const mixer = new AnimationMixer(twin.model);
      const twinScene = new Scene().add(twin.model);
      let running: AnimationAction[] = [];
      for (const each of acts) {
        if ("clip" in each) {
          const { clip, ...options } = each;
          actor.play(clip, options);
          const action = mixer.clipAction(clips.find(({ name }) => name === each.clip)!);
          const others = running.filter((other) => other !== action);
          const isNew = !running.includes(action);
          action.reset().setEffectiveWeight(1).setEffectiveTimeScale(each.speed);
          if (each.fade > 0 && isNew) {
            action.setEffectiveWeight(0).weight = 1;
            action.fadeIn(each.fade);
          }
          action.play();
          const fading = others.filter(
            (other) => each.fade > 0 && other.enabled && other.getEffectiveWeight() > 0,
          );
          for (const other of others)
            if (fading.includes(other))
              other.setEffectiveWeight(other.getEffectiveWeight()).fadeOut(each.fade);
            else other.stop();
          running = [action, ...fading];
        } else if ("seconds" in each) {
          actor.step(each.seconds);
          if (each.seconds > 0) mixer.update(each.seconds);
          const ended = running.filter((action) => !action.enabled);
          running = running.filter((action) => action.enabled);
          for (const action of ended) action.stop();
        } else {
          const { y, z } = twin[each.moved].position;
          space.setPosition(entities[each.moved], each.x, y, z);
          twin[each.moved].position.x = each.x;
        }
        draw();
        twinScene.updateMatrixWorld();
        const [ours, theirs] = [matricesOf(objects), matricesOf(twin)];
        for (const [k, value] of ours.entries()) expect(value).toBeCloseTo(theirs[k]!, 5);
      }
    });
  });

  it("steps at the pace of the model, and not while it is not active", () => {
    const { world, space, entities, actor } = createActor();
    world.add(entities.model, TimeScale({ value: 0.5 }));
    actor.play("jump");
    actor.step(0.35);
    expect(space.localOf(entities.hip).y).toBeCloseTo(2, 5);
    world.add(entities.model, Active({ on: false }));
    actor.step(0.35);
    expect(space.localOf(entities.hip).y).toBeCloseTo(2, 5);
    world.set(entities.model, Active, { on: true });
    actor.step(0.35);
    expect(space.localOf(entities.hip).y).toBeCloseTo(3, 5);
  });

  it("steps with a game, and does not move where its state says so", () => {
    const game = createGame({ step: 0.05 });
    const space = createTransforms3D(game.tree, { name: "3d" });
    const view = createThreeSync(space);
    const object = view.attach(game.spawn(space.at(0, 0, 0)).id, Object.assign(new Group(), { name: "hip" }));
    const actor = attachClips(view, object, [
      new AnimationClip("rise", 1, [new VectorKeyframeTrack("hip.position", [0, 1], [0, 0, 0, 0, 4, 0])]),
    ]);
    const hip = game.entity(view.entityOf(object)!);
    const flow = game.spawn(State({ now: "playing" }));
    const level = flow.spawn(InState({ running: ["playing"] }));
    hip.parent = level;
    game.system("clips", ({ dt }) => actor.step(dt));
    actor.play("rise");
    game.step(5);
    expect(space.localOf(hip.id).y).toBeCloseTo(1);
    flow.set(State, { now: "paused" });
    game.step(1);
    const { y } = space.localOf(hip.id);
    game.step(5);
    expect(space.localOf(hip.id).y).toBe(y);
    flow.set(State, { now: "playing" });
    game.step(6);
    expect(space.localOf(hip.id).y).toBeGreaterThan(y);
    game.stop();
  });

  it("leaves what no running clip moves to other code, and is at rest again after stop", () => {
    const { world, space, entities, actor } = createActor();
    actor.play("walk");
    actor.step(0.2);
    space.setPosition(entities.arm, 7, 7, 7);
    actor.step(0.2);
    expect(space.localOf(entities.arm)).toMatchObject({ x: 7, y: 7, z: 7 });
    actor.stop();
    expect(space.localOf(entities.hip)).toMatchObject({ x: 0, y: 1, z: 0 });
    expect(actor.playing).toBeNull();
    const reader = changesOf(world, Transform3D);
    actor.step(1);
    actor.step(1);
    expect(reader.pending).toBe(0);
    reader.close();
  });

  it("ends slowly with a fade", () => {
    const { space, entities, actor } = createActor();
    actor.play("jump");
    actor.step(0.35);
    actor.stop({ fade: 0.1 });
    actor.step(0.05);
    expect(space.localOf(entities.hip).y).toBeGreaterThan(1.5);
    actor.step(0.05);
    actor.step(0.05);
    expect(space.localOf(entities.hip).y).toBeCloseTo(1, 5);
  });

  it("does not jump when a fade begins before another has ended", () => {
    const at = (name: string, y: number) =>
      new AnimationClip(name, 1, [new VectorKeyframeTrack("hip.position", [0, 1], [0, y, 0, 0, y, 0])]);
    const { space, entities, actor } = createActor([at("low", 0), at("high", 10), at("middle", 5)]);
    const y = () => space.localOf(entities.hip).y;
    actor.play("low");
    actor.step(0.1);
    actor.play("high", { fade: 1 });
    actor.step(0.25);
    expect(y()).toBeCloseTo(2.5, 5);
    actor.play("middle", { fade: 1 });
    actor.step(0.001);
    expect(Math.abs(y() - 2.5)).toBeLessThan(0.02);
    actor.step(2);
    expect(y()).toBeCloseTo(5, 5);
    // A clip that faded out fades in again, and one that is replaced in the same step is never seen.
    actor.play("high", { fade: 1 });
    actor.play("low", { fade: 1 });
    actor.step(0.001);
    expect(Math.abs(y() - 5)).toBeLessThan(0.02);
    // An end in the middle of a fade does not jump either.
    actor.step(0.499);
    const before = y();
    actor.stop({ fade: 1 });
    actor.step(0.001);
    expect(Math.abs(y() - before)).toBeLessThan(0.02);
  });

  it("refuses two clips of one name, and keeps objects of one name apart", () => {
    const { view, objects, space, entities } = createActor();
    const rise = (track: string, y: number) => new VectorKeyframeTrack(track, [0, 1], [0, 0, 0, 0, y, 0]);
    const twice = [walk, new AnimationClip("walk", 1, [rise("hip.position", 1)])];
    expect(() => attachClips(view, objects.model, twice)).toThrow("no other clip of the model has");
    objects.leg.name = "arm";
    const both = new AnimationClip("both", 1, [
      rise(`${objects.arm.uuid}.position`, 4),
      rise("arm.position", 2),
    ]);
    const actor = attachClips(view, objects.model, [both]);
    actor.play("both");
    actor.step(0.5);
    expect([space.localOf(entities.leg).y, space.localOf(entities.arm).y]).toEqual([1, 2]);
  });

  it("continues without joints that were destroyed", () => {
    const { world, space, entities, actor } = createActor();
    actor.play("jump");
    actor.step(0.1);
    world.destroy(entities.leg);
    world.remove(entities.arm, Transform3D);
    actor.step(0.25);
    expect(space.localOf(entities.hip).y).toBeCloseTo(3, 5);
    world.destroy(entities.model);
    actor.step(0.1);
    actor.dispose();
  });

  it("moves a joint again that an undo brought back", () => {
    const { world, space, entities, actor } = createActor();
    const history = createHistory(world, { implicit: false });
    actor.play("jump");
    actor.step(0.1);
    const { leg } = entities;
    history.step("destroy", () => void world.destroy(leg));
    actor.step(0.1);
    history.undo();
    actor.step(0.1);
    const { qz } = space.localOf(leg);
    actor.step(0.1);
    expect(space.localOf(leg).qz).toBeGreaterThan(qz);
  });

  it("is undone like other writes", () => {
    const { world, space, entities, actor } = createActor();
    const history = createHistory(world);
    actor.play("jump");
    history.step("a step", () => actor.step(0.35));
    expect(space.localOf(entities.hip).y).toBeCloseTo(3, 5);
    history.undo();
    expect(space.localOf(entities.hip).y).toBe(1);
    expect(world.isAlive(entities.hip)).toBe(true);
  });

  it("changes colours and objects without an entity directly", () => {
    const material = new MeshBasicMaterial({ color: "black" });
    const lamp = Object.assign(new Mesh(undefined, material), { name: "lamp" });
    const { objects, actor, entities, space } = createActor([
      new AnimationClip("glow", 1, [
        new ColorKeyframeTrack("lamp.material.color", [0, 1], [0, 0, 0, 1, 1, 1]),
        new VectorKeyframeTrack("lamp.position", [0, 1], [0, 0, 0, 0, 4, 0]) as KeyframeTrack,
        turn("leg", 0, 1),
      ]),
    ]);
    // Tracks are looked up when a clip is attached: a part of the model that came later is found by the mixer.
    objects.hand.add(lamp);
    actor.play("glow");
    actor.step(0.5);
    expect(material.color.r).toBeCloseTo(0.5);
    expect(lamp.position.y).toBeCloseTo(2);
    expect(space.localOf(entities.leg).qz).toBeCloseTo(Math.sin(0.25));
  });

  it("finds bones by the skeleton of the model", () => {
    const { world, tree, space, view } = createActor();
    const bone = Object.assign(new Bone(), { name: "spine" });
    const skin = Object.assign(new SkinnedMesh(), { name: "skin" });
    skin.add(bone);
    skin.bind(new Skeleton([bone]));
    const entity = world.spawn(Transform3D);
    const spine = tree.attachNew(entity, Transform3D);
    joinTree(view, skin, entity);
    const nod = new AnimationClip("nod", 1, [turn(".bones[spine]", 0, 1)]);
    const actor = attachClips(view, skin, [nod]);
    actor.play("nod");
    actor.step(0.5);
    expect(space.localOf(spine).qz).toBeCloseTo(Math.sin(0.25));
  });

  it("refuses invalid names, numbers and views, and continues as before", () => {
    const { tree, space, entities, actor, objects, view } = createActor();
    actor.play("walk");
    actor.step(0.25);
    const before = space.localOf(entities.hip);
    expect(() => actor.play("wlak")).toThrow('Did you mean "walk"?');
    for (const wrong of [Number.NaN, -1, Number.POSITIVE_INFINITY, "1" as never]) {
      expect(() => actor.step(wrong)).toThrow("0 or more");
      expect(() => actor.play("jump", { fade: wrong })).toThrow("0 or more");
      expect(() => actor.play("jump", { time: wrong })).toThrow("0 or more");
      expect(() => actor.stop({ fade: wrong })).toThrow("0 or more");
    }
    expect(() => actor.play("jump", { speed: Number.NaN })).toThrow("finite number");
    expect(actor.playing).toBe("walk");
    expect(space.localOf(entities.hip)).toEqual(before);
    const flat = createThreeSync(createTransforms2D(tree, { name: "flat" }));
    expect(() => attachClips(flat, objects.model, clips)).toThrow("three dimensions");
    expect(() => attachClips(view, {} as never, clips)).toThrow("Object3D");
    expect(() => attachClips(view, objects.model, [{} as never])).toThrow("AnimationClip");
  });
});

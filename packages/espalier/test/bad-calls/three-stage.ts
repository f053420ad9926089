/** A world that drives objects of three.js. */
import { createWorld, tag } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createInherited, visibility } from "espalier/inherit";
import { createSceneFormat } from "espalier/scene";
import { attachClips, createThreeSync } from "espalier/three";
import { createTransforms3D, Transform3D, transformComponents } from "espalier/transform";
import {
  AnimationClip,
  BoxGeometry,
  InstancedMesh,
  MeshBasicMaterial,
  Object3D,
  Raycaster,
  VectorKeyframeTrack,
} from "three";
import { otherHandles } from "./other-handles.ts";
import type { Stage } from "./runner.ts";

const Crate = tag("Crate");
const format = createSceneFormat({ components: [transformComponents] });
const prefab = format.prefab(`{ "entities": [{ "id": "box", "components": { "Transform3D": {} } }] }`, {
  file: "crate",
});
const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
const slide = new AnimationClip("slide", 1, [
  new VectorKeyframeTrack(".position", [0, 1], [0, 0, 0, 4, 0, 0]),
]);
const crates = () => new InstancedMesh(geometry, material, 2);

export function threeStage(): Stage {
  const reported: unknown[] = [];
  const world = createWorld({ onError: (error) => void reported.push(error) });
  const tree = createHierarchy(world, { onWarn: () => {} });
  const space = createTransforms3D(tree);
  const view = createThreeSync(space, { visibility: createInherited(tree, visibility) });
  const entity = world.spawn(Transform3D);
  const driven = world.spawn(Transform3D);
  const drivenObject = view.attach(driven, new Object3D());
  world.spawn(Transform3D, Crate);
  prefab.instantiate(tree);
  const query = world.query(Transform3D, Crate);
  const instances = view.attachInstances(crates(), query);
  const object = new Object3D();
  const actor = attachClips(view, drivenObject, [slide]);
  actor.play("slide");
  view.sync();
  return {
    world,
    ...otherHandles(world),
    reported,
    objects: [
      ["view", "ThreeSync", view],
      ["instances", "Instances", instances],
      ["actor", "ClipActor", actor],
    ],
    right: {
      MatrixSpace: space,
      ThreeSync: view,
      Entity: entity,
      roots: [],
      Object3D: object,
      object,
      mesh: crates(),
      query,
      prefab: "crate",
      instanceId: 0,
      BoundObjectsOptions: { create: () => new Object3D() },
      LoadedGltf: { scene: new Object3D(), parser: { associations: new Map() } },
      Raycaster: new Raycaster(),
      raycaster: new Raycaster(),
      drivenObject,
      clips: [slide],
      clip: "slide",
    },
    poke() {
      if (world.isDisposed) return;
      space.setPosition(driven, 1, 2, 3);
      actor.step(0.1);
      world.spawn(Transform3D, Crate);
      view.sync();
      world.destroy(world.spawn(Transform3D, Crate));
      view.sync();
    },
  };
}

import { createWorld } from "espalier";
import { createHierarchy, spawnTree } from "espalier/hierarchy";
import { createThreeSync, joinGltf, joinTree } from "espalier/three";
import { createTransforms3D, Transform3D } from "espalier/transform";
import { Group, Mesh, type Object3D, Raycaster, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { describe, expect, it } from "vitest";
import { refusal } from "../testing.ts";

const positionOf = (object: Object3D) => new Vector3().setFromMatrixPosition(object.matrixWorld).toArray();

function setUp() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms3D(tree);
  const { named } = spawnTree(tree, {
    name: "arm",
    with: [Transform3D({ x: 1 })],
    children: [
      {
        name: "upper",
        with: [Transform3D({ y: 2 })],
        children: [{ name: "hand", with: [Transform3D({ z: 3 })] }],
      },
      { name: "lamp", with: [Transform3D] },
    ],
  });
  return {
    world,
    tree,
    space,
    view: createThreeSync(space),
    named: named as Record<string, number> & typeof named,
  };
}

describe("joinTree", () => {
  it("lets each entity drive the object at its path, and leaves the objects in their tree", () => {
    const { view, space, named } = setUp();
    const model = new Group();
    const upper = new Group();
    const hand = new Group();
    const lamp = new Group();
    model.add(upper, lamp);
    upper.add(hand);
    joinTree(view, model, named.arm!);
    view.sync();
    model.updateMatrixWorld();
    expect(positionOf(hand)).toEqual([1, 2, 3]);
    expect(hand.parent).toBe(upper);
    space.setPosition(named.upper!, 0, 5, 0);
    view.sync();
    model.updateMatrixWorld();
    expect([positionOf(hand), positionOf(lamp)]).toEqual([
      [1, 5, 3],
      [1, 0, 0],
    ]);
  });

  it("skips objects that are no nodes, and refuses trees that differ, with nothing attached", () => {
    const { world, view, named } = setUp();
    const model = new Group();
    const upper = new Group();
    upper.add(new Group(), new Mesh());
    model.add(upper, new Group());
    expect(refusal(world, () => joinTree(view, model, named.arm!))).toContain(
      "Cannot join a model with entities: upper#2 has 1 children (hand#3), and its object 2 nodes (Group, Mesh).",
    );
    expect(view.objectOf(named.arm!)).toBe(undefined);
    joinTree(view, model, named.arm!, { isNode: (object) => !(object as Mesh).isMesh });
    expect(view.objectOf(named.hand!)).toBe(upper.children[0]);
  });

  it("attaches nothing when one of the objects is taken", () => {
    const { world, view, named } = setUp();
    const model = new Group();
    const upper = new Group();
    const hand = new Group();
    model.add(upper, new Group());
    upper.add(hand);
    view.attach(world.spawn(Transform3D), hand);
    expect(refusal(world, () => joinTree(view, model, named.arm!))).toContain("drives it already");
    expect(view.objectOf(named.arm!)).toBe(undefined);
    expect(model.matrixAutoUpdate).toBe(true);
  });
});

describe("joinGltf", () => {
  const file = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [2] }],
    nodes: [
      { name: "hand", translation: [0, 0, 3] },
      { name: "upper", children: [0], translation: [0, 2, 0] },
      { name: "arm", children: [1, 3], translation: [1, 0, 0] },
      { name: "lamp" },
    ],
  };

  it("joins what the loader of three.js made with entities of the same file", async () => {
    const { view, space, named } = setUp();
    const gltf = await new GLTFLoader().parseAsync(JSON.stringify(file), "");
    joinGltf(view, gltf, [named.arm!]);
    space.setPosition(named.arm!, 10, 0, 0);
    view.sync();
    gltf.scene.updateMatrixWorld();
    expect(positionOf(gltf.scene.getObjectByName("hand")!)).toEqual([10, 2, 3]);
    expect(view.entityOf(gltf.scene.getObjectByName("lamp")!)).toBe(named.lamp);
  });

  it("refuses entities of another file", async () => {
    const { world, view, named } = setUp();
    const gltf = await new GLTFLoader().parseAsync(JSON.stringify(file), "");
    expect(refusal(world, () => joinGltf(view, gltf, [named.arm!, named.lamp!]))).toContain(
      "The scene has 2 children (arm#1, lamp#4), and its object 1 nodes (arm).",
    );
  });

  /** A triangle, of which one mesh has two parts with materials of their own, as exporters write them. */
  const corners = new Uint8Array(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer);
  const part = (material: number) => ({ attributes: { POSITION: 0 }, material });
  const withMeshes = {
    ...file,
    nodes: file.nodes.map((node, k) =>
      k === 0 ? { ...node, mesh: 0 } : k === 3 ? { ...node, mesh: 1 } : node,
    ),
    meshes: [
      { name: "palm", primitives: [part(0), part(1)] },
      { name: "bulb", primitives: [part(0)] },
    ],
    materials: [{ name: "skin" }, { name: "nail" }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
    ],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ byteLength: 36 }],
  };

  /** A binary file: a head, then JSON and numbers as two chunks. */
  function toGlb(json: object, numbers: Uint8Array): ArrayBuffer {
    const text = new TextEncoder().encode(JSON.stringify(json));
    const padded = Math.ceil(text.length / 4) * 4;
    const bytes = new Uint8Array(28 + padded + numbers.length).fill(0x20);
    const view = new DataView(bytes.buffer);
    const words = [0x46546c67, 2, bytes.length, padded, 0x4e4f534a];
    words.forEach((word, k) => void view.setUint32(k * 4, word, true));
    bytes.set(text, 20);
    view.setUint32(20 + padded, numbers.length, true);
    view.setUint32(24 + padded, 0x004e4942, true);
    bytes.set(numbers, 28 + padded);
    return bytes.buffer;
  }

  it("joins nodes with meshes: one of several parts is one node, whose parts go with it and are hit by rays", async () => {
    const { view, space, named } = setUp();
    const gltf = await new GLTFLoader().parseAsync(toGlb(withMeshes, corners), "");
    joinGltf(view, gltf, [named.arm!]);
    const hand = view.objectOf(named.hand!)!;
    expect(hand.children.map((child) => (child as Mesh).isMesh)).toEqual([true, true]);
    expect((view.objectOf(named.lamp!) as Mesh).isMesh).toBe(true);
    space.setPosition(named.arm!, 10, 0, 0);
    view.sync();
    gltf.scene.updateMatrixWorld();
    for (const mesh of hand.children) expect(positionOf(mesh)).toEqual([10, 2, 3]);
    const ray = new Raycaster(new Vector3(10.2, 2.2, 9), new Vector3(0, 0, -1));
    const [hit] = view.raycast(ray, [gltf.scene]);
    expect([hit?.entity, hit?.point.z]).toEqual([named.hand, 3]);
    expect(view.entityOf(hand.children[1]!)).toBe(named.hand);
  });
});

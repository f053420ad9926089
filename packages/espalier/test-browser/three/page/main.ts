/** Scenarios that three.test.ts runs in the page, with a real WebGL. */
import { createWorld, destroyAll, type Entity, tag } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { attachClips, createThreeSync, joinTree } from "espalier/three";
import { createTransforms3D, eulerToQuaternion, Transform3D } from "espalier/transform";
import {
  AmbientLight,
  AnimationMixer,
  BoxGeometry,
  DirectionalLight,
  InstancedMesh,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { skinnedArm } from "./skinned-arm.ts";

const WIDTH = 320;
const HEIGHT = 200;
const Crate = tag("Crate");

function createStage() {
  const renderer = new WebGLRenderer({ preserveDrawingBuffer: true });
  renderer.setSize(WIDTH, HEIGHT);
  document.body.append(renderer.domElement);
  const scene = new Scene();
  scene.add(new DirectionalLight("white", 2), new AmbientLight("white", 1));
  const camera = new PerspectiveCamera(50, WIDTH / HEIGHT, 0.1, 100);
  camera.position.set(2, 3, 14);
  camera.lookAt(0, 0, 0);
  const pixels = () => {
    renderer.render(scene, camera);
    const gl = renderer.getContext();
    const out = new Uint8Array(WIDTH * HEIGHT * 4);
    gl.readPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, out);
    return out;
  };
  return { renderer, scene, camera, pixels };
}

function createSpace() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms3D(tree);
  return { world, tree, space, view: createThreeSync(space) };
}

const geometry = new BoxGeometry();
const material = new MeshLambertMaterial({ color: "#3aa7f0" });

/** A chain of twelve boxes, each turned, moved and smaller. */
const links = Array.from({ length: 12 }, (_, k) => ({
  x: k === 0 ? -4 : 1.1,
  turn: 0.12 * k,
  size: k === 0 ? 1 : 0.95,
}));

function spawnChain({ tree }: ReturnType<typeof createSpace>): Entity[] {
  const entities: Entity[] = [];
  for (const { x, turn, size } of links) {
    const scale = { scaleX: size, scaleY: size, scaleZ: size };
    const values = { x, ...eulerToQuaternion(turn, turn / 2, turn / 3), ...scale };
    entities.push(tree.attachNew(entities.at(-1) ?? null, Transform3D(values), Crate));
  }
  return entities;
}

function addChain(scene: Scene): void {
  let above: Object3D = scene;
  for (const { x, turn, size } of links) {
    const mesh = new Mesh(geometry, material);
    mesh.position.x = x;
    mesh.rotation.set(turn, turn / 2, turn / 3);
    mesh.scale.setScalar(size);
    above.add(mesh);
    above = mesh;
  }
}

const differing = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((n, value, k) => n + (Math.abs(value - b[k]!) > 2 ? 1 : 0), 0);
const drawn = (a: Uint8Array) => a.reduce((n, value, k) => n + (k % 4 !== 3 && value > 0 ? 1 : 0), 0);

const scenarios = {
  /** Objects, instances and three.js' own tree give the same picture. */
  samePicture() {
    const own = createStage();
    addChain(own.scene);
    const objects = createStage();
    const first = createSpace();
    for (const entity of spawnChain(first)) first.view.attach(entity, new Mesh(geometry, material));
    objects.scene.add(first.view.root);
    first.view.sync();
    const instances = createStage();
    const second = createSpace();
    spawnChain(second);
    const mesh = new InstancedMesh(geometry, material, 4);
    second.view.attachInstances(mesh, second.world.query(Transform3D, Crate));
    instances.scene.add(second.view.root);
    second.view.sync();
    const expected = own.pixels();
    return {
      drawn: drawn(expected),
      objects: differing(objects.pixels(), expected),
      instances: differing(instances.pixels(), expected),
    };
  },

  /** A skinned model whose bones entities drive, moved by its clips, looks as three.js alone shows it at any time. */
  async skinned() {
    const own = createStage();
    const ours = createStage();
    const [plain, driven] = await Promise.all(
      [1, 2].map(() => new GLTFLoader().parseAsync(skinnedArm(), "")),
    );
    own.scene.add(plain!.scene);
    const mixer = new AnimationMixer(plain!.scene);
    const { world, tree, view } = createSpace();
    // As importing the file makes it: an entity for each object, with the pose of the object.
    const entityOf = new Map<Object3D, Entity>();
    driven!.scene.traverse((object) => {
      const { position: p, quaternion: q, scale: s } = object;
      const values = { x: p.x, y: p.y, z: p.z, qx: q.x, qy: q.y, qz: q.z, qw: q.w };
      const scales = { scaleX: s.x, scaleY: s.y, scaleZ: s.z };
      const parent = entityOf.get(object.parent as Object3D) ?? null;
      entityOf.set(object, tree.attachNew(parent, Transform3D({ ...values, ...scales })));
    });
    joinTree(view, driven!.scene, entityOf.get(driven!.scene)!);
    ours.scene.add(driven!.scene);
    const actor = attachClips(view, driven!.scene, driven!.animations);
    const play = (name: string, fade: number) => {
      actor.play(name, { fade });
      const action = mixer.clipAction(plain!.animations.find((clip) => clip.name === name)!);
      const before = plain!.animations
        .filter((clip) => clip.name !== name)
        .map((clip) => mixer.existingAction(clip));
      action.reset().setEffectiveWeight(1);
      if (fade > 0) action.fadeIn(fade);
      action.play();
      for (const other of before) if (other?.isRunning()) fade > 0 ? other.fadeOut(fade) : other.stop();
    };
    let [different, moved] = [0, 0];
    let last: Uint8Array | undefined;
    play("bend", 0);
    for (let k = 0; k < 12; k++) {
      if (k === 5) play("stretch", 0.3);
      actor.step(0.11);
      mixer.update(0.11);
      view.sync();
      const expected = own.pixels();
      different += differing(ours.pixels(), expected);
      if (last !== undefined && differing(last, expected) > 500) moved++;
      last = expected;
    }
    return { drawn: drawn(last!), different, moved, alive: world.count };
  },

  /** Small changes reach the graphics card by ranges, and nothing is left out. */
  smallChanges() {
    const stage = createStage();
    const { world, tree, space, view } = createSpace();
    const crates: Entity[] = [];
    for (let k = 0; k < 60; k++)
      crates.push(
        tree.attachNew(
          null,
          Transform3D({ x: (k % 10) - 5, y: Math.floor(k / 10) - 3, scaleX: 0.5, scaleY: 0.5, scaleZ: 0.5 }),
          Crate,
        ),
      );
    const mesh = new InstancedMesh(geometry, material, 60);
    view.attachInstances(mesh, world.query(Transform3D, Crate));
    stage.scene.add(view.root);
    view.sync();
    stage.pixels();
    let differences = 0;
    for (let round = 0; round < 10; round++) {
      space.setPosition(crates[round * 3]!, Math.sin(round) * 4, 3, 0);
      view.sync();
      space.setPosition(crates[round * 5]!, 0, Math.cos(round) * 4, 1);
      view.sync();
      const now = stage.pixels();
      mesh.instanceMatrix.clearUpdateRanges();
      mesh.instanceMatrix.needsUpdate = true; // everything anew
      differences += differing(stage.pixels(), now);
    }
    return { differences, drawn: drawn(stage.pixels()) };
  },

  /** Buffers of the graphics card are freed when a mesh grows and when its entities are gone. */
  leaks() {
    const stage = createStage();
    const gl = stage.renderer.getContext();
    let open = 0;
    const [create, remove] = [gl.createBuffer.bind(gl), gl.deleteBuffer.bind(gl)];
    gl.createBuffer = () => {
      open++;
      return create();
    };
    gl.deleteBuffer = (buffer) => {
      open--;
      remove(buffer);
    };
    const { world, view } = createSpace();
    stage.scene.add(view.root);
    const mesh = new InstancedMesh(new BoxGeometry(), new MeshLambertMaterial(), 4);
    const query = world.query(Transform3D, Crate);
    view.attachInstances(mesh, query);
    world.spawnMany(4, Transform3D, Crate);
    view.sync();
    stage.pixels();
    const small = open;
    world.spawnMany(9_996, Transform3D, Crate);
    view.sync();
    stage.pixels();
    const large = open;
    destroyAll(query);
    view.sync();
    stage.pixels();
    const { count } = mesh;
    view.dispose();
    mesh.dispose();
    mesh.geometry.dispose();
    mesh.material.dispose();
    return { small, large, count, end: open, geometries: stage.renderer.info.memory.geometries };
  },

  /** The picture comes back when the graphics card lost everything. */
  async lostContext() {
    const stage = createStage();
    const { world, tree, space, view } = createSpace();
    spawnChain({ world, tree, space, view });
    const mesh = new InstancedMesh(geometry, material, 12);
    view.attachInstances(mesh, world.query(Transform3D, Crate));
    stage.scene.add(view.root);
    view.sync();
    const before = stage.pixels();
    const { domElement } = stage.renderer;
    const happens = (type: string) =>
      new Promise((resolve) => domElement.addEventListener(type, resolve, { once: true }));
    const lose = stage.renderer.getContext().getExtension("WEBGL_lose_context")!;
    const lost = happens("webglcontextlost");
    lose.loseContext();
    await lost;
    // A context can be restored once the event that told of its loss is over.
    await new Promise((resolve) => setTimeout(resolve));
    const restored = happens("webglcontextrestored");
    lose.restoreContext();
    await restored;
    view.sync();
    return { drawn: drawn(before), different: differing(stage.pixels(), before) };
  },
};

Object.assign(window, { scenarios });

/**
 * The four subjects: ways to draw 10,000 nodes with three.js. They take the libraries as arguments, so that the same
 * code runs in Node and in a browser.
 */
import { WIDTH } from "./cases.mjs";

/** three.js' own tree: `matrixAutoUpdate` on, `updateMatrixWorld` of the scene as the renderer calls it. */
export function threeObjects({ three }) {
  return (parents) => {
    const { scene, objects, write, writeAll } = ownTree(three, parents);
    return {
      write,
      writeAll,
      update: () => scene.updateMatrixWorld(),
      readWorld: (node, out) => out.set(objects[node].matrixWorld.elements),
    };
  };
}

/** The same tree drawn by one `InstancedMesh`, which three.js leaves to its user. */
export function threeInstances({ three }) {
  return (parents) => {
    const { scene, objects, write, writeAll } = ownTree(three, parents);
    const mesh = createMesh(three, parents.length);
    function update() {
      scene.updateMatrixWorld();
      for (let i = 0; i < objects.length; i++) mesh.setMatrixAt(i, objects[i].matrixWorld);
      mesh.instanceMatrix.needsUpdate = true;
    }
    const readWorld = reader(mesh, (node) => node);
    return { write, writeAll, update, readWorld, attribute: mesh.instanceMatrix };
  };
}

/** Entities that drive an `Object3D` each. */
export function espalierObjects({ three, espalier }) {
  return (parents) => {
    const { entities, view, scene, write, writeAll } = entityTree(three, espalier, parents);
    for (const entity of entities) view.attach(entity, new three.Object3D());
    function update() {
      view.sync();
      scene.updateMatrixWorld();
    }
    return {
      write,
      writeAll,
      update,
      readWorld: (node, out) => out.set(view.objectOf(entities[node]).matrixWorld.elements),
    };
  };
}

/** Entities drawn by one `InstancedMesh`. */
export function espalierInstances({ three, espalier }) {
  return (parents) => {
    const { entities, query, view, scene, write, writeAll } = entityTree(three, espalier, parents);
    const mesh = createMesh(three, parents.length);
    const instances = view.attachInstances(mesh, query);
    function update() {
      view.sync();
      scene.updateMatrixWorld();
    }
    const readWorld = reader(mesh, (node) => instances.rowOf(entities[node]));
    return { write, writeAll, update, readWorld, attribute: mesh.instanceMatrix };
  };
}

function createMesh({ InstancedMesh, BoxGeometry, MeshBasicMaterial }, count) {
  return new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), count);
}

function reader(mesh, rowOf) {
  return (node, out) => {
    const at = rowOf(node) * 16;
    for (let k = 0; k < 16; k++) out[k] = mesh.instanceMatrix.array[at + k];
  };
}

function ownTree({ Object3D, Scene }, parents) {
  const scene = new Scene();
  const objects = [];
  for (let i = 0; i < parents.length; i++) {
    const object = new Object3D();
    (parents[i] < 0 ? scene : objects[parents[i]]).add(object);
    objects.push(object);
  }
  function write(i, t, at) {
    const object = objects[i];
    object.position.set(t[at], t[at + 1], t[at + 2]);
    object.quaternion.set(t[at + 3], t[at + 4], t[at + 5], t[at + 6]);
  }
  function writeAll(t) {
    for (let i = 0; i < objects.length; i++) write(i, t, i * WIDTH);
  }
  return { scene, objects, write, writeAll };
}

function entityTree(
  { Scene },
  { createWorld, createHierarchy, createTransforms3D, Transform3D, transformBatch, createThreeSync },
  parents,
) {
  const world = createWorld({ capacity: parents.length });
  const tree = createHierarchy(world);
  const space = createTransforms3D(tree);
  const entities = [];
  for (let i = 0; i < parents.length; i++) {
    entities.push(tree.attachNew(parents[i] < 0 ? null : entities[parents[i]], Transform3D));
  }
  const view = createThreeSync(space);
  const scene = new Scene().add(view.root);
  const query = world.query(Transform3D);
  const local = { x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 };
  function write(i, t, at) {
    local.x = t[at];
    local.y = t[at + 1];
    local.z = t[at + 2];
    local.qx = t[at + 3];
    local.qy = t[at + 4];
    local.qz = t[at + 5];
    local.qw = t[at + 6];
    world.set(entities[i], Transform3D, local);
  }
  // A row of the table is what a batch takes: position and quaternion.
  const batch = transformBatch(space, entities);
  function writeAll(t) {
    batch.write(t);
  }
  return { entities, query, view, scene, write, writeAll };
}

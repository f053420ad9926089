import { createWorld, type Entity, tag } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createInherited, HIDDEN, Visibility, visibility } from "espalier/inherit";
import { createSceneFormat } from "espalier/scene";
import { attachPrefabInstances, createThreeSync } from "espalier/three";
import {
  createTransforms2D,
  createTransforms3D,
  eulerToQuaternion,
  Transform2D,
  Transform3D,
  transformComponents,
} from "espalier/transform";
import fc from "fast-check";
import {
  BoxGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector3,
} from "three";
import { describe, expect, it } from "vitest";
import { property, refusal } from "../testing.ts";

const Crate = tag("Crate");

function setUp() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms3D(tree);
  return { world, tree, space };
}

const box = () => new Mesh(new BoxGeometry(), new MeshBasicMaterial());
const place = (object: Object3D) => new Vector3().setFromMatrixPosition(object.matrixWorld).toArray();

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(actual.length).toBe(expected.length);
  for (let k = 0; k < expected.length; k++) expect(actual[k]).toBeCloseTo(expected[k]!, 10);
}

describe("an attached object", () => {
  it("has the world matrix that three.js would compute for the same tree", () => {
    const { tree, space } = setUp();
    const view = createThreeSync(space);
    const theirs: Object3D[] = [];
    const mine: Object3D[] = [];
    let above: Entity | null = null;
    for (let k = 0; k < 5; k++) {
      const turn = eulerToQuaternion(k, 0.5 * k, -k);
      above = tree.attachNew(
        above,
        Transform3D({ x: k, y: 1, z: -k, ...turn, scaleX: 1.5, scaleY: 1.5, scaleZ: 1.5 }),
      );
      mine.push(view.attach(above, new Object3D()));
      const object = new Object3D();
      object.position.set(k, 1, -k);
      object.rotation.set(k, 0.5 * k, -k);
      object.scale.setScalar(1.5);
      theirs.at(-1)?.add(object);
      theirs.push(object);
    }
    theirs[0]!.updateMatrixWorld();
    expect(view.sync()).toBe(5);
    for (const [k, object] of mine.entries()) {
      expectClose(object.matrixWorld.elements, theirs[k]!.matrixWorld.elements);
    }
    expect(mine.every((object) => object.parent === view.root)).toBe(true);
  });

  it("is written only when its entity moved", () => {
    const { world, tree, space } = setUp();
    const view = createThreeSync(space);
    const entities = world.spawnMany(8, Transform3D);
    const objects = entities.map((entity) => view.attach(entity, box()));
    tree.attach(entities[5]!, entities[1]!);
    expect(view.sync()).toBe(8);
    expect(view.sync()).toBe(0);
    space.setPosition(entities[1]!, 0, 7, 0);
    expect(view.sync()).toBe(2);
    expect(place(objects[5]!)).toEqual([0, 7, 0]);
    expect(place(objects[4]!)).toEqual([0, 0, 0]);
  });

  it("keeps its matrix when three.js updates its own tree, and moves the children that three.js drives", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const scene = new Scene();
    scene.add(view.root);
    const ship = world.spawn(space.at(1, 0, 0));
    const still = world.spawn(space.at(0, 0, 9));
    const hull = view.attach(ship, new Group());
    const flag = box();
    flag.position.set(0, 2, 0);
    hull.add(flag);
    view.attach(still, box());
    view.sync();
    scene.updateMatrixWorld();
    expect(place(flag)).toEqual([1, 2, 0]);
    // A child that does not update itself follows too.
    flag.matrixAutoUpdate = false;
    space.setPosition(ship, 5, 0, 0);
    view.sync();
    scene.updateMatrixWorld();
    expect(place(hull)).toEqual([5, 0, 0]);
    expect(place(flag)).toEqual([5, 2, 0]);
    expect(place(view.objectOf(still)!)).toEqual([0, 0, 9]);
    expect(hull.getWorldPosition(new Vector3()).toArray()).toEqual([5, 0, 0]);
  });

  it("moves its children also when they or another parent come later", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const scene = new Scene();
    scene.add(view.root);
    const ships = [0, 1, 2].map(() => world.spawn(Transform3D));
    const hulls = ships.map((ship) => view.attach(ship, new Group()));
    view.sync();
    scene.updateMatrixWorld();
    const flags = hulls.map(() => new Group());
    for (const flag of flags) flag.matrixAutoUpdate = false;
    // One gets a child where it is, one after it left the root, one leaves the root with its child.
    hulls[0]!.add(flags[0]!);
    scene.add(hulls[1]!);
    hulls[1]!.add(flags[1]!);
    hulls[2]!.add(flags[2]!);
    scene.add(hulls[2]!);
    // Rows of objects move when one is detached.
    const first = world.spawn(Transform3D);
    view.attach(first, new Group());
    view.detach(ships[0]!);
    view.attach(ships[0]!, hulls[0]!);
    for (const at of [5, 6]) {
      for (const ship of ships) space.setPosition(ship, at, 0, 0);
      view.sync();
      scene.updateMatrixWorld();
      expect(flags.map(place)).toEqual([0, 1, 2].map(() => [at, 0, 0]));
    }
  });

  it("may be a camera, whose inverse follows", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const scene = new Scene();
    scene.add(view.root);
    const eye = world.spawn(space.at(0, 0, 10));
    const camera = view.attach(eye, new PerspectiveCamera());
    view.sync();
    scene.updateMatrixWorld();
    expectClose(camera.matrixWorldInverse.elements, new Matrix4().makeTranslation(0, 0, -10).elements);
  });

  it("may have a parent of its own in three.js, which does not count", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const group = new Group();
    group.position.set(100, 0, 0);
    const mesh = box();
    group.add(mesh);
    view.attach(world.spawn(space.at(1, 2, 3)), mesh);
    view.sync();
    group.updateMatrixWorld();
    expect(mesh.parent).toBe(group);
    expect(place(mesh)).toEqual([1, 2, 3]);
  });

  it("is let go as it was when it is detached, and when its entity dies", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const [a, b] = [world.spawn(space.at(1, 1, 1)), world.spawn(space.at(2, 2, 2))];
    const [first, second] = [view.attach(a, box()), view.attach(b, box())];
    view.sync();
    expect(view.detach(a)).toBe(first);
    expect(view.detach(a)).toBe(undefined);
    world.destroy(b);
    for (const object of [first, second]) {
      expect(object.parent).toBe(null);
      expect([object.matrixAutoUpdate, object.matrixWorldAutoUpdate]).toEqual([true, true]);
    }
    expect(view.objectOf(b)).toBe(undefined);
    expect(view.sync()).toBe(0);
  });

  it("follows an entity of a plane, facing the viewer or on the ground", () => {
    for (const plane of ["xy", "xz"] as const) {
      const world = createWorld();
      const tree = createHierarchy(world);
      const space = createTransforms2D(tree);
      const view = createThreeSync(space, { plane });
      const tank = world.spawn(Transform2D({ x: 3, y: 4, rotation: Math.PI / 2 }));
      const mesh = view.attach(tree.attachNew(tank, space.at(1, 0)), box());
      view.sync();
      const [x, y, z] = place(mesh) as [number, number, number];
      expectClose([x, plane === "xy" ? y : z, plane === "xy" ? z : y], [3, 5, 0]);
      expect(mesh.matrixWorld.determinant()).toBeCloseTo(1);
    }
  });

  it("is hidden with its ancestors", () => {
    const { world, tree, space } = setUp();
    const view = createThreeSync(space, { visibility: createInherited(tree, visibility) });
    const ship = world.spawn(Transform3D);
    const flag = tree.attachNew(ship, Transform3D);
    const mesh = view.attach(flag, box());
    view.sync();
    expect(mesh.visible).toBe(true);
    world.add(ship, Visibility({ mode: HIDDEN }));
    view.sync();
    expect(mesh.visible).toBe(false);
    world.remove(ship, Visibility);
    view.sync();
    expect(mesh.visible).toBe(true);
  });

  it("may be squashed to nothing: a scale of 0 throws nowhere in a frame", () => {
    const { world, tree, space } = setUp();
    const view = createThreeSync(space);
    const flat = world.spawn(Transform3D({ x: 1, scaleX: 0, scaleY: 0, scaleZ: 0 }), Crate);
    const mesh = view.attach(tree.attachNew(flat, space.at(5, 5, 5), Crate), box());
    const camera = view.attach(tree.attachNew(flat, Transform3D), new PerspectiveCamera());
    view.attachInstances(
      new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 2),
      world.query(Crate),
    );
    expect(view.sync()).toBe(4);
    view.root.updateMatrixWorld();
    expect(place(mesh)).toEqual([1, 0, 0]);
    expect(camera.matrixWorldInverse.elements.every(Number.isFinite)).toBe(true);
    expect(view.raycast(new Raycaster(new Vector3(1, 5, 0), new Vector3(0, -1, 0)))).toEqual([]);
  });

  it("is refused when it is none, or taken, and nothing has changed", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const [a, b] = [world.spawn(Transform3D), world.spawn(Transform3D)];
    const mesh = view.attach(a, box());
    const no = (entity: Entity, object: unknown) =>
      refusal(world, () => view.attach(entity, object as Object3D));
    expect(no(b, {})).toContain("InvalidObjectError: Cannot attach");
    expect(no(b, mesh)).toContain("Cannot attach an object to #2: #1 drives it already.");
    expect(no(a, box())).toContain("Cannot attach an object to #1: it drives one already.");
    world.destroy(b);
    expect(no(b, box())).toContain("DeadEntityError: Cannot attach an object to #2: it is dead.");
    expect(view.root.children).toEqual([mesh]);
  });
});

describe("attachEach", () => {
  it("makes and frees objects as entities come and go, also when that is undone", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const freed: Entity[] = [];
    const end = view.attachEach(world.query(Transform3D, Crate), {
      create: box,
      dispose: (_, entity) => freed.push(entity),
    });
    const history = createHistory(world);
    const crates = world.spawnMany(3, Transform3D, Crate);
    world.spawn(Transform3D);
    view.sync();
    expect(view.root.children).toHaveLength(3);
    history.step("destroy", () => world.destroy(crates[1]!));
    view.sync();
    expect(freed).toEqual([crates[1]]);
    expect(view.root.children).toHaveLength(2);
    history.undo();
    view.sync();
    expect(view.root.children).toHaveLength(3);
    expect(view.objectOf(crates[1]!)).toBeDefined();
    world.remove(crates[0]!, Crate);
    view.sync();
    expect(view.root.children).toHaveLength(2);
    end();
    expect(view.root.children).toHaveLength(0);
    expect(freed).toHaveLength(4);
  });
});

describe("instances", () => {
  const instanced = (room: number) => new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), room);
  const placeAt = (mesh: InstancedMesh, row: number) => {
    const matrix = new Matrix4();
    mesh.getMatrixAt(row, matrix);
    return new Vector3().setFromMatrixPosition(matrix).toArray();
  };

  it("are rows of one mesh, written when their entities move", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const crates = Array.from({ length: 20 }, (_, k) => world.spawn(Transform3D({ x: k }), Crate));
    const mesh = instanced(20);
    const instances = view.attachInstances(mesh, world.query(Transform3D, Crate));
    expect(view.sync()).toBe(20);
    expect(mesh.count).toBe(20);
    for (const [k, crate] of crates.entries()) {
      expect(placeAt(mesh, instances.rowOf(crate))).toEqual([k, 0, 0]);
    }
    expect(view.sync()).toBe(0);
    space.setPosition(crates[4]!, 1, 2, 3);
    expect(view.sync()).toBe(1);
    expect(placeAt(mesh, instances.rowOf(crates[4]!))).toEqual([1, 2, 3]);
  });

  it("come and go with their entities, and the mesh grows", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const mesh = instanced(2);
    const rows: string[] = [];
    const instances = view.attachInstances(mesh, world.query(Transform3D, Crate), {
      onRow: (row, entity) => rows.push(`${row}:${entity}`),
    });
    const crates = Array.from({ length: 5 }, (_, k) => world.spawn(Transform3D({ y: k }), Crate));
    view.sync();
    expect(mesh.count).toBe(5);
    expect(mesh.instanceMatrix.count).toBe(5);
    expect(rows).toEqual(crates.map((crate, k) => `${k}:${crate}`));
    world.destroy(crates[0]!);
    view.sync();
    expect(mesh.count).toBe(4);
    expect(instances.entityAt(4)).toBe(null);
    expect(instances.rowOf(crates[0]!)).toBe(-1);
    for (const crate of crates.slice(1)) {
      expect(placeAt(mesh, instances.rowOf(crate))[1]).toBe(crates.indexOf(crate));
    }
  });

  it("upload only the rows that changed, once everything was uploaded", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const crates = world.spawnMany(1000, Transform3D, Crate);
    const mesh = instanced(1000);
    const instances = view.attachInstances(mesh, world.query(Transform3D, Crate));
    const { instanceMatrix } = mesh;
    /** What a renderer does. */
    const upload = () => {
      const ranges = instanceMatrix.updateRanges.map(({ start, count }) => [start / 16, count / 16]);
      instanceMatrix.clearUpdateRanges();
      instanceMatrix.onUploadCallback();
      return ranges;
    };
    view.sync();
    space.setPosition(crates[3]!, 1, 0, 0);
    view.sync(); // nothing was uploaded in between
    expect(upload()).toEqual([[0, 1000]]);
    const version = instanceMatrix.version;
    view.sync();
    expect(instanceMatrix.version).toBe(version);
    space.setPosition(crates[3]!, 2, 0, 0);
    view.sync();
    space.setPosition(crates[7]!, 2, 0, 0);
    view.sync();
    const rows = [crates[3]!, crates[7]!].map((crate) => [instances.rowOf(crate), 1]);
    expect(upload()).toEqual(rows);
    // Neighbours go together, what is far away alone.
    const [first, second, far] = [400, 410, 900].map((row) => instances.entityAt(row)!);
    for (const crate of [first!, second!, far!]) space.setPosition(crate, 3, 0, 0);
    view.sync();
    expect(upload()).toEqual([
      [400, 11],
      [900, 1],
    ]);
  });

  it("upload every row that changed, in whatever order, in parts or as a whole", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const mesh = instanced(2000);
    world.spawnMany(2000, Transform3D, Crate);
    const instances = view.attachInstances(mesh, world.query(Transform3D, Crate));
    const { instanceMatrix } = mesh;
    const uploaded = new Float32Array(2000 * 16);
    const upload = () => {
      const { updateRanges, array } = instanceMatrix;
      let floats = 0;
      for (const { start, count } of updateRanges) {
        uploaded.set(array.subarray(start, start + count), start);
        floats += count;
      }
      instanceMatrix.clearUpdateRanges();
      instanceMatrix.onUploadCallback();
      return floats / 16;
    };
    view.sync();
    upload();
    property(
      fc.tuple(
        fc.array(fc.array(fc.nat(1999), { maxLength: 60 }), { minLength: 1, maxLength: 3 }),
        fc.nat(1e6),
      ),
      ([frames, x]) => {
        for (const rows of frames) {
          for (const row of rows) space.setPosition(instances.entityAt(row)!, x, row, 0);
          view.sync();
        }
        expect(upload()).toBeLessThanOrEqual(2000);
        expect(uploaded.findIndex((value, k) => value !== instanceMatrix.array[k])).toBe(-1);
      },
    );
  });

  it("leave out what is hidden and what include() refuses", () => {
    const { world, tree, space } = setUp();
    const shown = createInherited(tree, visibility);
    const view = createThreeSync(space, { visibility: shown });
    const ship = world.spawn(Transform3D);
    const crates = [0, 1, 2, 3].map(() => tree.attachNew(ship, Transform3D, Crate));
    const mesh = instanced(4);
    const instances = view.attachInstances(mesh, world.query(Transform3D, Crate), {
      include: (entity) => entity !== crates[0],
    });
    view.sync();
    expect(mesh.count).toBe(3);
    world.add(crates[2]!, Visibility({ mode: HIDDEN }));
    view.sync();
    expect([mesh.count, instances.rowOf(crates[2]!)]).toEqual([2, -1]);
    world.add(ship, Visibility({ mode: HIDDEN }));
    view.sync();
    expect(mesh.count).toBe(0);
    world.remove(ship, Visibility);
    view.sync();
    expect(mesh.count).toBe(2);
  });

  it("are those of one prefab, or of one part of it, as they come and go", () => {
    const { world, tree, space } = setUp();
    const view = createThreeSync(space);
    const history = createHistory(world, { implicit: false });
    const format = createSceneFormat({ components: [transformComponents] });
    const file = (id: string) =>
      `{ "entities": [{ "id": "${id}", "components": { "Transform3D": {} }, "children": [
        { "id": "wheel", "components": { "Transform3D": { "x": 2 } } }] }] }`;
    const cart = format.prefab(file("cart"), { file: "cart" });
    const car = format.prefab(file("car"), { file: "car" });
    const bodies = instanced(1);
    const wheels = instanced(1);
    const drawn = attachPrefabInstances(view, bodies, "cart");
    const parts = attachPrefabInstances(view, wheels, "cart", { part: "wheel" });
    car.instantiate(tree);
    const made = [0, 1, 2].map(() => cart.instantiate(tree));
    world.spawn(Transform3D);
    space.setPosition(made[1]!.root, 5, 0, 0);
    view.sync();
    expect([bodies.count, wheels.count]).toEqual([3, 3]);
    expect(made.map(({ root }) => drawn.entityAt(drawn.rowOf(root)))).toEqual(made.map(({ root }) => root));
    const matrix = new Matrix4();
    wheels.getMatrixAt(parts.rowOf(made[1]!.find("wheel")!), matrix);
    expect(new Vector3().setFromMatrixPosition(matrix).toArray()).toEqual([7, 0, 0]);
    history.step("delete", () => world.destroy(made[1]!.root));
    view.sync();
    expect([bodies.count, wheels.count]).toEqual([2, 2]);
    history.undo();
    view.sync();
    expect([bodies.count, wheels.count]).toEqual([3, 3]);
  });

  it("are refused for other meshes and for one that is taken", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const query = world.query(Transform3D);
    expect(refusal(world, () => view.attachInstances(box() as never, query))).toContain(
      "Cannot attach instances to Mesh: it is not an InstancedMesh.",
    );
    const mesh = instanced(1);
    view.attachInstances(mesh, query);
    expect(refusal(world, () => view.attachInstances(mesh, query))).toContain("draws another query already");
    expect(view.detachInstances(mesh)).toBe(true);
    expect(view.detachInstances(mesh)).toBe(false);
    view.attachInstances(mesh, query);
  });

  it("return to nothing when 10,000 of them are created and destroyed", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const mesh = instanced(16);
    view.attachInstances(mesh, world.query(Transform3D, Crate));
    let made = 0;
    view.attachEach(world.query(Transform3D, Crate), {
      create: () => {
        made++;
        return new Object3D();
      },
      dispose: () => made--,
    });
    for (let round = 0; round < 2; round++) {
      world.spawnMany(10_000, Transform3D, Crate);
      view.sync();
      expect([mesh.count, made, view.root.children.length]).toEqual([10_000, 10_000, 10_001]);
      world.destroyAll(world.query(Crate));
      view.sync();
      expect([mesh.count, made, view.root.children.length]).toEqual([0, 0, 1]);
    }
    expect(mesh.instanceMatrix.count).toBe(10_000);
    view.dispose();
    expect(view.root.children).toHaveLength(0);
  });
});

describe("rays", () => {
  const down = (x: number) => new Raycaster(new Vector3(x, 10, 0), new Vector3(0, -1, 0));

  it("meet entities: objects, parts of objects and instances, nearest first", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const [ship, crate, other] = [
      world.spawn(space.at(0, 2, 0)),
      world.spawn(space.at(0, 0, 0), Crate),
      world.spawn(space.at(5, 0, 0), Crate),
    ];
    const hull = new Group();
    hull.add(box());
    view.attach(ship, hull);
    view.attachInstances(
      new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 2),
      world.query(Transform3D, Crate),
    );
    view.sync();
    view.root.updateMatrixWorld();
    const hits = (x: number) => [...new Set(view.raycast(down(x)).map(({ entity }) => entity))];
    expect(hits(0)).toEqual([ship, crate]);
    expect(hits(5)).toEqual([other]);
    expect(hits(3)).toEqual([]);
    space.setPosition(other, 3, 0, 0);
    view.sync();
    expect(hits(3)).toEqual([other]);
    expect(view.entityOf(hull.children[0]!)).toBe(ship);
    expect(view.entityOf(new Object3D())).toBe(null);
  });
});

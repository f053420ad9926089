import { createWorld, type Entity, tag } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { Active, createInherited, HIDDEN, Visibility, visibility } from "espalier/inherit";
import { createThreeSync } from "espalier/three";
import { createTransforms2D, eulerToQuaternion, Transform2D, Transform3D } from "espalier/transform";
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
import { refusal } from "../testing.ts";
import { setUp } from "./set-up.ts";

const Crate = tag("Crate");

const box = () => new Mesh(new BoxGeometry(), new MeshBasicMaterial());
const positionOf = (object: Object3D) => new Vector3().setFromMatrixPosition(object.matrixWorld).toArray();

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
    expect(positionOf(objects[5]!)).toEqual([0, 7, 0]);
    expect(positionOf(objects[4]!)).toEqual([0, 0, 0]);
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
    expect(positionOf(flag)).toEqual([1, 2, 0]);
    // A child that does not update itself follows too.
    flag.matrixAutoUpdate = false;
    space.setPosition(ship, 5, 0, 0);
    view.sync();
    scene.updateMatrixWorld();
    expect(positionOf(hull)).toEqual([5, 0, 0]);
    expect(positionOf(flag)).toEqual([5, 2, 0]);
    expect(positionOf(view.objectOf(still)!)).toEqual([0, 0, 9]);
    expect(hull.getWorldPosition(new Vector3()).toArray()).toEqual([5, 0, 0]);
  });

  it("moves its children even when they or another parent come later", () => {
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
      expect(flags.map(positionOf)).toEqual([0, 1, 2].map(() => [at, 0, 0]));
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
    expect(positionOf(mesh)).toEqual([1, 2, 3]);
  });

  it("is released unchanged when it is detached, and when its entity dies", () => {
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
      const [x, y, z] = positionOf(mesh) as [number, number, number];
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
    world.add(ship, Visibility({ mode: HIDDEN }));
    view.sync();
    view.detach(flag);
    expect(mesh.visible).toBe(true); // as it was
  });

  it.each([false, true])(
    "is not shown, nor hit by rays, while its entity is not active; visibility given: %s",
    (given) => {
      const { world, tree, space } = setUp();
      const view = createThreeSync(space, given ? { visibility: createInherited(tree, visibility) } : {});
      const ship = world.spawn(Transform3D, Active);
      const flag = tree.attachNew(ship, Transform3D);
      const mesh = view.attach(flag, box());
      const met = () => view.raycast(new Raycaster(new Vector3(0, 0, 9), new Vector3(0, 0, -1))).length > 0;
      const look = () => {
        view.sync();
        return [mesh.visible, met()];
      };
      expect(look()).toEqual([true, true]);
      world.set(ship, Active, { on: false });
      expect(look()).toEqual([false, false]);
      const late = view.attach(tree.attachNew(flag, Transform3D), box());
      expect(late.visible).toBe(false);
      world.set(ship, Active, { on: true });
      expect(look()).toEqual([true, true]);
      expect(late.visible).toBe(true);
      world.set(ship, Active, { on: false });
      view.sync();
      view.detach(flag);
      expect(mesh.visible).toBe(true); // as it was
    },
  );

  it("stays hidden by hand when its entity is switched off and on", () => {
    const { world, space } = setUp();
    const view = createThreeSync(space);
    const ship = world.spawn(Transform3D, Active);
    const mesh = view.attach(ship, box());
    mesh.visible = false;
    for (const on of [false, true]) {
      world.set(ship, Active, { on });
      view.sync();
      expect(mesh.visible).toBe(false);
    }
  });

  it("may have a scale of 0, which causes no error in a frame", () => {
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
    expect(positionOf(mesh)).toEqual([1, 0, 0]);
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
  it("makes and frees objects as entities come and go, even when that is undone", () => {
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
    // Destroyed and brought back between two frames.
    history.step("destroy", () => world.destroy(crates[2]!));
    history.undo();
    view.sync();
    expect(view.root.children).toHaveLength(3);
    expect(view.objectOf(crates[2]!)).toBeDefined();
    world.remove(crates[0]!, Crate);
    view.sync();
    expect(view.root.children).toHaveLength(2);
    end();
    expect(view.root.children).toHaveLength(0);
    expect(freed).toHaveLength(4);
  });
});

describe("rays", () => {
  const down = (x: number) => new Raycaster(new Vector3(x, 10, 0), new Vector3(0, -1, 0));

  it("hit entities: objects, parts of objects and instances, nearest first", () => {
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

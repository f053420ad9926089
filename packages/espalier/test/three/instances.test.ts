import { destroyAll, tag } from "espalier";
import { createHistory } from "espalier/history";
import { Active, createInherited, HIDDEN, Visibility, visibility } from "espalier/inherit";
import { createSceneFormat } from "espalier/scene";
import { attachPrefabInstances, createThreeSync } from "espalier/three";
import { Transform3D, transformComponents } from "espalier/transform";
import fc from "fast-check";
import { BoxGeometry, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, Object3D, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { property, refusal } from "../testing.ts";
import { setUp } from "./set-up.ts";

const Crate = tag("Crate");

const box = () => new Mesh(new BoxGeometry(), new MeshBasicMaterial());

describe("instances", () => {
  const instanced = (room: number) => new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), room);
  const positionAt = (mesh: InstancedMesh, row: number) => {
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
      expect(positionAt(mesh, instances.rowOf(crate))).toEqual([k, 0, 0]);
    }
    expect(view.sync()).toBe(0);
    space.setPosition(crates[4]!, 1, 2, 3);
    expect(view.sync()).toBe(1);
    expect(positionAt(mesh, instances.rowOf(crates[4]!))).toEqual([1, 2, 3]);
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
      expect(positionAt(mesh, instances.rowOf(crate))[1]).toBe(crates.indexOf(crate));
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

  it("leave out what is not active", () => {
    const { world, tree, space } = setUp();
    const view = createThreeSync(space);
    const ship = world.spawn(Transform3D, Active);
    const crates = [0, 1, 2].map(() => tree.attachNew(ship, Transform3D, Crate));
    const mesh = instanced(4);
    view.attachInstances(mesh, world.query(Transform3D, Crate));
    world.add(crates[1]!, Active({ on: false }));
    view.sync();
    expect(mesh.count).toBe(2);
    world.set(ship, Active, { on: false });
    view.sync();
    expect(mesh.count).toBe(0);
    world.set(ship, Active, { on: true });
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
      destroyAll(world.query(Crate));
      view.sync();
      expect([mesh.count, made, view.root.children.length]).toEqual([0, 0, 1]);
    }
    expect(mesh.instanceMatrix.count).toBe(10_000);
    view.dispose();
    expect(view.root.children).toHaveLength(0);
  });
});

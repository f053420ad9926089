/** Transforms that nobody should write: objects and instances follow without a throw, and nothing becomes NaN that was not too large. */
import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createThreeSync } from "espalier/three";
import { createTransforms2D, createTransforms3D, Transform2D, Transform3D } from "espalier/transform";
import fc from "fast-check";
import { BufferGeometry, InstancedMesh, MeshBasicMaterial, Object3D, Scene } from "three";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const wild = fc.constantFrom(0, -0, 1, -1, 1e-30, -1e-38, 1e9, 1e15, -3, 0.5);
const values = fc.record({
  x: wild,
  y: wild,
  z: wild,
  qx: wild,
  qy: wild,
  qz: wild,
  qw: wild,
  scaleX: wild,
  scaleY: wild,
  scaleZ: wild,
});

function follow(space: ReturnType<typeof createTransforms2D> | ReturnType<typeof createTransforms3D>) {
  const { world } = space.tree;
  const view = createThreeSync(space);
  const query = world.query(space.component as never);
  view.attachEach(query, { create: () => new Object3D() });
  const mesh = new InstancedMesh(new BufferGeometry(), new MeshBasicMaterial(), 1);
  view.attachInstances(mesh, query);
  const scene = new Scene().add(view.root);
  return () => {
    view.sync();
    scene.updateMatrixWorld();
    const numbers = [...mesh.instanceMatrix.array.subarray(0, mesh.count * 16)];
    for (const object of view.root.children) numbers.push(...object.matrixWorld.elements);
    expect(numbers.filter(Number.isNaN)).toEqual([]);
  };
}

describe("a three.js scene of odd transforms", () => {
  it("follows them without an error and without NaN, in 3D and 2D", () => {
    property(
      fc.array(fc.tuple(values, fc.nat(6)), { minLength: 1, maxLength: 12 }),
      (list) => {
        const solid = createTransforms3D(createHierarchy(createWorld()));
        const flat = createTransforms2D(createHierarchy(createWorld()));
        const [checkSolid, checkFlat] = [follow(solid), follow(flat)];
        const made: Entity[] = [];
        const drawn: Entity[] = [];
        // Not deeper than two: numbers that multiply along a chain leave the range that 32 bits have.
        for (const [given, parent] of list) {
          made.push(solid.tree.attachNew(parent === 0 ? (made[0] ?? null) : null, Transform3D(given)));
          const { x, y, qx: rotation, scaleX, scaleY } = given;
          const plane = Transform2D({ x, y, rotation, scaleX, scaleY, skew: given.qy });
          drawn.push(flat.tree.attachNew(parent === 0 ? (drawn[0] ?? null) : null, plane));
          checkSolid();
          checkFlat();
        }
        for (const [k, [given]] of list.entries()) {
          solid.setLocal(made[(k * 3) % made.length]!, given);
          flat.setLocal(drawn[(k * 3) % drawn.length]!, { scaleX: given.scaleX, scaleY: 0 });
          checkSolid();
          checkFlat();
        }
      },
      100,
    );
  });
});

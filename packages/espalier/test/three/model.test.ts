/** three.js objects and instances beside a tree that three.js computes itself, through edits, undo, snapshots and taken-back changes. */
import { type Entity, tag } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import { activityOf, createInherited, visibility } from "espalier/inherit";
import { createThreeSync } from "espalier/three";
import { createTransforms3D, Transform3D, type Transforms3D } from "espalier/transform";
import fc from "fast-check";
import { BufferGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, Object3D } from "three";
import { describe, expect, it } from "vitest";
import { createEdited, someEdit } from "../random-edits.ts";
import { property } from "../testing.ts";

const Crate = tag("Crate");

function stage() {
  let space!: Transforms3D;
  const edited = createEdited((tree) => {
    space = createTransforms3D(tree);
    const { world } = tree;
    return {
      place: (entity, x, y) => space.setPosition(entity, x, y, 1),
      turn: (entity, angle) => space.setRotation(entity, 0.6, 0, 0.8, angle),
      // The same along all axes: turned below an uneven one it would be sheared, which three.js cannot compute.
      scale: (entity, factor) => space.setScale(entity, factor),
      spawn: (parent, x, y) => tree.attachNew(parent, space.at(x, y, 0), ...(x > 40 ? [] : [Crate])),
      dress: (entity, isDressed) => {
        if (isDressed) world.add(entity, Crate);
        else world.remove(entity, Crate);
      },
    };
  });
  return { ...edited, space };
}

/** The world matrices as three.js computes them for the same tree. */
function computedByThree(tree: Hierarchy): Map<Entity, Matrix4> {
  const { world } = tree;
  const objects = new Map<Entity, Object3D>();
  const found = new Map<Entity, Matrix4>();
  for (const root of tree.roots()) {
    for (const entity of tree.descendants(root, { includeSelf: true })) {
      const object = new Object3D();
      const local = world.get(entity, Transform3D);
      if (local !== undefined) {
        object.position.set(local.x, local.y, local.z);
        object.quaternion.set(local.qx, local.qy, local.qz, local.qw);
        object.scale.set(local.scaleX, local.scaleY, local.scaleZ);
      }
      objects.set(entity, object);
      const parent = tree.parentOf(entity);
      if (parent !== null) objects.get(parent)?.add(object);
    }
    (objects.get(root) as Object3D).updateMatrixWorld();
  }
  for (const [entity, object] of objects) found.set(entity, object.matrixWorld);
  return found;
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  for (let k = 0; k < 16; k++) {
    const size = Math.max(1, Math.abs(expected[k] as number));
    expect(Math.abs((actual[k] as number) - (expected[k] as number)) / size).toBeLessThan(1e-4);
  }
}

describe("a three.js scene", () => {
  it("is where three.js would compute it, through undo, snapshots and taken-back changes", () => {
    property(
      fc.array(someEdit("sync", "anew"), { minLength: 5, maxLength: 80 }),
      (edits) => {
        const { world, tree, space, apply } = stage();
        const visible = createInherited(tree, visibility);
        const activity = activityOf(tree);
        const isShown = (entity: Entity) => visible.of(entity) && activity.of(entity);
        const query = world.query(Transform3D, Crate);
        let living = 0;
        const follow = () => {
          const view = createThreeSync(space, { visibility: visible });
          view.attachEach(query, {
            create: () => {
              living++;
              return new Object3D();
            },
            dispose: () => void living--,
          });
          const mesh = new InstancedMesh(new BufferGeometry(), new MeshBasicMaterial(), 2);
          const instances = view.attachInstances(mesh, query);
          return { view, mesh, instances };
        };
        let followed = follow();
        const check = () => {
          const { view, mesh, instances } = followed;
          view.sync();
          const matrices = computedByThree(tree);
          const crates = query.ids();
          expect(living).toBe(crates.length);
          expect(view.root.children).toHaveLength(crates.length + 1);
          for (const entity of crates) {
            const object = view.objectOf(entity) as Object3D;
            expectClose(object.matrixWorld.elements, (matrices.get(entity) as Matrix4).elements);
            expect(object.visible).toBe(isShown(entity));
          }
          const drawn = crates.filter(isShown);
          expect([mesh.count, instances.count]).toEqual([drawn.length, drawn.length]);
          const matrix = new Matrix4();
          for (const entity of drawn) {
            const row = instances.rowOf(entity);
            expect(instances.entityAt(row)).toBe(entity);
            mesh.getMatrixAt(row, matrix);
            expectClose(matrix.elements, (matrices.get(entity) as Matrix4).elements);
          }
          expect(view.sync()).toBe(0);
        };
        for (const edit of edits) {
          const { kind } = edit;
          if (kind === "sync") check();
          else if (kind === "anew") {
            followed.view.dispose();
            expect([living, followed.view.root.children.length]).toEqual([0, 0]);
            followed = follow();
          } else apply({ ...edit, kind });
        }
        check();
      },
      60,
    );
  });
});

import { createWorld, type Entity, indexOf, not, tag } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  createTransforms2D,
  createTransforms3D,
  type EulerOrder,
  eulerToQuaternion,
  fillRotations,
  fillWorlds,
  quaternionToEuler,
  rawTransforms,
  Transform2D,
  Transform3D,
  worldRowsOf,
} from "espalier/transform";
import { Euler, Matrix4, Object3D, Quaternion } from "three";
import { describe, expect, it } from "vitest";
import { refusal } from "../testing.ts";

const orders: EulerOrder[] = ["XYZ", "YXZ", "ZXY", "ZYX", "YZX", "XZY"];

function plane() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const tank = world.spawn(Transform2D({ x: 100, y: 50, rotation: Math.PI / 2 }));
  const turret = tree.attachNew(tank, Transform2D({ x: 10, scaleX: 2, scaleY: 3 }));
  return { world, tree, space, tank, turret };
}

/** A chain in space and the same in three.js. */
function chain() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms3D(tree);
  const entities: Entity[] = [];
  const objects: Object3D[] = [];
  for (let k = 0; k < 6; k++) {
    const turn = eulerToQuaternion(0.3 * k, -0.7 * k, 1.1 * k, "YZX");
    const entity = tree.attachNew(
      entities.at(-1) ?? null,
      Transform3D({ x: k, y: 2 * k, z: -k, ...turn, scaleX: 2, scaleY: 2, scaleZ: 2 }),
    );
    const object = new Object3D();
    object.position.set(k, 2 * k, -k);
    object.rotation.set(0.3 * k, -0.7 * k, 1.1 * k, "YZX");
    object.scale.set(2, 2, 2);
    objects.at(-1)?.add(object);
    entities.push(entity);
    objects.push(object);
  }
  objects[0]!.updateMatrixWorld();
  return { world, tree, space, entities, objects };
}

const close = (actual: ArrayLike<number>, expected: ArrayLike<number>) => {
  expect(actual.length).toBe(expected.length);
  for (let k = 0; k < expected.length; k++) expect(actual[k], `number ${k}`).toBeCloseTo(expected[k]!, 4);
};

describe("fillWorlds", () => {
  it("writes 6, 9, 12 and 16 floats in 2D", () => {
    const { space, turret } = plane();
    const fill = (width: 6 | 9 | 12 | 16, on: "xy" | "xz" = "xy") => {
      const out = new Float32Array(width);
      expect(fillWorlds(space, [turret], out, { width, plane: on })).toBe(1);
      return out;
    };
    // x axis (0, 2), y axis (-3, 0), position (100, 60).
    close(fill(6), [0, 2, -3, 0, 100, 60]);
    close(fill(9), [0, 2, 0, -3, 0, 0, 100, 60, 1]);
    close(fill(12), [0, 2, 0, -3, 0, 0, 0, 0, 1, 100, 60, 0]);
    close(fill(16), [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 1, 0, 100, 60, 0, 1]);
    close(fill(12, "xz"), [0, 0, 2, 0, 1, 0, -3, 0, 0, 100, 0, 60]);
    close(fill(16, "xz"), [0, 0, 2, 0, 0, 1, 0, 0, -3, 0, 0, 0, 100, 0, 60, 1]);
  });

  it("writes what three.js computes for the same tree in 3D, in all four widths", () => {
    const { space, entities, objects } = chain();
    const out = new Float32Array(entities.length * 16);
    expect(fillWorlds(space, entities, out)).toBe(6);
    close(
      out,
      objects.flatMap((object) => object.matrixWorld.elements),
    );
    const element = (width: 6 | 9 | 12) => {
      const one = new Float64Array(width);
      fillWorlds(space, [entities[5]!], one, { width });
      return one;
    };
    const e = objects[5]!.matrixWorld.elements;
    close(
      element(12),
      [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14].map((k) => e[k]!),
    );
    close(
      element(9),
      [0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => e[k]!),
    );
    close(
      element(6),
      [0, 1, 4, 5, 12, 13].map((k) => e[k]!),
    );
  });

  it("writes at an offset and a stride and leaves what is between", () => {
    const { space, tank, turret } = plane();
    const out = new Float32Array(20).fill(-1);
    fillWorlds(space, [turret, tank], out, { width: 6, offset: 2, stride: 8 });
    close(out.subarray(0, 8), [-1, -1, 0, 2, -3, 0, 100, 60]);
    close(out.subarray(8, 18), [-1, -1, 0, 1, -1, 0, 100, 50, -1, -1]);
  });

  it("takes a query, in the query's order", () => {
    const { world, space, turret } = plane();
    const Hidden = tag("Hidden");
    const query = world.query(Transform2D, not(Hidden));
    world.add(turret, Hidden);
    const rock = world.spawn(space.at(7, 8));
    const out = new Float32Array(12);
    expect(fillWorlds(space, query, out, { width: 6 })).toBe(2);
    const at = query.ids().indexOf(rock) * 6;
    expect([...out.subarray(at + 4, at + 6)]).toEqual([7, 8]);
  });

  it("sees writes and moves that no pass has seen", () => {
    const { tree, space, tank, turret } = plane();
    space.propagate();
    space.setPosition(tank, 0, 0);
    tree.detach(turret);
    const out = new Float32Array(6);
    fillWorlds(space, [turret], out, { width: 6 });
    close(out, [2, 0, 0, 3, 10, 0]);
  });

  it("gives an entity without a transform that of its ancestors", () => {
    const { tree, space, tank } = plane();
    const folder = tree.attachNew(tank);
    const out = new Float32Array(6);
    fillWorlds(space, [folder], out, { width: 6 });
    close(out, [0, 1, -1, 0, 100, 50]);
  });

  it("refuses a small buffer, a dead entity and options that do not exist, and writes nothing", () => {
    const { world, space, tank, turret } = plane();
    const out = new Float32Array(31).fill(5);
    const no = (entities: Entity[], options: object) =>
      refusal(world, () => fillWorlds(space, entities, out, options));
    expect(no([tank, turret], {})).toBe(
      "InvalidFillError: Cannot fill world transforms: 2 entities need 32 floats, and the buffer has 31. Give a larger one. [transform/invalid-fill]",
    );
    expect(no([tank], { width: 7 })).toContain(
      "Cannot fill 7 floats per entity: choose a width of 6, 9, 12 or 16.",
    );
    expect(no([tank], { offset: -1 })).toContain("Cannot fill from offset -1");
    expect(no([tank], { stride: 15 })).toContain(
      "Cannot fill with a stride of 15 floats: an entity takes 16",
    );
    expect(no([tank], { plane: "yz" })).toContain('choose "xy" or "xz"');
    world.destroy(turret);
    expect(no([tank, turret], { width: 6 })).toContain(
      "DeadEntityError: Cannot read the world transform: #2",
    );
    expect(out.every((value) => value === 5)).toBe(true);
  });
});

describe("fillRotations", () => {
  it("writes quaternions and angles as three.js does, in every order", () => {
    const { space, entities, objects } = chain();
    const quaternions = new Float32Array(entities.length * 4);
    expect(fillRotations(space, entities, quaternions)).toBe(6);
    for (const [k, object] of objects.entries()) {
      const expected = object.getWorldQuaternion(new Quaternion());
      const mine = new Quaternion().fromArray(quaternions, k * 4);
      expect(Math.abs(mine.dot(expected))).toBeCloseTo(1, 6);
      for (const order of orders) {
        const out = new Float32Array(3);
        fillRotations(space, [entities[k]!], out, { form: "euler", order });
        const turned = new Quaternion().setFromEuler(new Euler(out[0], out[1], out[2], order));
        expect(Math.abs(turned.dot(expected)), `${order} of ${k}`).toBeCloseTo(1, 5);
      }
    }
  });

  it("turns about z in 2D, and about -y on the ground", () => {
    const { space, tank } = plane();
    const out = new Float32Array(4);
    fillRotations(space, [tank], out);
    close(out, [0, 0, Math.SQRT1_2, Math.SQRT1_2]);
    fillRotations(space, [tank], out, { plane: "xz" });
    close(out, [0, -Math.SQRT1_2, 0, Math.SQRT1_2]);
  });

  it("refuses forms and orders that do not exist", () => {
    const { world, space, tank } = plane();
    const no = (options: object) =>
      refusal(world, () => fillRotations(space, [tank], new Float32Array(4), options));
    expect(no({ form: "matrix" })).toContain('choose "quaternion" or "euler"');
    expect(no({ order: "XYX" })).toContain("choose one of XYZ, YZX, ZXY, YXZ, ZYX, XZY");
    expect(no({ offset: 1 })).toContain("1 entities need 5 floats, and the buffer has 4");
  });
});

describe("Euler angles", () => {
  it("are those of three.js, even where the second turn is a quarter", () => {
    const angles = [-3, -Math.PI / 2, -0.4, 0, 1, Math.PI / 2, 2.5];
    for (const order of orders) {
      for (const x of angles)
        for (const y of angles)
          for (const z of angles) {
            const theirs = new Quaternion().setFromEuler(new Euler(x, y, z, order));
            const mine = eulerToQuaternion(x, y, z, order);
            close([mine.qx, mine.qy, mine.qz, mine.qw], theirs.toArray());
            const back = quaternionToEuler(mine, order);
            const expected = new Euler().setFromRotationMatrix(
              new Matrix4().makeRotationFromQuaternion(theirs),
              order,
            );
            const turned = new Quaternion().setFromEuler(new Euler(back.x, back.y, back.z, order));
            expect(Math.abs(turned.dot(theirs)), `${order} ${x} ${y} ${z}`).toBeCloseTo(1, 5);
            // Where the second angle is not at its end, the three angles are unique.
            const second = expected[order[1]!.toLowerCase() as "x" | "y" | "z"];
            if (Math.abs(Math.abs(second) - Math.PI / 2) > 1e-3)
              for (const axis of ["x", "y", "z"] as const)
                expect(Math.abs(Math.sin((back[axis] - expected[axis]) / 2))).toBeLessThan(1e-5);
          }
    }
  });
});

describe("worldRowsOf", () => {
  it("gives the arrays of the space, up to date", () => {
    const { space, tank } = plane();
    space.setPosition(tank, 1, 2);
    const { values, slotOf, stride } = worldRowsOf(space);
    const at = slotOf[indexOf(tank)]! * stride;
    expect([...values.subarray(at + 4, at + 6)]).toEqual([1, 2]);
    expect(at).toBe(rawTransforms(space).worldRowOf(tank));
  });
});

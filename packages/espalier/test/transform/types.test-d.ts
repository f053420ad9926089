import { component, createWorld, type Entity, f64, string } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createInherited, defineInherited, type Inherited } from "espalier/inherit";
import {
  type Affine2D,
  createRectTransforms,
  createSpace,
  createTransforms2D,
  createTransforms3D,
  defineTransform,
  setInherit,
  type Transform2D,
  type TransformBatch,
  transformBatch,
  type Vector3,
  worldMatrix4,
} from "espalier/transform";
import { expectTypeOf, test } from "vitest";

const world = createWorld();
const tree = createHierarchy(world);
const e = world.spawn();

test("2D transforms", () => {
  const space = createTransforms2D(tree, { inherit: "position", compose: "separable", kernel: "auto" });
  expectTypeOf(space.worldOf(e)).toEqualTypeOf<Affine2D>();
  expectTypeOf(transformBatch(space, [e])).toEqualTypeOf<TransformBatch>();
  expectTypeOf(space.at(1, 2)).toExtend<ReturnType<typeof Transform2D>>();
  setInherit(space, e, { rotation: false });
  space.setLocal(e, { x: 1, skew: 2 });
  // @ts-expect-error there is no such field
  space.setLocal(e, { z: 1 });
  // @ts-expect-error rotations alone have no name
  setInherit(space, e, "rotation");
  transformBatch(space, [e]).write(new Float64Array(2));
  // @ts-expect-error rows are typed arrays
  transformBatch(space, [e]).write([1, 2]);
  // @ts-expect-error there is no such kernel
  createTransforms2D(tree, { kernel: "gpu" });
});

test("3D transforms", () => {
  const space = createTransforms3D(tree, { name: "solid" });
  expectTypeOf(space.worldPosition(e)).toEqualTypeOf<Vector3>();
  expectTypeOf(worldMatrix4(space, e)).toEqualTypeOf<Float32Array>();
  expectTypeOf(worldMatrix4(space, e, new Float64Array(16))).toExtend<Float64Array>();
  space.setLocal(e, { qw: 1 });
  // @ts-expect-error a rotation has four numbers
  space.setWorldRotation(e, { qx: 1 });
});

test("spaces of one's own", () => {
  const Far = component("Far", { x: f64(0) });
  const far = defineTransform({
    name: "far",
    local: Far,
    world: [0],
    compose(parent, p, local, out, o) {
      expectTypeOf(local).toEqualTypeOf<Readonly<{ x: number }>>();
      out[o] = (parent[p] as number) + local.x;
    },
    // @ts-expect-error it gives fields of the component
    invert: () => ({ y: 1 }),
  });
  const space = createSpace(tree, far);
  space.setLocal(e, { x: 1 });
  // @ts-expect-error there is no such field
  space.setLocal(e, { y: 1 });
  createRectTransforms(tree, { width: 1, height: 1 }).setLocal(e, { anchorMinX: 1 });
});

test("inherited values", () => {
  const Team = component("Team", { name: string() });
  const team = defineInherited({
    name: "team",
    component: Team,
    initial: null as string | null,
    combine: (parent, own) => {
      expectTypeOf(parent).toEqualTypeOf<string | null>();
      expectTypeOf(own.name).toEqualTypeOf<string>();
      return own.name;
    },
  });
  const teams = createInherited(tree, team);
  expectTypeOf(teams).toExtend<Inherited<(typeof Team)["schema"], string | null>>();
  expectTypeOf(teams.of(e)).toEqualTypeOf<string | null>();
  expectTypeOf(teams.changes().read().changed).toEqualTypeOf<readonly Entity[]>();
  // @ts-expect-error combine gives another type
  defineInherited({ name: "team", component: Team, initial: 1, combine: (_parent, own) => own.name });
});

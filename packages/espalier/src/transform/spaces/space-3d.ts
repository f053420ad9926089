/**
 * Three dimensions as a description for `createSpace`: what `createTransforms3D` computes, for components of other fields.
 */
import type { ValueOf } from "../../ecs/index.ts";
import { compose3DRecord, LOCAL_WIDTH_3D, localFor3D } from "../maths/compose-3d.ts";
import { identity3D } from "../maths/matrix3d.ts";
import { type Schema3D, Transform3D } from "../transform-3d.ts";
import { defineTransform, type SpaceDefinition } from "./define-transform.ts";
import { bitsOf } from "./inherit-mask.ts";

const record = /* @__PURE__ */ new Float64Array(LOCAL_WIDTH_3D);

/** World values are 12 numbers: three columns of the linear part, then the position. */
export const space3D: SpaceDefinition<Schema3D> = /* @__PURE__ */ defineTransform({
  name: "world",
  local: Transform3D,
  world: identity3D,
  masks: true,
  compose(parent, p, local, out, o, inherit) {
    writeRecord(local);
    const { position, rotation, scale } = inherit;
    compose3DRecord(record, 0, parent, p, out, o, bitsOf(position, rotation, scale));
  },
  invert: (parent, p, wanted, w, _local, { position, rotation, scale }) =>
    localFor3D(parent, p, wanted.subarray(w), bitsOf(position, rotation, scale)),
});

function writeRecord(local: Readonly<ValueOf<Schema3D>>): void {
  record[0] = local.x;
  record[1] = local.y;
  record[2] = local.z;
  record[3] = local.qx;
  record[4] = local.qy;
  record[5] = local.qz;
  record[6] = local.qw;
  record[7] = local.scaleX;
  record[8] = local.scaleY;
  record[9] = local.scaleZ;
}

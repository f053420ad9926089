/**
 * The parts of a Godot scene about the skeleton of a model: poses of bones, and nodes attached to them. Joints are entities here.
 */
import type { Key, ModelBones } from "./gltf-nodes.ts";
import { transform3DOf } from "./godot-3d.ts";
import { Properties } from "./godot-properties.ts";
import { emptyRecord, type Json } from "./imported.ts";
import type { GodotValue, Section } from "./tscn.ts";

export interface Pose {
  readonly bone: Key;
  readonly transform: { [field: string]: Json };
}

/** The poses in the properties of a skeleton node. All its other properties are listed. */
export function posesOf(
  { properties }: Section,
  { byNumber, isToScale }: ModelBones,
  lost: (what: string) => void,
): Pose[] {
  const said = new Map<number, { [name: string]: GodotValue }>();
  for (const [name, value] of Object.entries(properties)) {
    const [, number, part] = /^bones\/(\d+)\/(position|rotation|scale)$/.exec(name) ?? [];
    if (number === undefined || part === undefined) {
      lost(`${name} of a skeleton, which is no node of its model`);
      continue;
    }
    const parts = said.get(Number(number)) ?? emptyRecord<GodotValue>();
    said.set(Number(number), parts);
    // The rotation of a node is angles, that of a bone is not.
    parts[part === "rotation" ? "quaternion" : part] = value;
  }
  const poses: Pose[] = [];
  for (const [number, parts] of said) {
    const bone = byNumber[number];
    if (bone === undefined) {
      lost(`pose of bone ${number}, of which it is not known which node of the model it is`);
      continue;
    }
    if (!isToScale && parts.position !== undefined) {
      delete parts.position;
      lost(`position of bone ${number}, because the model is scaled when Godot imports it`);
    }
    const left = new Properties(parts);
    const transform = transform3DOf(left, false, lost);
    for (const name of Object.keys(left.rest()))
      lost(`${name} of bone ${number}, which is not of the form expected`);
    if (transform !== undefined) poses.push({ bone, transform });
  }
  return poses;
}

/** The bone that a node follows; `undefined` if it follows no known bone. */
export function boneOf({ properties }: Section, { byName, byNumber }: ModelBones): Key | undefined {
  const { bone_name: name, bone_idx: number, use_external_skeleton: isElsewhere } = properties;
  if (isElsewhere === true) return undefined;
  if (typeof name === "string" && name !== "") return byName.get(name);
  return typeof number === "number" ? byNumber[number] : undefined;
}

export function followsBone(type: string): boolean {
  return type === "BoneAttachment3D" || type === "BoneAttachment";
}

/**
 * The objects that clips move, as stand-ins: the mixer of three.js plays on these, and their poses are copied to transforms.
 *
 * Before each step a joint is set to the pose of its entity, and afterwards only changes of the mixer are written. So other
 * code can write what no clip
 * moves or changes, as with three.js alone.
 */
import {
  type AnimationClip,
  AnimationClip as Clip,
  type KeyframeTrack,
  Object3D,
  PropertyBinding,
} from "three";
import type { Entity } from "../ecs/index.ts";
import {
  type MatrixSpace,
  type RawTransforms,
  rawTransforms,
  type TransformBatch,
  transformBatch,
} from "../transform/index.ts";

/** Numbers of a local transform: position, quaternion, scale. */
const WIDTH = 10;
/** The parts of a pose that a clip can change. */
const POSE = new Set(["position", "quaternion", "rotation", "scale"]);

interface Joint {
  readonly entity: Entity;
  readonly proxy: Object3D;
}

/** Returns the entity that drives an object, if any. */
export type EntityOf = (object: Object3D) => Entity | undefined;

/** A clip, split into tracks for transforms and tracks for the objects themselves. */
export interface SplitClip {
  readonly poses: AnimationClip | undefined;
  readonly rest: AnimationClip | undefined;
}

export class ClipJoints {
  /** The root for playing poses. All joints are direct children: their tree is that of the entities. */
  readonly stage: Object3D;
  private readonly space: MatrixSpace;
  private readonly raw: RawTransforms;
  private all: readonly Joint[] = [];
  /** The joints whose entity is alive. */
  private joints: readonly Joint[] = [];
  private batch: TransformBatch | undefined;
  private rows = new Float64Array(0);
  private version = Number.NaN;

  constructor(space: MatrixSpace, root: Object3D) {
    this.space = space;
    this.raw = rawTransforms(space);
    this.stage = standIn(root, root.name);
  }

  /** The first entity that clips move. */
  get first(): Entity | undefined {
    return this.all[0]?.entity;
  }

  /** Creates the joints that these clips move, and returns the clips by name. */
  split(clips: readonly AnimationClip[], root: Object3D, entityOf: EntityOf): Map<string, SplitClip> {
    const objects = objectsByName(root);
    const made = new Map<Object3D, Joint>();
    const divided = new Map<string, SplitClip>();
    for (const clip of clips) {
      const poses: KeyframeTrack[] = [];
      const rest: KeyframeTrack[] = [];
      for (const track of clip.tracks) {
        const { object, property, isBone } = targetOf(track, root, objects);
        const entity = object === undefined || !POSE.has(property) ? undefined : entityOf(object);
        if (object === undefined || entity === undefined) {
          rest.push(track);
          continue;
        }
        if (!made.has(object)) {
          // Another object with the same name is found only by its uuid.
          const isFound = objects.get(object.name) === object;
          const proxy = object === root ? this.stage : standIn(object, isFound ? object.name : "");
          if (proxy !== this.stage) this.stage.add(proxy);
          made.set(object, { entity, proxy });
        }
        poses.push(isBone ? renamed(track, `${object.uuid}.${property}`) : track);
      }
      divided.set(clip.name, { poses: part(clip, poses), rest: part(clip, rest) });
    }
    this.all = [...made.values()];
    return divided;
  }

  /** Sets joints to the poses of their entities, if other code wrote these. */
  pull(): void {
    this.requireLive();
    const { joints, rows, raw } = this;
    const { locals } = raw;
    for (let k = 0; k < joints.length; k++) {
      const { entity, proxy } = joints[k];
      const row = raw.rowOf(entity);
      const at = k * WIDTH;
      let differs = false;
      for (let f = 0; f < WIDTH; f++) {
        if (rows[at + f] === locals[row + f]) continue;
        rows[at + f] = locals[row + f];
        differs = true;
      }
      if (!differs) continue;
      proxy.position.fromArray(rows, at);
      proxy.quaternion.fromArray(rows, at + 3);
      proxy.scale.fromArray(rows, at + 7);
    }
  }

  /** Writes the poses of the joints into the transforms of their entities. */
  push(): void {
    this.requireLive();
    const { joints, rows, batch } = this;
    let differs = false;
    for (let k = 0; k < joints.length; k++) {
      const { position, quaternion, scale } = joints[k].proxy;
      const at = k * WIDTH;
      if (
        rows[at] === position.x &&
        rows[at + 1] === position.y &&
        rows[at + 2] === position.z &&
        rows[at + 3] === quaternion.x &&
        rows[at + 4] === quaternion.y &&
        rows[at + 5] === quaternion.z &&
        rows[at + 6] === quaternion.w &&
        rows[at + 7] === scale.x &&
        rows[at + 8] === scale.y &&
        rows[at + 9] === scale.z
      )
        continue;
      differs = true;
      position.toArray(rows, at);
      quaternion.toArray(rows, at + 3);
      scale.toArray(rows, at + 7);
    }
    if (differs) batch?.write(rows);
  }

  /** Leaves out joints whose entity was destroyed or lost its transform, until an undo restores it. */
  private requireLive(): void {
    const { world } = this.space.tree;
    if (this.version === world.version) return;
    this.version = world.version;
    const { component } = this.space;
    const joints = this.all.filter(({ entity }) => world.isAlive(entity) && world.has(entity, component));
    const isSame = joints.length === this.joints.length && joints.every((each, k) => each === this.joints[k]);
    if (this.batch !== undefined && isSame) return;
    this.joints = joints;
    const entities = joints.map(({ entity }) => entity);
    this.batch = transformBatch(this.space, entities);
    // NaN equals no number, so the next read of the transforms fills it.
    this.rows = new Float64Array(joints.length * WIDTH).fill(Number.NaN);
  }
}

/** An object that tracks find in place of another. */
function standIn(object: Object3D, name: string): Object3D {
  const proxy = new Object3D();
  proxy.name = name;
  proxy.uuid = object.uuid;
  return proxy;
}

/** The objects as three.js finds them: the first in the tree by name or uuid. */
function objectsByName(root: Object3D): Map<string, Object3D> {
  const found = new Map<string, Object3D>();
  const waiting = [root];
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    for (const name of [object.name, object.uuid])
      if (name !== "" && !found.has(name)) found.set(name, object);
    for (let k = object.children.length - 1; k >= 0; k--) waiting.push(object.children[k]);
  }
  return found;
}

/** The target of a track. `isBone`: it is named by its index in the skeleton of `root`. */
function targetOf(
  track: KeyframeTrack,
  root: Object3D,
  objects: ReadonlyMap<string, Object3D>,
): { object: Object3D | undefined; property: string; isBone: boolean } {
  const { nodeName, objectName, objectIndex, propertyName } = PropertyBinding.parseTrackName(track.name);
  const { skeleton } = root as { skeleton?: { readonly bones: readonly Object3D[] } };
  const boneOf = (name: string) => skeleton?.bones.find((bone) => bone.name === name);
  const named = (name: string) => (name === "" || name === "." ? root : (boneOf(name) ?? objects.get(name)));
  if (objectName === undefined)
    return { object: named(nodeName ?? ""), property: propertyName, isBone: boneOf(nodeName) !== undefined };
  const bone = objectName === "bones" ? boneOf(String(objectIndex)) : undefined;
  return { object: bone, property: propertyName, isBone: true };
}

function renamed(track: KeyframeTrack, name: string): KeyframeTrack {
  const copy = track.clone();
  copy.name = name;
  return copy;
}

/** A clip with some of the tracks of another, sharing their arrays. */
function part(clip: AnimationClip, tracks: KeyframeTrack[]): AnimationClip | undefined {
  if (tracks.length === 0) return undefined;
  return tracks.length === clip.tracks.length && tracks.every((track, k) => track === clip.tracks[k])
    ? clip
    : new Clip(clip.name, clip.duration, tracks, clip.blendMode);
}

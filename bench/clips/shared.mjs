/** The models and clips of both subjects, and the poses they should have. */
import {
  AnimationClip,
  AnimationMixer,
  Group,
  Quaternion,
  QuaternionKeyframeTrack,
  Vector3,
  VectorKeyframeTrack,
} from "three";

export const JOINTS = 30;
export const STEP = 1 / 60;

const axis = new Vector3(0, 0, 1);
const turned = (angle) => new Quaternion().setFromAxisAngle(axis, angle).toArray();

function clip(name, size) {
  const times = [0, 0.5, 1];
  const tracks = Array.from(
    { length: JOINTS },
    (_, k) =>
      new QuaternionKeyframeTrack(
        `joint${k}.quaternion`,
        times,
        [-size, size, -size].flatMap((angle) => turned(angle * (1 + k / 10))),
      ),
  );
  tracks.push(new VectorKeyframeTrack("joint0.position", times, [0, 1, 0, 0, 1 + size, 0, 0, 1, 0]));
  return new AnimationClip(name, 1, tracks);
}

export const clips = [clip("walk", 0.3), clip("run", 0.8)];

/** A chain of joints, as in a tail: deeper than a body, with as many joints. */
export function createModel() {
  const joints = Array.from({ length: JOINTS }, (_, k) => Object.assign(new Group(), { name: `joint${k}` }));
  const root = new Group();
  joints.reduce((above, joint) => {
    above.add(joint);
    return joint;
  }, root);
  return { root, joints };
}

/** A single model, stepped along with the others: the reference for the pose of every joint. */
export function createReference(isFading) {
  const { root, joints } = createModel();
  const mixer = new AnimationMixer(root);
  begin(mixer, isFading);
  return {
    step: () => mixer.update(STEP),
    poseOf: (joint) => poseOf(joints[joint % JOINTS]),
  };
}

/** Plays a clip, or two of which one slowly replaces the other. */
export function begin(mixer, isFading) {
  const [walk, run] = clips.map((each) => mixer.clipAction(each));
  walk.play();
  if (!isFading) return;
  run.fadeIn(1e6).play();
  walk.fadeOut(1e6);
}

export const poseOf = ({ position, quaternion, scale }) => [...position, ...quaternion, ...scale];

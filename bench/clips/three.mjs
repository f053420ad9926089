/** three.js alone: a mixer for each model. */
import { AnimationMixer } from "three";
import { begin, createModel, createReference, JOINTS, poseOf, STEP } from "./shared.mjs";

const create = (isFading) => (size) => {
  const models = Array.from({ length: size / JOINTS }, createModel);
  const mixers = models.map(({ root }) => new AnimationMixer(root));
  for (const mixer of mixers) begin(mixer, isFading);
  const reference = createReference(isFading);
  return {
    run() {
      for (const mixer of mixers) mixer.update(STEP);
      reference.step();
    },
    poseOf: (joint) => poseOf(models[Math.floor(joint / JOINTS)].joints[joint % JOINTS]),
    wanted: reference.poseOf,
  };
};

export const subjects = { three: { cases: { walk: create(false), fade: create(true) } } };

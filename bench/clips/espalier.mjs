/** The same models with an entity for each joint, moved by `attachClips`. Imported by public names, as built. */
import { begin, clips, createModel, createReference, JOINTS, STEP } from "./shared.mjs";

const library = await Promise.all(
  ["espalier", "espalier/hierarchy", "espalier/transform", "espalier/three"].map((name) => import(name)),
).catch((error) => {
  if (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
    return undefined;
  throw error;
});

/** Shown instead of results as long as `subjects` does not name the subject. */
export const skipped = "espalier is not built (npm run build)";

const [ecs, { createHierarchy } = {}, transform, three] = library ?? [];

const create = (isFading) => (size) => {
  const world = ecs.createWorld();
  const tree = createHierarchy(world);
  const space = transform.createTransforms3D(tree);
  const view = three.createThreeSync(space);
  const entities = [];
  const actors = Array.from({ length: size / JOINTS }, () => {
    const { root, joints } = createModel();
    let parent = null;
    for (const joint of joints) {
      parent = tree.attachNew(parent, space.at(0, 0, 0));
      entities.push(parent);
      view.attach(parent, joint);
    }
    const actor = three.attachClips(view, root, clips);
    actor.play("walk");
    if (isFading) begin(actor.mixer, true);
    return actor;
  });
  const reference = createReference(isFading);
  return {
    run() {
      for (const actor of actors) actor.step(STEP);
      reference.step();
    },
    poseOf: (joint) => Object.values(space.localOf(entities[joint])),
    wanted: reference.poseOf,
  };
};

export const subjects = library ? { espalier: { cases: { walk: create(false), fade: create(true) } } } : {};

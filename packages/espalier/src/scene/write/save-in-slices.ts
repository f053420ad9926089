/**
 * Saving a large scene in slices, so that a page can respond to its user in between.
 */
import { requireInstanceOf } from "../arguments.ts";
import { SceneUseError } from "../errors.ts";
import { Scene } from "../scene.ts";
import { writeToolsOf } from "../write-tools.ts";
import { noteSaved } from "./save-scene.ts";
import type { SaveOptions } from "./write.ts";

/**
 * `scene.save()` in slices of a few milliseconds each: yields the fraction that is done, from 0 to 1, and returns the text.
 *
 * The scene must not change between two slices. Added, removed and moved entities are detected; after setting values, start over: values
 * set between two slices may or may not be in the text.
 *
 * @throws SceneError as `save` does; SceneUseError `scene/invalid-use` when the tree or an entity's components changed.
 *
 * @example
 * ```ts
 * const format = createSceneFormat({ components: [] });
 * const scene = format.load(tree, { entities: [{ id: "tank" }] });
 * const saving = saveInSlices(scene);
 * let step = saving.next();
 * while (step.done !== true) step = saving.next(); // a page waits for its next task here
 * step.value.includes("tank"); // → true
 * ```
 */
export function saveInSlices(scene: Scene, options: SaveOptions = {}): Generator<number, string> {
  requireInstanceOf(scene, Scene, "a scene", "save in slices");
  const { saveSceneInSlices } = writeToolsOf(scene.registry, "save the scene");
  return watched(scene, saveSceneInSlices(scene, options));
}

function* watched(scene: Scene, saving: Generator<number, string>): Generator<number, string> {
  const { tree } = scene;
  const { world } = tree;
  for (;;) {
    const { done, value } = saving.next();
    if (done === true) return noteSaved(scene, value);
    const [structure, order] = [world.version, tree.version];
    yield value;
    if (world.version !== structure || tree.version !== order) {
      throw new SceneUseError(
        "Cannot continue saving the scene: it changed between two slices. Start over with saveInSlices(scene).",
        "scene/invalid-use",
      );
    }
  }
}

/**
 * The self-test of scenes: each id resolves to the entity that has it.
 */
import { describeValue, type Finding } from "../ecs/index.ts";
import { provideCheck, stateOf } from "../ecs/internal.ts";
import type { SceneParts } from "./scene-parts.ts";

type CheckedScene = Pick<SceneParts, "tree" | "ids">;

/** The scenes that are still referenced. */
type CheckedScenes = Set<WeakRef<CheckedScene>>;

const attachment = "espalier/scene/checked";

/** Makes `checkWorld` check the scene, as long as it is referenced. */
export function checkScene(scene: CheckedScene): void {
  const state = stateOf(scene.tree.world);
  let scenes = state.attachments.get(attachment) as CheckedScenes | undefined;
  if (scenes === undefined) {
    const checked: CheckedScenes = new Set();
    state.attachments.set(attachment, checked);
    provideCheck(state, { name: "scenes", check: () => wrongIdsOf(checked) });
    scenes = checked;
  }
  for (const ref of scenes) if (ref.deref() === undefined) scenes.delete(ref);
  scenes.add(new WeakRef(scene));
}

function* wrongIdsOf(scenes: CheckedScenes): IterableIterator<Finding> {
  for (const ref of scenes) {
    const scene = ref.deref();
    if (scene !== undefined) yield* wrongIds(scene);
  }
}

/** Ids that do not resolve to the entity that has them. */
function* wrongIds({ tree, ids }: CheckedScene): IterableIterator<Finding> {
  const code = "scene/inconsistent";
  for (const entity of ids.entities()) {
    const id = ids.of(entity) as string;
    const found = ids.entity(id);
    if (found === entity) continue;
    const where = found === undefined ? "no entity" : tree.label(found);
    yield {
      code,
      entity,
      message: `${tree.label(entity)} has the id ${describeValue(id)}, which leads to ${where}`,
    };
  }
}

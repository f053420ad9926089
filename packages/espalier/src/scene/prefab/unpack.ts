/**
 * Turns an instance of a prefab into plain entities.
 */
import type { EntityLike } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { requireEntity, requireTree } from "../arguments.ts";
import { SceneUseError } from "../errors.ts";
import { tablesOf } from "../tables.ts";

/**
 * Ends the link of an instance to its prefab: its entities stay as they are and are saved as plain entities, and changes
 * of the prefab no longer affect them. Instances inside it stay instances. A history undoes it like any other change.
 *
 * @param root - The root of the instance.
 * @throws SceneUseError `scene/invalid-use` when it is not the root of an instance; DeadEntityError.
 *
 * @example
 * ```ts
 * const format = createSceneFormat({ components: [] });
 * const tank = format.prefab(`{ "entities": [{ "id": "tank", "children": [{ "id": "turret" }] }] }`, { file: "tank" });
 * const { root } = tank.instantiate(tree);
 * unpackInstance(tree, root);
 * instanceOf(tree, root); // → undefined
 * ```
 */
export function unpackInstance(tree: Hierarchy, entity: EntityLike): void {
  requireTree(tree, "unpack an instance");
  const root = requireEntity(tree, entity, "unpack an instance");
  const { instances } = tablesOf(tree);
  if (instances.get(root) === undefined) {
    throw new SceneUseError(
      `Cannot unpack ${tree.label(root)}: it is not the root of an instance of a prefab. Ask instanceOf() for the root.`,
      "scene/invalid-use",
      { entities: [root] },
    );
  }
  instances.delete(root);
}

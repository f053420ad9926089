/**
 * One `InstancedMesh` for all instances of a prefab. A separate function, so that programs without prefabs do not bundle
 * them.
 */
import type { InstancedMesh } from "three";
import { checkOptions, type Entity, expectArguments } from "../ecs/index.ts";
import { instanceOf } from "../scene/index.ts";
import { aView } from "./arguments.ts";
import type { Instances, InstancesOptions } from "./instances.ts";
import type { ThreeSync } from "./three-sync.ts";

/** Options of `attachPrefabInstances`. */
export interface PrefabInstancesOptions extends InstancesOptions {
  /** The id of the prefab's entity that is drawn; its root if left out. */
  readonly part?: string;
}

/**
 * Draws the root, or another part, of all instances of a prefab with one mesh, now and later. One mesh for each visible part
 * makes a model. The notes of `view.attachInstances` about meshes apply here too.
 *
 * @throws InvalidObjectError, AlreadyAttachedError.
 *
 * @example
 * ```ts
 * import { BoxGeometry, InstancedMesh, MeshBasicMaterial } from "three";
 * const space = createTransforms3D(tree);
 * const view = createThreeSync(space);
 * const format = createSceneFormat({ components: [transformComponents] });
 * const text = `{ "entities": [{ "id": "box", "components": { "Transform3D": {} } }] }`;
 * const crate = format.prefab(text, { file: "crate" });
 * const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 100);
 * attachPrefabInstances(view, mesh, "crate");
 * for (let k = 0; k < 3; k++) crate.instantiate(tree);
 * view.sync(); // → 3
 * mesh.count; // → 3
 * ```
 */
export function attachPrefabInstances(
  view: ThreeSync,
  mesh: InstancedMesh,
  prefab: string,
  options: PrefabInstancesOptions = {},
): Instances {
  const doing = "draw the instances of a prefab";
  expectArguments(doing, ["the view", view, aView], ["the prefab", prefab, "text"]);
  const { tree, component } = view.space;
  checkOptions(tree.world.checks, doing, options, { part: "string", include: "function", onRow: "function" });
  const { part, include, ...others } = options;
  const isPart = (entity: Entity) => {
    const instance = instanceOf(tree, entity);
    if (instance?.prefab !== prefab) return false;
    return entity === (part === undefined ? instance.root : instance.find(part));
  };
  return view.attachInstances(mesh, tree.world.query(component), {
    ...others,
    include: (entity) => isPart(entity) && (include?.(entity) ?? true),
  });
}

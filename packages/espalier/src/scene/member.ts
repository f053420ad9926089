/**
 * What scenes store on entities: component values, so that undo, snapshots and differences include them like all others.
 */
import { type AnyComponent, component, type Entity, string, u32, type World } from "../ecs/index.ts";

/**
 * The scene of an entity (0: none) and its id there, and the numbers of its entries in the tables of the tree, for
 * what cannot be a plain value: the prefab it is an instance of, and what lenient loading kept (0: none).
 */
export const SceneMember = /* @__PURE__ */ component("SceneMember", {
  scene: /* @__PURE__ */ u32(),
  id: /* @__PURE__ */ string(""),
  instance: /* @__PURE__ */ u32(),
  kept: /* @__PURE__ */ u32(),
});

export interface MemberValues {
  readonly scene?: number;
  readonly id?: string;
  readonly instance?: number;
  readonly kept?: number;
}

/**
 * The components that scenes put on entities automatically. Pass them to `restoreSnapshot` or `applyPatch` if the world
 * has loaded no scene yet; a scene format needs none of them.
 *
 * @example
 * ```ts
 * const format = createSceneFormat({ components: [] });
 * const tree = createHierarchy(createWorld());
 * const scene = format.load(tree, `{ "entities": [{ "id": "tank" }] }`);
 * const snapshot = takeSnapshot(tree.world, { trees: [tree] });
 *
 * const other = createHierarchy(createWorld());
 * restoreSnapshot(other.world, snapshot, { trees: [other], components: sceneComponents });
 * const again = format.createScene(other, { key: scene.key });
 * again.idOf(other.childrenOf(null)[0]); // → "tank"
 * ```
 */
export const sceneComponents: readonly AnyComponent[] = [SceneMember];

/** The stored values of an entity; `undefined` for a dead one. */
export function memberOf(world: World, entity: Entity): Required<MemberValues> | undefined {
  return world.isAlive(entity) ? world.get(entity, SceneMember) : undefined;
}

/** Stores values on a living entity. */
export function noteMember(world: World, entity: Entity, values: MemberValues): void {
  if (world.has(entity, SceneMember)) world.set(entity, SceneMember, values);
  else world.add(entity, SceneMember(values));
}

/**
 * What scenes note on entities: values of the world, so that undo, snapshots and differences carry them like all others.
 */
import { type AnyComponent, component, type Entity, string, u32, type World } from "../ecs/index.ts";

/**
 * Which scene an entity belongs to and by which id (0: to none), and the numbers under which the tables of its tree hold
 * what cannot be a plain value: the prefab it is an instance of, and what lenient loading kept (0: nothing).
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
 * The components that scenes put on entities by themselves. Give them to `restoreSnapshot` or `applyPatch` where the world
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

/** What is noted on an entity; nothing on a dead one. */
export function memberOf(world: World, entity: Entity): Required<MemberValues> | undefined {
  return world.isAlive(entity) ? world.get(entity, SceneMember) : undefined;
}

/** Notes something on a living entity. */
export function noteMember(world: World, entity: Entity, values: MemberValues): void {
  if (world.has(entity, SceneMember)) world.set(entity, SceneMember, values);
  else world.add(entity, SceneMember(values));
}

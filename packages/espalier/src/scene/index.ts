/**
 * Scene files, prefabs, clones: entities as text and back.
 *
 * @packageDocumentation
 */

export type { AssetUse } from "./asset-uses.ts";
export { assetsOf, checkAssets } from "./assets-of.ts";
export {
  type CodecOptions,
  type ComponentRegistration,
  type FieldCodec,
  type ReadContext,
  type WriteContext,
  withCodec,
} from "./codec.ts";
export { toFlat, toNested } from "./compare/convert.ts";
export { diffScenes, patchScene, type SceneSource } from "./compare/diff-scenes.ts";
export type { ReloadSummary } from "./compare/reconcile.ts";
export type { ReloadOptions } from "./compare/reload-scene.ts";
export { type CloneOptions, clone } from "./copies/clone.ts";
export { type KeptValues, keptOf, setKept } from "./copies/kept-of.ts";
export { type Reference, referencesTo } from "./copies/references-to.ts";
export { type ReplaceOptions, replaceEntity } from "./copies/replace-entity.ts";
export { shallowClone } from "./copies/shallow-clone.ts";
export {
  formatProblem,
  SceneError,
  type SceneProblem,
  type SceneProblemCode,
  SceneUseError,
} from "./errors.ts";
export type { ComponentEntries, EntityEntry, OverrideEntry, SceneFile } from "./file.ts";
export {
  type CreateSceneOptions,
  createLoadOnlyFormat,
  createSceneFormat,
  type LoadOptions,
  type SceneFormat,
} from "./format.ts";
export type { Json, JsonObject } from "./json/json.ts";
export { sceneComponents } from "./member.ts";
export type {
  MergeChoice,
  MergeConflict,
  MergeConflictKind,
  MergeResolution,
  MergeSide,
} from "./merge/conflicts.ts";
export { type MergeOptions, mergeScenes, type SceneMerge } from "./merge/merge-scenes.ts";
export { basePrefabOf } from "./prefab/base-prefab.ts";
export { type ChangePrefabOptions, changePrefab } from "./prefab/change-prefab.ts";
export { type ComposePrefabsOptions, composedOf, composePrefabs } from "./prefab/compose-prefabs.ts";
export { type Instance, instanceOf, instancesIn } from "./prefab/instance.ts";
export { makeInstance } from "./prefab/make-instance.ts";
export type { Override } from "./prefab/overrides.ts";
export { type InstantiateOptions, type Prefab, prefabOf } from "./prefab/prefab.ts";
export { unpackInstance } from "./prefab/unpack.ts";
export { parseScene, type ReadOptions } from "./read/load.ts";
export type { PrefabSource, Prefabs } from "./read/prefab-source.ts";
export type { Migration, Registrable, SceneFormatOptions } from "./registry.ts";
export type { Scene } from "./scene.ts";
export { type SceneCommands, sceneCommands } from "./scene-commands.ts";
export type { StandardSchema } from "./standard-schema.ts";
export { printScene } from "./write/print-scene.ts";
export { saveInSlices } from "./write/save-in-slices.ts";
export type { SaveOptions } from "./write/write.ts";

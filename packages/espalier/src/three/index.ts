/**
 * Entities drive objects of three.js.
 *
 * @packageDocumentation
 */

export { attachClips, type ClipActor, type PlayClipOptions } from "./attach-clips.ts";
export type { BoundObjectsOptions } from "./bound-objects.ts";
export {
  AlreadyAttachedError,
  InvalidObjectError,
  ThreeError,
  TreeMismatchError,
  UnknownClipError,
} from "./errors.ts";
export type { Instances, InstancesOptions } from "./instances.ts";
export { type JoinOptions, joinGltf, joinTree, type LoadedGltf } from "./join-tree.ts";
export { attachPrefabInstances, type PrefabInstancesOptions } from "./prefab-instances.ts";
export {
  createThreeSync,
  type EntityIntersection,
  type ThreeSync,
  type ThreeSyncOptions,
  type VisibilitySource,
} from "./three-sync.ts";

/**
 * One scene, edited by several people at once.
 *
 * @packageDocumentation
 */

export type { SessionStatus } from "./connection/connection.ts";
export {
  CollabError,
  InvalidCollabError,
  JoinRefusedError,
  RelayGoneError,
  UnknownComponentError,
  VersionMismatchError,
} from "./errors.ts";
export { type JoinOptions, joinScene } from "./join-scene.ts";
export type { OtherUser, PresenceState, SharedUser } from "./presence.ts";
export type { SharedSession } from "./session.ts";
export type { SharedProblem } from "./world/binding.ts";
export type { SharedSceneOptions } from "./world/shared-world.ts";

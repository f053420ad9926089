/**
 * The client: a game that follows a room, interpolates, and predicts what it owns.
 *
 * @packageDocumentation
 */

export {
  InvalidInputError,
  InvalidMultiplayerError,
  JoinRefusedError,
  MultiplayerError,
  ReplicationMismatchError,
} from "../errors.ts";
export { type FollowedGame, FollowedRoom, type FollowOptions, type FollowStatus, follow } from "./follow.ts";
export type { FollowingGame } from "./incoming.ts";
export { type JoinRoomOptions, joinRoom } from "./join.ts";
export type { PredictedStep, PredictedSystem } from "./prediction.ts";

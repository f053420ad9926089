/**
 * The server: a room with a world that decides everything.
 *
 * @packageDocumentation
 */

export {
  InvalidInputError,
  InvalidMultiplayerError,
  InvalidReplicationError,
  MultiplayerError,
  ReplicationMismatchError,
} from "../errors.ts";
export type { MirroredGame } from "./mirror.ts";
export { Mirror, type MirrorOptions } from "./mirror.ts";
export { type SeeBelow, type SeeNear, type Sight, Sights, type Viewer } from "./sights.ts";
export { type HostedGame, type Player, type WorldOptions, WorldPlugin } from "./world-plugin.ts";
export { type WorldRoom, worldRoom } from "./world-room.ts";

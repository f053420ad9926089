/**
 * What server and clients share: which components are replicated, and how their fields are sent.
 *
 * @packageDocumentation
 */

export {
  angle,
  type Encoding,
  type EncodingsOf,
  fields,
  type Quantized,
  type QuantizedOptions,
  type ReplicatedComponent,
  range,
} from "./encodings.ts";
export {
  InvalidInputError,
  InvalidMultiplayerError,
  InvalidReplicationError,
  JoinRefusedError,
  MultiplayerError,
  ReplicationMismatchError,
} from "./errors.ts";
export { joinOptions } from "./join-options.ts";
export {
  type InputData,
  type Replicable,
  type ReplicateOptions,
  type Replication,
  replicate,
} from "./replicate.ts";

/**
 * Access to a running game for other programs: agents, tests and tools of your own, over a connection.
 *
 * @packageDocumentation
 */

export { InvalidRemoteError, RemoteCallError } from "../errors.ts";
export { type AnswerOptions, answerCalls } from "./answer-calls.ts";
export { remoteCalls } from "./call.ts";
export { channelPair, type LoopbackOptions, loopbackChannel, type RemoteChannel } from "./channel.ts";
export type { RemoteCall, RemoteParameter } from "./definition.ts";
export { createRemote, type Remote, type RemoteOptions } from "./remote.ts";

/**
 * A running game for programs elsewhere: what an agent, a test or a tool of your own may ask of it, over a connection.
 *
 * @packageDocumentation
 */

export { InvalidRemoteError, RemoteCallError } from "../errors.ts";
export { type AnswerOptions, answerCalls } from "./answer-calls.ts";
export { remoteCalls } from "./call.ts";
export { channelPair, type LoopbackOptions, loopbackChannel, type RemoteChannel } from "./channel.ts";
export type { RemoteCall, RemoteParameter } from "./definition.ts";
export { createRemote, type Remote, type RemoteOptions } from "./remote.ts";

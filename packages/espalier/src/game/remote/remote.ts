/** The tool's side: calls to a running game as promises. */
import { checkOptions, expectArguments } from "../../ecs/index.ts";
import type { Json } from "../../scene/index.ts";
import { RemoteCallError } from "../errors.ts";
import { aChannel, type RemoteChannel } from "./channel.ts";
import { type Ask, type Given, messageOf } from "./messages.ts";

/** Options of `createRemote`. */
export interface RemoteOptions {
  /** Milliseconds until a call without an answer fails: 10,000 if left out. */
  readonly timeout?: number;
}

/** A running game at the other end of a channel. Created by `createRemote`. */
export interface Remote {
  /**
   * Calls the game; `remoteCalls()` lists the calls.
   * @throws RemoteCallError, as a rejected promise, when the game refuses or does not answer.
   */
  call(name: string, given?: { readonly [parameter: string]: Json }): Promise<Json>;
  /** Closes it; calls that wait for an answer fail. */
  close(): void;
}

interface Waiting {
  readonly call: string;
  readonly done: (result: Json) => void;
  readonly failed: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Creates the counterpart of `answerCalls`. */
export function createRemote(channel: RemoteChannel, options: RemoteOptions = {}): Remote {
  checkOptions(true, "reach a running game", options, { timeout: "number" });
  expectArguments("reach a running game", ["the channel", channel, aChannel]);
  const { timeout = 10_000 } = options;
  const waiting = new Map<string, Waiting>();
  const take = (id: string): Waiting | undefined => {
    const found = waiting.get(id);
    waiting.delete(id);
    if (found !== undefined) clearTimeout(found.timer);
    return found;
  };
  const stop = channel.listen((message) => {
    const answer = messageOf(message, "answer");
    const asked = answer === undefined ? undefined : take(answer.id);
    if (answer === undefined || asked === undefined) return;
    if ("result" in answer) asked.done(answer.result);
    else {
      asked.failed(
        new RemoteCallError(`Cannot ${asked.call} in the running game: ${ended(answer.error)}`, {
          call: asked.call,
          reason: answer.code,
        }),
      );
    }
  });
  return {
    call: (call, given: Given = {}) =>
      new Promise((done, failed) => {
        const id = crypto.randomUUID();
        const timer = setTimeout(() => {
          take(id);
          failed(
            new RemoteCallError(
              `Cannot ${call} in the running game: it did not answer within ${timeout} ms. Is it running, and is its page visible?`,
              { call, reason: undefined },
            ),
          );
        }, timeout);
        waiting.set(id, { call, done, failed, timer });
        channel.send(JSON.stringify({ type: "ask", id, call, given } satisfies Ask));
      }),
    close() {
      stop();
      for (const id of [...waiting.keys()]) {
        const asked = take(id);
        asked?.failed(
          new RemoteCallError(`Cannot ${asked.call} in the running game: the connection was closed.`, {
            call: asked.call,
            reason: undefined,
          }),
        );
      }
    },
  };
}

function ended(sentence: string): string {
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}

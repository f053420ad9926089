/** The game's side: answers calls from a channel. */
import { checkOptions, describeValue, EspalierError, expectArguments, nearestName } from "../../ecs/index.ts";
import type { Json } from "../../scene/index.ts";
import type { Game } from "../game-api.ts";
import { definitions, misfit } from "./call.ts";
import { aChannel, type RemoteChannel } from "./channel.ts";
import { type CallContext, Refusal } from "./definition.ts";
import { type Answer, type Ask, messageOf } from "./messages.ts";
import { plainJson } from "./plain-json.ts";

/** Options of `answerCalls`. */
export interface AnswerOptions {
  /** Whether calls that change something are refused. */
  readonly readOnly?: boolean;
  /** Draws a picture, as the bytes of a PNG or its `data:` address; the canvas of the renderer if left out. */
  readonly screenshot?: () => Promise<Uint8Array | string> | Uint8Array | string;
}

const aGame = {
  expected: "a game. Pass what createGame() returned",
  fits: (value: unknown) => typeof (Object(value) as Partial<Game>).input?.feed === "function",
};
/**
 * Lets programs at the other end of a channel pause the game, step it, send input, read and write values, and see its events,
 * timings and pictures. It runs no code of theirs. Returns a function that ends it.
 *
 * @example
 * ```ts
 * import { answerCalls, channelPair, createRemote } from "espalier/game/remote";
 *
 * const game = createGame();
 * const [near, far] = channelPair();
 * const stop = answerCalls(game, near);
 * await createRemote(far).call("step", { count: 3 });
 * game.tick; // → 3
 * stop();
 * ```
 *
 * @throws InvalidArgumentError for an invalid game or channel.
 */
export function answerCalls(game: Game, channel: RemoteChannel, options: AnswerOptions = {}): () => void {
  checkOptions(true, "answer calls", options, { readOnly: "boolean", screenshot: "function" });
  expectArguments("answer calls", ["the game", game, aGame], ["the channel", channel, aChannel]);
  const context: CallContext = { game, held: [], events: undefined, screenshot: options.screenshot };
  const say = (answer: Answer) => channel.send(JSON.stringify(answer));
  const stop = channel.listen((message) => {
    const ask = messageOf(message, "ask");
    if (ask === undefined) return;
    const { id } = ask;
    const failed = (error: unknown) => say({ type: "answer", id, ...failureOf(error) });
    try {
      const result = run(context, ask, options.readOnly === true);
      if (!(result instanceof Promise)) say({ type: "answer", id, result: resultOf(result) });
      else result.then((value) => say({ type: "answer", id, result: resultOf(value) })).catch(failed);
    } catch (error) {
      failed(error);
    }
  });
  return () => {
    stop();
    context.events?.close();
    context.events = undefined;
  };
}

function run(context: CallContext, { call, given = {} }: Ask, isReadOnly: boolean): unknown {
  const definition = definitions.find(({ name }) => name === call);
  if (definition === undefined) {
    const names = definitions.map(({ name }) => name);
    throw new Refusal(`there is no call ${describeValue(call)}. ${nearestName(call, names)}`);
  }
  if (isReadOnly && !definition.isReadOnly)
    throw new Refusal("the game answers only calls that change nothing");
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new Refusal("what is given is not an object");
  const why = misfit(definition, given);
  if (why !== undefined) throw new Refusal(why);
  return definition.run(context, given);
}

/** The text of a picture may be longer than other values. */
function resultOf(value: unknown): Json {
  const { png, ...rest } = value as { readonly png?: string };
  const plain = plainJson(rest) as { [key: string]: Json };
  return png === undefined ? plain : { ...plain, png };
}

function failureOf(error: unknown): { readonly error: string; readonly code?: string } {
  if (error instanceof EspalierError)
    return { error: error.message.replace(` [${error.code}]`, ""), code: error.code };
  return { error: error instanceof Error ? error.message : String(error) };
}

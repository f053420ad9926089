/** The definition of a call, and its context while it is answered. */
import type { Game } from "../game-api.ts";
import type { AnyInput } from "../input/input-event.ts";
import type { EventRing } from "./event-ring.ts";
import type { Given } from "./messages.ts";

/** A parameter of a call. */
export interface RemoteParameter {
  /** Its type. */
  readonly type: "string" | "integer" | "boolean" | "object" | "array" | "entity";
  /** Its meaning. */
  readonly description: string;
}

/** A call that a running game answers. */
export interface RemoteCall {
  /** The name. */
  readonly name: string;
  /** What it does. */
  readonly summary: string;
  /** Whether the call leaves the game unchanged. */
  readonly isReadOnly: boolean;
  /** Its parameters by name. */
  readonly parameters: { readonly [name: string]: RemoteParameter };
  /** The names of required parameters. */
  readonly required: readonly string[];
}

export interface CallContext {
  readonly game: Game;
  /** Input for the next step of a paused game, kept because frames of the pause would consume it. */
  held: AnyInput[];
  /** Created when events are first requested: a game that reports every entity is slower. */
  events: EventRing | undefined;
  readonly screenshot: (() => Promise<Uint8Array | string> | Uint8Array | string) | undefined;
}

export interface CallDefinition extends RemoteCall {
  readonly run: (context: CallContext, given: Given) => unknown;
}

/** Refuses a call with a sentence that says why. */
export class Refusal extends Error {}

/** What a call is, and what it needs while it is answered. */
import type { Game } from "../game-api.ts";
import type { AnyInput } from "../input/input-event.ts";
import type { EventRing } from "./event-ring.ts";
import type { Given } from "./messages.ts";

/** A parameter of a call. */
export interface RemoteParameter {
  /** What it takes. */
  readonly type: "string" | "integer" | "boolean" | "object" | "array" | "entity";
  /** What it means. */
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
  /** What it takes, by name. */
  readonly parameters: { readonly [name: string]: RemoteParameter };
  /** The names of those that must be given. */
  readonly required: readonly string[];
}

export interface CallContext {
  readonly game: Game;
  /** Input for the next step of a paused game: the frames of a pause would take it. */
  held: AnyInput[];
  /** Made when events are first asked for: a game that reports every entity is slower. */
  events: EventRing | undefined;
  readonly screenshot: (() => Promise<Uint8Array | string> | Uint8Array | string) | undefined;
}

export interface CallDefinition extends RemoteCall {
  readonly run: (context: CallContext, given: Given) => unknown;
}

/** Refuses a call with a sentence that says why. */
export class Refusal extends Error {}

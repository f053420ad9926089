/**
 * The messages between page and worker. Messages of other code on the same port have no `espalier` and are ignored.
 */
import type { ChangeBatch } from "../history/index.ts";

/** Changes with every change of the messages. */
export const PROTOCOL = 1;

/** The memory of a slot: shared, or transferred back and forth. */
export type BlockMemory = ArrayBuffer | SharedArrayBuffer;

interface Envelope {
  readonly espalier: number;
  /** The run of a mirror that it belongs to: a page may close one and begin another with the same worker. */
  readonly session: string;
}

/** The page asks for a snapshot and everything that follows. */
export interface JoinMessage extends Envelope {
  readonly type: "join";
  readonly hash: number;
  readonly contract: readonly string[];
  readonly shared: boolean;
}

/** The page could not apply a batch and requests a snapshot. */
export interface ResyncMessage extends Envelope {
  readonly type: "resync";
}

export interface InputMessage extends Envelope {
  readonly type: "input";
  readonly events: readonly unknown[];
}

/** A slot is free again; its memory is returned if it was transferred. */
export interface DoneMessage extends Envelope {
  readonly type: "done";
  readonly slot: number;
  readonly memory?: BlockMemory;
}

export interface LeaveMessage extends Envelope {
  readonly type: "leave";
}

export type PageMessage = JoinMessage | ResyncMessage | InputMessage | DoneMessage | LeaveMessage;

/** The worker listens from now on: a page that asked earlier asks again. */
export interface HelloMessage extends Envelope {
  readonly type: "hello";
}

export interface RefusedMessage extends Envelope {
  readonly type: "refused";
  readonly contract: readonly string[];
}

export interface SnapshotMessage extends Envelope {
  readonly type: "snapshot";
  readonly tick: number;
  readonly batch: ChangeBatch;
  /** The shared memory of all slots; empty if memory is transferred. */
  readonly memories: readonly SharedArrayBuffer[];
}

export interface TickMessage extends Envelope {
  readonly type: "tick";
  readonly tick: number;
  /** The changes without the transforms, which are in the slot. */
  readonly batch: ChangeBatch;
  readonly slot: number;
  /** How many sections the slot holds. */
  readonly sections: number;
  /** The memory of the slot: transferred, or shared and new. */
  readonly memory?: BlockMemory;
}

export interface ClosedMessage extends Envelope {
  readonly type: "closed";
}

export type HostMessage = HelloMessage | RefusedMessage | SnapshotMessage | TickMessage | ClosedMessage;

/** Whether a message belongs to this room, in any version. */
export function isOurs(data: unknown): data is Envelope & { readonly type: string } {
  const { espalier, type } = Object(data) as { espalier?: unknown; type?: unknown };
  return typeof espalier === "number" && typeof type === "string";
}

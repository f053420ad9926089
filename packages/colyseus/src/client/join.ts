/** Joining a room, with errors that give the reason for a refusal. */
import { Client, type Room } from "@colyseus/sdk";
import type { Schema } from "espalier";
import { JoinRefusedError, ReplicationMismatchError } from "../errors.ts";
import { joinOptions, MISMATCH } from "../join-options.ts";
import type { Replication } from "../replicate.ts";

/** Options of `joinRoom`. */
export interface JoinRoomOptions {
  /** Options for the room, as `player.options`. */
  readonly options?: { readonly [name: string]: unknown };
  /** Joins this room, instead of any. */
  readonly roomId?: string;
  /** Creates a new room, instead of joining any. */
  readonly create?: boolean;
}

/**
 * Joins a room of a server: any that is not full, or a new one. A client of Colyseus does the same; this one also reports when the versions
 * differ.
 *
 * @throws ReplicationMismatchError, JoinRefusedError
 */
export async function joinRoom<Input extends Schema>(
  server: string | Client,
  name: string,
  net: Replication<Input>,
  { options, roomId, create = false }: JoinRoomOptions = {},
): Promise<Room> {
  const client = typeof server === "string" ? new Client(server) : server;
  const given = { ...options, ...joinOptions(net) };
  try {
    if (roomId !== undefined) return await client.joinById(roomId, given);
    return await (create ? client.create(name, given) : client.joinOrCreate(name, given));
  } catch (cause) {
    const { code, message } = Object(cause) as { code?: number; message?: string };
    if (code === MISMATCH) throw mismatch(net.lines, linesIn(message));
    const status = typeof code === "number" ? code : 0;
    const reason = String(message ?? "").replace(/\.$/, "") || "the server does not answer";
    const at = typeof server === "string" ? ` at ${server}` : "";
    const hint = status === 0 ? ` Check that the server is running${at}.` : "";
    throw new JoinRefusedError(`Cannot join ${roomId ?? name}: ${reason}.${hint}`, {
      status,
      cause,
    } as never);
  }
}

function mismatch(here: readonly string[], there: readonly string[]): ReplicationMismatchError {
  const onlyHere = here.filter((line) => !there.includes(line));
  const onlyThere = there.filter((line) => !here.includes(line));
  return new ReplicationMismatchError(
    `Cannot join: only this client has ${onlyHere.join("; ") || "nothing"}, only the server has ${onlyThere.join("; ") || "nothing"}. Import one replicate() on both sides, and update them together.`,
    { here: onlyHere, there: onlyThere },
  );
}

function linesIn(message: unknown): readonly string[] {
  try {
    const lines: unknown = JSON.parse(String(message));
    return Array.isArray(lines) ? lines.map(String) : [];
  } catch {
    return [];
  }
}

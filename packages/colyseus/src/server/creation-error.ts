/**
 * Why a room could not be created, as clients can read it. Colyseus 0.18.17 answers with the code of the error as the HTTP status: with a code that is
 * none, such as those of Espalier and of Node, a client does not get the message.
 */
import { ErrorCode } from "@colyseus/core";

/** The error, or one with the same message and stack whose code is a status. */
export function creationError(error: unknown): unknown {
  const { code } = Object(error) as { readonly code?: unknown };
  if (!code || isStatus(code)) return error;
  const { message, stack } = error as Error;
  return Object.assign(new Error(message, { cause: error }), { code: ErrorCode.MATCHMAKE_UNHANDLED, stack });
}

function isStatus(code: unknown): boolean {
  return Number.isInteger(code) && (code as number) >= 400 && (code as number) < 600;
}

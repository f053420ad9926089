/** Clients that receive slower than the server sends: pending data takes memory of the server. */
import type { Client } from "@colyseus/core";

/** The part of a socket of `ws` that is used here. Other transports may have neither member. */
interface Socket {
  readonly bufferedAmount?: number;
  terminate?(): void;
}

/** Cuts the connection of each client that has more than `limit` bytes waiting. They may reconnect, and get the state of that time. */
export function dropSlow(clients: Iterable<Client>, limit: number): void {
  for (const { ref } of [...clients]) {
    const { bufferedAmount = 0, terminate } = ref as Socket;
    if (bufferedAmount > limit) terminate?.call(ref);
  }
}

/** Clients that take less than they are sent: what waits for them is memory of the server. */
import type { Client } from "@colyseus/core";

/** A socket of `ws`, as far as it is used here. Other transports may have neither. */
interface Socket {
  readonly bufferedAmount?: number;
  terminate?(): void;
}

/** Cuts the connection of each client that has more than `limit` bytes waiting. They may come back, and get the state of then. */
export function dropSlow(clients: Iterable<Client>, limit: number): void {
  for (const { ref } of [...clients]) {
    const { bufferedAmount = 0, terminate } = ref as Socket;
    if (bufferedAmount > limit) terminate?.call(ref);
  }
}

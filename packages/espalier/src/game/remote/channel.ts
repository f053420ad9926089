/**
 * The connection between a game and another program. Channels of the editor work too; this one needs only `fetch`.
 */
import { checkOptions, describeValue, expectArguments } from "../../ecs/index.ts";
import { InvalidRemoteError } from "../errors.ts";

/** Something that carries messages both ways. */
export interface RemoteChannel {
  /** Sends a message to the other side. */
  send(message: string): void;
  /** Calls `listener` with each message of the other side. Returns a function that ends it. */
  listen(listener: (message: string | ArrayBuffer) => void): () => void;
  /** Ends the connection. */
  close(): void;
}

/** The expected form of a channel as an argument. */
export const aChannel = {
  expected: "a channel. Pass what loopbackChannel() or channelPair() returned",
  fits: (value: unknown) => typeof (Object(value) as Partial<RemoteChannel>).listen === "function",
};

/** The two ends of a channel inside one program: a message sent at one end arrives at the other at once. For tests and tools. */
export function channelPair(): [RemoteChannel, RemoteChannel] {
  const ends = [new Set<(message: string) => void>(), new Set<(message: string) => void>()] as const;
  const end = (own: 0 | 1): RemoteChannel => ({
    send(message) {
      for (const listener of [...ends[own === 0 ? 1 : 0]]) listener(message);
    },
    listen(listener) {
      ends[own].add(listener);
      return () => void ends[own].delete(listener);
    },
    close: () => ends[own].clear(),
  });
  return [end(0), end(1)];
}

/** Options of `loopbackChannel`. */
export interface LoopbackOptions {
  /** Called when the program at the other end can be reached, and when it no longer can. */
  readonly onStatus?: (isConnected: boolean) => void;
}

/** Milliseconds until a failed connection is retried: the first time, and at most. */
const firstWait = 250;
const longestWait = 5000;

const loopback = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Connects to a program of this machine by the address that it shows, such as that of `espalier mcp --game`. Works in a page and in Node;
 * retries while the program is not reachable.
 *
 * @throws InvalidRemoteError for an address of another machine, or without a token.
 */
export function loopbackChannel(address: string, options: LoopbackOptions = {}): RemoteChannel {
  checkOptions(true, "connect the game", options, { onStatus: "function" });
  expectArguments("connect the game", ["the address", address, "text"]);
  const { url, token } = partsOf(address);
  const listeners = new Set<(message: string) => void>();
  const ended = new AbortController();
  const session = crypto.randomUUID();
  let waiting: string[] = [];
  let isSending = false;
  let isConnected = false;

  const become = (next: boolean) => {
    if (next === isConnected) return;
    isConnected = next;
    options.onStatus?.(next);
  };
  const ask = (method: "GET" | "POST", body?: string) =>
    fetch(`${url}?session=${session}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      signal: ended.signal,
      ...(body === undefined ? {} : { body }),
    });

  async function flush(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (waiting.length > 0 && !ended.signal.aborted) {
      const sent = waiting;
      waiting = [];
      // Messages that cannot be sent are lost: the program asks again.
      await ask("POST", JSON.stringify(sent)).catch(() => become(false));
    }
    isSending = false;
  }

  async function receive(): Promise<void> {
    let wait = firstWait;
    while (!ended.signal.aborted) {
      try {
        const answer = await ask("GET");
        if (!answer.ok) throw new Error(answer.statusText);
        const messages = (await answer.json()) as string[];
        become(true);
        wait = firstWait;
        for (const message of messages) for (const listener of [...listeners]) listener(message);
      } catch {
        become(false);
        await pause(wait, ended.signal);
        wait = Math.min(wait * 2, longestWait);
      }
    }
  }

  void receive();
  return {
    send(message) {
      waiting.push(message);
      void flush();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      ended.abort();
      become(false);
      listeners.clear();
    },
  };
}

function partsOf(address: string): { readonly url: string; readonly token: string } {
  let url: URL | undefined;
  try {
    url = new URL(address);
  } catch {
    // Refused below, like everything else.
  }
  const token = url?.hash.slice(1) ?? "";
  if (url === undefined || url.protocol !== "http:" || !loopback.includes(url.hostname) || token === "") {
    throw new InvalidRemoteError(
      `Cannot connect the game to ${describeValue(address)}: it is not an address of this machine with its token. Pass the one that espalier mcp --game shows, such as "http://127.0.0.1:4100/game#token".`,
      { value: address },
    );
  }
  return { url: `${url.origin}${url.pathname}`, token };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    // In Node, waiting does not keep the program running.
    (timer as { unref?: () => void }).unref?.();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
}

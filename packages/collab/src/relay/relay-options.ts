/**
 * The options of `openRelay`, and their checks.
 */
import type { IncomingMessage, Server } from "node:http";
import { checkOptions, describeValue } from "espalier";
import { InvalidCollabError } from "../errors.ts";

/** Options of `openRelay`. */
export interface RelayOptions {
  /** The port to listen on; a free one if left out. */
  readonly port?: number;
  /** The address to listen on: `127.0.0.1` if left out, which only this machine reaches. */
  readonly host?: string;
  /** A server that is there already, instead of a port; the relay answers at `path`. */
  readonly server?: Server;
  /** Where it answers; everywhere if left out. */
  readonly path?: string;
  /** What every member must show to join. Without it, every connection that reaches the relay may join. */
  readonly token?: string;
  /** Whether a connection may be opened at all, by its headers: a server in front of pages checks `Host` and `Origin` here. */
  readonly accept?: (request: IncomingMessage) => boolean;
  /** Reads what `save` wrote for a room; nothing for a room that is new. */
  readonly load?: (room: string) => Promise<Uint8Array | undefined> | Uint8Array | undefined;
  /**
   * Keeps the content of a room: called at most every `saveEvery` milliseconds while it changes, when the last member has left, and when the
   * relay closes; again after that time where it failed. With `load` too, the memory of a room is given back when the last member has left.
   */
  readonly save?: (room: string, content: Uint8Array) => Promise<void> | void;
  /** Milliseconds between two saves of a room: 10,000 if left out. */
  readonly saveEvery?: number;
  /** How many scenes it holds at once: 1,000 if left out. A program that would begin another is refused. */
  readonly maxRooms?: number;
  /** Gets what `load` and `save` threw. Printed to the console if left out. */
  readonly onError?: (error: Error) => void;
}

const optionKinds = {
  port: "anything",
  host: "anything",
  server: "anything",
  path: "anything",
  token: "anything",
  accept: "anything",
  load: "anything",
  save: "anything",
  saveEvery: "anything",
  maxRooms: "anything",
  onError: "anything",
} as const;

/** @throws InvalidOptionError, InvalidCollabError */
export function requireOptions(options: RelayOptions): void {
  checkOptions(true, "open a relay", options, optionKinds);
  const mustBe = (name: keyof RelayOptions, takes: string, isRight: (value: unknown) => boolean) => {
    const value = options[name];
    if (value === undefined || isRight(value)) return;
    // A token is a secret, so a wrong one is not shown either.
    const got = name === "token" ? "" : `, got ${describeValue(value)}`;
    throw new InvalidCollabError(`Cannot open a relay: ${name} is ${takes}${got}.`, {
      option: name,
      ...(name === "token" ? {} : { value }),
    });
  };
  const isNumber = (value: unknown, least: number) => Number.isInteger(value) && (value as number) >= least;
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  mustBe("port", "a number from 0 to 65535", (port) => isNumber(port, 0) && (port as number) <= 65535);
  mustBe("host", "an address to listen on", isText);
  mustBe("path", 'a path that begins with "/"', (path) => isText(path) && (path as string).startsWith("/"));
  mustBe("token", "a string that is not empty", isText);
  mustBe("saveEvery", "a whole number of milliseconds above 0", (every) => isNumber(every, 1));
  mustBe("maxRooms", "a whole number above 0", (rooms) => isNumber(rooms, 1));
  for (const name of ["accept", "load", "save", "onError"] as const)
    mustBe(name, "a function", (value) => typeof value === "function");
  const { server } = options;
  mustBe("server", "a server of node:http or node:https", () => typeof server?.address === "function");
  if (server !== undefined && (server.address() === null || typeof server.address() === "string")) {
    throw new InvalidCollabError(
      "Cannot open a relay: server listens on no port yet. Call listen() and wait for it first.",
      { option: "server" },
    );
  }
}

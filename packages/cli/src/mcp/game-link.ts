/**
 * The connection to a running game: a port of this machine, to which the game connects with the token in its address. The game polls for
 * messages and posts its own; there is nothing else.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Remote, RemoteChannel } from "espalier/game/remote";
import { createRemote } from "espalier/game/remote";
import { listenHere } from "./listen-here.ts";

export interface GameLink {
  /** The address for the game, with its token. */
  readonly address: string;
  /** Whether a game polled for messages recently. */
  readonly isConnected: boolean;
  readonly remote: Remote;
  close(): Promise<void>;
}

/** Milliseconds until a poll of the game is answered empty, and until a silent game counts as disconnected. */
const longestWait = 20_000;
const patience = 5000;
/** Milliseconds until a call that no game fetched is dropped: the caller has timed out by then, and it must not run later. */
const longestQueued = 9000;
/** The largest body that a game may post, in bytes: pictures are the largest. */
const largestBody = 64_000_000;

export async function openGameLink(port: number): Promise<GameLink> {
  const token = randomBytes(24).toString("base64url");
  const listeners = new Set<(message: string) => void>();
  let hosts: readonly string[] = [];
  let queue: { readonly message: string; readonly at: number }[] = [];
  let session = "";
  const sessions = new Set<string>();
  let seen = 0;
  let waiting: ServerResponse | undefined;

  const release = () => {
    const response = waiting;
    waiting = undefined;
    if (response === undefined) return;
    const messages = queue.filter(({ at }) => Date.now() - at < longestQueued).map(({ message }) => message);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(messages));
    queue = [];
  };
  const isConnected = () => waiting !== undefined || Date.now() - seen < patience;

  async function answer(request: IncomingMessage, response: ServerResponse, from: string): Promise<void> {
    if (request.method === "POST") {
      const messages = messagesOf(await bodyOf(request));
      if (messages === undefined) {
        response.writeHead(400).end();
        return;
      }
      for (const message of messages) for (const listener of [...listeners]) listener(message);
      if (from === session) seen = Date.now();
      response.writeHead(204).end();
      return;
    }
    if (from !== session) {
      // Calls go to the game that connected last; an earlier one gets them again when that one is gone. Otherwise two would take turns.
      if (sessions.has(from) && isConnected()) {
        response.writeHead(409).end();
        return;
      }
      release();
      queue = [];
      sessions.add(from);
      session = from;
    }
    seen = Date.now();
    release();
    waiting = response;
    if (queue.length > 0) {
      release();
      return;
    }
    const timer = setTimeout(() => {
      if (waiting === response) release();
    }, longestWait);
    response.on("close", () => {
      clearTimeout(timer);
      if (from === session) seen = Date.now();
      if (waiting === response) waiting = undefined;
    });
  }

  const server = createServer((request, response) => {
    const origin = request.headers.origin;
    if (origin !== undefined && isLoopback(origin)) {
      response.setHeader("access-control-allow-origin", origin);
      response.setHeader("access-control-allow-headers", "authorization, content-type");
      response.setHeader("access-control-allow-private-network", "true");
      response.setHeader("vary", "origin");
    }
    const status = refusalOf(request, token, hosts);
    if (status !== undefined) {
      response.writeHead(status).end();
      return;
    }
    const from = new URL(request.url ?? "", "http://x").searchParams.get("session") ?? "";
    answer(request, response, from).catch(() => {
      if (!response.headersSent) response.writeHead(413);
      response.end();
    });
  });
  const actual = await listenHere(server, port);
  hosts = [`127.0.0.1:${actual}`, `localhost:${actual}`];
  const channel: RemoteChannel = {
    send(message) {
      queue.push({ message, at: Date.now() });
      release();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => listeners.clear(),
  };
  const remote = createRemote(channel);
  return {
    address: `http://127.0.0.1:${actual}/game#${token}`,
    get isConnected() {
      return isConnected();
    },
    remote,
    close: () => {
      remote.close();
      return new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      });
    },
  };
}

function isLoopback(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);
}

/** The status of a refusal; 204 answers the preflight of browsers. `undefined` if the request is allowed. */
function refusalOf(request: IncomingMessage, token: string, hosts: readonly string[]): number | undefined {
  const { host = "", origin, authorization = "" } = request.headers;
  // A web page that reaches this port through its own host name has that name here.
  if (!hosts.includes(host) || (origin !== undefined && !isLoopback(origin))) return 403;
  if (!/^\/game(\?|$)/.test(request.url ?? "")) return 404;
  if (request.method === "OPTIONS") return 204;
  if (request.method !== "GET" && request.method !== "POST") return 405;
  const given = Buffer.from(authorization);
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? undefined : 401;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    if (size > largestBody) throw new Error("too large");
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function messagesOf(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((message) => typeof message === "string") ? value : undefined;
  } catch {
    return undefined;
  }
}

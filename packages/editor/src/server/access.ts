/**
 * Who may use the server: only programs that know the token of this run, which is in the address that the server prints.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/** Milliseconds within which a browser that was just started must send its request. */
const TICKET_LASTS = 60_000;

/** The token of one run. */
export class Access {
  readonly token: string = randomBytes(24).toString("hex");
  /**
   * Can be exchanged for the token once, soon after the start: other users of the machine see with which address a browser was started,
   * and find it used up.
   */
  readonly ticket: string = randomBytes(24).toString("hex");
  private ticketEnds: number = Date.now() + TICKET_LASTS;

  /** Whether this is the ticket, for the first time. */
  redeem(ticket: string | null): boolean {
    if (ticket === null || Date.now() > this.ticketEnds || !isSame(ticket, this.ticket)) return false;
    this.ticketEnds = 0;
    return true;
  }

  /** @throws Refusal when the request has the token neither in its header nor in its address nor as cookie. */
  require(request: IncomingMessage, url: URL): void {
    const { headers } = request;
    const given = [headers["x-espalier-token"], url.searchParams.get("token"), cookieOf(request, url.port)];
    if (given.some((one) => isSame(String(one ?? ""), this.token))) return;
    throw new Refusal(
      401,
      "The token of this run is missing or wrong. Open the address that the server printed.",
    );
  }

  /** For imports of modules, which carry no header. Ports share cookies, so the name has the port. */
  cookie(port: string): string {
    return `${cookieName(port)}=${this.token}; Path=/own/; HttpOnly; SameSite=Strict`;
  }
}

/** Accepts only requests meant for this server, from its own page. */
export function requireOwn({ headers }: IncomingMessage, port: number): void {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? ""))
    throw new Refusal(403, "This server answers on its own address only.");
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
    throw new Refusal(403, "This server answers its own page only.");
  }
}

function cookieName(port: string): string {
  return `espalier-${port}`;
}

function cookieOf({ headers }: IncomingMessage, port: string): string | undefined {
  const start = `${cookieName(port)}=`;
  const found = (headers.cookie ?? "").split("; ").find((part) => part.startsWith(start));
  return found?.slice(start.length);
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

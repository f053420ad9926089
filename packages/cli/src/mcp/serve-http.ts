/**
 * The server on a port of this machine: for the loopback address only, with a token that is made anew every time.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Project } from "./project.ts";
import { createMcpServer, loadSdk } from "./server.ts";

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  readonly close: () => Promise<void>;
}

export async function serveHttp(project: Project, port: number): Promise<HttpServer> {
  const sdk =
    await loadSdk<typeof import("@modelcontextprotocol/sdk/server/streamableHttp.js")>(
      "server/streamableHttp.js",
    );
  const token = randomBytes(24).toString("base64url");
  let hosts: readonly string[] = [];
  const server = createServer((request, response) => {
    const status = refusalOf(request, token, hosts);
    if (status !== undefined) {
      refuse(response, status);
      return;
    }
    answer(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  // A server for each request: what agents did is in files and journals, not in sessions.
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    // The package of the protocol reads bodies of any size.
    const body = request.method === "POST" ? await bodyOf(request) : undefined;
    if (typeof body === "number") {
      refuse(response, body);
      return;
    }
    const transport = new sdk.StreamableHTTPServerTransport({ enableJsonResponse: true });
    const protocol = await createMcpServer(project);
    response.on("close", () => {
      void transport.close();
      void protocol.close();
    });
    await protocol.connect(transport as unknown as Transport);
    await transport.handleRequest(request, response, body);
  };
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", done);
  });
  const { port: actual } = server.address() as AddressInfo;
  hosts = [`127.0.0.1:${actual}`, `localhost:${actual}`];
  return {
    url: `http://127.0.0.1:${actual}/mcp`,
    token,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** The largest message that is taken, in bytes: that of a large scene. */
const mostBytes = 32 * 1024 * 1024;

/** What the body of a request says, or the status that it is refused with. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > mostBytes) return 413;
    pieces.push(piece);
  }
  try {
    // A number would be taken for a status; no message is one.
    return Object(JSON.parse(Buffer.concat(pieces).toString("utf8")));
  } catch {
    return 400;
  }
}

/** The rest of what is sent is not read: the connection ends with the answer. */
function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(refusals[status]);
}

const refusals: { readonly [status: number]: string } = {
  400: "The body is not JSON.",
  401: "A token is needed: Authorization: Bearer <token>.",
  403: "Only programs of this machine may connect, and no pages.",
  404: "The server is at /mcp.",
  413: "The message is too large: at most 32 MB.",
};

function refusalOf(request: IncomingMessage, token: string, hosts: readonly string[]): number | undefined {
  // A page of the web that reaches this port by a name of its own has that name here, and an origin.
  if (!hosts.includes(request.headers.host ?? "") || request.headers.origin !== undefined) return 403;
  if (request.url !== "/mcp") return 404;
  const given = Buffer.from(request.headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? undefined : 401;
}

/**
 * The server on a port of this machine: for the loopback address only, with a new token each time.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { listenHere } from "./listen-here.ts";
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
      response.writeHead(status, { "content-type": "text/plain" }).end(refusals[status]);
      return;
    }
    answer(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  // A server for each request: all state is in files and journals, not in sessions.
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const transport = new sdk.StreamableHTTPServerTransport({ enableJsonResponse: true });
    const protocol = await createMcpServer(project);
    response.on("close", () => {
      void transport.close();
      void protocol.close();
    });
    await protocol.connect(transport as unknown as Transport);
    await transport.handleRequest(request, response);
  };
  const actual = await listenHere(server, port);
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

const refusals: { readonly [status: number]: string } = {
  401: "A token is needed: Authorization: Bearer <token>.",
  403: "Only programs of this machine may connect, and no pages.",
  404: "The server is at /mcp.",
};

function refusalOf(request: IncomingMessage, token: string, hosts: readonly string[]): number | undefined {
  // A web page that reaches this port through its own host name has that name here, and an origin.
  if (!hosts.includes(request.headers.host ?? "") || request.headers.origin !== undefined) return 403;
  if (request.url !== "/mcp") return 404;
  const given = Buffer.from(request.headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? undefined : 401;
}

/** `espalier mcp`: the verbs and scenes of a project for an agent. Runs until it is interrupted or its input ends. */
import type { ConfigOptions } from "../config.ts";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { shown } from "../files.ts";
import { type GameLink, openGameLink } from "../mcp/game-link.ts";
import { openProject } from "../mcp/project.ts";
import { serveHttp } from "../mcp/serve-http.ts";
import { createMcpServer, loadSdk } from "../mcp/server.ts";
import type { Output } from "../output.ts";

export interface McpOptions extends ConfigOptions {
  readonly http?: boolean;
  readonly port?: string;
  readonly author?: string;
  readonly readOnly?: boolean;
  /** The port for a running game; `true` for a free one. */
  readonly game?: string | true;
}

export async function mcp(output: Output, options: McpOptions, folder = "."): Promise<ExitCode> {
  const link =
    options.game === undefined
      ? undefined
      : await openGameLink(portOf(options.game === true ? undefined : options.game));
  const home = process.cwd();
  try {
    return await serve(output, options, folder, link);
  } finally {
    if (process.cwd() !== home) process.chdir(home);
    await link?.close();
  }
}

async function serve(
  output: Output,
  options: McpOptions,
  folder: string,
  link: GameLink | undefined,
): Promise<ExitCode> {
  const project = await openProject(folder, {
    ...options,
    ...(link === undefined ? {} : { gameLink: link }),
  });
  // Names in results are relative to the folder of the project, like those that the agent passes.
  if (project.folder !== process.cwd()) process.chdir(project.folder);
  if (link !== undefined) output.note(`The game connects to ${link.address}`);
  if (options.http !== true) {
    const sdk = await loadSdk<typeof import("@modelcontextprotocol/sdk/server/stdio.js")>("server/stdio.js");
    const server = await createMcpServer(project);
    const ended = new Promise<void>((done) => {
      server.onclose = done;
      process.stdin.once("end", done);
    });
    await server.connect(new sdk.StdioServerTransport());
    await ended;
    return exitCodes.ok;
  }
  const server = await serveHttp(project, portOf(options.port));
  if (output.isJson) output.json({ url: server.url, token: server.token, folder: project.folder });
  else {
    output.line(server.url);
    output.line(`Authorization: Bearer ${server.token}`);
    output.note(`Serving ${shown(project.folder)} to agents on this machine. Press Ctrl+C to stop.`);
  }
  await new Promise<void>((ended) => {
    process.once("SIGINT", ended);
    process.once("SIGTERM", ended);
  });
  await server.close();
  return exitCodes.ok;
}

function portOf(text: string | undefined): number {
  const port = text === undefined ? 0 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new Stop(
    exitCodes.usage,
    `Cannot use port ${JSON.stringify(text)}: a port is a number from 1 to 65535.`,
  );
}

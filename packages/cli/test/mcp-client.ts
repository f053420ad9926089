/** A client of the server for agents, in this process. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Json } from "espalier/scene";
import { openProject, type ProjectOptions } from "../src/mcp/project.ts";
import { createMcpServer } from "../src/mcp/server.ts";

export type Result = { [key: string]: Json } & { code?: string; error?: string };

export async function connect(dir: string, options: ProjectOptions = {}) {
  const server = await createMcpServer(await openProject(dir, options));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  return clientOf(ours);
}

export async function clientOf(transport: Transport) {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  /** The pictures that tools gave, the last one last. */
  const pictures: Buffer[] = [];
  const call = async (name: string, args: { [name: string]: unknown } = {}) => {
    const { content, structuredContent } = await client.callTool({ name, arguments: args });
    for (const part of content as { type: string; data: string }[])
      if (part.type === "image") pictures.push(Buffer.from(part.data, "base64"));
    return structuredContent as Result;
  };
  return { client, call, pictures };
}

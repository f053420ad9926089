/**
 * A server of the Model Context Protocol: tools and resources of one project.
 */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Json } from "espalier/scene";
import { exitCodes, factsOf, Stop } from "../exit-codes.ts";
import { loadTool } from "../missing-tool.ts";
import { ownVersion } from "../versions.ts";
import type { Project } from "./project.ts";
import { listResources, readResource, templates } from "./resources.ts";
import { PictureResult, requireFitting } from "./tool.ts";
import { toolsOf } from "./tools.ts";

const why = "Serving agents needs the official package of the protocol, which has dependencies of its own.";

/** Loads a part of the official package. */
export function loadSdk<Module>(part: string): Promise<Module> {
  return loadTool<Module>(`@modelcontextprotocol/sdk/${part}`, why);
}

export async function createMcpServer(project: Project): Promise<Server> {
  const sdk = await loadSdk<typeof import("@modelcontextprotocol/sdk/server/index.js")>("server/index.js");
  const types = await loadSdk<typeof import("@modelcontextprotocol/sdk/types.js")>("types.js");
  const server = new sdk.Server(
    { name: "espalier", version: ownVersion() },
    {
      capabilities: { tools: {}, resources: {} },
      instructions:
        "Read espalier://skill first. Change scenes with the tools only; try changes with dryRun, give a reason, and undo by token.",
    },
  );
  const tools = toolsOf(project);
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema, isReadOnly }) => ({
      name,
      description,
      inputSchema: inputSchema as { type: "object" },
      annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
    try {
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined) {
        const names = tools.map(({ name }) => name).join(", ");
        throw new Stop(
          exitCodes.usage,
          `There is no tool ${JSON.stringify(params.name)}. There are ${names}.`,
        );
      }
      const given = (params.arguments ?? {}) as { readonly [name: string]: Json };
      requireFitting(tool, given);
      return resultOf(await tool.call(given));
    } catch (error) {
      return { ...resultOf(failureOf(error)), isError: true };
    }
  });
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({ resources: listResources(project) }));
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: templates,
  }));
  server.setRequestHandler(types.ReadResourceRequestSchema, ({ params }) => {
    try {
      return { contents: [readResource(project, params.uri)] };
    } catch (error) {
      // Without its own error number it would count as an error of the server.
      const { error: message, ...data } = failureOf(error);
      throw Object.assign(new Error(message), { code: types.ErrorCode.InvalidParams, data });
    }
  });
  return server;
}

function resultOf(value: unknown) {
  if (value instanceof PictureResult) {
    const { content, structuredContent } = jsonResult(value.facts);
    const data = Buffer.from(value.png).toString("base64");
    return {
      content: [{ type: "image" as const, data, mimeType: "image/png" }, ...content],
      structuredContent,
    };
  }
  return jsonResult(value);
}

function jsonResult(value: unknown) {
  const plain = JSON.parse(JSON.stringify(value)) as { [key: string]: unknown };
  return { content: [{ type: "text" as const, text: JSON.stringify(plain) }], structuredContent: plain };
}

/** The error for the agent to read and act on, without a stack trace. */
function failureOf(error: unknown): { readonly error: string; readonly [fact: string]: unknown } {
  const { message = String(error) } = Object(error) as { readonly message?: string };
  return { error: message, ...factsOf(error) };
}

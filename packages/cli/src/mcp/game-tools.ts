/** The tools of agents for a running game: every remote call of the library, and the address for the game. */
import { type RemoteCall, RemoteCallError, type RemoteParameter, remoteCalls } from "espalier/game/remote";
import type { Json, JsonObject } from "espalier/scene";
import { exitCodes, Stop } from "../exit-codes.ts";
import type { GameLink } from "./game-link.ts";
import { PictureResult, type Tool } from "./tool.ts";

export function gameTools(link: GameLink | undefined): Tool[] {
  return link === undefined ? [] : [whereTool(link), ...remoteCalls().map((call) => callTool(link, call))];
}

function whereTool(link: GameLink): Tool {
  return {
    name: "game",
    description: "Whether a game is connected, and the address that it connects to.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    own: {},
    isReadOnly: true,
    call: async () => ({ isConnected: link.isConnected, address: link.address, help: help(link) }),
  };
}

function help({ address }: GameLink): string {
  return `In the game: answerCalls(game, loopbackChannel(address)) of "espalier/game/remote", with the address ${address}. Open a page with ?remote=${encodeURIComponent(address)} where it reads that, or start a program of Node with ESPALIER_REMOTE set to it.`;
}

function callTool(link: GameLink, { name, summary, isReadOnly, parameters, required }: RemoteCall): Tool {
  return {
    name: `game-${name}`,
    description: `Of the running game: ${summary}.`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(parameters).map(([key, parameter]) => [key, schemaOf(parameter)]),
      ),
      required,
      additionalProperties: false,
    },
    // The game itself checks the parameters.
    own: {},
    isReadOnly,
    call: async (given) => {
      if (!link.isConnected)
        throw new Stop(exitCodes.usage, `Cannot ${name}: no game is connected. ${help(link)}`);
      try {
        const { png, ...result } = (await link.remote.call(name, given)) as { [key: string]: Json };
        return typeof png === "string" ? new PictureResult(Buffer.from(png, "base64"), result) : result;
      } catch (error) {
        // The meaningful code is that of the game.
        if (error instanceof RemoteCallError && error.reason !== undefined)
          throw Object.assign(new Error(error.message), { code: error.reason });
        throw error;
      }
    },
  };
}

function schemaOf({ type, description }: RemoteParameter): JsonObject {
  if (type === "entity") return { type: ["string", "integer"], description };
  if (type === "array") return { type, items: { type: "object" }, description };
  return type === "integer" ? { type, minimum: 0, description } : { type, description };
}

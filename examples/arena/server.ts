/** The server: rooms of up to 50 tanks. It needs Node 22. */
import { Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { worldRoom } from "@espalier/colyseus/server";
import { arena, createArena, spawnTank } from "./arena.ts";

let tanks = 0;

const Arena = worldRoom(arena, {
  game: () => createArena(),
  join: ({ game }) => spawnTank(game, tanks++),
  see: { distance: 450 },
});

export async function serve(port: number): Promise<Server> {
  const server = new Server({ transport: new WebSocketTransport(), greet: false });
  server.define(
    "arena",
    class extends Arena {
      override maxClients = 50;
    },
  );
  await server.listen(port);
  return server;
}

/** One of several server processes. Its arguments: its port, the address of Redis, and the program of the guide that makes such a server. */
import type { Server } from "@colyseus/core";
import { arenaRoom } from "./testing.ts";

const [port = "", redis = "", guide = ""] = process.argv.slice(2);
const { createProcess } = (await import(guide)) as {
  createProcess(redis: string, publicAddress: string): Server;
};
const server = createProcess(redis, `127.0.0.1:${port}`);
const Room = arenaRoom({ see: { distance: 200 } }) as never;
server.define("arena", Room);
server.define("duel", Room);
await server.listen(Number(port), "127.0.0.1");
console.log("listening");

/** One of several server processes: its port and the address of Redis are its arguments. */
import { Server } from "@colyseus/core";
import { RedisDriver } from "@colyseus/redis-driver";
import { RedisPresence } from "@colyseus/redis-presence";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { arenaRoom } from "./testing.ts";

const [port = "", redis = ""] = process.argv.slice(2);
const server = new Server({
  transport: new WebSocketTransport(),
  presence: new RedisPresence(redis),
  driver: new RedisDriver(redis),
  publicAddress: `127.0.0.1:${port}`,
  greet: false,
});
server.define("arena", arenaRoom({ see: { distance: 200 } }) as never);
await server.listen(Number(port), "127.0.0.1");
console.log("listening");

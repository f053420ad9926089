/** Listening on a port of this machine only. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exitCodes, Stop } from "../exit-codes.ts";

/** @returns the port, which the system chooses for 0. @throws Stop when something else has the port. */
export async function listenHere(server: Server, port: number): Promise<number> {
  await new Promise<void>((done, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE" ? "it is in use" : undefined;
      const why = taken ?? (error.code === "EACCES" ? "permission was denied" : undefined);
      failed(
        why === undefined
          ? error
          : new Stop(
              exitCodes.usage,
              `Cannot use port ${port}: ${why}. Leave the number out for a free one.`,
            ),
      );
    });
    server.listen(port, "127.0.0.1", done);
  });
  return (server.address() as AddressInfo).port;
}

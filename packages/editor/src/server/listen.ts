/**
 * The port of a project: the same in every run, because a browser keeps settings and unsaved work by address.
 */
import { createHash } from "node:crypto";
import type { Server } from "node:http";

/** Below the ports that systems assign automatically. */
const FIRST = 20_000;
const COUNT = 12_000;

/**
 * Listens on the loopback interface: on the given port, or on that of the folder, or on any free one if another server has it.
 *
 * @throws when the given port is taken.
 */
export async function listen(server: Server, folder: string, port: number | undefined): Promise<void> {
  if (port !== undefined) return await listenOn(server, port);
  const digest = createHash("sha256").update(folder).digest();
  await listenOn(server, FIRST + (digest.readUInt32BE() % COUNT)).catch(() => listenOn(server, 0));
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

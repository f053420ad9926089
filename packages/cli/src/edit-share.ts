/**
 * What `espalier edit --share` needs of `@espalier/collab`, which is installed beside it or not at all.
 */
import type { IncomingMessage, Server } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findTool, loadTool } from "./missing-tool.ts";

export interface ShareOptions {
  readonly module: string;
  readonly engine: string;
  openRelay(options: {
    readonly server: Server;
    readonly path: string;
    readonly token: string;
    readonly accept: (request: IncomingMessage) => boolean;
    readonly load: (room: string) => undefined;
    readonly save: (room: string, content: Uint8Array) => void;
  }): Promise<{ close(): Promise<void> }>;
}

/** @throws Stop when the package is not there. */
export async function shareOptions(): Promise<ShareOptions> {
  const why = "Editing together is a package of its own, because it has an engine of some megabytes.";
  const { openRelay } = await loadTool<Pick<ShareOptions, "openRelay">>("@espalier/collab/relay", why);
  const manifest = findTool("@espalier/collab/package.json", why);
  return {
    openRelay,
    module: join(dirname(manifest), "dist/page.mjs"),
    engine: createRequire(manifest).resolve("loro-crdt/base64"),
  };
}

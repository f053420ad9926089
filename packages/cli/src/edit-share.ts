/**
 * The part of `@espalier/collab` that `espalier edit --share` needs; an optional package.
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

/** @throws Stop when the package is not installed. */
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

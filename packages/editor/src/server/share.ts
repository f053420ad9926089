/**
 * Editing together: the relay beside the pages, the module that pages join with, and the content of the files that they share.
 */
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { requireOwn } from "./access.ts";
import { Refusal } from "./refusal.ts";

/** What `espalier edit --share` passes to the server. */
export interface ShareOptions {
  /** The file of the module that joins rooms. It imports the library and `loro-crdt`, and nothing else. */
  readonly module: string;
  /** The file of `loro-crdt`, as one module for browsers. */
  readonly engine: string;
  /** Opens the relay that connects the pages. */
  openRelay(options: {
    readonly server: Server;
    readonly path: string;
    readonly token: string;
    readonly accept: (request: IncomingMessage) => boolean;
    readonly load: (room: string) => undefined;
    readonly save: (room: string, content: Uint8Array) => void;
  }): Promise<{ close(): Promise<void> }>;
}

/** The path of the relay. */
const RELAY = "/api/share";
/** Where the page finds the modules, below `/own/`. */
const MODULE = "share/collab.js";
const ENGINE = "share/loro-crdt.js";

/** The modules by the paths at which the page requests them. */
export function sharedModules(share: ShareOptions | undefined): { readonly [path: string]: string } {
  return share === undefined ? {} : { [MODULE]: share.module, [ENGINE]: share.engine };
}

/** The address of the module, as the page imports it. */
export const sharedModule = `/own/${MODULE}`;

/** The import map entries for what the module imports besides the library. */
export function sharedImports(share: ShareOptions | undefined): { readonly [name: string]: string } {
  return share === undefined ? {} : { "loro-crdt": `/own/${ENGINE}` };
}

/**
 * Opens the relay on a listening server. A room is forgotten when the last page has left: the next one starts from the file,
 * not from discarded edits.
 */
export async function openShare(
  share: ShareOptions,
  server: Server,
  token: string,
): Promise<{ close(): Promise<void> }> {
  const { port } = server.address() as AddressInfo;
  return await share.openRelay({
    server,
    path: RELAY,
    token,
    accept: (request) => isOwn(request, port),
    load: () => undefined,
    save: () => {},
  });
}

/** The token comes later, with the first message: a page from another server gets no connection at all. */
function isOwn(request: IncomingMessage, port: number): boolean {
  try {
    requireOwn(request, port);
    return true;
  } catch {
    return false;
  }
}

interface Base {
  readonly beginning: string;
  readonly text: string;
  readonly version: string | undefined;
}

/** The content of each file when the pages that edit it together last agreed on it. */
export class SharedBases {
  private readonly bases = new Map<string, Base>();

  /** The base of a path in the room `beginning`; `undefined` if it belongs to another room. */
  of(path: unknown, beginning: unknown): Omit<Base, "beginning"> | undefined {
    const base = this.bases.get(String(path));
    if (base === undefined || base.beginning !== beginning) return undefined;
    return { text: base.text, version: base.version };
  }

  /** @throws Refusal for values that are not strings. */
  set(path: unknown, { beginning, text, version }: { readonly [key in keyof Base]: unknown }): void {
    const isSound = [path, beginning, text].every((value) => typeof value === "string");
    if (!isSound || !["string", "undefined"].includes(typeof version)) {
      throw new Refusal(400, "A base is { path, beginning, text, version }.");
    }
    this.bases.set(path as string, { beginning, text, version } as Base);
  }
}

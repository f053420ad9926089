/**
 * The server of the editor: for this machine only, for one project folder, and only for the page it serves itself.
 *
 * It binds to the loopback interface and checks `Host` and `Origin`, so that no other page reaches it, not even by a name that
 * leads here; everything but the page itself needs the token of this run, which is in the printed address and nowhere else; only
 * scenes and prefabs inside the folder are written, and new images. It never runs the content of a file: components arrive as
 * data, and code only as
 * the modules named at the start.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, sep } from "node:path";
import type { DescribedComponent } from "../document/described-components.ts";
import type { EditKeeper } from "../edits/listed-edits.ts";
import type { PlayOptions } from "../play/play-setup.ts";
import { Access, requireOwn } from "./access.ts";
import { addImage } from "./add-image.ts";
import { answerEdits } from "./answer-edits.ts";
import { insidePath } from "./inside.ts";
import { listen } from "./listen.ts";
import {
  imageTypes,
  isImage,
  listFiles,
  type ProjectFolder,
  projectFolder,
  readProjectFile,
  writeProjectFile,
} from "./project-files.ts";
import { decoded, Refusal } from "./refusal.ts";
import {
  openShare,
  SharedBases,
  type ShareOptions,
  sharedImports,
  sharedModule,
  sharedModules,
} from "./share.ts";
import { stampOf, watchFolder } from "./watch-folder.ts";

/** Options of `startServer`. */
export interface ServerOptions {
  /** The project folder: nothing outside of it is read or written. */
  readonly folder: string;
  /** The built page of the editor. */
  readonly app: string;
  /** The scene to open, as a path from the folder. */
  readonly open?: string | undefined;
  /** Components of the project, besides those of the library. */
  readonly components?: readonly DescribedComponent[];
  /** Further files that may be read and written, as paths from the folder, besides scenes and prefabs. */
  readonly files?: readonly string[];
  /** The folder of prefabs, as a path from the folder, if they are not beside the scenes. */
  readonly prefabs?: string | undefined;
  /** The options for playing scenes, as data. */
  readonly play?: PlayOptions | undefined;
  /** Code of the project for Play: files by the paths at which the page requests them, below `/own/`. */
  readonly modules?:
    | { readonly entry: string; readonly files: { readonly [path: string]: string } }
    | undefined;
  /** A port derived from the folder if left out, so that the browser finds its stored data again; any free one if that is taken. */
  readonly port?: number | undefined;
  /** Edits that people and programs made to scene files, from their journals. */
  readonly edits?: EditKeeper;
  /** Lets all pages of this server edit the same scene together: the relay and the modules of `@espalier/collab`. */
  readonly share?: ShareOptions | undefined;
  /** Turns a file of another program into the text of a scene. */
  readonly importFile?: (name: string, bytes: Uint8Array) => Promise<string>;
}

/** The running server of the editor. */
export interface EditorServer {
  /** The address to print and to open, with the token. */
  readonly url: string;
  /**
   * The address to start a browser with, valid once and for a short time: other users of the machine can see it in the list of
   * processes, so it has no token.
   */
  readonly launchUrl: string;
  /** The token, without which nothing is read or written. */
  readonly token: string;
  /** Ends the server and its connections. */
  close(): Promise<void>;
}

const LARGEST_BODY = 256 * 2 ** 20;
const LARGEST_IMAGE = 64 * 2 ** 20;
const types: { readonly [ending: string]: string } = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

/** What the page may run: its own scripts and those of the project that its owner named. */
const policyWith = (scripts: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval'${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    // A game on this machine, to be watched.
    "connect-src 'self' ws://127.0.0.1:* ws://localhost:*",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Starts the server, which runs until it is closed. */
export async function startServer(options: ServerOptions): Promise<EditorServer> {
  const access = new Access();
  const project = projectFolder(options.folder, [options.open, ...(options.files ?? [])], options.prefabs);
  const listeners = new Set<ServerResponse>();
  const bases = new SharedBases();
  let port = 0;
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const status = error instanceof Refusal ? error.status : 500;
      const message = error instanceof Error ? error.message : String(error);
      // The unread rest of a refused request must not be taken for the next one.
      if (!request.complete && !response.headersSent) response.setHeader("connection", "close");
      if (response.headersSent) response.end();
      else answer(response, status, { error: message });
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requireOwn(request, port);
    const url = urlOf(request, port);
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("referrer-policy", "no-referrer");
    response.setHeader("cross-origin-resource-policy", "same-origin");
    response.setHeader("cache-control", "no-store");
    if (!url.pathname.startsWith("/api/")) {
      if (url.pathname === "/" && access.redeem(url.searchParams.get("ticket"))) {
        response.writeHead(302, { location: `/?token=${access.token}` });
        response.end();
        return;
      }
      if (url.pathname.startsWith("/own/")) access.require(request, url);
      return servePage(options, url.pathname, request, response);
    }
    access.require(request, url);
    const { folder } = options;
    switch (`${request.method} ${url.pathname}`) {
      case "GET /api/project":
        response.setHeader("set-cookie", access.cookie(url.port));
        return answer(response, 200, projectOf(options, project, access.token));
      case "GET /api/file":
        return answerFile(response, readProjectFile(project, url.searchParams.get("path")), url);
      case "PUT /api/file": {
        const { path, text, version } = await readWrite(request, url);
        const written = writeProjectFile(project, path, text, version);
        const beginning = url.searchParams.get("beginning");
        if (beginning !== null)
          setBase(path, { beginning, text, version: written }, url.searchParams.get("page"));
        return answer(response, 200, { version: written });
      }
      case "GET /api/base": {
        const [path, beginning] = ["path", "beginning"].map((name) => url.searchParams.get(name));
        return answer(response, 200, { base: bases.of(path, beginning) });
      }
      case "PUT /api/base": {
        const { path, beginning, text, version, page } = await readJson(request);
        setBase(path, { beginning, text, version }, page);
        return answer(response, 200, {});
      }
      case "GET /api/image": {
        const file = insidePath(folder, url.searchParams.get("path"), isImage);
        if (!existsSync(file)) throw new Refusal(404, "There is no such image.");
        response.writeHead(200, { "content-type": imageTypes[extname(file).toLowerCase()] });
        response.end(readFileSync(file));
        return;
      }
      case "POST /api/image": {
        const name = url.searchParams.get("name") ?? "";
        return answer(response, 200, {
          path: addImage(folder, name, await readBody(request, LARGEST_IMAGE)),
        });
      }
      case "POST /api/import": {
        if (options.importFile === undefined) throw new Refusal(501, "This server imports nothing.");
        const bytes = await readBody(request);
        return answer(response, 200, {
          text: await options.importFile(url.searchParams.get("name") ?? "", bytes),
        });
      }
      case "GET /api/edits":
        return answer(
          response,
          200,
          await answerEdits(options.edits, project, { path: url.searchParams.get("path") }),
        );
      case "POST /api/edits":
        return answer(response, 200, await answerEdits(options.edits, project, await readJson(request)));
      case "GET /api/changes":
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(":\n\n");
        watcher.begin();
        listeners.add(response);
        request.on("close", () => listeners.delete(response));
        return;
      default:
        throw new Refusal(404, "There is nothing here.");
    }
  }

  /** Tells pages that edit the file together what it contains. */
  function setBase(path: unknown, base: Parameters<SharedBases["set"]>[1], page: unknown): void {
    bases.set(path, base);
    for (const listener of listeners)
      listener.write(`event: base\ndata: ${JSON.stringify({ path, page })}\n\n`);
  }

  const watcher = watchFolder(
    options.folder,
    () => listeners.size > 0,
    (path) => {
      for (const listener of listeners) listener.write(`data: ${JSON.stringify(path)}\n\n`);
    },
  );
  await listen(server, options.folder, options.port);
  port = (server.address() as AddressInfo).port;
  const relay = options.share && (await openShare(options.share, server, access.token));
  const address = `http://127.0.0.1:${port}/`;
  return {
    url: `${address}?token=${access.token}`,
    launchUrl: `${address}?ticket=${access.ticket}`,
    token: access.token,
    async close() {
      watcher.close();
      await relay?.close();
      await new Promise<void>((resolve) => {
        for (const listener of listeners) listener.end();
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** @throws Refusal for an invalid address. */
function urlOf({ url = "/" }: IncomingMessage, port: number): URL {
  try {
    return new URL(url, `http://127.0.0.1:${port}`);
  } catch {
    throw new Refusal(400, "The address is not encoded properly.");
  }
}

function servePage(
  { app, modules, share }: ServerOptions,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.method !== "GET" && request.method !== "HEAD") throw new Refusal(405, "Pages are only read.");
  if (pathname.startsWith("/own/")) {
    serveModule({ ...modules?.files, ...sharedModules(share) }, pathname, response);
    return;
  }
  const file = join(app, pathname === "/" ? "index.html" : decoded(pathname));
  const type = types[extname(file)];
  if (!file.startsWith(app + sep) || type === undefined || !existsSync(file))
    throw new Refusal(404, "There is nothing here.");
  // Code of the project imports the library by name, and gets that of the page.
  const map = modules === undefined && share === undefined ? undefined : importMap(app, sharedImports(share));
  const scripts = map === undefined ? "" : ` 'sha256-${createHash("sha256").update(map).digest("base64")}'`;
  response.writeHead(200, { "content-type": type, "content-security-policy": policyWith(scripts) });
  if (pathname !== "/") response.end(readFileSync(file));
  else {
    const html = readFileSync(file, "utf8").replace(
      'name="espalier-server" content=""',
      'name="espalier-server" content="yes"',
    );
    const script = map === undefined ? "" : `<script type="importmap">${map}</script>`;
    response.end(html.replace("<title>", () => `${script}<title>`));
  }
}

/** Serves one of the files that were named at the start, and no other. */
function serveModule(
  files: { readonly [path: string]: string },
  pathname: string,
  response: ServerResponse,
): void {
  const path = decoded(pathname.slice("/own/".length));
  const file = Object.hasOwn(files, path) ? files[path] : undefined;
  if (file === undefined || !existsSync(file)) throw new Refusal(404, "There is nothing here.");
  response.writeHead(200, { "content-type": types[".js"] });
  response.end(readFileSync(file));
}

/** The rooms of the library in the built page, and what else modules may import. */
function importMap(app: string, others: { readonly [name: string]: string }): string {
  const folder = join(app, "rooms");
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
  const rooms = files
    .filter((name) => name.endsWith(".js"))
    .map((name) => name.split(sep).join("/").slice(0, -".js".length))
    .sort();
  const imports = { ...Object.fromEntries(rooms.map((room) => [room, `/rooms/${room}.js`])), ...others };
  return JSON.stringify({ imports });
}

function projectOf(
  { folder, open, components = [], prefabs: prefabFolder, play, modules, edits, share }: ServerOptions,
  project: ProjectFolder,
  token: string,
): unknown {
  const { scenes, prefabs, images, sounds, isCut } = listFiles(folder);
  return {
    scenes,
    prefabs: Object.fromEntries(prefabs.map((path) => [path, readProjectFile(project, path).text])),
    prefabFolder,
    isCut,
    // A changed image gets another address, so that pages load it again.
    sounds,
    images: images.map((name) => ({
      name,
      url: `/api/image?path=${encodeURIComponent(name)}&token=${token}&v=${encodeURIComponent(stampOf(folder, name) ?? "")}`,
    })),
    components,
    open,
    play,
    ...(modules === undefined ? {} : { module: `/own/${modules.entry}` }),
    imports: true,
    ...(edits === undefined ? {} : { hasEdits: true }),
    ...(share === undefined ? {} : { share: sharedModule }),
  };
}

/** As plain text with `raw` in the address: decoding a large text as JSON takes noticeable time in the page. */
function answerFile(
  response: ServerResponse,
  file: { readonly text: string; readonly version: string },
  url: URL,
): void {
  if (!url.searchParams.has("raw")) {
    answer(response, 200, file);
    return;
  }
  response.writeHead(200, {
    "content-type": "text/plain; charset=utf-8",
    "x-espalier-version": file.version,
  });
  response.end(file.text);
}

/** The text to write, and where: the path in the address and the plain text, or both as JSON. */
async function readWrite(request: IncomingMessage, url: URL): Promise<{ [key: string]: unknown }> {
  const path = url.searchParams.get("path");
  if (path === null) return await readJson(request);
  const text = Buffer.from(await readBody(request)).toString("utf8");
  return { path, text, version: url.searchParams.get("version") ?? undefined };
}

async function readJson(request: IncomingMessage): Promise<{ [key: string]: unknown }> {
  try {
    const value: unknown = JSON.parse(Buffer.from(await readBody(request)).toString("utf8"));
    if (typeof value === "object" && value !== null) return value as { [key: string]: unknown };
  } catch (error) {
    if (error instanceof Refusal) throw error;
  }
  throw new Refusal(400, "The request is not JSON.");
}

async function readBody(request: IncomingMessage, most: number = LARGEST_BODY): Promise<Uint8Array> {
  // Before reading: stopping midway would end the connection, and the page would not receive the reason.
  if (Number(request.headers["content-length"] ?? 0) > most) throw new Refusal(413, "The file is too large.");
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > most) throw new Refusal(413, "The file is too large.");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function answer(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(value));
}

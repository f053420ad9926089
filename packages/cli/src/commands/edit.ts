/**
 * `espalier edit [file]`: the editor in the browser, on a scene of this project.
 */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { AnyComponent } from "espalier";
import { printScene, toFlat } from "espalier/scene";
import { type ConfigOptions, loadConfig, loadLibraryFormat } from "../config.ts";
import { openInBrowser } from "../edit-browser.ts";
import type { EditorServerModule } from "../edit-server.ts";
import { shareOptions } from "../edit-share.ts";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { shown } from "../files.ts";
import { asSaved } from "../import/as-saved.ts";
import { importScene } from "../import/index.ts";
import { loadTool } from "../missing-tool.ts";
import type { Output } from "../output.ts";
import { playOf } from "../play-modules.ts";
import { editKeeper } from "../scene-files/edit-keeper.ts";

export interface EditOptions extends ConfigOptions {
  readonly port?: string;
  readonly open?: boolean;
  readonly share?: boolean;
}

/** Runs until it is interrupted. */
export async function edit(output: Output, options: EditOptions, path?: string): Promise<ExitCode> {
  const { folder, open } = folderOf(path);
  const port = portOf(options.port);
  const config = await loadConfig(options, folder);
  const { startServer, describeComponent, appFolder } = await loadTool<EditorServerModule>(
    "@espalier/editor/server",
    "The editor is a package of its own, because it has dependencies.",
  );
  const { modules, data } = playOf(config);
  const known = new Set((await loadLibraryFormat()).components);
  const components = config.format.components
    .filter((name) => !known.has(name))
    .map((name) => describeComponent(config.format.component(name) as AnyComponent, config.format));
  const server = await startServer({
    folder,
    app: appFolder(),
    open,
    components,
    prefabs: config.prefabs === undefined ? undefined : relative(folder, config.prefabs).split(sep).join("/"),
    play: data,
    modules,
    port,
    edits: editKeeper(config),
    share: options.share === true ? await shareOptions() : undefined,
    importFile,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Stop(
      exitCodes.usage,
      `Cannot use port ${port}: it is in use. Leave --port out for a free one.`,
    );
  });
  if (output.isJson) output.json({ url: server.url, folder, open: open ?? null });
  else {
    output.line(server.url);
    if (options.share === true) output.note("Everyone who opens this address edits the same scene.");
    output.note(`Editing ${open ?? shown(folder)}. Press Ctrl+C to stop.`);
  }
  if (options.open !== false) openInBrowser(server.launchUrl);
  await new Promise<void>((ended) => {
    process.once("SIGINT", ended);
    process.once("SIGTERM", ended);
  });
  await server.close();
  return exitCodes.ok;
}

/** The project folder is the current folder or, for a file elsewhere, its folder. */
function folderOf(path: string | undefined): { readonly folder: string; readonly open: string | undefined } {
  const here = process.cwd();
  if (path === undefined) return { folder: here, open: undefined };
  const file = resolve(path);
  if (!existsSync(file))
    throw new Stop(exitCodes.usage, `Cannot edit ${shown(path)}: there is no such file.`);
  if (statSync(file).isDirectory()) return { folder: file, open: undefined };
  const way = relative(here, file);
  const folder = way.startsWith("..") ? dirname(file) : here;
  return { folder, open: relative(folder, file).split(sep).join("/") };
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Stop(
    exitCodes.usage,
    `Cannot use port ${JSON.stringify(text)}: a port is a number from 1 to 65535.`,
  );
}

/** The importers read files, so data from the browser is written to a temporary one. */
async function importFile(name: string, bytes: Uint8Array): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-import-"));
  try {
    const file = join(folder, basename(name));
    writeFileSync(file, bytes);
    const text = printScene(toFlat((await importScene(file)).scene));
    return (await asSaved([{ file, text }]))[0]?.text ?? text;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

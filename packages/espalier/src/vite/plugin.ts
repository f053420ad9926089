/**
 * Sends changed scene files to the page instead of reloading it; `hotReload(game, import.meta.hot)` of `espalier/game` carries them
 * into the game.
 */
import type { Plugin } from "vite";
import { checkOptions, expectArguments } from "../ecs/index.ts";

/** The name of the event that the page gets. */
export const SCENE_CHANGED = "espalier:scene";

/** Options of the plugin. */
export interface EspalierPluginOptions {
  /** Which files are scenes and prefabs: those that end in `.scene.json` and `.prefab.json` if left out. */
  readonly files?: RegExp;
}

/** What the page is told. */
interface SceneChange {
  /** From the root of the project: `scenes/level.scene.json`. */
  readonly file: string;
  readonly content: string;
}

/** A plugin as `vite.config.ts` takes it. */
export type EspalierPlugin = Plugin;

const pattern = {
  expected: "a regular expression",
  fits: (value: unknown) => value instanceof RegExp,
};

/**
 * Makes the plugin: `plugins: [espalier()]`. Does nothing in a build.
 *
 * @throws InvalidOptionError, InvalidArgumentError.
 */
export function espalier(options: EspalierPluginOptions = {}): EspalierPlugin {
  checkOptions(true, "make the Vite plugin", options, { files: "anything" });
  const files = options.files ?? /\.(scene|prefab)\.json$/;
  expectArguments("make the Vite plugin", ["files", files, pattern]);
  let root = "";
  /** What the page gets of a saved scene; nothing for other files. */
  async function changeOf(
    file: string,
    read: () => string | Promise<string>,
  ): Promise<SceneChange | undefined> {
    const path = file.replaceAll("\\", "/");
    if (!files.test(path)) return undefined;
    return {
      file: path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path,
      content: await read(),
    };
  }
  return {
    name: "espalier",
    apply: "serve",
    configResolved(config) {
      root = config.root.replaceAll("\\", "/");
    },
    async hotUpdate({ file, type, read }) {
      const change = type === "update" ? await changeOf(file, read) : undefined;
      if (change === undefined) return undefined;
      if (this.environment.name === "client") this.environment.hot.send(SCENE_CHANGED, change);
      // Nothing else is to be done: without this the whole page would be loaded again.
      return [];
    },
    // Vite 5 has only this one, and later ones do not call it beside the other.
    async handleHotUpdate({ file, read, server }) {
      const change = await changeOf(file, read);
      if (change === undefined) return undefined;
      server.ws.send({ type: "custom", event: SCENE_CHANGED, data: change });
      return [];
    },
  };
}

/**
 * Sends changed scene files to the page instead of reloading it; `hotReload(game, import.meta.hot)` of `espalier/game` carries them
 * into the game. In a build it can leave out one of the two builds of Box2D.
 */
import type { Plugin } from "vite";
import { checkOptions, expectArguments } from "../ecs/index.ts";

/** The name of the event that the page gets. */
export const SCENE_CHANGED = "espalier:scene";

/** Options of the plugin. */
export interface EspalierPluginOptions {
  /** Which files are scenes and prefabs: those that end in `.scene.json` and `.prefab.json` if left out. */
  readonly files?: RegExp;
  /**
   * Which build of Box2D goes into `vite build`: `"compat"` runs on every page, `"deluxe"` uses SIMD and needs a page that is
   * cross-origin isolated. If left out, both are built, and the page loads the one that it can use.
   */
  readonly box2d?: "compat" | "deluxe";
}

/** What the page gets. */
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

const flavour = {
  expected: '"compat" or "deluxe"',
  fits: (value: unknown) => value === undefined || value === "compat" || value === "deluxe",
};

/**
 * Makes the plugin: `plugins: [espalier()]`. A build is changed only by the option `box2d`.
 *
 * @throws InvalidOptionError, InvalidArgumentError.
 */
export function espalier(options: EspalierPluginOptions = {}): EspalierPlugin {
  checkOptions(true, "make the Vite plugin", options, { files: "anything", box2d: "anything" });
  const files = options.files ?? /\.(scene|prefab)\.json$/;
  expectArguments("make the Vite plugin", ["files", files, pattern]);
  const { box2d } = options;
  expectArguments("make the Vite plugin", ["box2d", box2d, flavour]);
  let root = "";
  let building = false;
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
    configResolved(config) {
      root = config.root.replaceAll("\\", "/");
      building = config.command === "build";
    },
    // box2d3-wasm imports one of two files, and a bundler builds both. Here both imports lead to the same one.
    resolveId: {
      order: "pre",
      async handler(source, importer) {
        if (!building || box2d === undefined || !importer?.includes("box2d3-wasm")) return null;
        const same = source.replace(
          /(compat|deluxe)([\\/]Box2D\.)(compat|deluxe)(?=\.mjs$)/,
          `${box2d}$2${box2d}`,
        );
        return same === source ? null : await this.resolve(same, importer, { skipSelf: true });
      },
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

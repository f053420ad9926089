/**
 * Sends changed scene files to the page instead of reloading it; `hotReload(game, import.meta.hot)` of `espalier/game` carries them
 * into the game. Maps become scenes on the way, and a build can leave out one of the two builds of Box2D.
 */
import type { Plugin } from "vite";
import { checkOptions, expectArguments } from "../ecs/index.ts";
import { createMapScenes, type MapFileOptions } from "./map-scenes.ts";

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
  /**
   * Maps of Tiled and LDtk: which files, or how they are imported. `import scene from "./cave.tmj?scene"` then gives a scene, in a build too, and
   * saving the map changes the running game. None if left out.
   */
  readonly maps?: RegExp | MapFileOptions;
}

/** What the page gets. */
interface SceneChange {
  /** From the root of the project: `scenes/level.scene.json`. */
  readonly file: string;
  readonly content: string | object;
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
 * Makes the plugin: `plugins: [espalier()]`. In a build it turns maps into scenes, and the option `box2d` chooses a build of Box2D.
 *
 * @throws InvalidOptionError, InvalidArgumentError.
 */
export function espalier(options: EspalierPluginOptions = {}): EspalierPlugin {
  checkOptions(true, "make the Vite plugin", options, {
    files: "anything",
    maps: "anything",
    box2d: "anything",
  });
  const files = options.files ?? /\.(scene|prefab)\.json$/;
  expectArguments("make the Vite plugin", ["files", files, pattern]);
  const { box2d } = options;
  expectArguments("make the Vite plugin", ["box2d", box2d, flavour]);
  const maps = options.maps === undefined ? undefined : createMapScenes(options.maps);
  let root = "";
  let building = false;
  const named = (path: string) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
  /** What the page gets when a file was saved; nothing for those that are neither scenes nor maps, nor used by a map. */
  async function changesOf(file: string, read: () => string | Promise<string>): Promise<SceneChange[]> {
    const path = file.replaceAll("\\", "/");
    if (maps?.isMap(path))
      return [{ file: named(path), content: (await maps.read(path, await read())).scene }];
    const users = maps?.usersOf(path) ?? [];
    if (users.length > 0)
      return await Promise.all(
        users.map(async (user) => ({ file: named(user), content: (await maps!.read(user)).scene })),
      );
    return files.test(path) ? [{ file: named(path), content: await read() }] : [];
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
    async load(id) {
      const [path, query] = id.replaceAll("\\", "/").split("?");
      if (query !== "scene" || maps?.isMap(path) !== true) return undefined;
      const { scene, notImported, watched } = await maps.read(path);
      for (const file of [path, ...watched]) this.addWatchFile(file);
      for (const { where, what } of notImported)
        this.warn(`${named(path)}${where === "" ? "" : `, ${where}`}: ${what} (not imported)`);
      const text = JSON.stringify(scene);
      return `export default ${text};`;
    },
    async hotUpdate({ file, type, read }) {
      const changes = type === "update" ? await changesOf(file, read) : [];
      if (changes.length === 0) return undefined;
      const { name, hot, moduleGraph } = this.environment;
      if (name === "client") for (const change of changes) hot.send(SCENE_CHANGED, change);
      // A page that is loaded later gets the map as it is then, also when only its tile set changed.
      for (const user of maps?.usersOf(file.replaceAll("\\", "/")) ?? [])
        for (const module of moduleGraph.getModulesByFile(user) ?? []) moduleGraph.invalidateModule(module);
      // Nothing else is to be done: without this the whole page would be loaded again.
      return [];
    },
    // Vite 5 has only this one, and later ones do not call it beside the other.
    async handleHotUpdate({ file, read, server }) {
      const changes = await changesOf(file, read);
      if (changes.length === 0) return undefined;
      for (const data of changes) server.ws.send({ type: "custom", event: SCENE_CHANGED, data });
      return [];
    },
  };
}

/**
 * Textures by name, through Pixi's `Assets`: loaded when first needed, counted, and let go together with their users.
 */
import { Assets, Cache, Spritesheet, Texture, TexturePool } from "pixi.js";
import { describeValue, type Entity, expectArguments } from "../ecs/index.ts";
import type { RenderHost, Size } from "../render/index.ts";
import { createPlaceholder } from "./placeholder.ts";

/** What a name leads to. `loading` is drawn as nothing, `missing` as the marked placeholder. */
export interface FoundTexture {
  /** What to draw now: a placeholder while it is loading or missing. */
  readonly texture: Texture;
  /** Whether it is there, loading, or missing. */
  readonly state: "ready" | "loading" | "missing";
}

/** The pictures of a PixiJS renderer, by name. */
export interface PixiTextures {
  /** The texture of a name and a frame. Starts to load what is not there yet; reports what cannot be loaded, once. */
  find(entity: Entity, name: string, frame: string): FoundTexture;
  /** The size of a texture or of one of its frames, once it is loaded. */
  measure(name: string, frame: string): Size | undefined;
  /** Counts a user of a texture. */
  use(name: string): void;
  /** Counts it off. */
  release(name: string): void;
  /**
   * Unloads textures that this renderer loaded and that are not in use, and frees those that Pixi keeps for later texts. Gives the
   * names of what was unloaded.
   */
  unloadUnused(): Promise<string[]>;
  /** Frees what belongs to the renderer. */
  dispose(): void;
}

/** Finds the texture of a name and a frame (`""` for all of it) in a collection of the user's own; nothing when it is not there. */
export type FindTexture = (name: string, frame: string) => Texture | "loading" | undefined;

/**
 * @param load - Whether names that `Assets` does not have are loaded as addresses.
 * @param findOwn - Asked instead of `Assets`.
 */
export function createPixiTextures(host: RenderHost, load: boolean, findOwn?: FindTexture): PixiTextures {
  const users = new Map<string, number>();
  const loading = new Set<string>();
  const loaded = new Set<string>();
  const failed = new Set<string>();
  let placeholder: Texture | undefined;
  let isDisposed = false;

  function start(name: string): void {
    loading.add(name);
    Assets.load(name)
      .then((asset: unknown) => {
        if (asset instanceof Texture || asset instanceof Spritesheet) loaded.add(name);
        else failed.add(name);
      })
      .catch(() => failed.add(name))
      .finally(() => {
        loading.delete(name);
        if (!isDisposed) host.refresh(name);
      });
  }

  function resolve(name: string, frame: string): Texture | "loading" | "no texture" | "no frame" {
    if (findOwn !== undefined)
      return findOwn(name, frame) ?? (findOwn(name, "") === undefined ? "no texture" : "no frame");
    if (!Cache.has(name)) return "no texture";
    const asset: unknown = Cache.get(name);
    if (asset instanceof Spritesheet) {
      const texture = frame === "" ? asset.textureSource : undefined;
      if (texture !== undefined) return new Texture({ source: texture });
      return Object.hasOwn(asset.textures, frame) ? asset.textures[frame] : "no frame";
    }
    if (!(asset instanceof Texture)) return "no texture";
    return frame === "" ? asset : "no frame";
  }

  function missing(): FoundTexture {
    placeholder ??= createPlaceholder();
    return { texture: placeholder, state: "missing" };
  }

  return {
    find(entity, name, frame) {
      expectArguments("find a texture", ["its name", name, "text"], ["its frame", frame ?? "", "text"]);
      const found = resolve(name, frame);
      if (found instanceof Texture) return { texture: found, state: "ready" };
      const loads = load && findOwn === undefined && name !== "" && !failed.has(name);
      if (found === "loading" || (found === "no texture" && loads)) {
        if (found !== "loading" && !loading.has(name)) start(name);
        return { texture: Texture.EMPTY, state: "loading" };
      }
      if (found === "no texture") {
        const what = `the texture ${describeValue(name)} is missing.`;
        host.report(
          "missing-texture",
          entity,
          name,
          `${what} Load it with Assets.load(), or check its name.`,
        );
      } else {
        const what = `the texture ${describeValue(name)} has no frame ${describeValue(frame)}.`;
        host.report("unknown-frame", entity, `${name}/${frame}`, `${what} Frames come from sprite sheets.`);
      }
      return missing();
    },
    measure(name, frame) {
      const found = resolve(name, frame);
      return found instanceof Texture ? found : undefined;
    },
    use: (name) => void users.set(name, (users.get(name) ?? 0) + 1),
    release(name) {
      const left = (users.get(name) ?? 0) - 1;
      if (left > 0) users.set(name, left);
      else users.delete(name);
    },
    async unloadUnused() {
      const unused = [...loaded].filter((name) => !users.has(name));
      for (const name of unused) loaded.delete(name);
      TexturePool.clear();
      await Promise.all(unused.map((name) => Assets.unload(name)));
      return unused;
    },
    dispose() {
      isDisposed = true;
      placeholder?.destroy(true);
    },
  };
}

/**
 * Textures by name, through Pixi's `Assets`: loaded when first needed, counted, and released together with their users.
 */
import { Assets, Cache, Rectangle, Spritesheet, Texture, TexturePool } from "pixi.js";
import { type ArgumentTest, describeValue, type Entity, expectArguments } from "../ecs/index.ts";
import { type Frame, type Frames, type RenderHost, requireFrames, type Size } from "../render/index.ts";
import { createPlaceholder } from "./placeholder.ts";

/** The result of looking up a texture. `loading` is not drawn, `missing` is drawn as a placeholder. */
export interface FoundTexture {
  /** What to draw now: a placeholder while it is loading or missing. */
  readonly texture: Texture;
  /** Whether it is loaded, loading, or missing. */
  readonly state: "ready" | "loading" | "missing";
}

/** The pictures of a PixiJS renderer, by name. */
export interface PixiTextures {
  /**
   * Adds or replaces a texture, with its named parts, such as `readAtlas(json).frames`. Names added here take
   * precedence over those of `Assets`. The texture stays yours; one created here from an image is destroyed with it.
   */
  add(name: string, texture: Texture | ImageBitmap | HTMLImageElement, frames?: Frames): void;
  /** Removes the texture that was added with that name. */
  remove(name: string): void;
  /** Whether there is a texture of that name. */
  has(name: string): boolean;
  /** The texture of a name and a frame. Starts to load a missing texture; reports once if it cannot be loaded. */
  find(entity: Entity, name: string, frame: string): FoundTexture;
  /** The size of a texture or of one of its frames, once it is loaded. */
  measure(name: string, frame: string): Size | undefined;
  /** Counts a user of a texture. */
  use(name: string): void;
  /** Ends a use of a texture. */
  release(name: string): void;
  /**
   * Unloads textures that this renderer loaded and that are not in use, and frees those that Pixi caches for later texts. Returns the
   * names of the unloaded ones.
   */
  unloadUnused(): Promise<string[]>;
  /** Frees everything that belongs to the renderer. */
  dispose(): void;
}

/** Finds the texture of a name and a frame (`""` for all of it) in a collection of the user's own; `undefined` when it is missing. */
export type FindTexture = (name: string, frame: string) => Texture | "loading" | undefined;

/**
 * @param load - Whether names that `Assets` does not have are loaded as addresses.
 * @param findOwn - Called in place of `Assets`.
 */
export function createPixiTextures(host: RenderHost, load: boolean, findOwn?: FindTexture): PixiTextures {
  const users = new Map<string, number>();
  const loading = new Set<string>();
  const loaded = new Set<string>();
  const failed = new Set<string>();
  const sheets = new Map<string, Sheet>();
  /** Replaced frames: nodes draw with them until the next update, so they are destroyed with the renderer. */
  const retired: Texture[] = [];
  /** The replaced textures that were created here from images. */
  const retiredOwn: Texture[] = [];
  /** Whole textures of sprite sheets. */
  const wholes = new WeakMap<Spritesheet, Texture>();
  let placeholder: Texture | undefined;
  let isDisposed = false;
  /** The last measured texture: it is usually found next, for the same drawing. */
  let measuredName: string | undefined;
  let measuredFrame = "";
  let measured: Resolved = "no texture";

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

  function resolve(name: string, frame: string): Resolved {
    const sheet = sheets.get(name);
    if (sheet !== undefined) {
      if (frame === "") return sheet.texture;
      return sheet.frames.get(frame) ?? "no frame";
    }
    if (findOwn !== undefined)
      return findOwn(name, frame) ?? (findOwn(name, "") === undefined ? "no texture" : "no frame");
    if (!Cache.has(name)) return "no texture";
    const asset: unknown = Cache.get(name);
    if (asset instanceof Spritesheet) {
      if (frame === "") return wholeOf(asset);
      return Object.hasOwn(asset.textures, frame) ? asset.textures[frame] : "no frame";
    }
    if (!(asset instanceof Texture)) return "no texture";
    return frame === "" ? asset : "no frame";
  }

  function wholeOf(sheet: Spritesheet): Texture {
    let whole = wholes.get(sheet);
    if (whole === undefined || whole.source !== sheet.textureSource) {
      whole = new Texture({ source: sheet.textureSource });
      wholes.set(sheet, whole);
    }
    return whole;
  }

  function retire(name: string): void {
    const sheet = sheets.get(name);
    measuredName = undefined;
    if (sheet === undefined) return;
    retired.push(...sheet.frames.values());
    if (!sheet.isOwn) return;
    // Frees the memory of the graphics card at once; Pixi draws nothing with such a source.
    sheet.texture.source.unload();
    retiredOwn.push(sheet.texture);
  }

  function missing(): FoundTexture {
    placeholder ??= createPlaceholder();
    return { texture: placeholder, state: "missing" };
  }

  return {
    add(name, given, frames = {}) {
      const doing = `add the texture ${describeValue(name)}`;
      expectArguments(doing, ["its name", name, "text"], ["the texture", given, aTexture]);
      requireFrames(doing, frames);
      const isOwn = !(given instanceof Texture);
      const texture = isOwn ? Texture.from(given, true) : given;
      const parts = Object.entries(frames).map(
        ([key, part]) => [key, textureOfFrame(texture, part)] as const,
      );
      retire(name);
      sheets.set(name, { texture, isOwn, frames: new Map(parts) });
      host.forget("missing-texture", name);
      host.refresh(name);
    },
    remove(name) {
      retire(name);
      if (sheets.delete(name)) host.refresh(name);
    },
    has: (name) => resolve(name, "") instanceof Texture,
    find(entity, name, frame) {
      if (typeof name !== "string" || typeof frame !== "string")
        expectArguments("find a texture", ["its name", name, "text"], ["its frame", frame ?? "", "text"]);
      // A texture that was missing when measured may be loaded now.
      const isMeasured =
        measuredName === name &&
        measuredFrame === frame &&
        measured instanceof Texture &&
        !measured.destroyed;
      measuredName = undefined;
      const found = isMeasured ? measured : resolve(name, frame);
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
      measured = resolve(name, frame);
      measuredName = name;
      measuredFrame = frame;
      return measured instanceof Texture ? measured : undefined;
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
      for (const name of sheets.keys()) retire(name);
      for (const texture of retired) texture.destroy();
      for (const texture of retiredOwn) texture.destroy(true);
      placeholder?.destroy(true);
    },
  };
}

type Resolved = Texture | "loading" | "no texture" | "no frame";

/** An added texture with its frames. */
interface Sheet {
  readonly texture: Texture;
  /** Whether it was created here. */
  readonly isOwn: boolean;
  readonly frames: ReadonlyMap<string, Texture>;
}

const aTexture: ArgumentTest = {
  expected: "a Texture of Pixi, or an image",
  fits: (value) =>
    value instanceof Texture ||
    (typeof ImageBitmap === "function" && value instanceof ImageBitmap) ||
    (typeof HTMLImageElement === "function" && value instanceof HTMLImageElement),
};

/** Pixi's own fields of sprite sheets: `orig` is the size before trimming, 2 a quarter turn. */
function textureOfFrame({ source }: Texture, { x, y, width, height, trim, rotated }: Frame): Texture {
  return new Texture({
    source,
    frame: rotated ? new Rectangle(x, y, height, width) : new Rectangle(x, y, width, height),
    orig: new Rectangle(0, 0, trim?.width ?? width, trim?.height ?? height),
    ...(trim === undefined ? {} : { trim: new Rectangle(trim.x, trim.y, width, height) }),
    rotate: rotated ? 2 : 0,
  });
}

/**
 * The images that sprites are drawn with, by name.
 */
import { type ArgumentTest, describeValue, expectArguments } from "../ecs/index.ts";
import { type Frames, requireFrames, type Size, TextureLoadError } from "../render/index.ts";

/** An image and its named parts. */
export interface CanvasTexture {
  /** The image. */
  readonly image: CanvasImageSource;
  /** The width in pixels. */
  readonly width: number;
  /** The height in pixels. */
  readonly height: number;
  /** Parts of the image by name. */
  readonly frames: Frames;
}

/** The pictures of a canvas renderer, by name. */
export interface CanvasTextures {
  /** Adds an image. Sprites that wait for it are drawn with it from the next frame on. */
  add(name: string, image: CanvasImageSource & Partial<Size>, frames?: Frames): void;
  /**
   * Loads an image in a browser. While it loads, nothing is drawn for it.
   * @throws TextureLoadError when it cannot be loaded.
   */
  load(name: string, url?: string, frames?: Frames): Promise<void>;
  /** Removes an image. Sprites that use it show the placeholder. */
  remove(name: string): void;
  /** Whether there is an image with that name. */
  has(name: string): boolean;
  /** The image with that name, if it exists. */
  find(name: string): CanvasTexture | undefined;
  /** Whether the image of that name is being loaded. */
  isLoading(name: string): boolean;
  /** Calls `listener` with the name of each added or removed image. Returns the function that removes it. */
  onChange(listener: (name: string) => void): () => void;
}

/** The expected form of textures as an option. */
export const someTextures: ArgumentTest = {
  expected: "textures. Pass what createCanvasTextures() returned",
  fits: (value) => typeof (Object(value) as Partial<CanvasTextures>).onChange === "function",
};

const aName: ArgumentTest = {
  expected: "a name that is not empty",
  fits: (value) => typeof value === "string" && value !== "",
};

/** Creates an empty collection. Several renderers may share one. */
export function createCanvasTextures(): CanvasTextures {
  const textures = new Map<string, CanvasTexture>();
  const loading = new Set<string>();
  const listeners = new Set<(name: string) => void>();
  const notify = (name: string) => {
    for (const listener of [...listeners]) listener(name);
  };

  const self: CanvasTextures = {
    add(name, image, frames = {}) {
      const doing = `add the texture ${describeValue(name)}`;
      expectArguments(doing, ["its name", name, aName], ["the image", image, "object"]);
      requireFrames(doing, frames);
      const { naturalWidth, naturalHeight } = image as Partial<HTMLImageElement>;
      const [width, height] = [naturalWidth ?? image.width ?? 0, naturalHeight ?? image.height ?? 0];
      textures.set(name, { image, width: Number(width), height: Number(height), frames });
      loading.delete(name);
      notify(name);
    },
    async load(name, url = name, frames = {}) {
      const doing = `load the texture ${describeValue(name)}`;
      expectArguments(doing, ["its name", name, aName], ["the address", url, "text"]);
      requireFrames(doing, frames);
      if (typeof Image !== "function") {
        throw new TextureLoadError(
          `Cannot load the texture "${name}": images cannot be loaded outside a browser. Add it with add().`,
          { texture: name },
        );
      }
      loading.add(name);
      const image = new Image();
      image.src = url;
      try {
        await image.decode();
      } catch (cause) {
        loading.delete(name);
        notify(name);
        throw new TextureLoadError(
          `Cannot load the texture "${name}" from ${url}. Check the address, and that it is an image.`,
          { texture: name, cause },
        );
      }
      self.add(name, image, frames);
    },
    remove(name) {
      if (textures.delete(name)) notify(name);
    },
    has: (name) => textures.has(name),
    find: (name) => textures.get(name),
    isLoading: (name) => loading.has(name),
    onChange(listener) {
      expectArguments("listen for textures", ["the listener", listener, "function"]);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return self;
}

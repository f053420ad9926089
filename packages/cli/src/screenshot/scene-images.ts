/**
 * The images that a scene names, found on disk: searched from the folder of the scene upwards to that of the project, as in the editor.
 */
import { existsSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import type { CanvasTextures } from "espalier/canvas";
import { readBytes } from "../files.ts";
import { isInside } from "../write-target.ts";

const endings = [".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif"];

/** Loads an image from the bytes of a file. */
export type LoadImage = (bytes: Buffer) => Promise<ImageBitmap>;

/**
 * Loads the images that exist.
 *
 * @param root - The folder outside of which nothing is read.
 * @returns the names without an image.
 */
export async function loadImages(
  names: Iterable<string>,
  scene: string,
  root: string,
  textures: CanvasTextures,
  load: LoadImage,
): Promise<string[]> {
  const missing: string[] = [];
  for (const name of names) {
    const file = imageFile(name, scene, root);
    try {
      if (file === undefined) missing.push(name);
      else textures.add(name, await load(readBytes(file)));
    } catch {
      // It has the name of an image but is not one.
      missing.push(name);
    }
  }
  return missing;
}

function imageFile(name: string, scene: string, root: string): string | undefined {
  if (!endings.includes(extname(name).toLowerCase())) return undefined;
  // An address in a page begins with "/", which means its root or the folder of static files.
  const relative = name.replace(/^\/+/, "");
  for (const folder of foldersUp(dirname(resolve(scene)), resolve(root))) {
    for (const file of [join(folder, relative), join(folder, "public", relative)]) {
      if (isInside(file, root) && existsSync(file) && statSync(file).isFile()) return file;
    }
  }
  return undefined;
}

function* foldersUp(from: string, root: string): IterableIterator<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder;
    if (folder === root || folder === dirname(folder)) return;
  }
}

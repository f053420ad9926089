/**
 * Images from the desktop become files of the project: new ones only, never in the place of another.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { insidePath } from "./inside.ts";
import { imageTypes, isImage, listFiles } from "./project-files.ts";
import { Refusal } from "./refusal.ts";

/** How files of each type begin, as a pattern over the first bytes as Latin-1. */
const beginnings: { readonly [type: string]: RegExp } = {
  "image/png": /^\x89PNG\r\n/,
  "image/jpeg": /^\xff\xd8\xff/,
  "image/webp": /^RIFF.{4}WEBP/s,
  "image/gif": /^GIF8/,
  "image/avif": /^.{4}ftypavi[fs]/s,
};

/** Attempts at a free name. */
const MOST_NAMES = 1000;

/**
 * Writes it beside the images that are there, or into `images`.
 *
 * @returns its path from the folder. @throws Refusal when it is not an image.
 */
export function addImage(folder: string, name: string, bytes: Uint8Array): string {
  const file = basename(name.replaceAll("\\", "/")).replace(/[^\p{L}\p{N}._-]+/gu, "-");
  const type = imageTypes[extname(file).toLowerCase()];
  const begin = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  if (type === undefined || beginnings[type]?.test(begin) !== true) {
    throw new Refusal(400, `${name} is not an image that the editor knows: PNG, JPEG, WebP, GIF or AVIF.`);
  }
  const [first] = listFiles(folder).images;
  const beside = first === undefined ? "images" : dirname(first);
  const [stem, ending] = [file.slice(0, -extname(file).length), extname(file)];
  for (let number = 1; number <= MOST_NAMES; number++) {
    const own = `${stem}${number === 1 ? "" : `-${number}`}${ending}`;
    const path = beside === "." ? own : `${beside}/${own}`;
    const target = insidePath(folder, path, isImage);
    mkdirSync(dirname(target), { recursive: true });
    try {
      writeFileSync(target, bytes, { flag: "wx" });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST")
        throw new Refusal(500, `Cannot write ${path}: ${(error as Error).message}`);
    }
  }
  throw new Refusal(409, `There are too many images called ${file}.`);
}

/**
 * Images from the desktop become files of the project: new files only, existing ones are never replaced.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { insidePath } from "./inside.ts";
import { imageTypes, isImage, listFiles } from "./project-files.ts";
import { Refusal } from "./refusal.ts";

/** The first bytes of files of each type, as a pattern over Latin-1. */
const beginnings: { readonly [type: string]: RegExp } = {
  "image/png": /^\x89PNG\r\n\cZ\n/,
  "image/jpeg": /^\xff\xd8\xff/,
  "image/webp": /^RIFF.{4}WEBP/s,
  "image/gif": /^GIF8[79]a/,
  "image/avif": /^.{4}ftypavi[fs]/s,
};

/** Attempts at a free name. */
const MOST_NAMES = 1000;

/** Bytes of a name: file systems allow 255, and a number may follow. */
const LONGEST_NAME = 200;

/**
 * Writes it beside the existing images, or into `images`.
 *
 * @returns its path from the folder.
 * @throws Refusal when it is not an image, and when the system refuses; nothing is written then.
 */
export function addImage(folder: string, name: string, bytes: Uint8Array): string {
  const file = basename(name.replaceAll("\\", "/")).replace(/[^\p{L}\p{N}._-]+/gu, "-");
  const ending = extname(file);
  requireImage(name, imageTypes[ending.toLowerCase()], bytes);
  if (Buffer.byteLength(file) > LONGEST_NAME)
    throw new Refusal(400, `The name ${file} is too long. Rename the image, and add it again.`);
  const [first] = listFiles(folder).images;
  const beside = first === undefined ? "images" : dirname(first);
  const stem = file.slice(0, -ending.length);
  for (let number = 1; number <= MOST_NAMES; number++) {
    const own = `${stem}${number === 1 ? "" : `-${number}`}${ending}`;
    const path = beside === "." ? own : `${beside}/${own}`;
    if (isWritten(folder, path, bytes)) return path;
  }
  throw new Refusal(409, `There are too many images called ${file}.`);
}

/** Checks the first bytes too: a name alone proves nothing. */
function requireImage(name: string, type: string | undefined, bytes: Uint8Array): void {
  if (type === undefined)
    throw new Refusal(400, `${name} is not an image that the editor knows: PNG, JPEG, WebP, GIF or AVIF.`);
  const begin = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  if (beginnings[type]?.test(begin) !== true)
    throw new Refusal(400, `${name} is not an image of the type that its name says (${type}).`);
}

/** @returns whether the name was free: a link counts as taken, wherever it leads. */
function isWritten(folder: string, path: string, bytes: Uint8Array): boolean {
  const target = insidePath(folder, path, isImage);
  try {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes, { flag: "wx" });
    return true;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && syscall === "open") return false;
    throw new Refusal(500, `Cannot write ${path} (${code}).`);
  }
}

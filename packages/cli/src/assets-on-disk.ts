/**
 * Finds out which files named in scenes are missing on disk.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { AssetUse } from "espalier/scene";
import type { ConfigAssets } from "./config.ts";
import { shown } from "./files.ts";

/** Returns what is wrong with a file that an entity names, as a sentence; `undefined` when it exists, or is not on this disk. */
export function missingAsset({ folder, files }: ConfigAssets): (use: AssetUse) => string | undefined {
  const listed = listOf(files ?? {});
  return ({ kind, name, path, component, field }) => {
    const use = `${path} names the ${kind} ${JSON.stringify(name)} in ${component}.${field}`;
    const addresses =
      listed.get(name) ?? (hasEnding(name) ? [{ address: name, picture: undefined }] : undefined);
    if (addresses === undefined) {
      // Fonts that are not listed are those of the system; without a list names may come from anywhere.
      if (kind === "font" || files === undefined) return undefined;
      return `${use}, and assets lists no such name.`;
    }
    const missing = addresses.flatMap((address) => missingFiles(folder, address));
    if (missing.length === 0) return undefined;
    return `${use}: there is no file ${missing.map(shown).join(" and none ")}.`;
  };
}

/** Addresses by name, including those of sounds that several names share. */
function listOf(files: { readonly [name: string]: unknown }): ReadonlyMap<string, readonly Address[]> {
  const list = new Map<string, readonly Address[]>();
  for (const [name, source] of Object.entries(files)) {
    const { parts, image, ...rest } = isPlain(source) ? source : { file: source };
    const [picture] = addressesIn(image);
    const addresses = Object.values(rest)
      .flatMap(addressesIn)
      .map((address) => ({ address, picture }));
    list.set(name, addresses);
    for (const part of Object.keys(Object(parts))) list.set(part, addresses);
  }
  return list;
}

interface Address {
  readonly address: string;
  /** The picture of a sprite sheet, if it is not the one that the sheet names. */
  readonly picture: string | undefined;
}

function isPlain(source: unknown): source is { readonly [key: string]: unknown } {
  const isObject = typeof source === "object" && source !== null;
  return isObject && !Array.isArray(source) && !(source instanceof URL);
}

/** Options beside an address are not files: files are strings with an extension. */
function addressesIn(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items
    .filter((item) => typeof item === "string" || item instanceof URL)
    .map(String)
    .filter(hasEnding);
}

function hasEnding(address: string): boolean {
  return /\.\w+([?#].*)?$/.test(address);
}

function missingFiles(folder: string, { address, picture }: Address): string[] {
  const file = onDisk(folder, address);
  if (file === undefined) return [];
  if (!existsSync(file) || !statSync(file).isFile()) return [file];
  const beside = picture ?? (file.endsWith(".json") ? pictureOf(file) : undefined);
  if (beside === undefined || isElsewhere(beside)) return [];
  const drawn = beside.startsWith("/") ? onDisk(folder, beside) : resolve(dirname(file), beside);
  return drawn === undefined || existsSync(drawn) ? [] : [drawn];
}

function onDisk(folder: string, address: string): string | undefined {
  if (isElsewhere(address)) return undefined;
  return resolve(folder, `.${join("/", decoded(address.split(/[?#]/)[0] as string))}`);
}

/** Addresses of other machines, and files that the build moves. */
function isElsewhere(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(address);
}

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    // A literal percent sign.
    return address;
  }
}

/** The picture that a sprite sheet names. */
function pictureOf(file: string): string | undefined {
  try {
    const { frames, meta } = Object(JSON.parse(readFileSync(file, "utf8")));
    const { image } = Object(meta);
    return frames === undefined || typeof image !== "string" ? undefined : image;
  } catch {
    // The reader of the sheet reports why it cannot be read.
    return undefined;
  }
}

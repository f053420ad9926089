/**
 * The files that scenes name, on disk: which of them are missing.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { AssetUse } from "espalier/scene";
import type { ConfigAssets } from "./config.ts";
import { shown } from "./files.ts";

/** Says what is wrong with a file that an entity names, as a sentence; nothing when it is there, or is not on this disk. */
export function missingAsset({ folder, files }: ConfigAssets): (use: AssetUse) => string | undefined {
  const listed = listOf(files ?? {});
  return ({ kind, name, path, component, field }) => {
    const who = `${path} names the ${kind} ${JSON.stringify(name)} in ${component}.${field}`;
    const addresses = listed.get(name) ?? (hasEnding(name) ? [name] : undefined);
    if (addresses === undefined) {
      // Fonts that are not listed are those of the system; without a list names may come from anywhere.
      if (kind === "font" || files === undefined) return undefined;
      return `${who}, and assets lists no such name.`;
    }
    const missing = addresses.flatMap((address) => missingFiles(folder, address));
    if (missing.length === 0) return undefined;
    return `${who}: there is no file ${missing.map(shown).join(" and none ")}.`;
  };
}

/** Addresses by name, with those of sounds that several share. */
function listOf(files: { readonly [name: string]: unknown }): ReadonlyMap<string, readonly string[]> {
  const list = new Map<string, readonly string[]>();
  for (const [name, source] of Object.entries(files)) {
    const { parts, ...rest } = isPlain(source) ? source : { file: source, parts: undefined };
    const addresses = Object.values(rest).flatMap(addressesIn);
    list.set(name, addresses);
    for (const part of Object.keys(Object(parts))) list.set(part, addresses);
  }
  return list;
}

function isPlain(source: unknown): source is { readonly [key: string]: unknown } {
  const isObject = typeof source === "object" && source !== null;
  return isObject && !Array.isArray(source) && !(source instanceof URL);
}

/** Options beside an address are no files: those are strings with an ending. */
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

function missingFiles(folder: string, address: string): string[] {
  // Addresses of other machines, and files that the build moves.
  if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return [];
  const file = resolve(folder, `.${join("/", decodeURI(address.split(/[?#]/)[0] as string))}`);
  if (!existsSync(file) || !statSync(file).isFile()) return [file];
  const picture = file.endsWith(".json") ? pictureOf(file) : undefined;
  return picture === undefined || existsSync(picture) ? [] : [picture];
}

/** The picture that a sprite sheet names. */
function pictureOf(file: string): string | undefined {
  try {
    const { frames, meta } = Object(JSON.parse(readFileSync(file, "utf8")));
    const { image } = Object(meta);
    return frames === undefined || typeof image !== "string" ? undefined : resolve(dirname(file), image);
  } catch {
    // What cannot be read is said by whatever reads it.
    return undefined;
  }
}

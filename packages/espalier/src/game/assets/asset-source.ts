/**
 * Sources of assets: what the program specifies for each, and what is derived from it.
 */
import { type AssetKind, describeValue } from "../../ecs/index.ts";
import { InvalidGameError } from "../errors.ts";
import type { AssetAddress, AssetSource } from "./game-assets.ts";

/** An asset with its kind. */
export interface FoundSource {
  readonly kind: string;
  readonly addresses: readonly string[];
  /** The value given in place of addresses. */
  readonly value?: unknown;
  readonly options: { readonly [option: string]: unknown };
}

/** The kinds that games know, whether or not something loads them. */
const knownEndings: { readonly [kind: string]: readonly string[] } = {
  texture: ["png", "jpg", "jpeg", "webp", "avif", "gif", "svg"],
  sound: ["webm", "m4a", "mp3", "ogg", "oga", "opus", "wav", "flac", "aac", "mp4"],
  font: ["woff2", "woff", "ttf", "otf"],
  json: ["json"],
  atlas: [],
  stream: [],
};

const kindsOfData: readonly (readonly [start: string, kind: string])[] = [
  ["image/", "texture"],
  ["audio/", "sound"],
  ["font/", "font"],
  ["application/json", "json"],
];

/** @throws InvalidGameError for what cannot lead to a file. */
export function expectSource(name: string, source: unknown): void {
  const isObject = typeof source === "object" && source !== null;
  const isRight = isAddress(source) || (isObject && !Array.isArray(source) && Object.keys(source).length > 0);
  if (isRight && name !== "") return;
  throw new InvalidGameError(
    `Cannot use the asset ${describeValue(name)}: ${describeValue(source)} leads to no file. Give an address, several in an array, or an object with the kind: { font: "title.woff2" }.`,
    { option: "assets", subject: name, value: source },
  );
}

/** The kind of a source with its options; `undefined` when no kind fits. */
export function findSource(
  source: AssetSource,
  kinds: ReadonlyMap<string, AssetKind>,
): FoundSource | undefined {
  if (isAddress(source)) {
    const addresses = addressesIn(source);
    const kind = addresses.map((address) => kindOfAddress(address, kinds)).find((each) => each !== undefined);
    return kind === undefined ? undefined : { kind, addresses, options: {} };
  }
  const given = source as { readonly [key: string]: unknown };
  const kind = Object.keys(given).find((key) => kinds.has(key) || Object.hasOwn(knownEndings, key));
  if (kind === undefined) return undefined;
  const { [kind]: where, ...options } = given;
  if (isAddress(where)) return { kind, addresses: addressesIn(where), options };
  return { kind, addresses: [], value: where, options };
}

/** By its extension, or by the type of a `data:` address. Kinds of parts take precedence over those that games know. */
export function kindOfAddress(address: string, kinds: ReadonlyMap<string, AssetKind>): string | undefined {
  if (address.startsWith("data:"))
    return kindsOfData.find(([start]) => address.startsWith(start, "data:".length))?.[1];
  const ending = endingOf(address);
  for (const [kind, { endings }] of kinds) {
    if (!Object.hasOwn(knownEndings, kind) && endings.includes(ending)) return kind;
  }
  // A sprite sheet is JSON; if something reads sheets, JSON files are taken for sheets.
  if (kinds.get("atlas")?.endings.includes(ending)) return "atlas";
  return Object.keys(knownEndings).find((kind) => knownEndings[kind]?.includes(ending));
}

/** Chooses one of several addresses. */
export function chooseAddress(addresses: readonly string[], kind: AssetKind): string {
  const { choose, endings } = kind;
  const chosen =
    choose === undefined ? addresses.find((each) => endings.includes(endingOf(each))) : choose(addresses);
  return chosen ?? (addresses[0] as string);
}

/** An address in the form that `fetch` takes. */
export function resolveAddress(address: string, base: string | undefined): string {
  const page = globalThis.document?.baseURI ?? globalThis.location?.href;
  if (page === undefined && base === undefined) return address;
  // A base need not be absolute: in a page it is relative to the page.
  const from = page === undefined ? base : new URL(base ?? "", page).href;
  return URL.canParse(address, from) ? new URL(address, from).href : `${base ?? ""}${address}`;
}

/** Resolves an address relative to the file that contains it. */
export function addressBeside(address: string, file: string): string {
  if (URL.canParse(address)) return address;
  if (URL.canParse(address, file)) return new URL(address, file).href;
  return address.startsWith("/") ? address : `${file.replace(/[^/]*$/, "")}${address}`;
}

function endingOf(address: string): string {
  return (address.split(/[?#]/)[0] as string).split(".").pop()?.toLowerCase() ?? "";
}

function isAddress(source: unknown): source is AssetAddress {
  if (Array.isArray(source)) return source.length > 0 && source.every(isOne);
  return isOne(source);
}

function isOne(source: unknown): boolean {
  return (typeof source === "string" && source !== "") || source instanceof URL;
}

function addressesIn(source: AssetAddress): string[] {
  return (Array.isArray(source) ? source : [source]).map(String);
}

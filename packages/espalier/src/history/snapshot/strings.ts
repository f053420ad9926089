/**
 * Many strings as bytes: all of them in one text, which the platform encodes and decodes at once.
 */
import { requireFit } from "./form.ts";

/** A lone surrogate, which UTF-8 cannot encode. */
const broken = /\p{Surrogate}/u;
const ESCAPED = 1;
const PLAIN = 0;

/** Strings as bytes and their lengths. */
export function packStrings(strings: readonly string[]): [text: Uint8Array, lengths: Uint32Array] {
  const joined = strings.join("");
  const isEscaped = broken.test(joined);
  // The first number is the encoding of the text.
  const lengths = new Uint32Array(strings.length + 1);
  lengths[0] = isEscaped ? ESCAPED : PLAIN;
  for (let k = 0; k < strings.length; k++) lengths[k + 1] = (strings[k] as string).length;
  return [new TextEncoder().encode(isEscaped ? JSON.stringify(joined) : joined), lengths];
}

export function unpackStrings(text: Uint8Array, lengths: Uint32Array): string[] {
  const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
  const joined = lengths[0] === ESCAPED ? (JSON.parse(decoded) as string) : decoded;
  const strings = new Array<string>(lengths.length - 1);
  let at = 0;
  for (let k = 0; k < strings.length; k++) {
    const end = at + (lengths[k + 1] as number);
    strings[k] = joined.slice(at, end);
    at = end;
  }
  requireFit(at === joined.length, "strings do not add up");
  return strings;
}

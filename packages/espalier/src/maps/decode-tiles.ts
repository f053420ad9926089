/**
 * The tiles of a layer in the formats of Tiled: numbers, or their bytes as text, compressed or not.
 */
import { UnsupportedMapError } from "./errors.ts";
import type { ImportContext } from "./import-context.ts";

/** The compression formats of layers by their names in `DecompressionStream`, which browsers and Node have. */
const formats: { readonly [compression: string]: CompressionFormat } = { zlib: "deflate", gzip: "gzip" };

/** The global tile numbers of a layer or of a chunk of it. */
export async function decodeTiles(
  context: ImportContext,
  data: unknown,
  compression: string,
  count: number,
  where: string,
): Promise<readonly number[]> {
  if (Array.isArray(data)) {
    if (data.length !== count || !data.every((tile) => Number.isInteger(tile) && tile >= 0))
      throw context.invalid(`the layer ${where} has ${data.length} tiles, not ${count} whole numbers`);
    return data;
  }
  if (typeof data !== "string") throw context.invalid(`the layer ${where} has no tiles`);
  const format = formats[compression];
  if (compression !== "" && format === undefined) {
    throw new UnsupportedMapError(
      `Cannot import ${context.label}: the layer ${where} is compressed with ${compression}. In Tiled, choose Map > Map Properties… > Tile Layer Format: CSV, or Base64 (zlib).`,
      { file: context.file, value: compression },
    );
  }
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.from(atob(data.trim()), (letter) => letter.charCodeAt(0));
    if (format !== undefined) bytes = await decompress(bytes, format, count * 4);
  } catch (error) {
    throw context.invalid(`the tiles of the layer ${where} cannot be decoded (${String(error)})`);
  }
  if (bytes.length !== count * 4)
    throw context.invalid(`the layer ${where} has ${bytes.length} bytes of tiles, not ${count * 4}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Array.from({ length: count }, (_, k) => view.getUint32(k * 4, true));
}

/** @param most - The maximum of bytes: data that unpacks to more than a layer can have is not read to its end. */
async function decompress(bytes: Uint8Array, format: CompressionFormat, most: number): Promise<Uint8Array> {
  const source = new Blob([bytes as BlobPart]).stream();
  const reader = source.pipeThrough(new DecompressionStream(format)).getReader();
  const all = new Uint8Array(most);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return all.subarray(0, length);
    if (length + value.length > most) {
      await reader.cancel();
      throw new Error(`it unpacks to more than ${most} bytes`);
    }
    all.set(value, length);
    length += value.length;
  }
}

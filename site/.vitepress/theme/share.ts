/** A program as part of an address: deflated and written in letters that addresses may hold. */

/** `code=…`, to stand behind `#`. */
export async function toHash(code: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(code), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `code=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The program of such an address; `undefined` when there is none or it is damaged. */
export async function fromHash(hash: string): Promise<string | undefined> {
  const [, text] = /[#&]code=([\w-]+)/.exec(hash) ?? [];
  if (text === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
  } catch {
    return undefined;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const result = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(result).arrayBuffer());
}

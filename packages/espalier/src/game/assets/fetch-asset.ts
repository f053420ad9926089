/**
 * Fetching one file, with progress, and detecting bad responses.
 */

/** Why a file could not be fetched. `status` is that of the response, if there was one. */
export class AssetFault extends Error {
  readonly status: number | undefined;
  constructor(message: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

/** How much of a file has arrived. */
export interface FetchedBytes {
  received: number;
  /** From the response; `undefined` if it does not tell. */
  length: number | undefined;
}

/** Fetches a file as `fetch` does: for programs that read from elsewhere. */
export type FetchAsset = (
  address: string,
  options: { readonly signal: AbortSignal; readonly method: "GET" | "HEAD" },
) => Promise<Response>;

/** @throws AssetFault */
export async function fetchAsset(
  address: string,
  bytes: FetchedBytes,
  options: {
    readonly signal: AbortSignal;
    readonly method: "GET" | "HEAD";
    readonly fetch: FetchAsset;
    changed(): void;
  },
): Promise<Blob> {
  const { signal, method } = options;
  let answer: Response;
  try {
    answer = await options.fetch(address, { signal, method });
  } catch (cause) {
    throw new AssetFault(`it cannot be reached: ${reasonOf(cause)}`, undefined, cause);
  }
  const { status } = answer;
  if (!answer.ok) throw new AssetFault(`the response is ${status} ${answer.statusText}`.trim(), status);
  const type = answer.headers.get("content-type") ?? "";
  // Servers of single-page apps respond like this instead of with 404.
  if (type.startsWith("text/html"))
    throw new AssetFault("the response is a page (text/html): the file probably does not exist", status);
  if (method === "HEAD") return new Blob([], { type });
  bytes.length = lengthOf(answer);
  options.changed();
  const parts: BlobPart[] = [];
  try {
    const reader = answer.body?.getReader();
    if (reader === undefined) {
      const whole = await answer.blob();
      parts.push(whole);
      bytes.received += whole.size;
    } else {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        parts.push(part.value as BlobPart);
        bytes.received += part.value.byteLength;
        options.changed();
      }
    }
  } catch (cause) {
    throw new AssetFault(`the response was cut off after ${bytes.received} bytes`, status, cause);
  }
  const { received, length } = bytes;
  if (length !== undefined && received < length)
    throw new AssetFault(`the response was cut off after ${received} of ${length} bytes`, status);
  return new Blob(parts, { type });
}

/** The length in a compressed response is that of the compressed data, not of the file. */
function lengthOf({ headers }: Response): number | undefined {
  const text = headers.get("content-encoding") ? null : headers.get("content-length");
  const length = text === null ? Number.NaN : Number(text);
  return Number.isInteger(length) && length >= 0 ? length : undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // Node says "fetch failed", and gives the reason as the cause.
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}

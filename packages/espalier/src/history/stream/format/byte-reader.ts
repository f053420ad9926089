/**
 * Reads the output of `ByteWriter`, from untrusted bytes.
 */
import { DamagedBatchError } from "../../errors.ts";
import { ESCAPED } from "./byte-writer.ts";

export class ByteReader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private at = 0;
  private readonly strings: string[] = [];

  constructor(bytes: Uint8Array) {
    // A Buffer of Node is a Uint8Array too, but its slice() does not copy.
    this.bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  byte(): number {
    return this.bytes[this.take(1)] as number;
  }

  count(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 49; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
    }
    throw damaged("a number is too long");
  }

  /** The number of items that follow; each takes at least `least` bytes, so that a wrong number is detected before memory is allocated. */
  length(least: number): number {
    const length = this.count();
    if (length * least > this.bytes.length - this.at) throw damaged("it ends too early");
    return length;
  }

  signed(): number {
    const value = this.count();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  f32(): number {
    return this.view.getFloat32(this.take(4), true);
  }

  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  string(): string {
    const number = this.count();
    if (number > 0) {
      const known = this.strings[number - 1];
      if (known === undefined) throw damaged("a string is missing");
      return known;
    }
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.raw(this.length(1)));
    const value = text.startsWith(ESCAPED) ? unescaped(text.slice(1)) : text;
    this.strings.push(value);
    return value;
  }

  raw(length: number): Uint8Array {
    const from = this.take(length);
    return this.bytes.subarray(from, from + length);
  }

  private take(size: number): number {
    const from = this.at;
    if (from + size > this.bytes.length) throw damaged("it ends too early");
    this.at = from + size;
    return from;
  }
}

function unescaped(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string") return value;
  } catch {
    // Refused below.
  }
  throw damaged("a string is not what was written");
}

export function damaged(why: string): DamagedBatchError {
  return new DamagedBatchError(
    `Cannot decode a batch: ${why}. Pass all bytes that encode() gave, as they were.`,
  );
}

/**
 * Writing numbers and strings as few bytes, into an array that grows.
 */

/** A string that begins with it is JSON. */
export const ESCAPED = "\u0000";

export class ByteWriter {
  private bytes = new Uint8Array(1024);
  private view = new DataView(this.bytes.buffer);
  private at = 0;
  /** The strings written so far, so that each is written once. */
  private readonly strings = new Map<string, number>();

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.at++] = value;
  }

  /** A whole number from 0 to 2^53, 7 bits a byte. */
  count(value: number): void {
    this.reserve(10);
    let rest = value;
    while (rest >= 128) {
      this.bytes[this.at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.at++] = rest;
  }

  /** A whole number of either sign. */
  signed(value: number): void {
    this.count(value < 0 ? -value * 2 - 1 : value * 2);
  }

  u32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }

  f32(value: number): void {
    this.reserve(4);
    this.view.setFloat32(this.at, value, true);
    this.at += 4;
  }

  f64(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.at, value, true);
    this.at += 8;
  }

  /** A string; a repeated one is written as its number. */
  string(value: string): void {
    const known = this.strings.get(value);
    if (known !== undefined) {
      this.count(known + 1);
      return;
    }
    this.strings.set(value, this.strings.size);
    this.count(0);
    // UTF-8 has no lone surrogates, so JSON escapes them. Strings that begin like an escaped one are escaped too.
    const isEscaped = value.startsWith(ESCAPED) || /\p{Surrogate}/u.test(value);
    const text = encoder.encode(isEscaped ? ESCAPED + JSON.stringify(value) : value);
    this.count(text.length);
    this.raw(text);
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.at);
  }

  private reserve(size: number): void {
    if (this.at + size <= this.bytes.length) return;
    let length = this.bytes.length * 2;
    while (length < this.at + size) length *= 2;
    const grown = new Uint8Array(length);
    grown.set(this.bytes);
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }
}

const encoder = /* @__PURE__ */ new TextEncoder();

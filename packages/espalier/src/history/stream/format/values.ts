/**
 * Single values and columns of a component as bytes.
 */
import { fieldTypeOf } from "../../../ecs/index.ts";
import type { Key } from "../../patch/patch.ts";
import type { Json } from "../../values/value-codec.ts";
import { type ByteReader, damaged } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import type { WireField } from "./schema.ts";

const INTEGER = 0;
const STRING = 1;
const FLOAT = 2;
const NULL = 3;

/** A sequence of keys: integers as the difference from the previous one, which is small for entities created one after the other. */
export class KeyWriter {
  private readonly out: ByteWriter;
  private last = 0;

  constructor(out: ByteWriter) {
    this.out = out;
  }

  write(key: Key | null): void {
    const { out } = this;
    if (
      typeof key === "number" &&
      Number.isSafeInteger(key) &&
      Math.abs(key) < 2 ** 48 &&
      !Object.is(key, -0)
    ) {
      const step = key - this.last;
      this.last = key;
      // The kind in the two lowest bits of the first byte.
      out.count((step < 0 ? -step * 2 - 1 : step * 2) * 4 + INTEGER);
    } else if (typeof key === "string") {
      out.count(STRING);
      out.string(key);
    } else if (key === null) out.count(NULL);
    else {
      out.count(FLOAT);
      out.f64(key);
    }
  }
}

export class KeyReader {
  private readonly from: ByteReader;
  private last = 0;

  constructor(from: ByteReader) {
    this.from = from;
  }

  read(): Key | null {
    const head = this.from.count();
    switch (head % 4) {
      case INTEGER: {
        const step = (head - INTEGER) / 4;
        this.last += step % 2 === 1 ? -(step + 1) / 2 : step / 2;
        return this.last;
      }
      case STRING:
        return this.from.string();
      case NULL:
        return null;
      default:
        return this.from.f64();
    }
  }

  /** A key that must be there. */
  require(): Key {
    const key = this.read();
    if (key === null) throw damaged("a key is missing");
    return key;
  }
}

/** Whether `writeValue` writes a value as its kind; anything else is written as JSON. */
export function isPlain({ field }: WireField, value: Json): boolean {
  const { valueKind, array } = fieldTypeOf(field);
  if (valueKind === "entity") return value === null || typeof value === "string" || typeof value === "number";
  if (valueKind === "number") {
    if (typeof value !== "number") return false;
    return array !== Float32Array || value === shortened(field, Math.fround(value));
  }
  if (valueKind === "string") return typeof value === "string";
  if (valueKind === "boolean") return typeof value === "boolean";
  return valueKind === "integer" && Number.isSafeInteger(value) && Math.abs(value as number) < 2 ** 51;
}

function shortened(field: WireField["field"], value: number): unknown {
  return fieldTypeOf(field).toPatch?.(value, undefined);
}

export function writeValue(out: ByteWriter, keys: KeyWriter, { field }: WireField, value: Json): void {
  const { valueKind, array } = fieldTypeOf(field);
  if (valueKind === "entity") keys.write(value as Key | null);
  else if (valueKind === "number" && array === Float32Array) out.f32(value as number);
  else if (valueKind === "number") out.f64(value as number);
  else if (valueKind === "string") out.string(value as string);
  else if (valueKind === "boolean") out.byte(value === true ? 1 : 0);
  else out.signed(value as number);
}

export function readValue(from: ByteReader, keys: KeyReader, { field }: WireField): Json {
  const { valueKind, array } = fieldTypeOf(field);
  if (valueKind === "entity") return keys.read();
  if (valueKind === "number" && array === Float32Array) return shortened(field, from.f32()) as Json;
  if (valueKind === "number") return from.f64();
  if (valueKind === "string") return from.string();
  if (valueKind === "boolean") return from.byte() === 1;
  return from.signed();
}

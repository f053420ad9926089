/**
 * A batch from bytes. For any bytes, the result is a well-formed batch or an error.
 */
import { fieldTypeOf } from "../../../ecs/index.ts";
import { FormatMismatchError } from "../../errors.ts";
import type { AddEntry, FieldValues, PatchEntry, StreamPatch, TreePosition } from "../../patch/patch.ts";
import { setOwn } from "../../values/own-keys.ts";
import type { Json } from "../../values/value-codec.ts";
import type { ChangeBatch } from "../change-stream.ts";
import { columnsEntry } from "../column-entries.ts";
import { ByteReader, damaged } from "./byte-reader.ts";
import {
  ADD,
  COLUMNS,
  MAGIC,
  MOVE,
  REMOVE,
  RENAME,
  REORDER,
  SET,
  SNAPSHOT,
  UNSET,
  VERSION,
} from "./kinds.ts";
import type { WireComponent, WireField } from "./schema.ts";
import { KeyReader, readValue } from "./values.ts";
import type { WireSchema } from "./write-batch.ts";

export function readBatch(schema: WireSchema, bytes: Uint8Array): ChangeBatch {
  const from = new ByteReader(bytes);
  if (from.byte() !== MAGIC) throw damaged("it does not begin like one");
  const version = from.byte();
  if (version !== VERSION) {
    throw new FormatMismatchError(
      `Cannot decode a batch of version ${version}: this version of Espalier reads ${VERSION}. Use the same version on both sides.`,
      { value: version },
    );
  }
  const hash = from.u32();
  if (hash !== schema.hash) {
    throw new FormatMismatchError(
      `Cannot decode a batch: it was encoded for schema ${hash.toString(16)}, and this format has ${schema.hash.toString(16)}. Use the same components, fields and hierarchies on both sides.`,
      { value: hash },
    );
  }
  const flags = from.byte();
  const epoch = from.string();
  const start = from.count();
  const to = start + from.count();
  const snapshot =
    (flags & SNAPSHOT) === 0 ? undefined : Array.from({ length: from.length(1) }, () => from.string());
  const entries = new EntryReader(schema, from);
  const patch: StreamPatch[number][] = [];
  while (!from.isAtEnd) patch.push(entries.read());
  return { epoch, from: start, to, patch, ...(snapshot === undefined ? {} : { snapshot }) };
}

class EntryReader {
  private readonly schema: WireSchema;
  private readonly from: ByteReader;
  private readonly keys: KeyReader;

  constructor(schema: WireSchema, from: ByteReader) {
    this.schema = schema;
    this.from = from;
    this.keys = new KeyReader(from);
  }

  read(): StreamPatch[number] {
    const { from, keys } = this;
    const kind = from.byte();
    if (kind === COLUMNS) return this.columns();
    const id = keys.require();
    switch (kind) {
      case ADD:
        return this.addition(id);
      case REMOVE: {
        const tree = from.count();
        return tree === 0 ? { op: "remove", id } : { op: "remove", id, tree: this.tree(tree - 1) };
      }
      case MOVE: {
        const tree = this.tree(from.count());
        return { op: "move", id, tree, ...this.position() };
      }
      case REORDER:
        return { op: "reorder", id, tree: this.tree(from.count()), after: keys.read() };
      case RENAME: {
        const tree = this.tree(from.count());
        return { op: "set", id, tree, name: from.byte() === 0 ? null : from.string() };
      }
      case UNSET:
        return { op: "set", id, component: this.component(from.count()).name, values: null };
      case SET: {
        const [{ name }, values] = this.values();
        return { op: "set", id, component: name, values };
      }
      default:
        throw damaged(`it has an entry of the unknown kind ${kind}`);
    }
  }

  private addition(id: PatchEntry["id"]): AddEntry {
    const { from } = this;
    const components: { [component: string]: FieldValues } = {};
    for (let left = from.length(1); left > 0; left--) {
      const [{ name }, values] = this.values();
      setOwn(components, name, values);
    }
    const positions = {};
    for (let left = from.length(2); left > 0; left--)
      setOwn(positions, this.tree(from.count()), this.position());
    return { op: "add", id, components, positions };
  }

  private position(): TreePosition & { readonly name?: string } {
    const { from, keys } = this;
    const flags = from.byte();
    const parent = keys.read();
    return {
      parent,
      ...((flags & 1) === 0 ? {} : { after: keys.read() }),
      ...((flags & 2) === 0 ? {} : { name: from.string() }),
    };
  }

  private values(): [WireComponent, FieldValues] {
    const { from, keys } = this;
    const head = from.count();
    const component = this.component(Math.floor(head / 2));
    const { fields } = component;
    const present = this.bits(fields.length);
    const isJson = head % 2 === 1 ? this.bits(fields.length) : [];
    const values: { [field: string]: Json } = {};
    fields.forEach((field, k) => {
      if (!present[k]) return;
      setOwn(values, field.name, isJson[k] ? jsonOf(from.string()) : readValue(from, keys, field));
    });
    return [component, values];
  }

  private columns(): StreamPatch[number] {
    const { from, keys } = this;
    const { name, fields } = this.component(from.count());
    const present = this.bits(fields.length);
    const ids = Array.from({ length: from.length(1) }, () => keys.require());
    const chosen = fields.filter((_, k) => present[k]);
    const columns = chosen.map((field) => ({
      name: field.name,
      field: field.field,
      column: this.column(field, ids.length),
    }));
    return columnsEntry(name, ids, columns);
  }

  private column({ name, field }: WireField, length: number) {
    const { array, valueKind } = fieldTypeOf(field);
    if (array === undefined || valueKind === "entity") throw damaged(`field ${name} cannot be a column`);
    const Values = array as typeof Float32Array;
    const bytes = this.from.raw(length * Values.BYTES_PER_ELEMENT);
    // Copied, because numbers must begin at multiples of their size.
    return new Values(bytes.slice().buffer, 0, length);
  }

  private component(number: number): WireComponent {
    const component = this.schema.components[number];
    if (component === undefined) throw damaged(`it has a component of number ${number}`);
    return component;
  }

  private tree(number: number): string {
    const tree = this.schema.trees[number];
    if (tree === undefined) throw damaged(`it has a hierarchy of number ${number}`);
    return tree;
  }

  private bits(count: number): boolean[] {
    const flags: boolean[] = [];
    for (let k = 0; k < count; k += 8) {
      const byte = this.from.byte();
      for (let bit = 0; bit < 8; bit++) flags.push((byte & (1 << bit)) !== 0);
    }
    return flags;
  }
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw damaged("a value is not JSON");
  }
}

/**
 * A batch as bytes.
 */
import { describeValue } from "../../../ecs/index.ts";
import { FormatMismatchError, InvalidPatchError } from "../../errors.ts";
import {
  type ColumnsEntry,
  type FieldValues,
  type Key,
  type StreamPatch,
  setsComponent,
  type TreePosition,
} from "../../patch/patch.ts";
import { setsOf } from "../../patch/write-columns.ts";
import { ownOf } from "../../values/own-keys.ts";
import type { ChangeBatch } from "../change-stream.ts";
import { ByteWriter } from "./byte-writer.ts";
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
import type { WireComponent } from "./schema.ts";
import { isPlain, KeyWriter, writeValue } from "./values.ts";

export interface WireSchema {
  readonly hash: number;
  readonly components: readonly WireComponent[];
  readonly trees: readonly string[];
}

export function writeBatch(
  schema: WireSchema,
  { epoch, from, to, patch, snapshot }: ChangeBatch,
): Uint8Array {
  const out = new ByteWriter();
  out.byte(MAGIC);
  out.byte(VERSION);
  out.u32(schema.hash);
  out.byte(snapshot === undefined ? 0 : SNAPSHOT);
  out.string(epoch);
  out.count(from);
  out.count(to - from);
  if (snapshot !== undefined) {
    const known = snapshot.filter((name) => schema.components.some((each) => each.name === name));
    out.count(known.length);
    for (const name of known) out.string(name);
  }
  const entries = new EntryWriter(schema, out);
  for (const entry of patch) entries.write(entry);
  return out.finish();
}

class EntryWriter {
  private readonly schema: WireSchema;
  private readonly out: ByteWriter;
  private readonly keys: KeyWriter;
  private readonly components: ReadonlyMap<string, number>;

  constructor(schema: WireSchema, out: ByteWriter) {
    this.schema = schema;
    this.out = out;
    this.keys = new KeyWriter(out);
    this.components = new Map(schema.components.map(({ name }, k) => [name, k]));
  }

  write(entry: StreamPatch[number]): void {
    const { out, keys } = this;
    switch (entry.op) {
      case "add": {
        this.head(ADD, entry.id);
        const components = Object.entries(entry.components);
        out.count(components.length);
        for (const [name, values] of components) this.values(this.component(name), values);
        const positions = Object.entries(entry.positions);
        out.count(positions.length);
        for (const [tree, position] of positions) {
          this.tree(tree);
          this.position(position, position.name);
        }
        break;
      }
      case "remove":
        this.head(REMOVE, entry.id);
        out.count(entry.tree === undefined ? 0 : this.treeNumber(entry.tree) + 1);
        break;
      case "move":
        this.head(MOVE, entry.id);
        this.tree(entry.tree);
        this.position(entry);
        break;
      case "reorder":
        this.head(REORDER, entry.id);
        this.tree(entry.tree);
        keys.write(entry.after);
        break;
      case "columns":
        this.columns(entry);
        break;
      default:
        if (!setsComponent(entry)) {
          this.head(RENAME, entry.id);
          this.tree(entry.tree);
          out.byte(entry.name === null ? 0 : 1);
          if (entry.name !== null) out.string(entry.name);
        } else if (entry.values === null) {
          this.head(UNSET, entry.id);
          out.count(this.component(entry.component));
        } else {
          this.head(SET, entry.id);
          this.values(this.component(entry.component), entry.values);
        }
    }
  }

  private head(kind: number, id: Key): void {
    this.out.byte(kind);
    this.keys.write(id);
  }

  private position({ parent, after }: TreePosition, name?: string): void {
    const { out, keys } = this;
    out.byte((after === undefined ? 0 : 1) + (name === undefined ? 0 : 2));
    keys.write(parent);
    if (after !== undefined) keys.write(after);
    if (name !== undefined) out.string(name);
  }

  /** The component, which of its fields follow, the values, and at the end as JSON those that are not of their field's kind. */
  private values(component: number, values: FieldValues): void {
    const { out, keys } = this;
    const { name, fields } = this.schema.components[component] as WireComponent;
    for (const field of Object.keys(values)) {
      if (!fields.some((each) => each.name === field)) throw unknown(`${name}.${field}`);
    }
    const present = fields.map((field) => ownOf(values, field.name));
    const isJson = fields.map((field, k) => present[k] !== undefined && !isPlain(field, present[k]));
    const hasJson = isJson.includes(true);
    out.count(component * 2 + (hasJson ? 1 : 0));
    bits(
      out,
      present.map((value) => value !== undefined),
    );
    if (hasJson) bits(out, isJson);
    fields.forEach((field, k) => {
      const value = present[k];
      if (value === undefined) return;
      if (isJson[k]) out.string(jsonTextOf(field.name, value));
      else writeValue(out, keys, field, value);
    });
  }

  private columns(entry: ColumnsEntry): void {
    const { out, keys } = this;
    const component = this.component(entry.component);
    const { name, fields } = this.schema.components[component] as WireComponent;
    for (const field of Object.keys(entry.values)) {
      if (!fields.some((each) => each.name === field)) throw unknown(`${name}.${field}`);
    }
    const columns = fields.map((field) => ownOf(entry.values, field.name));
    // Columns that came through JSON, or whose kind differs from the component's, are written entity by entity.
    const isRaw = fields.every(
      (field, k) => columns[k] === undefined || rawBytes(field.field.type.array, columns[k]),
    );
    if (!isRaw) {
      const schema = Object.fromEntries(fields.map((field) => [field.name, field.field]));
      for (const set of setsOf(entry, schema)) this.write(set);
      return;
    }
    out.byte(COLUMNS);
    out.count(component);
    bits(
      out,
      columns.map((column) => column !== undefined),
    );
    out.count(entry.ids.length);
    for (const id of entry.ids) keys.write(id);
    for (const column of columns) {
      if (column === undefined) continue;
      const { buffer, byteOffset, byteLength } = column as Float32Array;
      out.raw(new Uint8Array(buffer, byteOffset, byteLength));
    }
  }

  private component(name: string): number {
    const number = this.components.get(name);
    if (number === undefined) throw unknown(`component ${name}`);
    return number;
  }

  private tree(name: string): void {
    this.out.count(this.treeNumber(name));
  }

  private treeNumber(name: string): number {
    const number = this.schema.trees.indexOf(name);
    if (number < 0) throw unknown(`hierarchy ${name}`);
    return number;
  }
}

function rawBytes(array: unknown, column: unknown): boolean {
  return typeof array === "function" && column instanceof array;
}

function bits(out: ByteWriter, flags: readonly boolean[]): void {
  for (let k = 0; k < flags.length; k += 8) {
    let byte = 0;
    for (let bit = 0; bit < 8; bit++) if (flags[k + bit] === true) byte |= 1 << bit;
    out.byte(byte);
  }
}

function unknown(what: string): FormatMismatchError {
  return new FormatMismatchError(
    `Cannot encode a batch: this format does not know ${describeValue(what)}. List it when creating the format, or follow less.`,
    { subject: what },
  );
}

/** @throws InvalidPatchError for a value that is not JSON, which only a patch made by hand can have. */
function jsonTextOf(field: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // A loop or a big integer: refused below.
  }
  if (text !== undefined) return text;
  throw new InvalidPatchError(
    `Cannot encode a batch: the value of field ${field} is ${describeValue(value)}, which JSON cannot hold. Write it as a patch does.`,
    { value },
  );
}

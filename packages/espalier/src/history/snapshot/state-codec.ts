/**
 * The state of a world as one buffer, and back.
 */
import { type Column, type Entity, fieldTypeOf, formatEntity } from "../../ecs/index.ts";
import type { Places } from "../../ecs/internal.ts";
import { DamagedSnapshotError, UnsupportedValueError } from "../errors.ts";
import type { ComponentState, TreeState, WorldState } from "../state.ts";
import { Misfit } from "../values/misfit.ts";
import { ownOf } from "../values/own-keys.ts";
import { fromJson, type Json, toJson, Unwritable, type ValueCodec } from "../values/value-codec.ts";
import { ArrayWriter, type Kind, kindOf, type Numbers, type OpenedArrays, openArrays } from "./binary.ts";
import { contradiction } from "./contradictions.ts";
import { type Directory, requireDirectory } from "./directory.ts";
import { packStrings, unpackStrings } from "./strings.ts";

type Codecs = { readonly [field: string]: ValueCodec };

/** @throws UnsupportedValueError for a value that neither the library nor a codec can write. */
export function encodeState(state: WorldState, codecs: Codecs): ArrayBuffer {
  const writer = new ArrayWriter();
  const strings = (list: readonly string[]) => {
    const { text, lengths } = packStrings(list);
    return [writer.add(text), writer.add(lengths)];
  };
  const directory: Directory = {
    root: state.root ?? null,
    entities: writer.add(state.entities),
    groups: state.groups.map(({ components, from, to }) => ({ components: [...components], from, to })),
    components: state.components.map(({ name, isReserved, fields, columns }, c) => ({
      name,
      isReserved,
      fields: fields.map((field, k) => {
        const column = columns[k] as Column;
        if (!Array.isArray(column)) return { ...field, arrays: [writer.add(column)] };
        if (!isObject(field)) return { ...field, arrays: strings(column as string[]) };
        const what = `${name}.${field.name}`;
        const values = column.map((value, at) =>
          writeValue(value, codecs[what], what, () => ownersOf(state, c)[at] as Entity),
        );
        return { ...field, arrays: strings([JSON.stringify(values)]) };
      }),
    })),
    trees: state.trees.map((tree) => ({
      name: tree.name,
      isUp: tree.isUp,
      parents: writer.add(Float64Array.from(tree.parents)),
      counts: writer.add(Int32Array.from(tree.counts)),
      children: writer.add(Float64Array.from(tree.children)),
      named: writer.add(Float64Array.from(tree.names.keys())),
      names: strings([...tree.names.values()]),
    })),
    resources: state.resources.map(({ name, value }) => ({
      name,
      value: writeValue(value, ownOf(codecs, name), `resource ${name}`),
    })),
    places: state.places
      ? {
          used: state.places.used,
          generations: writer.add(state.places.generations),
          free: writer.add(state.places.free),
        }
      : null,
  };
  return writer.finish(directory);
}

/** @throws DamagedSnapshotError, SnapshotVersionError */
export function decodeState(source: ArrayBuffer | ArrayBufferView, codecs: Codecs): WorldState {
  const opened = openArrays(source);
  let state: WorldState;
  try {
    state = read(opened, requireDirectory(opened.directory), codecs);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DamagedSnapshotError(`Cannot read a snapshot: its parts do not fit together (${why}).`);
  }
  const wrong = contradiction(state);
  if (wrong === undefined) return state;
  throw new DamagedSnapshotError(`Cannot read a snapshot: its parts do not fit together (${wrong}).`);
}

function read(opened: OpenedArrays, directory: Directory, codecs: Codecs): WorldState {
  const numbers = <Wanted extends Numbers>(k: number, kind: Kind) => opened.array(k, kind) as Wanted;
  const strings = ([text, lengths]: readonly number[]) =>
    unpackStrings({
      text: numbers<Uint8Array>(text as number, "u8"),
      lengths: numbers<Uint32Array>(lengths as number, "u32"),
    });
  const components = directory.components.map(
    ({ name, isReserved, fields }): ComponentState => ({
      name,
      isReserved,
      fields: fields.map(({ arrays: _, ...field }) => field),
      columns: fields.map(({ arrays, ...field }) => {
        const { array } = fieldTypeOf(field);
        if (array !== undefined) return numbers(arrays[0] as number, kindOf(array));
        if (!isObject(field)) return strings(arrays);
        const what = `${name}.${field.name}`;
        const values: unknown = JSON.parse(strings(arrays).join(""));
        if (!Array.isArray(values)) throw new Misfit(`${what} has no list of values`);
        return values.map((data: Json) => readValue(data, codecs[what]));
      }),
    }),
  );
  const places: Places | undefined = directory.places
    ? {
        used: directory.places.used,
        generations: numbers(directory.places.generations, "i32"),
        free: numbers(directory.places.free, "i32"),
      }
    : undefined;
  return {
    root: (directory.root ?? undefined) as Entity | undefined,
    entities: numbers(directory.entities, "f64"),
    groups: directory.groups,
    components,
    trees: directory.trees.map(
      (tree): TreeState => ({
        name: tree.name,
        isUp: tree.isUp,
        parents: numbers<Float64Array>(tree.parents, "f64"),
        counts: numbers<Int32Array>(tree.counts, "i32"),
        children: numbers<Float64Array>(tree.children, "f64"),
        names: new Map(zip(numbers(tree.named, "f64"), strings(tree.names))),
      }),
    ),
    resources: directory.resources.map(({ name, value }) => ({
      name,
      value: readValue(value, ownOf(codecs, name)),
    })),
    places,
  };
}

/** Objects stand in a snapshot as JSON; the other values in plain arrays are strings. */
function isObject(field: { readonly kind: string }): boolean {
  return fieldTypeOf(field).valueKind === "object";
}

export function writeValue(
  value: unknown,
  codec: ValueCodec | undefined,
  what: string,
  owner?: () => Entity,
): Json {
  try {
    return toJson(codec === undefined ? value : codec.encode(value));
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error;
    const given = codec === undefined ? "" : " as its codec gives it";
    const entities = owner === undefined ? [] : [owner()];
    const of = entities.map((entity) => ` of ${formatEntity(entity)}`).join("");
    throw new UnsupportedValueError(
      `Cannot write ${what}${of}${given}: it ${error.why}. Give a codec for it, or keep plain data there.`,
      entities,
    );
  }
}

function readValue(data: Json, codec: ValueCodec | undefined): unknown {
  const value = fromJson(data);
  return codec === undefined ? value : codec.decode(value);
}

/** The entities that have component number `component`, in the order of its columns. */
export function ownersOf({ entities, groups }: WorldState, component: number): Float64Array {
  const having = groups.filter(({ components }) => components.includes(component));
  const owners = new Float64Array(having.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  for (const { from, to } of having) {
    owners.set(entities.subarray(from, to), at);
    at += to - from;
  }
  return owners;
}

function zip(keys: Float64Array, values: readonly string[]): [number, string][] {
  if (keys.length !== values.length) throw new Misfit("names and entities do not match");
  if (new Set(keys).size !== keys.length) throw new Misfit("an entity has two names");
  return Array.from(keys, (key, k) => [key, values[k] as string]);
}

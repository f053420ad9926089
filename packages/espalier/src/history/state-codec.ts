/**
 * The state of a world as one buffer, and back.
 */
import {
  type Column,
  type Entity,
  type FieldKind,
  formatEntity,
  isHandle,
  type Places,
} from "../ecs/index.ts";
import { ArrayWriter, type Numbers, type OpenedArrays, openArrays } from "./binary.ts";
import { DamagedSnapshotError, HistoryError, UnsupportedValueError } from "./errors.ts";
import { HandleSet } from "./handle-set.ts";
import { ownOf } from "./own-keys.ts";
import type { ComponentState, GroupState, TreeState, WorldState } from "./state.ts";
import { packStrings, unpackStrings } from "./strings.ts";
import { fromJson, type Json, toJson, Unwritable, type ValueCodec } from "./value-codec.ts";

type Codecs = { readonly [field: string]: ValueCodec };

interface Directory {
  root: number | null;
  entities: number;
  groups: { components: number[]; from: number; to: number }[];
  components: {
    name: string;
    isReserved: boolean;
    fields: { name: string; kind: FieldKind; arrays: number[] }[];
  }[];
  trees: {
    name: string;
    isUp: boolean;
    parents: number;
    counts: number;
    children: number;
    named: number;
    names: number[];
  }[];
  resources: { name: string; value: Json }[];
  places: { used: number; generations: number; free: number } | null;
}

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
      fields: fields.map(({ name: field, kind }, k) => {
        const column = columns[k] as Column;
        if (!Array.isArray(column)) return { name: field, kind, arrays: [writer.add(column)] };
        if (kind === "string") return { name: field, kind, arrays: strings(column as string[]) };
        const codec = codecs[`${name}.${field}`];
        const values = column.map((value, at) =>
          writeValue(value, codec, `${name}.${field}`, () => ownersOf(state, c)[at] as Entity),
        );
        return { name: field, kind, arrays: strings([JSON.stringify(values)]) };
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
    state = read(opened, codecs);
  } catch (error) {
    if (error instanceof HistoryError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new DamagedSnapshotError(`Cannot read a snapshot: its parts do not fit together (${why}).`);
  }
  const wrong = contradiction(state);
  if (wrong === undefined) return state;
  throw new DamagedSnapshotError(`Cannot read a snapshot: its parts do not fit together (${wrong}).`);
}

function read(opened: OpenedArrays, codecs: Codecs): WorldState {
  const directory = opened.directory as Directory;
  const numbers = <Wanted extends Numbers>(k: number) => opened.array(k) as Wanted;
  const strings = ([text, lengths]: readonly number[]) =>
    unpackStrings({
      text: numbers<Uint8Array>(text as number),
      lengths: numbers<Uint32Array>(lengths as number),
    });
  const components = directory.components.map(
    ({ name, isReserved, fields }): ComponentState => ({
      name,
      isReserved,
      fields: fields.map((field) => ({ name: field.name, kind: field.kind })),
      columns: fields.map(({ name: field, kind, arrays }) => {
        if (kind === "string") return strings(arrays);
        if (kind !== "object") return numbers(arrays[0] as number);
        const codec = codecs[`${name}.${field}`];
        return (JSON.parse(strings(arrays)[0] as string) as Json[]).map((data) => readValue(data, codec));
      }),
    }),
  );
  const places: Places | undefined = directory.places
    ? {
        used: directory.places.used,
        generations: numbers(directory.places.generations),
        free: numbers(directory.places.free),
      }
    : undefined;
  return {
    root: (directory.root ?? undefined) as Entity | undefined,
    entities: numbers(directory.entities),
    groups: directory.groups,
    components,
    trees: directory.trees.map(
      (tree): TreeState => ({
        name: tree.name,
        isUp: tree.isUp,
        parents: numbers<Float64Array>(tree.parents),
        counts: numbers<Int32Array>(tree.counts),
        children: numbers<Float64Array>(tree.children),
        names: new Map(zip(numbers(tree.named), strings(tree.names))),
      }),
    ),
    resources: directory.resources.map(({ name, value }) => ({
      name,
      value: readValue(value, ownOf(codecs, name)),
    })),
    places,
  };
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
  if (keys.length !== values.length) throw new RangeError("names and entities do not match");
  return Array.from(keys, (key, k) => [key, values[k] as string]);
}

/** What in a state cannot be, in words; nothing when all is well. */
function contradiction(state: WorldState): string | undefined {
  const known = new HandleSet();
  for (const entity of state.entities) {
    if (!isHandle(entity) || !known.add(entity)) return `entity ${entity} is there twice or is none`;
  }
  let at = 0;
  for (const { from, to, components } of state.groups as GroupState[]) {
    if (from !== at || to < from) return "groups overlap";
    if (components.some((component) => state.components[component] === undefined))
      return "an unknown component";
    at = to;
  }
  if (at !== state.entities.length) return "entities without a group";
  for (let c = 0; c < state.components.length; c++) {
    const { length } = ownersOf(state, c);
    if (state.components[c]?.columns.some((column) => column.length !== length))
      return "a column of wrong length";
  }
  for (const tree of state.trees) {
    const wrong = treeContradiction(tree, known, state.root === undefined);
    if (wrong !== undefined) return `${tree.name}: ${wrong}`;
  }
  return undefined;
}

/** Parents come first and every child is listed once, so there can be no cycle. */
function treeContradiction(tree: TreeState, known: HandleSet, isWhole: boolean): string | undefined {
  const { parents, counts, children } = tree;
  if (parents.length !== counts.length) return "families of unknown size";
  const listed = new HandleSet();
  let at = 0;
  for (let k = 0; k < parents.length; k++) {
    const parent = parents[k] as number;
    if (isWhole && !tree.isUp && parent !== 0 && !listed.has(parent)) return "a parent before its own parent";
    for (const end = at + (counts[k] as number); at < end; at++) {
      const child = children[at] as number;
      if (!isHandle(child) || !listed.add(child) || (isWhole && !known.has(child)))
        return `child ${child} is there twice or is no entity`;
    }
  }
  if (at !== children.length) return "children without a parent";
  if (isWhole && !tree.isUp && listed.size !== known.size) return "entities without a place";
  return undefined;
}

/**
 * The state of a world as one buffer, and back.
 */
import { type Column, type Entity, fieldTypeOf, formatEntity } from "../../ecs/index.ts";
import { isHandle, isKind } from "../../ecs/internal.ts";
import { DamagedSnapshotError, reasonOf, UnsupportedValueError } from "../errors.ts";
import type { FieldState, GroupState, WorldState } from "../state.ts";
import { ownOf } from "../values/own-keys.ts";
import { fromJson, type Json, toJson, Unwritable, type ValueCodec } from "../values/value-codec.ts";
import { kindOf, type Numbers, type OpenedArrays, openArrays, packArrays, requireWhole } from "./binary.ts";
import {
  fieldsOf,
  isCount,
  listOf,
  type NamedPart,
  namedParts,
  requireDistinct,
  requireFit,
  textOf,
} from "./form.ts";
import { requireConsistent } from "./require-consistent.ts";
import { packStrings, unpackStrings } from "./strings.ts";

export type Codecs = { readonly [field: string]: ValueCodec };

/** @throws UnsupportedValueError for a value that neither the library nor a codec can write. */
export function encodeState(state: WorldState, codecs: Codecs): ArrayBuffer {
  const arrays: Numbers[] = [];
  const add = (array: Numbers) => arrays.push(array) - 1;
  const strings = (list: readonly string[]) => packStrings(list).map(add);
  const directory = {
    root: state.root ?? null,
    entities: add(state.entities),
    groups: state.groups,
    components: state.components.map(({ name, isReserved, fields, columns }, c) => ({
      name,
      isReserved,
      fields: fields.map((field, k) => {
        const column = columns[k] as Column;
        if (!Array.isArray(column)) return { ...field, arrays: [add(column)] };
        if (!isObject(field)) return { ...field, arrays: strings(column as string[]) };
        const what = `${name}.${field.name}`;
        const values = column.map((value, at) =>
          writeValue(value, codecs[what], what, () => ownersOf(state, c)[at] as Entity),
        );
        return { ...field, arrays: strings([JSON.stringify(values)]) };
      }),
    })),
    trees: state.trees.map(({ name, isUp, parents, counts, children, names }) => ({
      name,
      isUp,
      parents: add(Float64Array.from(parents)),
      counts: add(Int32Array.from(counts)),
      children: add(Float64Array.from(children)),
      named: add(Float64Array.from(names.keys())),
      names: strings([...names.values()]),
    })),
    resources: state.resources.map(({ name, value }) => ({
      name,
      value: writeValue(value, ownOf(codecs, name), `resource ${name}`),
    })),
    // The key of the first format, so that older snapshots can be read.
    places:
      state.indices === undefined
        ? null
        : {
            used: state.indices.used,
            generations: add(state.indices.generations),
            free: add(state.indices.free),
          },
  };
  return packArrays(directory, arrays);
}

/** @throws DamagedSnapshotError, SnapshotVersionError */
export function decodeState(source: ArrayBuffer | ArrayBufferView, codecs: Codecs): WorldState {
  const buffer = requireWhole(source);
  try {
    const state = read(openArrays(buffer), codecs);
    requireConsistent(state);
    return state;
  } catch (error) {
    throw new DamagedSnapshotError(
      `Cannot read a snapshot: its parts do not fit together (${reasonOf(error)}).`,
      { cause: error },
    );
  }
}

/** Reads the directory. It comes from outside: every part is checked where it is read. */
function read({ directory, array }: OpenedArrays, codecs: Codecs): WorldState {
  const strings = (pair: unknown) => {
    const [text, lengths] = arraysOf(pair, 2);
    return unpackStrings(array(text, "u8"), array(lengths, "u32"));
  };
  const columnOf = (component: string, { name, kind }: FieldState, arrays: unknown): Column => {
    const type = fieldTypeOf({ kind });
    if (type.array !== undefined) return array(arraysOf(arrays, 1)[0], kindOf(type.array));
    const texts = strings(arrays);
    if (!isObject({ name, kind })) return texts;
    const what = `${component}.${name}`;
    return listOf(JSON.parse(texts.join("")), what).map((data) => readValue(data as Json, codecs[what]));
  };
  const indicesOf = (value: unknown) => {
    const { used, generations, free } = fieldsOf(value, "indices");
    requireFit(isCount(used), "their number is not a count", "indices");
    return { used, generations: array(generations, "i32"), free: array(free, "i32") };
  };
  const own = fieldsOf(directory, "the directory");
  requireFit(own.root === null || isHandle(own.root), "its root is not an entity");
  requireFit(
    (own.places === null) === (own.root !== null),
    "indices belong to a whole world, and only to one",
  );
  const components = namedParts(own.components, "components").map(({ name, isReserved, fields }) => {
    requireFit(typeof isReserved === "boolean", "whether it is reserved is not a boolean", name);
    const parts = namedParts(fields, "fields");
    const states = parts.map(fieldOf);
    return {
      name,
      isReserved,
      fields: states,
      columns: states.map((field, k) => columnOf(name, field, parts[k]?.arrays)),
    };
  });
  return {
    root: own.root ?? undefined,
    entities: array(own.entities, "f64"),
    groups: listOf(own.groups, "groups").map((group) => groupOf(group, components.length)),
    components,
    trees: namedParts(own.trees, "hierarchies").map(({ name, isUp, parents, counts, children, ...tree }) => {
      requireFit(typeof isUp === "boolean", "it is of no kind", name);
      const keys = array(tree.named, "f64");
      const names = strings(tree.names);
      requireFit(keys.length === names.length, "names and entities do not match", name);
      requireDistinct([...keys], name);
      return {
        name,
        isUp,
        parents: array(parents, "f64"),
        counts: array(counts, "i32"),
        children: array(children, "f64"),
        names: new Map(names.map((text, k) => [keys[k] as number, text])),
      };
    }),
    resources: namedParts(own.resources, "resources").map(({ name, value }) => ({
      name,
      value: readValue(value as Json, ownOf(codecs, name)),
    })),
    indices: own.places === null ? undefined : indicesOf(own.places),
  };
}

function arraysOf(value: unknown, count: number): readonly unknown[] {
  const list = listOf(value, "arrays");
  requireFit(list.length === count, "there are too many or too few", "arrays");
  return list;
}

function fieldOf({ name, kind, names }: NamedPart): FieldState {
  requireFit(isKind(kind), "its kind is unknown", name);
  const isChoice = fieldTypeOf({ kind }).valueKind === "choice";
  requireFit((names !== undefined) === isChoice, "choices have names, other kinds have none", name);
  if (names === undefined) return { name, kind };
  const texts = listOf(names, name).map((text) => textOf(text, name));
  requireDistinct(texts, name);
  return { name, kind, names: texts };
}

function groupOf(value: unknown, most: number): GroupState {
  const { components, from, to } = fieldsOf(value, "a group");
  requireFit(isCount(from) && isCount(to), "its entities are not counted", "a group");
  let last = -1;
  const own = listOf(components, "components of a group").map((number) => {
    // Increasing, so that there are no duplicates.
    requireFit(
      isCount(number) && number > last && number < most,
      "a component is missing, or listed twice",
      "a group",
    );
    last = number;
    return number;
  });
  return { components: own, from, to };
}

/** Objects and lists of references are JSON in a snapshot; the other values in plain arrays are strings. */
function isObject(field: FieldState): boolean {
  const { valueKind } = fieldTypeOf(field);
  return valueKind === "object" || valueKind === "entities";
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
      { entities, value },
    );
  }
}

export function readValue(data: Json, codec: ValueCodec | undefined): unknown {
  const value = fromJson(data);
  return codec === undefined ? value : codec.decode(value);
}

/** The entities that have component number `component`, in the order of its columns. */
function ownersOf({ entities, groups }: WorldState, component: number): number[] {
  return groups
    .filter(({ components }) => components.includes(component))
    .flatMap(({ from, to }) => [...entities.subarray(from, to)]);
}

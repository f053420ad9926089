/**
 * The directory of a snapshot: what its arrays mean. It comes from outside, so its form is checked before it is used.
 */
import { type FieldKind, fieldTypeOf } from "../../ecs/index.ts";
import { isHandle, isKind } from "../../ecs/internal.ts";
import { Misfit } from "../values/misfit.ts";
import type { Json } from "../values/value-codec.ts";

export interface Directory {
  root: number | null;
  entities: number;
  groups: { components: number[]; from: number; to: number }[];
  components: {
    name: string;
    isReserved: boolean;
    /** `names` only of choices. Strings and objects take two arrays, a text and lengths. */
    fields: { name: string; kind: FieldKind; names?: readonly string[]; arrays: number[] }[];
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

type Fields = { readonly [key: string]: unknown };

/** @throws Misfit when it does not have the form of a directory. */
export function requireDirectory(value: unknown): Directory {
  const { root, entities, groups, components, trees, resources, places } = fieldsOf(value, "the directory");
  if (root !== null && !isHandle(root)) throw new Misfit("its root is not an entity");
  count(entities, "entities");
  const parts = listOf(components, "components").map(component);
  requireDistinct(parts, "components");
  for (const group of listOf(groups, "groups")) requireGroup(group, parts.length);
  requireDistinct(listOf(trees, "hierarchies").map(tree), "hierarchies");
  requireDistinct(
    listOf(resources, "resources").map((each) => text(fieldsOf(each, "a resource").name, "a resource")),
    "resources",
  );
  if (places !== null) {
    const { used, generations, free } = fieldsOf(places, "the places");
    for (const each of [used, generations, free]) count(each, "places");
  }
  if ((places === null) !== (root !== null)) throw new Misfit("places are those of a whole world");
  return value as Directory;
}

function component(value: unknown): string {
  const { name, isReserved, fields } = fieldsOf(value, "a component");
  if (typeof isReserved !== "boolean") throw new Misfit("a component is neither reserved nor not");
  const names = listOf(fields, "fields").map((each) => {
    const { name: field, kind, names, arrays } = fieldsOf(each, "a field");
    if (!isKind(kind)) throw new Misfit("a field has an unknown kind");
    const { array, valueKind } = fieldTypeOf({ kind });
    requireNumbers(arrays, array === undefined ? 2 : 1);
    if ((names !== undefined) !== (valueKind === "choice"))
      throw new Misfit("choices have names, others not");
    if (names !== undefined)
      requireDistinct(
        listOf(names, "names").map((it) => text(it, "a value")),
        "values",
      );
    return text(field, "a field");
  });
  requireDistinct(names, "fields");
  return text(name, "a component");
}

function requireGroup(value: unknown, components: number): void {
  const { components: own, from, to } = fieldsOf(value, "a group");
  count(from, "groups");
  count(to, "groups");
  let last = -1;
  for (const number of listOf(own, "components of a group")) {
    // Rising, so that none is there twice.
    if (!Number.isInteger(number) || (number as number) <= last || (number as number) >= components) {
      throw new Misfit("a group names a component that is not there, or one twice");
    }
    last = number as number;
  }
}

function tree(value: unknown): string {
  const { name, isUp, parents, counts, children, named, names } = fieldsOf(value, "a hierarchy");
  if (typeof isUp !== "boolean") throw new Misfit("a hierarchy is of no kind");
  requireNumbers([parents, counts, children, named], 4);
  requireNumbers(names, 2);
  return text(name, "a hierarchy");
}

function requireNumbers(value: unknown, length: number): void {
  const list = listOf(value, "arrays");
  if (list.length !== length) throw new Misfit("a part has too many or too few arrays");
  for (const each of list) count(each, "arrays");
}

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Misfit(`${what} is not described`);
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Misfit(`there is no list of ${what}`);
}

function text(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  throw new Misfit(`${what} has no name`);
}

function count(value: unknown, what: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new Misfit(`a number of ${what} is none`);
}

function requireDistinct(names: readonly string[], what: string): void {
  if (new Set(names).size !== names.length) throw new Misfit(`two ${what} have the same name`);
}

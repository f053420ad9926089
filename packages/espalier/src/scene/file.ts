/**
 * What a scene file looks like once it is parsed. The same types serve scenes written in TypeScript.
 */
import { describeValue } from "../ecs/index.ts";
import { isRecord, reasonOf, refuseUse } from "./arguments.ts";
import type { Json } from "./json/json.ts";
import { toJson } from "./json/to-json.ts";

/** A scene or a prefab. */
export interface SceneFile {
  /** The address of the JSON Schema, for editors. */
  readonly $schema?: string;
  /** Version of the format of the components; 1 if left out. */
  readonly version?: number;
  /** A prefab that is composed of others: their names. It has no entities of its own, so `entities` is empty. */
  readonly compose?: readonly string[];
  /** The entities, flat or nested. */
  readonly entities: readonly EntityEntry[];
  /** Ids of the roots, or their names, in order, if it is not the order in which they are listed. */
  readonly order?: readonly string[];
}

/** The components of an entity by name, each with the fields that differ from their defaults. */
export interface ComponentEntries {
  readonly [component: string]: { readonly [field: string]: Json } | null;
}

/** An entity. Either nested in the `children` of another, or with the other's id as `parent`; a root otherwise. */
export interface EntityEntry {
  /** Identifies the entity within its file. Any string without `/`; generated if left out. */
  readonly id?: string;
  /** The name in the hierarchy, which paths use. `null` removes the name that a prefab gives. */
  readonly name?: string | null;
  /** The id of the parent. `a/b` is the entity `b` inside the prefab instance `a`. */
  readonly parent?: string;
  /** The prefab this is an instance of. `components` and `overrides` then hold the differences. */
  readonly prefab?: string;
  /** Its components by name. */
  readonly components?: ComponentEntries;
  /** Changes of the entities inside the instance, by their id or path in the prefab; `null` removes one. */
  readonly overrides?: { readonly [target: string]: OverrideEntry | null };
  /** Ids of children, or their names, in order, if it is not the order in which they are listed. */
  readonly order?: readonly string[];
  /** Its children, in order. */
  readonly children?: readonly EntityEntry[];
}

/** The differences of an entity inside a prefab instance. */
export interface OverrideEntry {
  /** Another name; `null` removes it. */
  readonly name?: string | null;
  /** Another parent, by its id; `null` makes it a root. */
  readonly parent?: string | null;
  /** Merged field by field; `null` removes a component. */
  readonly components?: ComponentEntries;
  /** Ids of children, or their names, in order: those of the prefab and added ones. */
  readonly order?: readonly string[];
  /** Entities that are added below it. */
  readonly children?: readonly EntityEntry[];
}

export const fileKeys = ["$schema", "version", "compose", "entities", "order"] as const;
export const entityKeys = [
  "id",
  "name",
  "parent",
  "prefab",
  "components",
  "overrides",
  "order",
  "children",
] as const;
export const overrideKeys = ["name", "parent", "components", "order", "children"] as const;

/** Names of components that a file cannot use: the hierarchy is not a component. */
export const reservedComponents = new Set(["Parent", "Children"]);

/** A copy of what was passed as a scene, verified to be plain data with lists of entities. @throws SceneUseError */
export function requireFile(file: unknown, doing: string): SceneFile {
  let copy: Json;
  try {
    copy = toJson(file, "it holds");
  } catch (error) {
    throw refuseUse(doing, `a scene is plain data, as JSON has it: ${reasonOf(error)}.`);
  }
  if (!isRecord(copy) || !Array.isArray(copy.entities)) {
    throw refuseUse(doing, `a scene is an object with an array of entities, got ${describeValue(file)}.`);
  }
  const lists: (readonly unknown[])[] = [copy.entities];
  for (let list = lists.pop(); list !== undefined; list = lists.pop()) {
    for (const entry of list) {
      if (!isRecord(entry)) throw refuseUse(doing, `an entity is an object, got ${describeValue(entry)}.`);
      const { children } = entry;
      if (children === undefined) continue;
      if (!Array.isArray(children))
        throw refuseUse(doing, `children are an array, got ${describeValue(children)}.`);
      lists.push(children);
    }
  }
  return copy as unknown as SceneFile;
}

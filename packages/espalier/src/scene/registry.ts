/**
 * What a scene format knows: its components, its version, and how older files are brought up to it.
 */
import { type AnyComponent, describeValue, isComponent, type OptionKinds } from "../ecs/index.ts";
import { isRecord } from "./arguments.ts";
import { type ComponentCodec, type ComponentRegistration, createCodec } from "./codec.ts";
import { SceneUseError } from "./errors.ts";
import { reservedComponents } from "./file.ts";
import type { Json } from "./json/json.ts";
import { SceneMember } from "./member.ts";

/** Brings a parsed file from one version to the next: changes it, or returns another. It may hold anything. */
// biome-ignore lint/suspicious/noConfusingVoidType: a migration that changes the file in place returns nothing
export type Migration = (file: { [key: string]: Json }) => { [key: string]: Json } | void;

/** Options of `createSceneFormat`. */
export interface SceneFormatOptions {
  /**
   * The components that files may hold; lists are taken apart, so that a room can offer all of its own at once. In
   * files they stand in this order.
   */
  readonly components: readonly Registrable[];
  /** Components that are never written: what the game works out while it runs. */
  readonly transient?: readonly AnyComponent[];
  /**
   * Some of `components`: those that only the files of prefabs have, such as notes of an editor. They are read and saved with the prefab, and
   * instances get none of them.
   */
  readonly prefabOnly?: readonly AnyComponent[];
  /** Version of files written now. 1 if left out; older files need `migrations`. */
  readonly version?: number;
  /** By version: what brings a file from that version to the next. */
  readonly migrations?: { readonly [from: number]: Migration };
  /** Written into files as `$schema`, so that editors know their form. */
  readonly schema?: string;
}

export const formatOptions: OptionKinds = {
  components: "anything",
  transient: "anything",
  prefabOnly: "anything",
  version: "anything",
  migrations: "anything",
  schema: "anything",
};

/** What a format can register: components, codecs, or several of them. */
export type Registrable =
  | AnyComponent
  | ComponentRegistration
  | readonly (AnyComponent | ComponentRegistration)[];

/** The data of a format, in the form in which reading and writing use it. */
export interface Registry {
  readonly codecs: ReadonlyMap<string, ComponentCodec>;
  readonly byComponent: ReadonlyMap<AnyComponent, ComponentCodec>;
  readonly transient: ReadonlySet<AnyComponent>;
  /** The names of components that instances do not get. */
  readonly prefabOnly: ReadonlySet<string>;
  readonly version: number;
  readonly migrations: { readonly [from: number]: Migration };
  readonly schema: string | undefined;
  /** Nothing in a format that only loads. */
  readonly tools: RegistryTools | undefined;
}

/**
 * What a format does beside loading, in three groups. They stand on the registry, so it does not know their types: `writeToolsOf`,
 * `prefabToolsOf` and `formatToolsOf` do.
 */
export interface RegistryTools {
  readonly writing: object;
  readonly prefabs: object;
  readonly format: object;
}

/** @throws SceneUseError `scene/load-only` */
export function requireTools({ tools }: Registry, doing: string): RegistryTools {
  if (tools !== undefined) return tools;
  throw new SceneUseError(
    `Cannot ${doing}: the format only loads. Make it with createSceneFormat; in a game, use sceneFiles(…).`,
    "scene/load-only",
    { subject: doing },
  );
}

export function createRegistry(options: SceneFormatOptions, tools?: RegistryTools): Registry {
  const version = options.version ?? 1;
  if (!Number.isInteger(version) || version < 1) {
    throw refusal(`version ${describeValue(version)}: a version is an integer of at least 1`);
  }
  const codecs = new Map<string, ComponentCodec>();
  const { components, migrations: given = {}, transient: left = [], prefabOnly: only = [], schema } = options;
  if (!Array.isArray(components))
    throw refusal(`components that are ${describeValue(components)}: give an array`);
  if (!Array.isArray(left) || !left.every(isComponent))
    throw refusal("transient that is not an array of components");
  if (!Array.isArray(only) || !only.every(isComponent))
    throw refusal("prefabOnly that is not an array of components");
  if (!isRecord(given))
    throw refusal(`migrations that are ${describeValue(given)}: give an object by version`);
  for (const [from, migration] of Object.entries(given)) {
    if (typeof migration !== "function") throw refusal(`a migration from ${from} that is not a function`);
  }
  if (schema !== undefined && typeof schema !== "string") {
    throw refusal(`${describeValue(schema)} as schema: give an address`);
  }
  for (const item of components.flat()) {
    const registration = registrationOf(item as AnyComponent | ComponentRegistration);
    const { name } = registration.component;
    checkRegistration(registration, codecs);
    codecs.set(name, createCodec(registration, codecs.size));
  }
  const byComponent = new Map([...codecs.values()].map((codec) => [codec.component, codec]));
  const transient = new Set(left);
  for (const component of transient) {
    if (byComponent.has(component)) {
      throw refusal(`${component.name} both as a component of files and as transient: choose one`);
    }
  }
  for (const component of only) {
    if (!byComponent.has(component)) {
      throw refusal(`${component.name} as prefabOnly and not among its components: list it there too`);
    }
  }
  const prefabOnly = new Set(only.map(({ name }) => name));
  return { codecs, byComponent, transient, prefabOnly, version, migrations: given, schema, tools };
}

function registrationOf(item: AnyComponent | ComponentRegistration): ComponentRegistration {
  if (isComponent(item)) return { component: item, fields: {}, validate: undefined, description: undefined };
  if (typeof item === "object" && item !== null && isComponent(item.component)) return item;
  throw refusal(`${describeValue(item)} among its components: give components, or withCodec(component, …)`);
}

function checkRegistration(
  { component, fields, validate, description }: ComponentRegistration,
  known: ReadonlyMap<string, ComponentCodec>,
): void {
  const { name } = component;
  if (reservedComponents.has(name)) {
    throw refusal(
      `a component named ${name}: the parent of an entity is not a component in files. Rename yours`,
    );
  }
  const other = known.get(name);
  if (other !== undefined) {
    const why = other.component === component ? "list it once" : "two components share it. Rename one";
    throw refusal(`${name} twice: ${why}`);
  }
  if (component === SceneMember) {
    throw refusal(`${name}: scenes write it automatically. Leave it out`);
  }
  if (component.reserved !== undefined) {
    throw refusal(`${name}: only its owner writes it, so a file cannot. Leave it out`);
  }
  if (!isRecord(fields))
    throw refusal(`codecs of ${name} that are ${describeValue(fields)}: give an object by field`);
  if (validate !== undefined && typeof Object(Object(validate)["~standard"]).validate !== "function") {
    throw refusal(`a validator of ${name} that is none: give one with the Standard Schema interface`);
  }
  if (description !== undefined && typeof description !== "string") {
    throw refusal(`${describeValue(description)} as description of ${name}: give a string`);
  }
  for (const [field, codec] of Object.entries(fields)) {
    if (codec === undefined) continue;
    if (!Object.hasOwn(component.schema, field)) {
      throw refusal(`a codec for ${name}.${field}: ${name} has no such field`);
    }
    if (!isRecord(codec) || typeof codec.write !== "function" || typeof codec.read !== "function") {
      throw refusal(`a codec for ${name}.${field} that lacks write or read: give both`);
    }
  }
}

function refusal(why: string): SceneUseError {
  return new SceneUseError(`Cannot create a scene format with ${why}.`, "scene/invalid-format");
}

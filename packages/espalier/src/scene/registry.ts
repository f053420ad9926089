/**
 * The data of a scene format: its components, its version, and its migrations.
 */
import type { AnyComponent, OptionKinds } from "../ecs/index.ts";
import { checkFormatOptions, checkLists, checkRegistration, registrationOf } from "./check-format.ts";
import { type ComponentCodec, type ComponentRegistration, createCodec } from "./codec.ts";
import { SceneUseError } from "./errors.ts";
import type { Json } from "./json/json.ts";

/** Brings a parsed file from one version to the next: changes it, or returns another. It may hold anything. */
// biome-ignore lint/suspicious/noConfusingVoidType: a migration that changes the file in place returns nothing
export type Migration = (file: { [key: string]: Json }) => { [key: string]: Json } | void;

/** Options of `createSceneFormat`. */
export interface SceneFormatOptions {
  /**
   * The components that files may hold; lists are flattened, so that a room can offer all of its own at once. Files
   * list them in this order.
   */
  readonly components: readonly Registrable[];
  /** Components that are never written, because the game computes them while it runs. */
  readonly transient?: readonly AnyComponent[];
  /**
   * Some of `components`: those that only the files of prefabs have, such as notes of an editor. They are read and saved with the prefab, and
   * instances get none of them.
   */
  readonly prefabOnly?: readonly AnyComponent[];
  /** Version of files written now. 1 if left out; older files need `migrations`. */
  readonly version?: number;
  /** By version: the migration from that version to the next. */
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
  /** `undefined` in a format that only loads. */
  readonly tools: RegistryTools | undefined;
}

/**
 * What a format does besides loading, in three groups. They build on the registry, so it does not know their types: `writeToolsOf`,
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
  const { version = 1, components, migrations = {}, transient = [], prefabOnly = [], schema } = options;
  checkFormatOptions({ version, components, migrations, transient, prefabOnly, schema });
  const codecs = new Map<string, ComponentCodec>();
  for (const item of components.flat()) {
    const registration = registrationOf(item as AnyComponent | ComponentRegistration);
    checkRegistration(registration, codecs);
    codecs.set(registration.component.name, createCodec(registration, codecs.size));
  }
  const byComponent = new Map([...codecs.values()].map((codec) => [codec.component, codec]));
  checkLists(byComponent, transient, prefabOnly);
  return {
    codecs,
    byComponent,
    transient: new Set(transient),
    prefabOnly: new Set(prefabOnly.map(({ name }) => name)),
    version,
    migrations,
    schema,
    tools,
  };
}

/**
 * A scene format: the components that files may hold, and everything that can be done with such files.
 */
import { type AnyComponent, describeValue, type Entity, type EntityLike } from "../ecs/index.ts";
import { checkOptions, DEVELOPMENT } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { isRecord, refuseUse, requireEntity, requireTree } from "./arguments.ts";
import { build } from "./build.ts";
import type { CloneOptions } from "./copies/clone.ts";
import { type SceneProblem, SceneUseError } from "./errors.ts";
import type { SceneFile } from "./file.ts";
import { allTools, formatToolsOf } from "./format-tools.ts";
import type { JsonObject } from "./json/json.ts";
import type { Instance } from "./prefab/instance.ts";
import { Prefab } from "./prefab/prefab.ts";
import { ReadPrefabs } from "./prefab/reload-prefab.ts";
import {
  type ReadOptions,
  readOptions,
  readScene,
  readTemplate,
  requireReading,
  requireScene,
} from "./read/load.ts";
import {
  createRegistry,
  formatOptions,
  type Registry,
  type RegistryTools,
  type SceneFormatOptions,
} from "./registry.ts";
import { Scene } from "./scene.ts";
import { newSceneKey, reserveSceneKey } from "./tables.ts";
import type { SaveOptions } from "./write/write.ts";
import { writeToolsOf } from "./write-tools.ts";

/** Options of `load`. */
export interface LoadOptions extends ReadOptions {
  /** The parent of the roots of the scene; they become roots of the tree if left out. */
  readonly parent?: EntityLike | null;
}

/** Options of a scene without a file. */
export interface CreateSceneOptions extends ReadOptions {
  /** The `key` of a scene whose entities came with a snapshot or a patch from another world. A new one if left out. */
  readonly key?: number;
}

/**
 * Creates a scene format from the components that files may hold.
 *
 * @throws SceneUseError `scene/invalid-format`
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const format = createSceneFormat({ components: [Health] });
 * const scene = format.load(tree, `{
 *   "entities": [
 *     { "id": "tank", "components": { "Health": { "hp": 250 } }, "children": [{ "id": "turret" }] },
 *   ],
 * }`);
 * tree.childrenOf(scene.entity("tank")); // → [scene.entity("turret")]
 * ```
 */
export function createSceneFormat(options: SceneFormatOptions): SceneFormat {
  return createFormat(options, allTools);
}

/**
 * Creates a scene format that only loads: files are checked and loaded, prefabs are instantiated. Saving, reloading, overrides of
 * instances, copies and the JSON Schema throw; in exchange their code is not in the bundle.
 *
 * @throws SceneUseError `scene/invalid-format`
 *
 * @example
 * ```ts
 * const format = createLoadOnlyFormat({ components: [] });
 * const scene = format.load(tree, `{ "entities": [{ "id": "tank" }] }`);
 * tree.depthOf(scene.entity("tank")); // → 0
 * ```
 */
export function createLoadOnlyFormat(options: SceneFormatOptions): SceneFormat {
  return createFormat(options, undefined);
}

function createFormat(options: SceneFormatOptions, tools: RegistryTools | undefined): SceneFormat {
  if (!isRecord(options)) {
    throw new SceneUseError(
      `Cannot create a scene format with ${describeValue(options)}: give an object with components.`,
      "scene/invalid-format",
      { value: options },
    );
  }
  checkOptions(DEVELOPMENT, "create a scene format", options, formatOptions);
  return new SceneFormat(createRegistry(options, tools));
}

/** Reads and writes scene files with the components it knows. Made by `createSceneFormat`. */
export class SceneFormat {
  /** @internal */
  readonly registry: Registry;
  private readonly prefabs = new ReadPrefabs();

  /** @internal Use `createSceneFormat()`. */
  constructor(registry: Registry) {
    this.registry = registry;
  }

  /** The version that files are written in. */
  get version(): number {
    return this.registry.version;
  }

  /** The names of the components that files may hold, in the order of files. */
  get components(): readonly string[] {
    return [...this.registry.codecs.keys()];
  }

  /** The component of that name, if files may hold it. */
  component(name: string): AnyComponent | undefined {
    return this.registry.codecs.get(name)?.component;
  }

  /**
   * Loads a scene into a world: all of it, or, when anything is wrong with the file, nothing.
   *
   * @param input - Text, or a scene written in TypeScript.
   * @throws SceneError listing every problem of the file and of its prefabs.
   */
  load(tree: Hierarchy, input: string | SceneFile, options: LoadOptions = {}): Scene {
    requireTree(tree, "load a scene");
    const kinds = { ...readOptions, parent: "anything" } as const;
    const { parent = null, ...read } = requireReading(options, "load a scene", kinds, tree.world.checks);
    const under = parent === null ? null : requireEntity(tree, parent, "load a scene");
    const result = readScene(this.registry, input, read);
    const draft = requireScene(result, read, "load");
    const key = newSceneKey(tree.world);
    const entities = build(tree, draft, under, { scene: key });
    const scene = new Scene(tree, this.registry, read, under, result.problems, key);
    scene.adopt(entities, result, input);
    return scene;
  }

  /** Everything that is wrong with a file and its prefabs, without a world. Also finds duplicate keys. */
  check(input: string | SceneFile, options: ReadOptions = {}): readonly SceneProblem[] {
    return readScene(this.registry, input, requireReading(options, "check a scene"), { thorough: true })
      .problems;
  }

  /** A scene without entities, to which some can be added; with `key`, the scene of a snapshot. */
  createScene(tree: Hierarchy, options: CreateSceneOptions = {}): Scene {
    requireTree(tree, "create a scene");
    const kinds = { ...readOptions, key: "anything" } as const;
    const { key, ...read } = requireReading(options, "create a scene", kinds, tree.world.checks);
    if (key !== undefined) reserveSceneKey(tree.world, requireKey(key));
    return new Scene(tree, this.registry, read, null, [], key ?? newSceneKey(tree.world));
  }

  /**
   * Some entities and everything below them as a scene file; all of the world if left out. Ids are generated. To keep
   * them from save to save, use a `Scene`.
   *
   * @example
   * ```ts
   * const Health = component("Health", { hp: f32(100) });
   * const format = createSceneFormat({ components: [Health] });
   * world.spawn(Health({ hp: 250 }));
   * format.save(tree).includes("250"); // → true
   * ```
   */
  save(tree: Hierarchy, from?: readonly EntityLike[], options: SaveOptions = {}): string {
    return writeToolsOf(this.registry, "save").saveEntities(this.registry, tree, from, options);
  }

  /**
   * Reads a prefab: a scene with one root.
   *
   * @param options - `file` is also the name that saved scenes use for it.
   * @throws SceneError listing every problem.
   */
  prefab(input: string | SceneFile, options: ReadOptions = {}): Prefab {
    const template = readTemplate(this.registry, input, requireReading(options, "read a prefab"));
    const prefab = new Prefab(this.registry, template, options.file ?? "prefab");
    this.prefabs.add(prefab);
    return prefab;
  }

  /**
   * Applies a changed prefab file to a running world: all instances in the tree that came from it follow, including those
   * created by code and those of prefabs that contain it, and so do the `Prefab` objects that this format created.
   * Overrides of instances stay. All or nothing; a step of its own in a history, unless one is open.
   *
   * @param file - The file, or a function that decides which names of prefabs refer to it.
   * @param options - `prefabs`: the source of prefabs that only the new text uses. `unknown`: as in `load`.
   * @returns The instances that changed; none if there are no instances of the file, or its content is the same.
   * @throws SceneError when the file is broken; nothing has changed then.
   *
   * @example
   * ```ts
   * const Health = component("Health", { hp: f32(100) });
   * const format = createSceneFormat({ components: [Health] });
   * const tank = format.prefab(`{ "entities": [{ "id": "tank", "components": { "Health": {} } }] }`, { file: "tank" });
   * const { root } = tank.instantiate(tree);
   * format.reloadPrefab(tree, "tank", `{ "entities": [{ "id": "tank", "components": { "Health": { "hp": 5 } } }] }`);
   * tree.world.get(root, Health); // → { hp: 5 }
   * tree.world.get(tank.instantiate(tree).root, Health); // → { hp: 5 }
   * ```
   */
  reloadPrefab(
    tree: Hierarchy,
    file: string | ((name: string) => boolean),
    input: string | SceneFile,
    options: Pick<ReadOptions, "prefabs" | "unknown"> = {},
  ): Instance[] {
    const doing = "reload a prefab";
    requireTree(tree, doing);
    if (typeof file !== "string" && typeof file !== "function") {
      throw refuseUse(
        doing,
        `file is a name, or a function that decides which names refer to it, got ${describeValue(file)}.`,
      );
    }
    const kinds = { prefabs: "anything", unknown: "anything" } as const;
    const { prefabs = {}, unknown = "refuse" } = requireReading(options, doing, kinds, tree.world.checks);
    return formatToolsOf(this.registry, doing).reloadPrefabs(tree, this.registry, this.prefabs, {
      is: typeof file === "function" ? file : (name) => name === file,
      source: input,
      prefabs,
      unknown,
    });
  }

  /** `clone()` that copies object fields with their codecs, so that entities inside them lead to the copy. */
  clone(tree: Hierarchy, entity: EntityLike, options: CloneOptions = {}): Entity {
    return formatToolsOf(this.registry, "clone").cloneWith(tree, entity, options, this.registry);
  }

  /** The form of files as JSON Schema (draft 7), for completion in editors: name it in `$schema`. */
  jsonSchema(): JsonObject {
    return formatToolsOf(this.registry, "make the JSON Schema").createJsonSchema(this.registry);
  }
}

function requireKey(key: number): number {
  if (Number.isInteger(key) && key > 0 && key <= 0xffff_ffff) return key;
  throw new SceneUseError(
    `Cannot use ${describeValue(key)} as the key of a scene: no scene has it. Give scene.key, or leave it out.`,
    "scene/invalid-use",
    { value: key },
  );
}

/**
 * A scene format: the components that files may hold, and everything that can be done with such files.
 */
import type { AnyComponent, Entity } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { build } from "./build.ts";
import { type CloneOptions, cloneWith } from "./clone.ts";
import type { SceneProblem } from "./errors.ts";
import type { SceneFile } from "./file.ts";
import type { JsonObject } from "./json/json.ts";
import { createJsonSchema } from "./json-schema.ts";
import { Prefab } from "./prefab/prefab.ts";
import { type ReadOptions, readScene, readTemplate, requireDraft } from "./read/load.ts";
import { createRegistry, type Registry, type SceneFormatOptions } from "./registry.ts";
import { Scene } from "./scene.ts";
import type { SaveOptions } from "./write/write.ts";

export interface LoadOptions extends ReadOptions {
  /** The entity that the roots of the scene are put under; they become roots if left out. */
  readonly parent?: Entity | null;
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
  return new SceneFormat(createRegistry(options));
}

export class SceneFormat {
  /** @internal */
  readonly registry: Registry;

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
    const { parent = null, ...read } = options;
    const result = readScene(this.registry, input, read);
    const draft = requireDraft(result, read, "load");
    const entities = build(tree, draft, parent);
    const scene = new Scene(tree, this.registry, read, parent, result.problems);
    scene.adopt(entities, result, input);
    return scene;
  }

  /** Everything that is wrong with a file and its prefabs, without a world. Also finds keys that stand twice. */
  check(input: string | SceneFile, options: ReadOptions = {}): readonly SceneProblem[] {
    return readScene(this.registry, input, options, { thorough: true }).problems;
  }

  /** A scene without entities, to which some can be added. */
  createScene(tree: Hierarchy, options: ReadOptions = {}): Scene {
    return new Scene(tree, this.registry, options, null, []);
  }

  /**
   * Some entities and everything below them as a scene file; all of the world if left out. Ids are generated. To keep
   * them from one time to the next, keep a `Scene`.
   */
  save(tree: Hierarchy, from: readonly Entity[] = tree.childrenOf(null), options: SaveOptions = {}): string {
    const scene = this.createScene(tree);
    for (const entity of from) scene.add(entity);
    return scene.save(options);
  }

  /**
   * Reads a prefab: a scene with one root.
   *
   * @param options - `file` is also the name by which saved scenes refer to it.
   * @throws SceneError listing every problem.
   */
  prefab(input: string | SceneFile, options: ReadOptions = {}): Prefab {
    return new Prefab(this.registry, readTemplate(this.registry, input, options), options.file ?? "prefab");
  }

  /** `clone()` that copies object fields with their codecs, so that entities inside them lead to the copy. */
  clone(tree: Hierarchy, entity: Entity, options: CloneOptions = {}): Entity {
    return cloneWith(tree, entity, this.registry, options);
  }

  /** The form of files as JSON Schema (draft 7), for completion in editors: name it in `$schema`. */
  jsonSchema(): JsonObject {
    return createJsonSchema(this.registry);
  }
}

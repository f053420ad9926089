/**
 * Differences between two scenes as patches, in which entities are named by their ids.
 */
import {
  type AnyComponent,
  type Component,
  createWorld,
  type Entity,
  generationOf,
  indexOf,
  type Schema,
  type World,
} from "../../ecs/index.ts";
import { createHierarchy } from "../../hierarchy/index.ts";
import {
  applyPatch,
  diff,
  type FieldValues,
  fromJson,
  type Key,
  type Patch,
  type PatchEntry,
  requirePatch,
  takeSnapshot,
  type ValueCodec,
} from "../../history/index.ts";
import { setOwn } from "../../history/internal.ts";
import { asOneChange } from "../all-or-nothing.ts";
import { requireInstanceOf } from "../arguments.ts";
import type { FieldCodec } from "../codec.ts";
import type { SceneFile } from "../file.ts";
import { SceneFormat } from "../format.ts";
import type { Json } from "../json/json.ts";
import { type ReadOptions, requireReading } from "../read/load.ts";
import type { Registry } from "../registry.ts";
import { Scene } from "../scene.ts";

/** A file as text or as a value, or a scene in its current state. */
export type SceneSource = string | SceneFile | Scene;

/**
 * The entries that make scene `a` equal to scene `b`: the least that leads from one to the other, as of `diff`. Entities are
 * the same when they have the same id, as for `scene.reload`; a moved one is moved. Values from prefabs are compared like
 * all others, so that a patch contains only entities and needs no prefab to be applied. No world is touched.
 *
 * @param options - How both are read. Prefabs of a loaded scene are known.
 * @throws SceneError when one of the files is broken, and the errors of `diff`.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const format = createSceneFormat({ components: [Health] });
 * const before = `{ "entities": [{ "id": "tank", "components": { "Health": {} } }, { "id": "crate" }] }`;
 * const after = `{ "entities": [{ "id": "crate", "children": [{ "id": "tank", "components": { "Health": { "hp": 50 } } }] }] }`;
 * diffScenes(format, before, after);
 * // → [
 * //     { op: "move", id: "tank", tree: "tree", parent: "crate", after: null },
 * //     { op: "set", id: "tank", component: "Health", values: { hp: 50 } },
 * //   ]
 * ```
 */
export function diffScenes(
  format: SceneFormat,
  a: SceneSource,
  b: SceneSource,
  options: ReadOptions = {},
): Patch {
  requireInstanceOf(format, SceneFormat, "a scene format", "compare scenes");
  requireReading(options, "compare scenes");
  const world = createWorld();
  const tree = createHierarchy(world);
  // One world for both, one after the other: no handle is used twice, so that each maps to its id. By generation and index, because
  // a map of two million handles takes a third of the time.
  const ids: string[][] = [];
  const idOf = (entity: Entity) => ids[generationOf(entity)]?.[indexOf(entity)];
  const byId = new Map<string, Entity>();
  // In snapshots values refer to entities by id, and both are read with the same entity.
  const codecs = codecsOf(format.registry, {
    idOf: (entity) => (entity === null ? null : (idOf(entity) ?? null)),
    entity: (id) => byId.get(id) as Entity,
  });
  const hasReferences = Object.keys(codecs).length > 0;
  const snapshotOf = (source: SceneSource) => {
    const scene = format.load(tree, fileOf(source), readingOf(source, options));
    for (const entity of world.entities()) {
      const id = scene.idOf(entity) as string;
      (ids[generationOf(entity)] ??= [])[indexOf(entity)] = id;
      if (hasReferences) byId.set(id, entity);
    }
    return takeSnapshot(world, { trees: [tree], codecs });
  };
  const before = snapshotOf(a);
  for (const root of tree.childrenOf(null)) tree.destroy(root);
  const after = snapshotOf(b);
  return diff(before, after, {
    key: idOf,
    codecs,
    components: (name) => format.registry.codecs.has(name),
  });
}

/**
 * Applies a patch of `diffScenes` to a running scene: all of it, or nothing. Added entities get their ids.
 *
 * @returns The entities that were added, by id.
 * @throws the errors of `applyPatch`; nothing has changed then.
 *
 * @example
 * ```ts
 * const format = createSceneFormat({ components: [] });
 * const tree = createHierarchy(createWorld());
 * const before = `{ "entities": [{ "id": "tank" }] }`;
 * const scene = format.load(tree, before);
 * patchScene(scene, diffScenes(format, before, `{ "entities": [{ "id": "tank", "children": [{ "id": "turret" }] }] }`));
 * tree.parentOf(scene.entity("turret")) === scene.entity("tank"); // → true
 * ```
 */
export function patchScene(scene: Scene, patch: Patch): ReadonlyMap<string, Entity> {
  requireInstanceOf(scene, Scene, "a scene", "patch a scene");
  const { tree, parent, registry } = scene;
  const { world } = tree;
  const late: LateValue[] = [];
  const entries = requirePatch(patch).map((entry) => adapt(scene, entry, late));
  return asOneChange(world, () => {
    const added = applyPatch(world, entries, {
      trees: [tree],
      key: (entity) => (entity === parent ? ABOVE : scene.idOf(entity)),
      components: [...registry.byComponent.keys()],
      codecs: codecsOf(registry, { idOf: () => null, entity: (id) => scene.entity(id) }),
    }) as ReadonlyMap<string, Entity>;
    const find = (id: Key) => added.get(String(id)) ?? scene.entity(String(id));
    for (const value of late) setLate(world, find, value);
    for (const [id, entity] of added) scene.take(entity, id);
    return added;
  });
}

/** The key of the entity under which a scene was loaded; no id is empty. */
const ABOVE = "";

interface LateValue {
  readonly id: Key;
  readonly component: AnyComponent;
  readonly field: string;
  readonly codec: FieldCodec<unknown>;
  readonly json: unknown;
}

/** The entry adapted to this scene: with its tree and parent, and without values that need other entities. */
function adapt(scene: Scene, entry: PatchEntry, late: LateValue[]): PatchEntry {
  const { tree, parent, registry } = scene;
  const under = (key: Key | null) => (key === null && parent !== null ? ABOVE : key);
  const early = (component: string, values: FieldValues): FieldValues => {
    const kept: { [field: string]: FieldValues[string] } = {};
    for (const [field, json] of Object.entries(values)) {
      const codec = registry.codecs.get(component);
      const own = codec?.fields.get(field)?.codec;
      if (codec === undefined || own?.references !== true) setOwn(kept, field, json);
      else late.push({ id: entry.id, component: codec.component, field, codec: own, json: fromJson(json) });
    }
    return kept;
  };
  switch (entry?.op) {
    case "add": {
      const components = Object.entries(entry.components ?? {}).map(([name, values]) => [
        name,
        early(name, values),
      ]);
      const [position] = Object.values(entry.positions ?? {});
      const positions =
        position === undefined ? {} : { [tree.name]: { ...position, parent: under(position.parent) } };
      return { ...entry, components: Object.fromEntries(components), positions };
    }
    case "move":
      return { ...entry, tree: tree.name, parent: under(entry.parent) };
    case "reorder":
      return { ...entry, tree: tree.name };
    case "remove":
      return entry.tree === undefined ? entry : { ...entry, tree: tree.name };
    case "set":
      if (!("component" in entry)) return { ...entry, tree: tree.name };
      return entry.values === null || typeof entry.values !== "object"
        ? entry
        : { ...entry, values: early(entry.component, entry.values) };
    default:
      return entry;
  }
}

function setLate(world: World, find: (id: Key) => Entity, late: LateValue): void {
  const value = late.codec.read(late.json as Json, { entity: find });
  world.set(find(late.id), late.component as Component<Schema>, { [late.field]: value });
}

/** How `diff` and `applyPatch` write and read the object fields of a format. */
function codecsOf(
  registry: Registry,
  context: {
    readonly idOf: (entity: Entity | null) => string | null;
    readonly entity: (id: string) => Entity;
  },
): { readonly [field: string]: ValueCodec } {
  const found: { [field: string]: ValueCodec } = {};
  for (const { name, fields } of registry.codecs.values()) {
    for (const { name: field, type, codec } of fields.values()) {
      if (type.valueKind !== "object" || codec === undefined) continue;
      found[`${name}.${field}`] = {
        encode: (value) => codec.write(value, context),
        decode: (data) => codec.read(data as Json, context),
      };
    }
  }
  return found;
}

/** A source as a file. */
export function fileOf(source: SceneSource): string | SceneFile {
  return source instanceof Scene ? source.toFile() : source;
}

/** The options for reading a source. */
export function readingOf(source: SceneSource, options: ReadOptions): ReadOptions {
  return source instanceof Scene ? { ...source.options, ...options } : options;
}

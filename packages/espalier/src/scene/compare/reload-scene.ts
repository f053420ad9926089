/**
 * Applies a changed file to the entities of its scene.
 */
import type { Entity } from "../../ecs/index.ts";
import type { SceneFile } from "../file.ts";
import { type ReadOptions, readOptions, readScene, requireReading, requireScene } from "../read/load.ts";
import type { Draft } from "../read/read.ts";
import type { Origin, SceneParts } from "../scene-parts.ts";
import { amongOthers, followIds } from "./follow-ids.ts";
import { type ReloadSummary, reconcile } from "./reconcile.ts";

/** Options of `reload`. */
export interface ReloadOptions extends ReadOptions {
  /**
   * `"changes"` (the default) applies what changed in the file since it was last loaded or saved; changes by the game
   * meanwhile stay. `"reset"` makes every entity equal to the file, as if it were loaded again.
   */
  readonly mode?: "changes" | "reset";
}

export function reloadScene(
  scene: SceneParts,
  input: string | SceneFile,
  options: ReloadOptions,
): ReloadSummary {
  const { tree, registry, ids, parent, key, origin } = scene;
  const kinds = { ...readOptions, mode: ["changes", "reset"] } as const;
  const all: ReloadOptions = {
    ...scene.options,
    ...requireReading(options, "reload the scene", kinds, tree.world.checks),
  };
  const result = readScene(registry, input, all);
  const after = requireScene(result, all, "reload");
  const from = all.mode === "reset" ? undefined : origin;
  const draft = from && originDraft(scene, from, all);
  const entities = followIds(ids, after);
  const summary = reconcile({
    tree,
    before: draft && { draft, find: amongOthers(ids, draft) },
    after,
    entities,
    parent,
    doomed: from === undefined ? strangers(scene, new Set(entities)) : new Map(),
    keepRoots: false,
    scene: key,
  });
  scene.keys = after.keys;
  scene.origin = { input, prefabs: result.prefabs };
  return summary;
}

/** The scene as it was last loaded or saved, with its prefabs at that time. */
function originDraft({ registry }: SceneParts, origin: Origin, options: ReadOptions): Draft | undefined {
  const { input, prefabs, followed = new Map() } = origin;
  return readScene(registry, input, { ...options, prefabs, lenient: true }, { given: followed }).draft;
}

/** Entities of the scene that are not in `known`, with their ids. */
function strangers(
  scene: SceneParts,
  known: ReadonlySet<Entity | undefined>,
): Map<Entity, string | undefined> {
  const found = new Map<Entity, string | undefined>();
  for (const root of scene.roots()) {
    for (const entity of scene.tree.descendants(root, { includeSelf: true })) {
      if (!known.has(entity)) found.set(entity, scene.ids.of(entity));
    }
  }
  return found;
}

/**
 * What verbs see of a document while one runs.
 */
import type { Entity } from "../ecs/index.ts";
import type { SceneFile } from "../scene/index.ts";
import type { SceneDocument } from "./document.ts";
import { requireTarget } from "./targets.ts";
import type { VerbContext, VerbWarning } from "./verb.ts";

/** A context, and what the run of verbs left in it. */
export interface RunningContext extends VerbContext {
  /** The texts that prefab files had before, by file, of those that were written. */
  readonly prefabsBefore: Map<string, string | null>;
  /** The edit that is undone. */
  undoes: string | undefined;
}

export function createContext(document: SceneDocument, warn: (warning: VerbWarning) => void): RunningContext {
  const { scene, format, state } = document;
  const { tree } = scene;
  const prefabsBefore = new Map<string, string | null>();
  const context: RunningContext = {
    document,
    scene,
    tree,
    world: tree.world,
    format,
    find: (reference) => requireTarget(scene, reference),
    idOf: (entity: Entity) => scene.idOf(entity) ?? scene.add(entity),
    file: () => scene.toFile(),
    reload: (file: SceneFile) => {
      scene.reload(file, { mode: "reset", prefabs: state.reading.prefabs });
    },
    writePrefab: (file, text, before) => {
      if (!prefabsBefore.has(file)) prefabsBefore.set(file, state.prefabFiles.get(file) ?? before);
      state.prefabFiles.set(file, text);
    },
    markUndone: (token) => {
      context.undoes = token;
    },
    warn,
    prefabsBefore,
    undoes: undefined,
  };
  return context;
}

/**
 * The view of a document that a running verb has.
 */
import type { Entity } from "../ecs/index.ts";
import { treeOf } from "../hierarchy/internal.ts";
import type { SceneFile } from "../scene/index.ts";
import type { SceneDocument } from "./document.ts";
import { requireTarget, shownPath } from "./targets.ts";
import type { VerbContext, VerbWarning } from "./verb.ts";
import { WaitingEdits } from "./waiting-edits.ts";

/** A context, with the state of the run. */
export interface RunningContext extends VerbContext {
  /** The former texts of written prefab files, by file. */
  readonly prefabsBefore: Map<string, string | null>;
  /** Edits of the file that are not applied yet. */
  readonly waiting: WaitingEdits;
  /** The edit that is undone. */
  undoes: string | undefined;
}

/** @param redo - Runs a step again; `undefined` if there is only one. */
export function createContext(
  document: SceneDocument,
  warn: (warning: VerbWarning) => void,
  redo?: (step: number) => void,
): RunningContext {
  const { scene, format, state } = document;
  const { tree } = scene;
  const prefabsBefore = new Map<string, string | null>();
  const reload = (file: SceneFile) => {
    scene.reload(file, { mode: "reset", prefabs: state.reading.prefabs });
  };
  const waiting = new WaitingEdits(() => scene.toFile(), reload, redo);
  const context: RunningContext = {
    waiting,
    format,
    // Waiting edits are applied before the world is read.
    get document() {
      waiting.finish();
      return document;
    },
    get scene() {
      waiting.finish();
      return scene;
    },
    get tree() {
      waiting.finish();
      return tree;
    },
    get world() {
      waiting.finish();
      return tree.world;
    },
    find: (reference) => {
      waiting.finish();
      return requireTarget(scene, reference);
    },
    idOf: (entity: Entity) => {
      waiting.finish();
      return scene.idOf(entity) ?? scene.add(entity);
    },
    giveIds: () => {
      // Only a batch needs ids before the scene is saved.
      if (redo !== undefined) scene.toFile();
    },
    file: () => {
      waiting.finish();
      return scene.toFile();
    },
    reload: (file) => {
      waiting.finish();
      reload(file);
    },
    entry(reference) {
      // A path may lead to an entity that is about to be created.
      const isAhead = reference.startsWith("/")
        ? waiting.mayTurn(reference)
        : scene.find(reference) === undefined;
      if (isAhead) waiting.finish();
      if (waiting.edits(scene.idOf(requireTarget(scene, reference)) ?? "")) waiting.finish();
      const entity = requireTarget(scene, reference);
      return { entity, id: scene.idOf(entity) ?? scene.add(entity) };
    },
    parentId(reference) {
      if (reference === null) return undefined;
      return waiting.creates(reference) ? reference : context.entry(reference).id;
    },
    has: (entity, component) => tree.world.has(entity, component),
    pathOf: (entity) => shownPath(scene, entity),
    isTaken: (id) => waiting.creates(id) || scene.find(id) !== undefined,
    edit(edit) {
      waiting.add(edit);
      // Rules are checked at each step, and may refuse one that the next would correct.
      if (treeOf(tree).constraints.length > 0) waiting.finish();
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

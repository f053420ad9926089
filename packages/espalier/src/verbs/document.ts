/**
 * A scene that verbs are run on: its current state, and every edit that was made to it.
 */
import { createWorld, describeValue } from "../ecs/index.ts";
import { createHierarchy, type Hierarchy } from "../hierarchy/index.ts";
import type { UndoHistory } from "../history/index.ts";
import { deepEqual, ownOf } from "../history/internal.ts";
import type { PrefabSource, Prefabs, ReadOptions, SceneFile, SceneSource } from "../scene/index.ts";
import { Scene, SceneFormat } from "../scene/internal.ts";
import {
  createTransforms2D,
  createTransforms3D,
  Transform2D,
  Transform3D,
  type Transforms2D,
  type Transforms3D,
} from "../transform/index.ts";
import { compareFiles, type Defaults } from "./changes/compare-files.ts";
import { deltaOf, shareEntries } from "./changes/file-delta.ts";
import type { Edit } from "./edit.ts";
import { VerbError } from "./errors.ts";
import { defaultsOf } from "./parameters/component-schemas.ts";

/** The spaces of the transforms of a tree. */
export interface DocumentSpaces {
  /** The one of `Transform2D`; its `keep` is its name. */
  readonly flat?: Transforms2D;
  /** The one of `Transform3D`. */
  readonly solid?: Transforms3D;
}

/** Options for opening a document. */
export interface DocumentOptions extends ReadOptions {
  /** For a scene in a running world: the history in which edits become steps. */
  readonly history?: UndoHistory;
  /** For a scene in a running world: its spaces, for moves that keep world transforms. Created for other scenes. */
  readonly spaces?: DocumentSpaces;
  /** Earlier edits that led to the source, such as those of a journal, or a function that returns them for the saved file. */
  readonly edits?: readonly Edit[] | ((file: SceneFile) => readonly Edit[]);
  /** Returns the file of a prefab's name, as in `prefabs`; the name itself if left out. */
  readonly prefabFile?: (name: string) => string;
}

/** A scene with the edits that were made to it. Created by `openSceneDocument`. */
export class SceneDocument {
  /** The scene, in a world of its own unless it was opened from a running one. */
  readonly scene: Scene;
  /** The format that it is read and written with. */
  readonly format: SceneFormat;
  /** @internal */
  readonly state: DocumentState;

  /** @internal Use `openSceneDocument()`. */
  constructor(scene: Scene, format: SceneFormat, state: DocumentState) {
    this.scene = scene;
    this.format = format;
    this.state = state;
  }

  /** Every edit, the first one first. */
  get edits(): readonly Edit[] {
    return this.state.edits;
  }

  /** The texts of changed prefab files that are not yet written, by file; `null` for one to delete. */
  get prefabFiles(): ReadonlyMap<string, string | null> {
    return this.state.prefabFiles;
  }
}

/** The state of a document. */
export interface DocumentState {
  readonly edits: Edit[];
  readonly history: UndoHistory | undefined;
  readonly spaces: DocumentSpaces;
  readonly reading: ReadOptions & { readonly prefabs: Prefabs };
  readonly prefabFile: (name: string) => string;
  readonly defaults: Defaults;
  prefabFiles: Map<string, string | null>;
  /** The scene file after the last edit. */
  file: SceneFile;
  /** Whether the world may change between edits. */
  readonly isShared: boolean;
}

/**
 * Opens a scene for verbs: a text or value in a world of its own, or a scene of a running world, which edits then change.
 *
 * @throws SceneError when the file is broken. VerbError `verbs/invalid-document` for anything that is not a scene.
 *
 * @example
 * ```ts
 * const format = createSceneFormat({ components: [] });
 * const document = openSceneDocument(format, `{ "entities": [{ "id": "tank", "name": "tank" }] }`);
 * runVerb(document, "rename", { entity: "tank", name: "Tiger" }).text; // → '~ /Tiger name: "tank" → "Tiger"\n'
 * document.edits[0].token; // → "edit-1"
 * ```
 */
export function openSceneDocument(
  format: SceneFormat,
  source: SceneSource,
  options: DocumentOptions = {},
): SceneDocument {
  if (!(format instanceof SceneFormat)) {
    throw refuse(
      `it takes a scene format, got ${describeValue(format)}. Pass what createSceneFormat() returned.`,
    );
  }
  if (typeof options !== "object" || options === null)
    throw refuse(`options are an object, got ${describeValue(options)}.`);
  const { history, spaces, edits = [], prefabFile = (name: string) => name, ...given } = options;
  if (!Array.isArray(edits) && typeof edits !== "function")
    throw refuse(`edits are an array, or a function that gives one, got ${describeValue(edits)}.`);
  const isShared = source instanceof Scene;
  const base = isShared ? { ...source.options, ...given } : given;
  const prefabFiles = new Map<string, string | null>();
  const reading = {
    ...base,
    prefabs: withChanged(base.prefabs ?? {}, base.file, prefabFile, () => state.prefabFiles),
  };
  let tree: Hierarchy | undefined;
  let own: DocumentSpaces = spaces ?? {};
  if (!isShared) {
    tree = createHierarchy(createWorld());
    own = spacesFor(tree, format);
  }
  const state: DocumentState = {
    edits: [],
    history,
    spaces: own,
    reading,
    prefabFile,
    defaults: defaultsOf(format),
    prefabFiles,
    file: { entities: [] },
    isShared,
  };
  const scene = isShared ? source : format.load(tree as Hierarchy, source, reading);
  state.file = scene.toFile();
  state.edits.push(...(typeof edits === "function" ? edits(state.file) : edits));
  return new SceneDocument(scene, format, state);
}

function refuse(why: string): VerbError {
  return new VerbError(`Cannot open a document: ${why}`, "verbs/invalid-document");
}

/** The spaces of the transforms that files may hold; created before the first entity has one. */
function spacesFor(tree: Hierarchy, format: SceneFormat): DocumentSpaces {
  const component = (format.component("Transform2D") ?? Transform2D) as typeof Transform2D;
  const solid = (format.component("Transform3D") ?? Transform3D) as typeof Transform3D;
  return {
    flat: createTransforms2D(tree, { component, name: "world" }),
    solid: createTransforms3D(tree, { component: solid, name: "space" }),
  };
}

/** Prefabs with texts changed by edits. */
function withChanged(
  given: Prefabs,
  sceneFile: string | undefined,
  prefabFile: (name: string) => string,
  changed: () => ReadonlyMap<string, string | null>,
): (name: string, from: string | undefined) => PrefabSource | undefined {
  const find = typeof given === "function" ? given : (name: string) => ownOf(given, name);
  return (name, from) => {
    const files = changed();
    if (files.size === 0) return find(name, from);
    if (from === undefined || from === sceneFile) {
      const file = prefabFile(name);
      const own = files.get(file);
      if (own !== undefined) return own === null ? undefined : { file, source: own };
    }
    const found = find(name, from);
    const { file = name } = Object(found) as { readonly file?: string };
    const text = files.get(file);
    return text === undefined ? found : text === null ? undefined : { file, source: text };
  };
}

/** The current scene as a file. Changes in a shared world since the last edit become an edit of their own. */
export function currentFile({ scene, state }: SceneDocument): SceneFile {
  if (!state.isShared) return state.file;
  const now = shareEntries(state.file, scene.toFile());
  if (!deepEqual(now, state.file)) {
    state.edits.push({
      token: nextToken(state.edits),
      steps: [{ verb: "outside" }],
      changes: compareFiles(state.file, now, state.defaults),
      delta: deltaOf(state.file, now),
    });
    state.file = now;
  }
  return now;
}

/** The token for the edit after these. */
export function nextToken(edits: readonly Edit[]): string {
  let last = 0;
  for (const { token } of edits) last = Math.max(last, Number(/^edit-(\d+)$/.exec(token)?.[1] ?? 0));
  return `edit-${last + 1}`;
}

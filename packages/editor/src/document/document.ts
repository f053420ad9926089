/**
 * A document: a world with its tree, the scene that is saved from it, its undo history and what is selected.
 *
 * Everything the editor shows comes from here, and everything it changes goes through `edit`. No part of it knows
 * the user interface.
 */
import type { AnyComponent, Entity, World } from "espalier";
import { createWorld } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { createHistory, type History } from "espalier/history";
import { activity, createInherited, visibility, zIndex } from "espalier/inherit";
import type { Prefabs, Scene, SceneFormat, SceneProblem } from "espalier/scene";
import { createTransforms2D, type Transforms2D } from "espalier/transform";
import { EditorLock, locking } from "./locked.ts";
import { Selection } from "./selection.ts";
import { StepMarks } from "./step-marks.ts";
import { UNKNOWN_TEXTURE } from "./texture-size.ts";

/** What a document is made over. All but the world is optional: what is missing is created. */
export interface LiveOptions {
  readonly world: World;
  readonly tree?: Hierarchy | undefined;
  readonly space?: Transforms2D | undefined;
  readonly history?: History | undefined;
  readonly format: SceneFormat;
  readonly title?: string | undefined;
}

export interface OpenOptions {
  readonly title?: string;
  /** The file it came from, as messages name it. */
  readonly file?: string;
  readonly prefabs?: Prefabs;
}

/** A change that the world reports; see `watch`. */
export type Listener = () => void;

/** An open scene: its world, tree, history and selection. */
export class EditorDocument {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
  readonly history: History;
  readonly format: SceneFormat;
  readonly visible: ReturnType<typeof visibleOf>;
  readonly active: ReturnType<typeof activeOf>;
  readonly depth: ReturnType<typeof depthOf>;
  readonly locked: ReturnType<typeof lockedOf>;
  readonly selection: Selection;
  readonly marks = new StepMarks();
  title: string;
  /** The file it was opened from and is saved to; nothing for a new or a live one. */
  file: string | undefined;
  prefabs: Prefabs = {};
  /** Nothing in a live document, which is not saved. */
  scene: Scene | undefined;
  /** What opening complained about. */
  problems: readonly SceneProblem[] = [];
  /** While the scene plays nothing is recorded: stop takes everything back. */
  isPlaying = false;
  /** Grows with every change that somebody may show. */
  revision = 0;
  /** Grows when entities come, go or move. */
  structure = 0;
  private readonly listeners = new Set<Listener>();
  private readonly ends: (() => void)[] = [];

  constructor(options: LiveOptions) {
    this.world = options.world;
    this.tree = options.tree ?? createHierarchy(this.world);
    this.space = options.space ?? createTransforms2D(this.tree, { onWarn: () => {} });
    this.format = options.format;
    this.title = options.title ?? "Untitled";
    this.visible = visibleOf(this.tree);
    this.active = activeOf(this.tree);
    this.depth = depthOf(this.tree);
    this.locked = lockedOf(this.tree);
    this.selection = new Selection(() => this.touch());
    // Only what happens in a step: playing, and a game that runs by itself, is not the user's to undo.
    this.history = options.history ?? createHistory(this.world, { implicit: false });
    this.ends.push(
      this.world.observeEntities({
        spawn: () => void this.structure++,
        destroy: () => void this.structure++,
      }),
      this.tree.onChildrenChanged(() => void this.structure++),
    );
  }

  /** Components that the user may add, by name. */
  get components(): readonly AnyComponent[] {
    return this.format.components.map((name) => this.format.component(name) as AnyComponent);
  }

  // Telling ------------------------------------------------------------------------------------------------------------

  subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Says that something changed. */
  touch(): void {
    this.revision++;
    for (const listener of [...this.listeners]) listener();
  }

  // Undo ---------------------------------------------------------------------------------------------------------------

  undo(): boolean {
    if (this.isPlaying || !this.history.undo()) return false;
    this.marks.undid();
    this.settle();
    return true;
  }

  redo(): boolean {
    if (this.isPlaying || !this.history.redo()) return false;
    this.marks.redid();
    this.settle();
    return true;
  }

  /** Undoes or redoes until so many steps can be undone. */
  jumpTo(count: number): void {
    let at = this.history.undoLabels.length;
    for (; at > count; at--) if (!this.undo()) return;
    for (; at < count; at++) if (!this.redo()) return;
  }

  get isDirty(): boolean {
    return this.marks.isDirty;
  }

  /** After the world changed: forgets what is gone and tells the listeners. */
  settle(): void {
    this.selection.prune((entity) => this.world.isAlive(entity));
    this.touch();
  }

  // Files --------------------------------------------------------------------------------------------------------------

  /**
   * The scene as text. Roots that were made in the editor become part of the scene.
   * @throws SceneError
   */
  save(): string {
    const { scene } = this;
    if (scene === undefined) return this.format.save(this.tree);
    for (const root of this.tree.roots()) if (scene.idOf(root) === undefined) scene.add(root);
    return scene.save();
  }

  /** What to call an entity: its name, its id in the file, or its number. */
  label(entity: Entity): string {
    return this.tree.nameOf(entity) ?? this.scene?.idOf(entity) ?? this.tree.label(entity);
  }

  isOwnLocked(entity: Entity): boolean {
    return this.world.has(entity, EditorLock);
  }

  /** How large a texture is; the viewport knows once it is loaded. */
  textureSize: (texture: string) => { readonly width: number; readonly height: number } = () => ({
    width: UNKNOWN_TEXTURE,
    height: UNKNOWN_TEXTURE,
  });

  /** Ends everything that listens to the world; the world itself lives on. */
  close(): void {
    for (const end of this.ends) end();
    this.listeners.clear();
  }
}

const visibleOf = (tree: Hierarchy) => createInherited(tree, visibility);
const activeOf = (tree: Hierarchy) => createInherited(tree, activity);
const depthOf = (tree: Hierarchy) => createInherited(tree, zIndex);
const lockedOf = (tree: Hierarchy) => createInherited(tree, locking);

/**
 * Opens a scene in a world of its own, without generated code: the page that shows it may forbid that. What is wrong with it is in `problems`; whatever is
 * sound is loaded.
 */
export function openDocument(format: SceneFormat, text: string, options: OpenOptions = {}): EditorDocument {
  const document = new EditorDocument({
    world: createWorld({ generate: false }),
    format,
    title: options.title,
  });
  const { file, prefabs = {} } = options;
  const reading = file === undefined ? { prefabs } : { prefabs, file };
  document.scene = format.load(document.tree, text, { ...reading, lenient: true, unknown: "keep" });
  document.problems = document.scene.problems;
  document.file = file;
  document.prefabs = prefabs;
  document.history.clear();
  return document;
}

/**
 * A document: a world with its tree, the scene that is saved from it, its undo history and what is selected.
 *
 * Everything the editor shows comes from here, and everything it changes goes through `edit`. No part of it knows
 * the user interface.
 */
import type { AnyComponent, Entity, World } from "espalier";
import { createWorld } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { createHistory, type UndoHistory, type UndoStack } from "espalier/history";
import { activity, createInherited, visibility, zIndex } from "espalier/inherit";
import {
  type Instance,
  instanceOf,
  type Prefabs,
  type Scene,
  type SceneFormat,
  type SceneProblem,
  saveInSlices,
} from "espalier/scene";
import {
  createTransforms2D,
  createTransforms3D,
  type Transforms2D,
  type Transforms3D,
} from "espalier/transform";
import { type Translate, translator } from "../texts.ts";
import type { CutOut } from "./cut-out.ts";
import { type Effective, effectiveOnDemand } from "./effective.ts";
import { type FileOrigin, noOrigin } from "./file-origin.ts";
import { EditorLock, locking } from "./locked.ts";
import { Selection } from "./selection.ts";
import { SharedEffects, type StepEffect } from "./shared-effects.ts";
import type { TextStyle } from "./space/text-style.ts";
import { UNKNOWN_TEXTURE } from "./space/texture-size.ts";
import { StepMarks } from "./step-marks.ts";
import { FieldSchemas } from "./values/field-schemas.ts";

/** What a document is created from. All but the world is optional: what is missing is created. */
export interface LiveOptions {
  readonly world: World;
  readonly tree?: Hierarchy | undefined;
  readonly space?: Transforms2D | undefined;
  readonly history?: UndoStack | undefined;
  readonly format: SceneFormat;
  readonly title?: string | undefined;
  /** Whether the world is the editor's own: inherited values are then stored, not computed on each read. */
  readonly isOwn?: boolean;
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
  /** The world of the scene. */
  readonly world: World;
  /** The tree of the scene. */
  readonly tree: Hierarchy;
  /** The transforms of the scene. */
  readonly space: Transforms2D;
  /** The transforms in 3D of the scene; nothing in a live document, whose game has its own. */
  readonly space3D: Transforms3D | undefined;
  /** What undo and redo go through. */
  history: UndoStack;
  /** The components that the scene may hold. */
  readonly format: SceneFormat;
  /** Whether entities are visible, with their ancestors taken into account. */
  readonly visible: Effective<boolean>;
  /** Whether entities are active, with their ancestors taken into account. */
  readonly active: Effective<boolean>;
  /** The effective z of entities. */
  readonly depth: Effective<number>;
  /** Whether entities are locked against edits, with their ancestors taken into account. */
  readonly locked: Effective<boolean>;
  /** The selected entities. */
  readonly selection: Selection;
  /** Which steps the saved and the current state belong to. */
  readonly marks = new StepMarks();
  /** Components that the user may add, sorted by their names in files. Kept as a list, because every row asks for it. */
  readonly components: readonly AnyComponent[];
  /** The schemas of object fields. */
  readonly schemas: FieldSchemas;
  /** Texts for steps of the history and for refusals. The app replaces it by its own. */
  t: Translate = translator();
  /** The name that is shown, usually that of the file. */
  title: string;
  /** The file it was opened from and is saved to; `undefined` for a new or a live document. */
  file: string | undefined;
  /** The state of its file when it was last read or written. */
  origin: FileOrigin = noOrigin;
  /** What was last cut out of it. */
  cutOut: CutOut | undefined;
  /** The prefabs that the scene may use, by name. */
  prefabs: Prefabs = {};
  /** `undefined` in a live document, which is not saved. */
  scene: Scene | undefined;
  /** The problems found when it was opened. */
  problems: readonly SceneProblem[] = [];
  /** Whether others edit the scene too: undo then reverts only the user's own edits. */
  isShared = false;
  /** Whether the scene plays. Nothing is recorded then: stopping restores everything. */
  isPlaying = false;
  /** Incremented whenever the scene, or a prefab of it, is read again from another text. */
  rereads = 0;
  /** Incremented with every change that may be visible. */
  revision = 0;
  private readonly listeners = new Set<Listener>();
  /** Effects of steps outside of the world, by the mark of the state that the step led to. */
  private readonly effects = new Map<number, StepEffect>();
  private readonly sharedEffects = new SharedEffects();
  /** The history, if it was created here. */
  private ownHistory: UndoHistory | undefined;

  constructor(options: LiveOptions) {
    this.world = options.world;
    this.tree = options.tree ?? createHierarchy(this.world);
    this.space = options.space ?? createTransforms2D(this.tree);
    // Before anything is loaded, because a space stores the values of its component.
    this.space3D = options.isOwn === true ? createTransforms3D(this.tree, { name: "space" }) : undefined;
    this.format = options.format;
    this.components = this.format.components.map((name) => this.format.component(name) as AnyComponent);
    this.schemas = new FieldSchemas(options.format);
    this.title = options.title ?? this.t("app.untitled");
    const { tree } = this;
    const isOwn = options.isOwn === true;
    this.visible = isOwn ? createInherited(tree, visibility) : effectiveOnDemand(tree, visibility);
    this.active = isOwn ? createInherited(tree, activity) : effectiveOnDemand(tree, activity);
    this.depth = isOwn ? createInherited(tree, zIndex) : effectiveOnDemand(tree, zIndex);
    this.locked = isOwn ? createInherited(tree, locking) : effectiveOnDemand(tree, locking);
    this.selection = new Selection(
      () => this.touch(),
      (entity) => this.world.isAlive(entity),
    );
    // Records only steps: what playing or a live game changes is not for the user to undo.
    this.history = options.history ?? this.createOwnHistory();
  }

  private createOwnHistory(): UndoHistory {
    this.ownHistory = createHistory(this.world, { implicit: false });
    return this.ownHistory;
  }

  /** Changes when entities are added, removed or moved. Read from the world, without a listener. */
  get structure(): string {
    return `${this.world.version} ${this.tree.version}`;
  }

  // Notifying ------------------------------------------------------------------------------------------------------------

  /** Calls `listener` after every change. Returns the function that removes it. */
  subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Notifies the listeners of a change. */
  touch(): void {
    this.revision++;
    for (const listener of [...this.listeners]) listener();
  }

  // Undo ---------------------------------------------------------------------------------------------------------------

  /** Undoes a step. `false` when there is none, or while the scene plays. */
  undo(): boolean {
    const { current } = this.marks;
    if (this.isPlaying) return false;
    if (this.isShared) return this.replayShared(() => this.history.undo());
    if (!this.history.undo()) return false;
    this.marks.undid();
    if (this.effects.has(current)) this.rereads++;
    this.effects.get(current)?.undo();
    this.settle();
    return true;
  }

  /** Redoes a step. `false` when there is none, or while the scene plays. */
  redo(): boolean {
    if (this.isPlaying) return false;
    if (this.isShared) return this.replayShared(() => this.history.redo());
    if (!this.history.redo()) return false;
    this.marks.redid();
    if (this.effects.has(this.marks.current)) this.rereads++;
    this.effects.get(this.marks.current)?.redo();
    this.settle();
    return true;
  }

  /** Makes the last step also undo and redo something outside of the world, such as the text of a prefab. */
  alsoUndo(effect: StepEffect): void {
    if (this.isShared) this.sharedEffects.add(this.history.undoLabels.length, effect);
    else this.effects.set(this.marks.current, effect);
  }

  private replayShared(replay: () => boolean): boolean {
    const before = this.history.undoLabels.length;
    if (!replay()) return false;
    if (this.sharedEffects.moved(before, this.history.undoLabels.length)) this.rereads++;
    return this.changedTogether();
  }

  /** Called when a step was recorded. */
  noteStep(): void {
    const { length } = this.history.undoLabels;
    if (this.isShared) {
      this.marks.moved();
      this.sharedEffects.edited(length);
    } else this.marks.edited(length);
  }

  /** Undoes or redoes until `count` steps can be undone. */
  jumpTo(count: number): void {
    while (this.history.undoLabels.length > count) if (!this.undo()) return;
    while (this.history.undoLabels.length < count) if (!this.redo()) return;
  }

  /** Starts editing together with others: undo then uses `steps`, which contains only the user's own steps. */
  share(steps: UndoStack): void {
    this.ownHistory?.close();
    this.ownHistory = undefined;
    this.history = steps;
    this.isShared = true;
  }

  /** Ends editing together; the scene stays as it is. */
  endSharing(): void {
    this.history = this.createOwnHistory();
    this.marks.restart();
    this.sharedEffects.clear();
    this.isShared = false;
    this.settle();
  }

  /** The change may have come from others, so undoing own steps may not lead back to the saved state. */
  changedTogether(): true {
    this.marks.moved();
    this.settle();
    return true;
  }

  /** Whether the present state differs from the saved one. */
  get isDirty(): boolean {
    return this.marks.isDirty;
  }

  /** Called after the world changed: deselects destroyed entities and notifies the listeners. */
  settle(): void {
    this.selection.prune();
    this.touch();
  }

  // Files --------------------------------------------------------------------------------------------------------------

  /**
   * The scene as text. Roots that were created in the editor become part of the scene.
   * @throws SceneError
   */
  save(): string {
    this.addRoots();
    return this.scene?.save() ?? this.format.save(this.tree);
  }

  /**
   * The same in slices, for a large scene: yields the fraction that is done. An edit between two slices invalidates it.
   * @throws SceneError
   */
  *saving(): Generator<number, string> {
    this.addRoots();
    const { scene } = this;
    return scene === undefined ? this.format.save(this.tree) : yield* saveInSlices(scene);
  }

  /** Adds roots that were created here to the scene. */
  addRoots(): void {
    const { scene } = this;
    if (scene === undefined) return;
    for (const root of this.tree.roots()) if (scene.idOf(root) === undefined) scene.add(root);
  }

  /** The label of an entity: its name, its id in the file, or its number. */
  label(entity: Entity): string {
    return this.tree.nameOf(entity) ?? this.scene?.idOf(entity) ?? this.tree.label(entity);
  }

  /** The prefab instance whose root the entity is, or that it is inside of. */
  instanceOf(entity: Entity): Instance | undefined {
    return instanceOf(this.tree, entity);
  }

  /** The label of several entities: the name of one, or their number. */
  labelAll(entities: readonly Entity[]): string {
    if (entities.length === 1) return this.label(entities[0] as Entity);
    return this.t("status.entities", { count: entities.length });
  }

  /** Whether the entity itself is locked, whatever its parents are. */
  isOwnLocked(entity: Entity): boolean {
    return this.world.has(entity, EditorLock);
  }

  /** The size of a texture; replaced by the viewport, which knows it once it is loaded. */
  textureSize: (texture: string) => { readonly width: number; readonly height: number } = () => ({
    width: UNKNOWN_TEXTURE,
    height: UNKNOWN_TEXTURE,
  });

  /** The width of a line of text, in units of its entity; replaced by the viewport, which can measure it. */
  textWidth: (line: string, style: TextStyle) => number = (line, { size }) => line.length * size * 0.55;

  /** Ends all notifications and forgets its steps; the world itself remains, and may get another history. */
  close(): void {
    if (!this.world.isDisposed) this.ownHistory?.close();
    this.listeners.clear();
  }
}

/**
 * Opens a scene in a world of its own, without generated code: the page may forbid that. What is wrong
 * with it is in `problems`; whatever is valid is loaded.
 */
export function openDocument(format: SceneFormat, text: string, options: OpenOptions = {}): EditorDocument {
  const document = new EditorDocument({
    world: createWorld({ generate: false }),
    format,
    title: options.title,
    isOwn: true,
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

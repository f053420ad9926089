/**
 * The editor as a program, without its user interface: the document that is open, what the user has chosen, messages.
 */
import type { AnyComponent, Entity, Schedule } from "espalier";
import { type CanvasTextures, createCanvasTextures } from "espalier/canvas";
import type { SceneProblem } from "espalier/scene";
import type { EventLog } from "../devtool/event-log.ts";
import type { LiveControl, Watch } from "../devtool/watch.ts";
import { type EditorDocument, openDocument } from "../document/document.ts";
import { createEditorFormat } from "../document/format.ts";
import { type Rows, rowsOf } from "../document/tree/rows.ts";
import { type Found, search } from "../document/tree/search.ts";
import type { FileStore, Project } from "../files/project.ts";
import type { RecoveryStore } from "../files/recovery.ts";
import type { PlaySession } from "../play/play-session.ts";
import type { PlaySetup } from "../play/play-setup.ts";
import { type Translate, translator } from "../texts.ts";
import type { ViewportCamera } from "../viewport/viewport-camera.ts";
import { loadSettings, type Settings, storeSettings } from "./settings.ts";

/** A short message to the user. */
export interface Message {
  readonly id: number;
  readonly kind: "info" | "error";
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** A place that the user is asked to pick an entity for. */
export interface Picking {
  readonly done: (entity: Entity) => void;
}

/** Where a file is: on the server of the editor, or behind a handle of the browser. */
export interface FileOrigin {
  readonly path: string | undefined;
  readonly version: string | undefined;
  readonly handle: FileSystemFileHandle | undefined;
}

/** A game that can be held. */
export interface Pausable {
  /** Whether time stands still. */
  readonly isPaused: boolean;
  /** Lets time stand still. */
  pause(): void;
  /** Lets time go on. */
  resume(): void;
  /** Runs one frame while paused. */
  step(): void;
}

/** What pauses: a structural event, or a change of the component of that name. */
export interface Breakpoints {
  readonly structure: boolean;
  readonly component: string;
}

/** What a live world is shown in, each brought up to date by itself: rows of the tree, values of the selection, the activity. */
export type LivePart = "rows" | "values" | "activity";

export type Overlay = "none" | "palette" | "help" | "welcome";

/** Draws the fields of one component in its own way; returns a function that ends it. */
export type Widget = (place: HTMLElement, context: WidgetContext) => () => void;

/** What a widget of the inspector is given. */
export interface WidgetContext {
  /** What is open. */
  readonly document: EditorDocument;
  /** The selected entities. */
  readonly entities: readonly Entity[];
  /** The component whose fields are drawn. */
  readonly component: AnyComponent;
}

export interface AppOptions {
  readonly components?: readonly AnyComponent[];
  readonly widgets?: { readonly [component: string]: Widget };
  readonly files?: FileStore;
  /** A document over a world that runs by itself. */
  readonly live?: EditorDocument;
  readonly t?: Translate;
  /** What runs while a scene plays. */
  readonly play?: PlaySetup;
}

/** How often panels are brought up to date while a scene plays, in milliseconds. */
const WHILE_PLAYING = 80;

/** Changes that follow each other closer than this, in milliseconds, are told in every other frame: a drag, for one. */
const IN_A_ROW = 24;

/** The editor: its documents, panels, commands and texts. */
export class App {
  /** The texts of the editor, by key. */
  readonly t: Translate;
  /** Inputs of your own, by component. */
  widgets: { readonly [component: string]: Widget };
  /** Where scenes are read from and saved to. */
  readonly files: FileStore | undefined;
  /** Components of the project, beside those of the library. */
  components: readonly AnyComponent[];
  /** What is open. */
  document: EditorDocument;
  /** What the user has chosen: theme, snapping, panels. */
  settings: Settings = loadSettings();
  /** What is shown at the edge, such as errors. */
  messages: readonly Message[] = [];
  /** The dialog that is open. */
  overlay: Overlay = "none";
  /** Who waits for an entity to be picked. */
  picking: Picking | undefined;
  /** The scene while it plays. */
  play: PlaySession | undefined;
  /** Follows what changes, while the scene plays or the world is live. */
  watch: Watch | undefined;
  /** Of a live world, while the editor is open. */
  live: LiveControl | undefined;
  /** The entities whose rows are on the screen. */
  rowsOnScreen: readonly Entity[] = [];
  /** Structural events of a live world are logged: on request, because the game then reports every entity. */
  isRecording = false;
  /** Whether the changes of the next frame of a live world are to be listed. */
  isCaptureWanted = false;
  /** A live world is drawn in the viewport only on request: its game shows it anyway. */
  isViewportShown: boolean;
  /** Structural events, while they are logged. */
  log: EventLog | undefined;
  /** How the viewport looks at the scene. */
  viewport: { readonly camera: ViewportCamera; readonly isReady: boolean } | undefined;
  /** The images of the project, by name. */
  readonly textures: CanvasTextures = createCanvasTextures();
  /** What the validator said last; nothing before it was asked. */
  problems: readonly SceneProblem[] | undefined;
  /** How many entities there were in the last frames. */
  counts: readonly number[] = [];
  /** What pauses the game. */
  breakpoints: Breakpoints = { structure: false, component: "" };
  /** How a live game is paused, when it can be. */
  pausable: Pausable | undefined;
  /** The schedule whose timings are shown, of a live world or of play. */
  liveSchedule: Schedule | undefined;
  /** The files of the project. */
  project: Project = { scenes: [], prefabs: {}, images: [] };
  /** Whether it looks at a world that runs by itself. */
  readonly isLive: boolean;
  /** What runs while a scene plays. */
  playSetup: PlaySetup;
  /** The engine of the scene is being loaded. */
  isStarting = false;
  /** Where the document came from, for saving it there. */
  origin: FileOrigin = { path: undefined, version: undefined, handle: undefined };
  /** Where unsaved work is kept. */
  recovery: RecoveryStore | undefined;
  /** Ends when the files of prefabs are written. */
  writing: Promise<void> = Promise.resolve();
  /** Documents that are open behind this one: a scene whose prefab is edited. */
  readonly behind: EditorDocument[] = [];
  /** What the tree is searched for. */
  searchText = "";
  /** Grows with every change; see `subscribe`. */
  revision = 0;
  /** Asks the viewport to show something: grows with each wish. */
  fitWish: { readonly count: number; readonly what: "selection" | "all" } = { count: 0, what: "all" };
  private expanded = new Set<Entity>();
  private readonly listeners = new Set<() => void>();
  private readonly liveListeners = {
    rows: new Set<() => void>(),
    values: new Set<() => void>(),
    activity: new Set<() => void>(),
  };
  /** Grow with each part of a live world that is brought up to date. */
  readonly pulses = { rows: 0, values: 0, activity: 0 };
  private endDocument: () => void;
  private scheduled = false;
  private told = 0;
  private nextMessage = 1;
  private cachedRows: { key: string; rows: Rows; found: Found | undefined } | undefined;

  constructor(options: AppOptions = {}) {
    this.t = options.t ?? translator();
    this.widgets = options.widgets ?? {};
    this.files = options.files;
    this.components = options.components ?? [];
    this.playSetup = options.play ?? {};
    this.isLive = options.live !== undefined;
    this.isViewportShown = !this.isLive;
    this.document = options.live ?? openDocument(createEditorFormat(this.components), `{ "entities": [] }`);
    this.document.t = this.t;
    this.endDocument = this.document.subscribe(() => this.changed());
  }

  // Telling ------------------------------------------------------------------------------------------------------------

  /** Calls `listener` after every change. Gives the function that ends it. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /**
   * Says that something changed. Listeners are notified once per frame; while an input of the page is being handled
   * at once, because a field must show what was typed before its handler ends.
   */
  changed(): void {
    const during = (globalThis as { event?: Event }).event?.type ?? "";
    const isInput = during === "input" || during === "change" || during === "click";
    if (this.scheduled && !isInput) return;
    this.scheduled = true;
    const tell = () => {
      if (!this.scheduled) return;
      this.scheduled = false;
      this.told = performance.now();
      this.revision++;
      for (const listener of [...this.listeners]) listener();
    };
    if (isInput) {
      tell();
      return;
    }
    // What plays changes in every frame, which the viewport draws by itself; panels are for reading.
    const since = performance.now() - this.told;
    const wait = this.play?.state === "playing" ? WHILE_PLAYING - since : 0;
    // A hidden page gets no frames, and must still be told.
    if (wait > 0) setTimeout(tell, wait);
    else if (typeof requestAnimationFrame === "undefined" || globalThis.document?.hidden === true)
      setTimeout(tell);
    else if (since < IN_A_ROW) requestAnimationFrame(() => requestAnimationFrame(tell));
    else requestAnimationFrame(tell);
  }

  /** Hears of one part of a live world. */
  readonly subscribeTo: { readonly [part in LivePart]: (listener: () => void) => () => void } = {
    rows: (listener) => added(this.liveListeners.rows, listener),
    values: (listener) => added(this.liveListeners.values, listener),
    activity: (listener) => added(this.liveListeners.activity, listener),
  };

  /** Says that one part of a live world changed; notifies only what shows it. */
  pulse(part: LivePart): void {
    this.pulses[part]++;
    for (const listener of [...this.liveListeners[part]]) listener();
  }

  /** Shows another document in the same way: its entities have the same handles. */
  swap(document: EditorDocument): void {
    this.endDocument();
    this.document = document;
    document.t = this.t;
    this.endDocument = document.subscribe(() => this.changed());
    this.cachedRows = undefined;
    this.picking = undefined;
    this.changed();
  }

  /** Shows another document. */
  show(document: EditorDocument): void {
    this.problems = undefined;
    this.expanded = new Set([...document.tree.roots()].filter((root) => document.tree.childCount(root) > 0));
    this.searchText = "";
    // Last, because it may tell at once.
    this.swap(document);
    this.fit("all");
  }

  /** Shows a message. */
  say(text: string, kind: "info" | "error" = "info", action?: Message["action"]): void {
    const message: Message = {
      id: this.nextMessage++,
      kind,
      text,
      ...(action === undefined ? {} : { action }),
    };
    // What is said again takes the place of what was said.
    const others = this.messages.filter((one) => one.text !== text);
    this.messages = [...others.slice(-4), message];
    this.changed();
  }

  /** Takes a message away. */
  dismiss(id: number): void {
    this.messages = this.messages.filter((message) => message.id !== id);
    this.changed();
  }

  /** Runs something and shows the user when it is refused. */
  attempt<Result>(run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), "error");
      return undefined;
    }
  }

  /** Turns a file that was dropped into the text of a scene. `.tscn` and glTF go through the server of the command line. */
  async importFile(file: File): Promise<string | undefined> {
    if (/\.jsonc?$/.test(file.name)) return await file.text();
    const importer = this.files?.import;
    if (importer === undefined) {
      this.say(this.t("file.importNeedsServer"), "error");
      return undefined;
    }
    try {
      return await importer(file);
    } catch (error) {
      this.say((error as Error).message, "error");
      return undefined;
    }
  }

  /** Runs an action by its id; see `actions.ts`, which gives it. */
  run: (id: string) => void = () => {};

  /** The schedule whose timings are shown. */
  get schedule(): Schedule | undefined {
    return this.play?.schedule ?? this.liveSchedule;
  }

  /** Changes what pauses the game. */
  setBreakpoints(breakpoints: Breakpoints): void {
    this.breakpoints = breakpoints;
    this.changed();
  }

  /** The documents that are open, the outermost first. What plays is a copy that is never saved. */
  get openDocuments(): readonly EditorDocument[] {
    return [...this.behind, this.play?.edited ?? this.document];
  }

  /** Something would be lost. */
  get isUnsaved(): boolean {
    return !this.isLive && this.openDocuments.some(({ isDirty }) => isDirty);
  }

  // Choices ------------------------------------------------------------------------------------------------------------

  /** Changes settings, and keeps them. */
  set(change: Partial<Settings>): void {
    this.settings = { ...this.settings, ...change };
    storeSettings(this.settings);
    this.changed();
  }

  /** Opens a dialog. */
  open(overlay: Overlay): void {
    this.overlay = overlay;
    this.changed();
  }

  /** Shows the selection, or everything, in the viewport. */
  fit(what: "selection" | "all"): void {
    this.fitWish = { count: this.fitWish.count + 1, what };
    this.changed();
  }

  /** Waits for an entity to be picked in the tree or the viewport; `undefined` ends it. */
  pick(done: Picking["done"] | undefined): void {
    this.picking = done === undefined ? undefined : { done };
    this.changed();
  }

  // The tree as it is shown --------------------------------------------------------------------------------------------

  /** Whether the children of an entity are listed. */
  isExpanded(entity: Entity): boolean {
    return this.expanded.has(entity);
  }

  /** Lists the children of entities, or hides them. */
  setExpanded(entities: Iterable<Entity>, isOpen: boolean): void {
    for (const entity of entities) {
      if (isOpen) this.expanded.add(entity);
      else this.expanded.delete(entity);
    }
    this.cachedRows = undefined;
    this.changed();
  }

  /** Lists everything. */
  expandAll(): void {
    const { tree, world } = this.document;
    this.expanded = new Set(world.entities().filter((entity) => tree.firstChild(entity) !== null));
    this.cachedRows = undefined;
    this.changed();
  }

  /** Lists the roots only. */
  collapseAll(): void {
    this.expanded = new Set();
    this.cachedRows = undefined;
    this.changed();
  }

  /** Shows the entities that fit a search. */
  searchFor(text: string): void {
    this.searchText = text;
    this.cachedRows = undefined;
    this.changed();
  }

  /** Opens everything above an entity, so that its row is there. */
  reveal(entity: Entity): void {
    const { tree } = this.document;
    const above = [...tree.ancestors(entity)].filter((up) => !this.expanded.has(up));
    if (above.length > 0) this.setExpanded(above, true);
  }

  /** What the tree panel shows. Computed again only when the tree, what is open or the search changed. */
  get shown(): { readonly rows: Rows; readonly found: Found | undefined } {
    const { document, searchText } = this;
    const key = `${document.structure} ${searchText} ${searchText === "" ? "" : document.revision}`;
    if (this.cachedRows?.key === key) return this.cachedRows;
    const found = search(document, searchText);
    const rows = rowsOf(document.tree, {
      isExpanded: found === undefined ? (entity) => this.expanded.has(entity) : () => true,
      shown: found?.shown,
    });
    this.cachedRows = { key, rows, found };
    return this.cachedRows;
  }
}

function added(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The editor as a program, without its user interface: the document that is open, what the user has chosen, messages.
 */
import type { AnyComponent, Entity } from "espalier";
import type { ChangeWatch } from "../devtool/change-watch.ts";
import type { EventLog } from "../devtool/event-log.ts";
import { type EditorDocument, openDocument } from "../document/document.ts";
import { createEditorFormat } from "../document/format.ts";
import { type Rows, rowsOf } from "../document/rows.ts";
import { type Found, search } from "../document/search.ts";
import type { FileStore, Project } from "../files/project.ts";
import type { RecoveryStore } from "../files/recovery.ts";
import type { PlaySession, PlaySetup } from "../play/play-session.ts";
import { loadSettings, type Settings, storeSettings } from "./settings.ts";
import { type Translate, translator } from "./texts.ts";

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

export type Overlay = "none" | "palette" | "help" | "welcome";

/** Draws the fields of one component in its own way; returns a function that ends it. */
export type Widget = (place: HTMLElement, context: WidgetContext) => () => void;

export interface WidgetContext {
  readonly document: EditorDocument;
  readonly entities: readonly Entity[];
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
  readonly play?: readonly PlaySetup[];
}

export class App {
  readonly t: Translate;
  readonly widgets: { readonly [component: string]: Widget };
  readonly files: FileStore | undefined;
  components: readonly AnyComponent[];
  document: EditorDocument;
  settings: Settings = loadSettings();
  messages: readonly Message[] = [];
  overlay: Overlay = "none";
  picking: Picking | undefined;
  play: PlaySession | undefined;
  /** Follows what changes, while the scene plays or the world is live. */
  watch: ChangeWatch | undefined;
  log: EventLog | undefined;
  project: Project = { scenes: [], prefabs: {}, images: [] };
  readonly isLive: boolean;
  readonly playSetups: readonly PlaySetup[];
  /** Where the document came from, for saving it there. */
  origin: FileOrigin = { path: undefined, version: undefined, handle: undefined };
  recovery: RecoveryStore | undefined;
  /** Documents that are open behind this one: a scene whose prefab is edited. */
  readonly behind: EditorDocument[] = [];
  searchText = "";
  /** Grows with every change; see `subscribe`. */
  revision = 0;
  /** Asks the viewport to show something: grows with each wish. */
  fitWish: { readonly count: number; readonly what: "selection" | "all" } = { count: 0, what: "all" };
  private expanded = new Set<Entity>();
  private readonly listeners = new Set<() => void>();
  private endDocument: () => void;
  private scheduled = false;
  private nextMessage = 1;
  private cachedRows: { key: string; rows: Rows; found: Found | undefined } | undefined;

  constructor(options: AppOptions = {}) {
    this.t = options.t ?? translator();
    this.widgets = options.widgets ?? {};
    this.files = options.files;
    this.components = options.components ?? [];
    this.playSetups = options.play ?? [];
    this.isLive = options.live !== undefined;
    this.document = options.live ?? openDocument(createEditorFormat(this.components), `{ "entities": [] }`);
    this.endDocument = this.document.subscribe(() => this.changed());
  }

  // Telling ------------------------------------------------------------------------------------------------------------

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Says that something changed. Listeners hear of it once per frame. */
  changed(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const tell = () => {
      if (!this.scheduled) return;
      this.scheduled = false;
      this.revision++;
      for (const listener of [...this.listeners]) listener();
    };
    // A hidden page gets no frames, and must still be told.
    if (typeof requestAnimationFrame === "undefined" || globalThis.document?.hidden === true)
      setTimeout(tell);
    else requestAnimationFrame(tell);
  }

  /** Shows another document. */
  show(document: EditorDocument): void {
    this.endDocument();
    this.document = document;
    this.endDocument = document.subscribe(() => this.changed());
    this.expanded = new Set([...document.tree.roots()].filter((root) => document.tree.childCount(root) > 0));
    this.searchText = "";
    this.cachedRows = undefined;
    this.picking = undefined;
    this.fit("all");
  }

  say(text: string, kind: "info" | "error" = "info", action?: Message["action"]): void {
    const message: Message = {
      id: this.nextMessage++,
      kind,
      text,
      ...(action === undefined ? {} : { action }),
    };
    this.messages = [...this.messages.slice(-4), message];
    this.changed();
  }

  dismiss(id: number): void {
    this.messages = this.messages.filter((message) => message.id !== id);
    this.changed();
  }

  /** Runs something and tells the user when it is refused. */
  attempt<Result>(run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), "error");
      return undefined;
    }
  }

  // Choices ------------------------------------------------------------------------------------------------------------

  set(change: Partial<Settings>): void {
    this.settings = { ...this.settings, ...change };
    storeSettings(this.settings);
    this.changed();
  }

  open(overlay: Overlay): void {
    this.overlay = overlay;
    this.changed();
  }

  fit(what: "selection" | "all"): void {
    this.fitWish = { count: this.fitWish.count + 1, what };
    this.changed();
  }

  pick(done: Picking["done"] | undefined): void {
    this.picking = done === undefined ? undefined : { done };
    this.changed();
  }

  // The tree as it is shown --------------------------------------------------------------------------------------------

  isExpanded(entity: Entity): boolean {
    return this.expanded.has(entity);
  }

  setExpanded(entities: Iterable<Entity>, isOpen: boolean): void {
    for (const entity of entities) {
      if (isOpen) this.expanded.add(entity);
      else this.expanded.delete(entity);
    }
    this.cachedRows = undefined;
    this.changed();
  }

  expandAll(): void {
    const { tree, world } = this.document;
    this.expanded = new Set(world.entities().filter((entity) => tree.firstChild(entity) !== null));
    this.cachedRows = undefined;
    this.changed();
  }

  collapseAll(): void {
    this.expanded = new Set();
    this.cachedRows = undefined;
    this.changed();
  }

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

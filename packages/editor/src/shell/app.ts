/**
 * The editor as a program, without its user interface: the open documents, how they are viewed, the running world,
 * and the messages, each a part of its own.
 */

import type { AnyBundle, AnyComponent, Entity, Schedule } from "espalier";
import { type CanvasTextures, createCanvasTextures } from "espalier/canvas";
import { LiveSession } from "../devtool/live-session.ts";
import { type EditorDocument, openDocument } from "../document/document.ts";
import { DocumentSet } from "../document/document-set.ts";
import { createEditorFormat } from "../document/format.ts";
import { EditList } from "../edits/edit-list.ts";
import type { FileStore, Project } from "../files/project.ts";
import type { PlaySetup } from "../play/play-setup.ts";
import type { Sharing } from "../share/sharing.ts";
import { type Translate, translator } from "../texts.ts";
import type { LoadPixi } from "../viewport/open-scene-canvas.ts";
import { ChangeSignal } from "./change-signal.ts";
import { Notifications } from "./notifications.ts";
import { ViewState } from "./view-state.ts";

/** Draws the fields of one component in its own way; returns a function that removes it. */
export type Widget = (host: HTMLElement, context: WidgetContext) => () => void;

/** The context of a widget in the inspector. */
export interface WidgetContext {
  /** The open document. */
  readonly document: EditorDocument;
  /** The selected entities. */
  readonly entities: readonly Entity[];
  /** The component whose fields are drawn. */
  readonly component: AnyComponent;
}

export interface AppOptions {
  readonly components?: readonly AnyComponent[];
  readonly bundles?: readonly AnyBundle[];
  readonly widgets?: { readonly [component: string]: Widget };
  readonly files?: FileStore;
  /** A document over a live world. */
  readonly live?: EditorDocument;
  readonly t?: Translate;
  /** What runs while a scene plays. */
  readonly play?: PlaySetup;
  /** Draws the viewport instead of the 2D canvas. */
  readonly loadPixi?: LoadPixi;
}

/** The editor: its documents, its view, its messages, and what the project gives it. */
export class App {
  /** The texts of the editor, by key. */
  readonly t: Translate;
  /** The document is a world that runs by itself. */
  readonly isLive: boolean;
  /** Notifies the user interface of changes. */
  readonly signal: ChangeSignal;
  /** Messages to the user. */
  readonly notes: Notifications;
  /** The documents that are open. */
  readonly documents: DocumentSet;
  /** What the user has chosen to see. */
  readonly view: ViewState;
  /** What is followed of a world while it runs. */
  readonly live: LiveSession;
  /** What people and programs did to the file that is open. */
  readonly edits: EditList;
  /** The people that edit the same scene; nothing when the server was not started for that. */
  sharing: Sharing | undefined;
  /** The files of the project, when the page comes from a server. */
  readonly files: FileStore | undefined;
  /** Images by name. */
  readonly textures: CanvasTextures = createCanvasTextures();
  /** Draws the viewport instead of the 2D canvas. */
  readonly loadPixi: LoadPixi | undefined;
  /** The files around the scene. */
  project: Project = { scenes: [], prefabs: {}, images: [] };
  /** Components of the project, beside those of the library. */
  components: readonly AnyComponent[];
  /** Bundles of the project. */
  bundles: readonly AnyBundle[];
  /** Own inputs by component. */
  widgets: { readonly [component: string]: Widget };
  /** What runs while a scene plays. */
  playSetup: PlaySetup;

  constructor(options: AppOptions = {}) {
    this.t = options.t ?? translator();
    this.widgets = options.widgets ?? {};
    this.files = options.files;
    this.loadPixi = options.loadPixi;
    this.components = options.components ?? [];
    this.bundles = options.bundles ?? [];
    this.playSetup = options.play ?? {};
    this.isLive = options.live !== undefined;
    this.signal = new ChangeSignal(() => this.documents.play?.state === "playing");
    const changed = () => this.signal.changed();
    const first = options.live ?? openDocument(createEditorFormat(this.components), `{ "entities": [] }`);
    this.documents = new DocumentSet(first, this.t, changed, !this.isLive);
    this.view = new ViewState(() => this.document, changed, !this.isLive);
    this.live = new LiveSession(changed);
    this.notes = new Notifications(changed);
    this.edits = new EditList(this.files?.edits, () => this.documents.outermost, changed);
  }

  /** The document in front. */
  get document(): EditorDocument {
    return this.documents.current;
  }

  /** Reports that something changed; see `ChangeSignal`. */
  changed(): void {
    this.signal.changed();
  }

  /** Runs an action by its id; see `actions.ts`, which gives it. */
  run: (id: string) => void = () => {};

  /** The schedule whose timings are shown, of what plays or of a live world. */
  get schedule(): Schedule | undefined {
    return this.documents.play?.schedule ?? this.live.schedule;
  }

  /** Shows another document in the same way: its entities have the same handles. */
  swap(document: EditorDocument): void {
    this.documents.show(document);
    this.view.forgetRows();
    this.changed();
  }

  /** Shows another document. */
  show(document: EditorDocument): void {
    this.documents.problems = undefined;
    this.documents.show(document);
    this.view.startOver();
  }

  /** Turns a file that was dropped into the text of a scene. `.tscn` and glTF go through the server of the command line. */
  async importFile(file: File): Promise<string | undefined> {
    if (/\.jsonc?$/.test(file.name)) return await file.text();
    const importer = this.files?.import;
    if (importer === undefined) {
      this.notes.say(this.t("file.importNeedsServer"), "error");
      return undefined;
    }
    try {
      return await importer(file);
    } catch (error) {
      this.notes.fail(error);
      return undefined;
    }
  }
}

/**
 * The scene in front, edited together with everyone else who opens it from the same server. Independent of the user interface.
 */
import type { Entity } from "espalier";
import type { EditorDocument } from "../document/document.ts";
import { plainMessage } from "../document/plain-message.ts";
import type { Notifications } from "../shell/notifications.ts";
import type { Translate } from "../texts.ts";
import type { OtherUser, SharedSession, ShareService } from "./collab.ts";
import { roomOf } from "./room-of.ts";
import { markSaved, takeBase } from "./take-base.ts";

/**
 * The state of joining: `"off"` without a file to share, `"asking"` for a name, `"joining"`, `"failed"` or `"shared"`. A session
 * that ended by itself is off.
 */
export type SharingState = "off" | "asking" | "joining" | "failed" | "shared";

/** Milliseconds between two pointer positions sent to others. */
const POINTER = 50;

/**
 * The content of a file and the edits before it was written arrive separately: for this many milliseconds after the content,
 * a late edit may still make the scene equal to the file.
 */
const LATE = 5000;
/** Milliseconds without an edit of others before this is checked. */
const PAUSE = 200;

const none: readonly OtherUser[] = [];

/** What a session needs from the editor. */
export interface SharingHost {
  readonly t: Translate;
  readonly notes: Notifications;
  /** The name that others see; empty while it is unknown. */
  readonly name: () => string;
  /** Opens a file of the project, after asking if that would lose something. */
  readonly open: (path: string) => void;
  readonly changed: () => void;
}

export class Sharing {
  state: SharingState = "off";
  /** Why joining was refused. */
  reason = "";
  /** The other people who edit the scene. */
  others: readonly OtherUser[] = none;
  /** Who has an entity selected. */
  selectedBy: ReadonlyMap<Entity, readonly OtherUser[]> = new Map();
  private readonly host: SharingHost;
  private readonly service: ShareService;
  private document: EditorDocument | undefined;
  private session: SharedSession | undefined;
  private edits = 0;
  private selected: readonly Entity[] = [];
  private pointer: OtherUser["cursor"] = null;
  private pointerTimer: ReturnType<typeof setTimeout> | undefined;
  private baseTaken = Number.NEGATIVE_INFINITY;
  private baseTimer: ReturnType<typeof setTimeout> | undefined;
  private ends: (() => void)[] = [];
  /** Resolves when the last session has been released. */
  private left: Promise<void> = Promise.resolve();
  private waiting: (() => void)[] = [];

  constructor(host: SharingHost, service: ShareService) {
    this.host = host;
    this.service = service;
    service.onBase((path) => {
      if (path === this.document?.origin.path) void this.followBase();
    });
  }

  /** Whether others edit this document too. */
  isShared(document: EditorDocument): boolean {
    return this.state === "shared" && this.document === document;
  }

  /** Whether the scene is about to be replaced by the shared one: edits made now would be lost. */
  get isJoining(): boolean {
    return this.state === "asking" || this.state === "joining" || this.state === "failed";
  }

  /** The connection to the others. */
  get status(): SharedSession["status"] {
    return this.session?.status ?? "offline";
  }

  /** Merges that broke a rule. */
  get problems(): SharedSession["problems"] {
    return this.session?.problems ?? [];
  }

  /** Resolves when joining has ended, whether it succeeded or failed. */
  settled(): Promise<void> {
    if (this.state !== "asking" && this.state !== "joining") return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Edits a document together with all who opened the same file. Leaves the previous session. A document without a file is not shared. */
  async join(document: EditorDocument): Promise<void> {
    this.leave();
    if (document.origin.path === undefined) return;
    this.document = document;
    if (this.host.name() === "") this.become("asking");
    else await this.connect();
  }

  /** Continues once there is a name, or tries again. */
  async connect(): Promise<void> {
    const { document, service, host } = this;
    const path = document?.origin.path;
    if (document?.scene === undefined || path === undefined) return;
    this.become("joining");
    try {
      const { joinScene } = await service.load();
      // Two sessions in one scene would take each other's changes for edits.
      await this.left;
      if (this.document !== document) return;
      document.addRoots();
      const session = await joinScene(document.scene, {
        format: document.format,
        prefabs: document.prefabs,
        // As the document was read: prefabs are resolved from its file, and may contain parts unknown to this page.
        file: document.file ?? path,
        unknown: "keep",
        url: service.url,
        token: service.token,
        room: await roomOf(path),
        user: { name: host.name() },
      });
      if (this.document === document) await this.begin(document, session);
      else {
        void session.leave();
        document.changedTogether();
      }
    } catch (error) {
      if (this.document !== document) return;
      // Joining succeeded, but agreeing on the content of the file failed.
      if (this.session !== undefined) {
        this.leave();
        this.document = document;
      }
      this.reason = plainMessage((error as Error).message);
      this.become("failed");
    }
  }

  /** Continues alone. Has no effect while joining: the scene is about to be replaced by the shared one. */
  stayAlone(): void {
    if (this.state === "joining") return;
    this.document = undefined;
    this.become("off");
  }

  /** Leaves the room: the scene stays as it is. */
  leave(): void {
    const { session, document } = this;
    this.end();
    if (session !== undefined) this.giveBack(session);
    if (document?.isShared === true) document.endSharing();
  }

  /** The room that a file is written for, so that its other members recognise it. */
  beginningOf(document: EditorDocument): string | undefined {
    return this.document === document ? this.session?.beginning : undefined;
  }

  /** Sends the position of the pointer to the others. */
  pointAt(point: OtherUser["cursor"]): void {
    this.pointer = point;
    if (this.session === undefined) return;
    this.pointerTimer ??= setTimeout(() => {
      this.pointerTimer = undefined;
      this.session?.setPresence({ cursor: this.pointer });
    }, POINTER);
  }

  /** Notifies the others that the file now holds the state of the document. */
  async noteFile(document: EditorDocument): Promise<void> {
    const { session, service } = this;
    const { path, text, version } = document.origin;
    if (session === undefined || this.document !== document || path === undefined || text === undefined)
      return;
    await service.setBase(path, session.beginning, { text, version });
  }

  private async begin(document: EditorDocument, session: SharedSession): Promise<void> {
    document.share(session.undo);
    this.session = session;
    this.edits = session.edits;
    this.ends = [session.onChange(() => this.update()), document.subscribe(() => this.showSelection())];
    if (session.isBeginner) await this.noteFile(document);
    else await this.followBase();
    if (this.session !== session) return;
    this.become("shared");
    document.settle();
    this.update();
  }

  /** Takes over the base that the others agreed on. */
  async followBase(): Promise<void> {
    const { document, session, service } = this;
    const path = document?.origin.path;
    if (document === undefined || session === undefined || path === undefined) return;
    const base = await service.base(path, session.beginning).catch(() => undefined);
    if (this.session !== session) return;
    takeBase(document, base);
    this.baseTaken = Date.now();
    this.host.changed();
  }

  /** The last edit contained in the file may have arrived after it. */
  private lookAtBase(document: EditorDocument): void {
    clearTimeout(this.baseTimer);
    if (Date.now() - this.baseTaken > LATE) return;
    this.baseTimer = setTimeout(() => {
      if (this.document !== document || !document.isDirty) return;
      markSaved(document);
      this.host.changed();
    }, PAUSE);
  }

  private update(): void {
    const { session, document, host } = this;
    if (session === undefined || document === undefined) return;
    if (session.failure !== undefined) {
      const reason = plainMessage(session.failure.message);
      const { path } = document.origin;
      this.end();
      this.giveBack(session);
      document.endSharing();
      host.notes.say(host.t("share.ended", { reason }), "error", {
        label: host.t("share.rejoin"),
        run: () => path !== undefined && host.open(path),
      });
      return;
    }
    this.follow(session.others);
    if (session.edits !== this.edits) {
      this.edits = session.edits;
      document.changedTogether();
      this.lookAtBase(document);
    }
    host.changed();
  }

  private follow(others: readonly OtherUser[]): void {
    const { notes, t } = this.host;
    const before = new Set(this.others.map(({ id }) => id));
    const now = new Set(others.map(({ id }) => id));
    for (const { id, name } of others) if (!before.has(id)) notes.say(t("share.came", { name }));
    for (const { id, name } of this.others) if (!now.has(id)) notes.say(t("share.left", { name }));
    this.others = others;
    const selectedBy = new Map<Entity, OtherUser[]>();
    for (const other of others) {
      for (const entity of other.selection) {
        const list = selectedBy.get(entity);
        if (list === undefined) selectedBy.set(entity, [other]);
        else list.push(other);
      }
    }
    this.selectedBy = selectedBy;
  }

  private showSelection(): void {
    const { entities } = (this.document as EditorDocument).selection;
    if (
      entities.length === this.selected.length &&
      entities.every((entity, k) => entity === this.selected[k])
    ) {
      return;
    }
    this.selected = [...entities];
    this.session?.setPresence({ selection: this.selected });
  }

  private giveBack(session: SharedSession): void {
    this.left = session.leave().catch((error: unknown) => this.host.notes.fail(error));
  }

  private end(): void {
    clearTimeout(this.baseTimer);
    clearTimeout(this.pointerTimer);
    this.pointerTimer = undefined;
    for (const end of this.ends) end();
    this.ends = [];
    this.session = undefined;
    this.document = undefined;
    this.selected = [];
    this.others = none;
    this.selectedBy = new Map();
    this.become("off");
  }

  private become(state: SharingState): void {
    this.state = state;
    if (state !== "asking" && state !== "joining") for (const done of this.waiting.splice(0)) done();
    this.host.changed();
  }
}

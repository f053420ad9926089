/**
 * What is followed in a live world, only while it is visible or a breakpoint needs it: change marks for what is on the
 * screen, the log of events, one frame of changes on request.
 */
import type { AnyComponent, Entity } from "espalier";
import type { App } from "../shell/app.ts";
import { ChangeBreakpoint, type Hit } from "./breakpoint.ts";
import { ChangeMarks } from "./change-marks.ts";
import { ChangeWatch } from "./change-watch.ts";
import { EventLog } from "./event-log.ts";
import type { Breakpoints } from "./live-session.ts";
import type { ChangeEntry, LiveControl, Watch } from "./watch.ts";

export class LiveWatch implements Watch, LiveControl {
  entries: readonly ChangeEntry[] = [];
  count = 0;
  private readonly app: App;
  private readonly rows: ChangeMarks;
  private readonly selected: ChangeMarks;
  private capturing: ChangeWatch | undefined;
  private broken: ChangeBreakpoint | undefined;

  constructor(app: App) {
    this.app = app;
    this.rows = new ChangeMarks(app.document);
    this.selected = new ChangeMarks(app.document);
  }

  /** Compares the entities of the rows on the screen. Returns whether a mark changed. */
  lookAtRows(): boolean {
    return this.rows.look(this.app.live.rowsOnScreen);
  }

  lookAtSelection(): void {
    this.selected.look(this.app.document.selection.entities.slice(-20));
  }

  wasChanged(entity: Entity): boolean {
    return this.rows.wasChanged(entity);
  }

  wasFieldChanged(entities: readonly Entity[], component: AnyComponent, field: string): boolean {
    return this.selected.wasFieldChanged(entities, component, field);
  }

  /** Whether `tick` must be called in every frame, because something needs it or did until now. */
  get needsFrames(): boolean {
    const { breakpoints, isRecording, log } = this.app.live;
    const isWanted = breakpoints.structure || breakpoints.component !== "" || isRecording;
    return isWanted || log !== undefined || this.broken !== undefined || this.capturing !== undefined;
  }

  /** Once per frame. Returns the change that hit a breakpoint. */
  tick(): Hit | undefined {
    const { live } = this.app;
    this.followEvents(live.breakpoints.structure || live.isRecording);
    this.followBreakpoints(live.breakpoints);
    live.log?.read();
    return this.broken?.take();
  }

  /** Lists everything that `during` changes. */
  capture(during: () => void): void {
    const watch = new ChangeWatch(this.app.document.world);
    try {
      during();
    } finally {
      this.take(watch);
    }
  }

  /** Lists everything that changes from now until `endCapture`, a frame later. */
  beginCapture(): void {
    this.capturing ??= new ChangeWatch(this.app.document.world);
  }

  /** Returns whether a capture was running. */
  endCapture(): boolean {
    if (this.capturing === undefined) return false;
    this.take(this.capturing);
    this.capturing = undefined;
    return true;
  }

  close(): void {
    this.endCapture();
    this.followEvents(false);
    this.followBreakpoints({ structure: false, component: "" });
  }

  private take(watch: ChangeWatch): void {
    watch.update();
    this.entries = watch.entries;
    this.count = watch.count;
    watch.close();
  }

  private followEvents(isWanted: boolean): void {
    const { app } = this;
    if (isWanted === (app.live.log !== undefined)) return;
    app.live.log?.close();
    app.live.log = isWanted ? new EventLog(app.document) : undefined;
  }

  private followBreakpoints(wanted: Breakpoints): void {
    if (wanted === this.broken?.wanted) return;
    this.broken?.close();
    const isWanted = wanted.structure || wanted.component !== "";
    const { app } = this;
    const running = () => ({
      schedule: app.schedule,
      behaviour: app.live.pausable?.runningBehaviour,
    });
    this.broken = isWanted ? new ChangeBreakpoint(app.document, wanted, running) : undefined;
  }
}

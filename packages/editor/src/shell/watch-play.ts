/**
 * While a scene plays: follows what changes, keeps a log, counts entities, and stops at breakpoints.
 */
import { ChangeWatch } from "../devtool/change-watch.ts";
import { EventLog } from "../devtool/event-log.ts";
import type { App } from "./app.ts";

const MOST_COUNTS = 300;

/** Looks once per frame. Returns a function that ends it. */
export function watchPlay(app: App): () => void {
  let frame = 0;
  let followed: object | undefined;
  let lastCount = 0;
  let watch: ChangeWatch | undefined;
  const tick = () => {
    frame = requestAnimationFrame(tick);
    const { play } = app;
    if (play !== followed) {
      watch?.close();
      app.log?.close();
      watch = undefined;
      app.log = undefined;
      followed = play;
      if (play !== undefined) {
        watch = new ChangeWatch(play.document.world);
        app.log = new EventLog(play.document);
        app.counts = [];
        lastCount = 0;
      }
      app.watch = watch;
    }
    if (play === undefined || play.state !== "playing") return;
    app.log?.read();
    watch?.update();
    app.counts = [...app.counts.slice(1 - MOST_COUNTS), play.document.world.count];
    const { structure, component } = app.breakpoints;
    const hasEvent = structure && (app.log?.count ?? 0) > lastCount;
    const hasChange = component !== "" && (watch?.hasChanged(component) ?? false);
    lastCount = app.log?.count ?? 0;
    if (hasEvent || hasChange) play.pause();
    app.changed();
  };
  frame = requestAnimationFrame(tick);
  return () => {
    cancelAnimationFrame(frame);
    watch?.close();
    app.log?.close();
  };
}

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
    const { play } = app.documents;
    if (play !== followed) {
      watch?.close();
      app.live.log?.close();
      watch = undefined;
      app.live.log = undefined;
      followed = play;
      if (play !== undefined) {
        watch = new ChangeWatch(play.document.world);
        app.live.log = new EventLog(play.document);
        app.live.counts = [];
        lastCount = 0;
      }
      app.live.watch = watch;
    }
    if (play === undefined || play.state !== "playing") return;
    app.live.log?.read();
    watch?.update();
    app.live.counts = [...app.live.counts.slice(1 - MOST_COUNTS), play.document.world.count];
    const { structure, component } = app.live.breakpoints;
    const hasEvent = structure && (app.live.log?.count ?? 0) > lastCount;
    const hasChange = component !== "" && (watch?.hasChanged(component) ?? false);
    lastCount = app.live.log?.count ?? 0;
    if (hasEvent || hasChange) play.pause();
    app.changed();
  };
  frame = requestAnimationFrame(tick);
  return () => {
    cancelAnimationFrame(frame);
    watch?.close();
    app.live.log?.close();
  };
}

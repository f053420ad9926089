/**
 * While a scene plays: follows what changes, keeps a log, counts entities, and stops at breakpoints.
 */
import { ChangeBreakpoint } from "../devtool/breakpoint.ts";
import { ChangeWatch } from "../devtool/change-watch.ts";
import { EventLog } from "../devtool/event-log.ts";
import { sayHit } from "../devtool/say-hit.ts";
import type { App } from "./app.ts";

const MOST_COUNTS = 300;

/** Checks once per frame. Returns a function that ends it. */
export function watchPlay(app: App): () => void {
  let frame = 0;
  let followed: object | undefined;
  let broken: ChangeBreakpoint | undefined;
  let watch: ChangeWatch | undefined;
  const tick = () => {
    frame = requestAnimationFrame(tick);
    const { play } = app.documents;
    if (play !== followed) {
      watch?.close();
      broken?.close();
      app.live.log?.close();
      watch = undefined;
      broken = undefined;
      app.live.log = undefined;
      followed = play;
      if (play !== undefined) {
        watch = new ChangeWatch(play.document.world);
        app.live.log = new EventLog(play.document);
        app.live.counts = [];
      }
      app.live.watch = watch;
    }
    const { breakpoints } = app.live;
    if (play === undefined || breakpoints !== broken?.wanted) {
      broken?.close();
      broken =
        play === undefined
          ? undefined
          : new ChangeBreakpoint(play.document, breakpoints, () => ({
              schedule: play.schedule,
              behaviour: play.game.runningBehaviour,
            }));
    }
    // Changes by the user while it is paused hit no breakpoint.
    const hit = broken?.take();
    if (play === undefined || play.state !== "playing") return;
    app.live.log?.read();
    watch?.update();
    app.live.counts = [...app.live.counts.slice(1 - MOST_COUNTS), play.document.world.count];
    if (hit !== undefined) {
      play.pause();
      sayHit(app, hit);
    }
    app.changed();
  };
  frame = requestAnimationFrame(tick);
  return () => {
    cancelAnimationFrame(frame);
    watch?.close();
    broken?.close();
    app.live.log?.close();
  };
}

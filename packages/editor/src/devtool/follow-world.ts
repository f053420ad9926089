/**
 * Brings what is shown of a live world up to date, as often as it can be afforded.
 *
 * A game does not wait for its tool: each part has a share of the time, and one that costs more is shown less often.
 */
import type { App } from "../shell/app.ts";
import { LiveWatch } from "./live-watch.ts";
import { Pace } from "./pace.ts";

const MOST_COUNTS = 300;

/**
 * Follows the world of the app until `end`.
 *
 * @param draw - Calls back and has what was changed drawn before it returns, so that its time can be taken.
 */
export function followWorld(app: App, draw: (change: () => void) => void): { end(): void } {
  const { document } = app;
  const watch = new LiveWatch(app);
  app.watch = watch;
  app.live = watch;
  const rows = new Pace(100, 0.001);
  const values = new Pace(125, 0.001);
  const activity = new Pace(250, 0.0005);
  let frame = 0;
  let structure = "";
  let wasPaused = false;
  let count = 0;
  const tick = (now: number) => {
    frame = requestAnimationFrame(tick);
    count++;
    if (watch.endCapture()) app.changed();
    if (app.isCaptureWanted) {
      app.isCaptureWanted = false;
      watch.beginCapture();
    }
    const isMet = watch.tick();
    const { pausable } = app;
    if (isMet && pausable !== undefined && !pausable.isPaused) pausable.pause();
    const isPaused = pausable?.isPaused ?? false;
    if (isPaused !== wasPaused) {
      wasPaused = isPaused;
      for (const pace of [rows, values, activity]) pace.hurry();
      document.settle();
    }
    // One part in a frame: together they would be felt.
    if (count % 3 === 0 && rows.isDue(now)) {
      rows.run(now, () => {
        if (document.selection.prune((entity) => document.world.isAlive(entity))) document.touch();
        const isOther = watch.lookAtRows();
        const next = document.structure;
        if (!isOther && next === structure) return;
        structure = next;
        draw(() => app.pulse("rows"));
      });
    } else if (count % 3 === 1 && values.isDue(now)) {
      if (document.selection.size === 0) return;
      values.run(now, () => {
        watch.lookAtSelection();
        draw(() => app.pulse("values"));
      });
    } else if (count % 3 === 2 && activity.isDue(now)) {
      activity.run(now, () => {
        app.counts = [...app.counts.slice(1 - MOST_COUNTS), document.world.count];
        draw(() => app.pulse("activity"));
      });
    }
  };
  frame = requestAnimationFrame(tick);
  return {
    end() {
      cancelAnimationFrame(frame);
      watch.close();
      app.watch = undefined;
      app.live = undefined;
    },
  };
}

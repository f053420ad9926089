/**
 * Updates what is shown of a live world, as often as its budget allows.
 *
 * A game does not wait for its tool: updates have a share of the time, and happen less often when they cost more. All
 * parts are updated together, because most of the browser's work is the same for one change as for all: it layers, paints and
 * hit-tests the page once. Between updates no frame does any work, unless a log, a breakpoint or a list of changes
 * needs every frame.
 */
import type { App } from "../shell/app.ts";
import { FrameCost, type FrameKind } from "./frame-cost.ts";
import { LiveWatch } from "./live-watch.ts";
import { Pace } from "./pace.ts";
import { sayHit } from "./say-hit.ts";

const MOST_COUNTS = 300;
/** Milliseconds between two updates: people cannot read faster. */
const LOOK = 100;
/** Milliseconds until a game that paused by itself is noticed. */
const SEE_PAUSE = 300;

/**
 * Follows the world of the app until `end`.
 *
 * @param draw - Calls `change` and draws the result before it returns, so that its time can be measured.
 */
export function followWorld(app: App, draw: (change: () => void) => void): { end(): void } {
  const { document } = app;
  const watch = new LiveWatch(app);
  app.live.watch = watch;
  app.live.control = watch;
  // The shares assume a game whose frame takes little over a millisecond, and a tool that takes less than a tenth of that.
  const values = new Pace(LOOK, 0.0015);
  const rest = new Pace(LOOK, 0.001, 2500);
  const cost = new FrameCost();
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let structure = "";
  let wasPaused = false;
  const nextPace = () => (document.selection.size > 0 ? values : rest);
  const showValues = () => {
    watch.lookAtSelection();
    draw(() => app.live.pulse("values"));
  };
  const showRest = () => {
    if (document.selection.prune()) document.touch();
    const areOther = watch.lookAtRows() || document.structure !== structure;
    structure = document.structure;
    app.live.counts = [...app.live.counts.slice(1 - MOST_COUNTS), document.world.count];
    draw(() => {
      if (areOther) app.live.pulse("rows");
      app.live.pulse("activity");
    });
  };
  const show = (now: number): FrameKind => {
    const isSelected = document.selection.size > 0;
    // The rest waits for the next update of values.
    if (!nextPace().isDue(now)) return "quiet";
    if (isSelected) values.run(now, showValues, cost.more("values", "quiet"));
    if (!rest.isDue(now)) return "values";
    rest.run(now, showRest, cost.more("more", isSelected ? "values" : "quiet"));
    return "more";
  };
  const look = () => {
    const isPaused = app.live.pausable?.isPaused ?? false;
    if (isPaused !== wasPaused) {
      wasPaused = isPaused;
      for (const pace of [values, rest]) pace.hurry();
      document.settle();
    }
    const now = performance.now();
    try {
      cost.measure(show(now), now);
    } finally {
      // Not at a fixed rate: a timer that finds nothing to do is not free.
      clearTimeout(timer);
      timer = setTimeout(look, Math.min(SEE_PAUSE, Math.max(LOOK, nextPace().wait(now))));
    }
  };
  const tick = () => {
    frame = 0;
    if (watch.endCapture()) app.changed();
    if (app.live.isCaptureWanted) {
      app.live.isCaptureWanted = false;
      watch.beginCapture();
    }
    const { pausable } = app.live;
    const hit = watch.tick();
    if (hit !== undefined && pausable !== undefined && !pausable.isPaused) {
      pausable.pause();
      sayHit(app, hit);
      look();
    }
    followFrames();
  };
  const followFrames = () => {
    if (frame !== 0 || !(app.live.isCaptureWanted || watch.needsFrames)) return;
    frame = requestAnimationFrame(tick);
  };
  const endChanges = app.signal.subscribe(followFrames);
  look();
  return {
    end() {
      endChanges();
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      cost.end();
      watch.close();
      app.live.watch = undefined;
      app.live.control = undefined;
    },
  };
}

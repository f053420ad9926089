/**
 * Play, pause, step and stop, and the loop that keeps it going.
 */
import { PlaySession, type PlaySetup } from "../play/play-session.ts";
import { sampleSystems } from "../samples/sample-systems.ts";
import type { Action } from "./actions-type.ts";
import type { App } from "./app.ts";

/** What runs in every scene: the systems of the samples. A game of one's own gives its own through `mountEditor`. */
const setups: PlaySetup[] = [sampleSystems];

export function startPlay(app: App): void {
  if (app.play !== undefined || app.isLive) return;
  const session = new PlaySession(app.document, app.playSetups.length > 0 ? app.playSetups : setups);
  app.play = session;
  let last = performance.now();
  const frame = (now: number) => {
    if (app.play !== session) return;
    const dt = Math.min(0.1, Math.max(0, (now - last) / 1000));
    last = now;
    try {
      session.tick(dt);
    } catch (error) {
      app.say(error instanceof Error ? error.message : String(error), "error");
      session.pause();
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  app.changed();
}

export function stopPlay(app: App, keep = false): void {
  const session = app.play;
  if (session === undefined) return;
  app.play = undefined;
  app.attempt(() => session.stop(keep));
  app.changed();
}

const isPlaying = ({ play }: App) => play !== undefined;

export const playActions: readonly Action[] = [
  {
    id: "play",
    title: "Play or pause",
    group: "Play",
    shortcut: "Space",
    isEnabled: (app) => !app.isLive,
    run: (app) => {
      if (app.play === undefined) startPlay(app);
      else if (app.play.state === "playing") app.play.pause();
      else app.play.resume();
    },
  },
  {
    id: "step",
    title: "Step one frame",
    group: "Play",
    shortcut: ".",
    isEnabled: isPlaying,
    run: (app) => app.attempt(() => app.play?.step()),
  },
  {
    id: "stop",
    title: "Stop",
    group: "Play",
    shortcut: "Shift+Space",
    isEnabled: isPlaying,
    run: (app) => stopPlay(app),
  },
  {
    id: "stop-keep",
    title: "Stop and keep changes",
    group: "Play",
    isEnabled: isPlaying,
    run: (app) => stopPlay(app, true),
  },
];

/**
 * Play, pause, step and stop, and the loop that keeps it going.
 */
import { startPlaying } from "../../play/play-session.ts";
import type { App } from "../app.ts";
import type { Action } from "./actions-type.ts";

/** Starts to play what is open. It takes a moment when the scene has bodies, whose engine is loaded. */
export async function startPlay(app: App): Promise<void> {
  if (app.play !== undefined || app.isLive || app.isStarting) return;
  const { document } = app;
  app.isStarting = true;
  const fail = (error: unknown) => {
    app.say(error instanceof Error ? error.message : String(error), "error");
    app.play?.pause();
  };
  const session = await startPlaying(document, {
    setup: app.playSetup,
    yUp: app.settings.yUp,
    onError: fail,
  }).catch(fail);
  app.isStarting = false;
  if (session === undefined) return;
  if (app.document !== document) {
    // Another scene was opened meanwhile.
    session.stop();
    return;
  }
  app.play = session;
  app.swap(session.document);
  let last = performance.now();
  const frame = (now: number) => {
    if (app.play !== session) return;
    const dt = Math.min(0.1, Math.max(0, (now - last) / 1000));
    last = now;
    try {
      session.tick(dt);
    } catch (error) {
      fail(error);
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
  app.swap(session.edited);
  app.changed();
}

const isPlaying = ({ play }: App) => play !== undefined;

export const playActions: readonly Action[] = [
  {
    id: "play",
    group: "Play",
    // Not Space: held, it pans the viewport, and in the tree it selects.
    shortcut: "Mod+Enter",
    isEnabled: (app) => !app.isLive,
    run: (app) => {
      if (app.play === undefined) void startPlay(app);
      else if (app.play.state === "playing") app.play.pause();
      else app.play.resume();
    },
  },
  {
    id: "step",
    group: "Play",
    shortcut: ".",
    isEnabled: isPlaying,
    run: (app) => app.attempt(() => app.play?.step()),
  },
  {
    id: "stop",
    group: "Play",
    shortcut: "Mod+Shift+Enter",
    isEnabled: isPlaying,
    run: (app) => stopPlay(app),
  },
  {
    id: "stop-keep",
    group: "Play",
    isEnabled: isPlaying,
    run: (app) => stopPlay(app, true),
  },
];

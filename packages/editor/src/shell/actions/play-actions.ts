/**
 * Play, pause, step and stop, and the loop that keeps it going.
 */
import { startPlaying } from "../../play/play-session.ts";
import type { App } from "../app.ts";
import type { Action } from "./actions-type.ts";

/** Starts to play the open document. It takes a moment when the scene has bodies, because their engine is loaded. */
export async function startPlay(app: App): Promise<void> {
  if (app.documents.play !== undefined || app.isLive || app.documents.isStarting) return;
  const { document } = app;
  app.documents.isStarting = true;
  const fail = (error: unknown) => {
    app.notes.say(error instanceof Error ? error.message : String(error), "error");
    app.documents.play?.pause();
  };
  const session = await startPlaying(document, {
    setup: app.playSetup,
    yUp: app.view.settings.yUp,
    onError: fail,
  }).catch(fail);
  app.documents.isStarting = false;
  if (session === undefined) return;
  if (app.document !== document) {
    // Another scene was opened meanwhile.
    session.stop();
    return;
  }
  app.documents.play = session;
  app.swap(session.document);
  let last = performance.now();
  const frame = (now: number) => {
    if (app.documents.play !== session) return;
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
  const session = app.documents.play;
  if (session === undefined) return;
  app.documents.play = undefined;
  app.notes.attempt(() => session.stop(keep));
  app.swap(session.edited);
  app.changed();
}

const isPlaying = ({ documents }: App) => documents.play !== undefined;

export const playActions: readonly Action[] = [
  {
    id: "play",
    group: "Play",
    // Not Space: held, it pans the viewport, and in the tree it selects.
    shortcut: "Mod+Enter",
    isEnabled: (app) => !app.isLive,
    run: (app) => {
      if (app.documents.play === undefined) void startPlay(app);
      else if (app.documents.play.state === "playing") app.documents.play.pause();
      else app.documents.play.resume();
    },
  },
  {
    id: "step",
    group: "Play",
    shortcut: ".",
    isEnabled: isPlaying,
    run: (app) => app.notes.attempt(() => app.documents.play?.step()),
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
    whyNot: (app) =>
      app.sharing?.isShared(app.documents.outermost) === true ? app.t("share.noKeep") : undefined,
    run: (app) => stopPlay(app, true),
  },
];

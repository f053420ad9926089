/**
 * Starts the editor as a page: with the project of the server that serves it, or with the samples.
 */
import type { AnyBundle, AnyComponent } from "espalier";
import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { broadcastChannel, type SocketLike, socketChannel } from "./devtool/channel.ts";
import { followWorld } from "./devtool/follow-world.ts";
import { watchWorld } from "./devtool/watch-world.ts";
import { componentsIn } from "./document/bundles.ts";
import { componentFrom } from "./document/described-components.ts";
import { createEditorFormat } from "./document/format.ts";
import { startAutosave } from "./files/autosave.ts";
import { loadOwnModule } from "./files/own-module.ts";
import { RecoveryStore } from "./files/recovery.ts";
import { loadImages } from "./files/refresh-project.ts";
import { serverStore } from "./files/server-store.ts";
import { componentOf } from "./play/play-session.ts";
import type { PlaySetup } from "./play/play-setup.ts";
import { sampleBehaviours, sampleComponents } from "./samples/sample-components.ts";
import { openSample, samples } from "./samples/samples.ts";
import { actions } from "./shell/actions/actions.ts";
import { changedOnDisk, openFromProject, openText } from "./shell/actions/file-actions.ts";
import { offerRecovery } from "./shell/actions/recovery-actions.ts";
import { App, type Widget } from "./shell/app.ts";
import { EditorView } from "./shell/editor-view.tsx";
import { startSharing } from "./shell/start-sharing.ts";
import { watchPlay } from "./shell/watch-play.ts";
import { translator } from "./texts.ts";
import type { LoadPixi } from "./viewport/open-scene-canvas.ts";

/** What a project provides for the editor: its components, the setup of Play, its widgets. */
export interface StartOptions {
  /** Components of the project, besides those of its behaviours. */
  readonly components?: readonly AnyComponent[];
  /** Bundles of the project, which the user can add by name in the inspector. Their components need not be listed. */
  readonly bundles?: readonly AnyBundle[];
  /** What runs while a scene plays. */
  readonly play?: PlaySetup;
  /** Own inputs by component. */
  readonly widgets?: { readonly [component: string]: Widget };
  /** `() => import("@espalier/editor/pixi")` draws the viewport with PixiJS, which is faster: with the 2D canvas if left out. */
  readonly loadPixi?: LoadPixi;
}

/**
 * Fills the element with the editor. Without options it knows the components of the samples, and those that the server describes
 * for a project; with them, a page of the project provides its own components, behaviours and systems for Play.
 */
export async function startEditor(host: HTMLElement, options: StartOptions = {}): Promise<App> {
  const watched = new URLSearchParams(location.search).get("watch");
  if (watched !== null) return await startWatching(host, watched, options.loadPixi);
  const files = serverStore();
  const play = { behaviours: sampleBehaviours, ...options.play };
  const { bundles = [] } = options;
  const given = [options.components, options.bundles, options.play?.behaviours];
  const isOwn = given.some((list) => list !== undefined);
  const behaviours = (options.play?.behaviours ?? []).map(componentOf);
  const own = [...(options.components ?? []), ...behaviours, ...componentsIn(bundles)];
  const components = isOwn ? [...new Set(own)] : sampleComponents;
  const { widgets = {}, loadPixi } = options;
  const app = new App({
    components,
    bundles,
    play,
    widgets,
    ...(loadPixi === undefined ? {} : { loadPixi }),
    ...(files === undefined ? {} : { files }),
  });
  app.run = (id) => actions.find((action) => action.id === id)?.run(app);
  (globalThis as { espalierEditor?: App }).espalierEditor = app;
  createRoot(host).render(createElement(EditorView, { app }));
  watchPlay(app);
  const recovery = new RecoveryStore();
  const isOpened = await openFirst(app);
  app.documents.recovery = recovery;
  const isOffered = await offerRecovery(app, recovery);
  if (!isOffered && !isOpened) app.view.open("welcome");
  startAutosave(app, recovery);
  return app;
}

/** The editor on a remote game: `?watch=name` in another tab, `?watch=ws://127.0.0.1:1234` in another process. */
async function startWatching(host: HTMLElement, name: string, loadPixi: LoadPixi | undefined): Promise<App> {
  const t = translator();
  let app: App | undefined;
  const say = (text: string, kind: "info" | "error" = "error") => {
    if (app === undefined) host.textContent = text;
    else app.notes.say(text, kind);
  };
  host.classList.add("esp-waiting");
  say(t("watch.waiting", { name }));
  const isSocket = /^wss?:/.test(name);
  const channel = isSocket
    ? socketChannel(await reachSocket(name, () => say(t("watch.unreachable", { url: name }))))
    : broadcastChannel(name);
  const watched = await watchWorld(channel, {
    onProblem: (message) => say(message),
    onStatus: (status) => {
      if (status === "absent") say(t("watch.absent", { name }));
      else if (status === "gone") say(t("watch.gone"));
      else if (app !== undefined) say(t("watch.back"), "info");
    },
    // It has another world: the shown and selected entities mean nothing there.
    onOtherGame: () => location.reload(),
  });
  app = new App({ live: watched.document, ...(loadPixi === undefined ? {} : { loadPixi }) });
  app.live.pausable = watched.pausable;
  const shown = app;
  app.run = (id) => actions.find((action) => action.id === id)?.run(shown);
  app.view.expandAll();
  // Drawing it does not slow down the game, which runs elsewhere.
  app.view.isViewportShown = true;
  (globalThis as { espalierEditor?: App }).espalierEditor = app;
  host.classList.remove("esp-waiting");
  host.replaceChildren();
  createRoot(host).render(createElement(EditorView, { app }));
  const { end } = followWorld(app, flushSync);
  addEventListener("pagehide", () => {
    end();
    watched.close();
  });
  return app;
}

/** Milliseconds between two attempts to reach a game. */
const TRY_AGAIN = 2000;

/** Tries until the game answers. */
async function reachSocket(url: string, onFailure: () => void): Promise<SocketLike> {
  for (;;) {
    try {
      return await openSocket(url);
    } catch {
      onFailure();
      await new Promise((done) => setTimeout(done, TRY_AGAIN));
    }
  }
}

function openSocket(url: string): Promise<SocketLike> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.addEventListener("open", () => {
      // The game may restart at the same address; this page then reloads.
      socket.addEventListener("close", () => void reachSocket(url, () => {}).then(() => location.reload()));
      resolve(socket as unknown as SocketLike);
    });
    socket.addEventListener("error", () => reject(new Error(url)));
  });
}

/** Opens the scene that the server was started with. `false` when there is none. */
async function openFirst(app: App): Promise<boolean> {
  const { files } = app;
  if (files === undefined) return false;
  try {
    const { components, open, play, module, share, ...project } = await files.project();
    const known = new Set(createEditorFormat([]).components);
    const own = components.filter(({ name }) => !known.has(name)).map(componentFrom);
    if (own.length > 0) app.components = own;
    app.playSetup = { ...app.playSetup, ...play };
    if (play?.yAxis !== undefined) app.view.set({ yUp: play.yAxis === "up" });
    if (module !== undefined) await loadOwnModule(app, module);
    app.project = { ...project, isServed: true };
    loadImages(app, [], project.images);
    if (project.isCut === true) app.notes.say(app.t("file.tooMany"), "error");
    if (share !== undefined && files.share !== undefined) {
      startSharing(app, files.share(share), (path) => void openFromProject(app, path));
    }
    files.watch((path) => void changedOnDisk(app, path));
    if (open !== undefined) {
      const { text, version } = await files.read(open);
      return openText(app, { name: open, text, path: open, version });
    }
  } catch (error) {
    app.notes.say((error as Error).message, "error");
  }
  // The embedded sample, if there is nothing else.
  const [first] = samples;
  const { scenes, prefabs, images } = app.project;
  if (first === undefined || scenes.length + Object.keys(prefabs).length + images.length > 0) return false;
  openSample(app, first);
  return true;
}

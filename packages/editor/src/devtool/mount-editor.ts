/**
 * The editor inside a running program: as a panel in its page, over a world that runs by itself.
 */
import type { Schedule } from "espalier";
import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { actions } from "../shell/actions/actions.ts";
import { App, type Widget } from "../shell/app.ts";
import { EditorView } from "../shell/editor-view.tsx";
import type { LoadPixi } from "../viewport/open-scene-canvas.ts";
import { followWorld } from "./follow-world.ts";
import { type LiveWorldOptions, openLiveDocument } from "./live-document.ts";
import type { Pausable } from "./live-session.ts";
import { pausableSchedule } from "./pausable-schedule.ts";

/** Options of `mountEditor`. */
export interface MountOptions extends LiveWorldOptions {
  /** Its timings are shown; without `pausable` it is what breakpoints pause. */
  readonly schedule?: Schedule;
  /** What buttons and breakpoints pause, such as a `Game`. The schedule if left out, when there is one. */
  readonly pausable?: Pausable;
  /** Inputs of your own, by component. */
  readonly widgets?: { readonly [component: string]: Widget };
  /** `() => import("@espalier/editor/pixi")` draws the viewport with PixiJS, which is faster: with the 2D canvas if left out. */
  readonly loadPixi?: LoadPixi;
}

/** An editor in a page. */
export interface MountedEditor {
  /** The editor itself. */
  readonly app: App;
  /** Whether it is on the page. */
  readonly isOpen: boolean;
  /** Opens it. While it is closed nothing is followed or drawn, at no cost to the game. */
  open(): void;
  /** Removes it from the page: nothing is followed or drawn until `open()`. */
  close(): void;
  /** Opens it, or closes it when it is open. */
  toggle(): void;
  /** Removes the editor from the page for good. The world stays. */
  unmount(): void;
}

/** Puts the editor into an element. It starts open. */
export function mountEditor(element: HTMLElement, options: MountOptions): MountedEditor {
  const document = openLiveDocument(options);
  const app = new App({
    live: document,
    components: document.components,
    ...(options.widgets === undefined ? {} : { widgets: options.widgets }),
    ...(options.loadPixi === undefined ? {} : { loadPixi: options.loadPixi }),
  });
  app.run = (id) => actions.find((action) => action.id === id)?.run(app);
  app.live.pausable =
    options.pausable ?? (options.schedule === undefined ? undefined : pausableSchedule(options.schedule));
  app.live.schedule = options.schedule;
  app.view.setExpanded([...document.tree.roots()].slice(0, 200), true);
  const root = createRoot(element);
  let follower: { end(): void } | undefined;

  const mounted: MountedEditor = {
    app,
    get isOpen() {
      return follower !== undefined;
    },
    open() {
      if (follower !== undefined) return;
      if (options.schedule !== undefined) options.schedule.timing = true;
      root.render(createElement(EditorView, { app }));
      follower = followWorld(app, flushSync);
    },
    close() {
      follower?.end();
      follower = undefined;
      if (options.schedule !== undefined) options.schedule.timing = false;
      root.render(null);
    },
    toggle() {
      if (follower === undefined) mounted.open();
      else mounted.close();
    },
    unmount() {
      mounted.close();
      root.unmount();
      document.close();
    },
  };
  mounted.open();
  return mounted;
}

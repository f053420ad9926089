/**
 * The editor inside a running program: as a panel in its page, over a world that runs by itself.
 */
import type { AnyComponent, Schedule, World } from "espalier";
import { listComponents } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import type { UndoHistory } from "espalier/history";
import type { Transforms2D } from "espalier/transform";
import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { EditorDocument } from "../document/document.ts";
import { createEditorFormat } from "../document/format.ts";
import { EditorLock } from "../document/locked.ts";
import { actions } from "../shell/actions/actions.ts";
import { App, type Pausable, type Widget } from "../shell/app.ts";
import { EditorView } from "../shell/editor-view.tsx";
import { translator } from "../texts.ts";
import { followWorld } from "./follow-world.ts";
import { pausableSchedule } from "./pausable-schedule.ts";

/** Options of `mountEditor`. */
export interface MountOptions {
  /** The world to look at. */
  readonly world: World;
  /** The hierarchy and the transforms of the game. Created when it has none. */
  readonly tree?: Hierarchy;
  /** The transforms that the game has made; created if left out. */
  readonly space?: Transforms2D;
  /** The history that the game has made; created if left out. */
  readonly history?: UndoHistory;
  /** Its timings are shown; without `pausable` it is what breakpoints pause. */
  readonly schedule?: Schedule;
  /** How the game is paused, by buttons and breakpoints. A `Game` is one. The schedule if left out, when there is one. */
  readonly pausable?: Pausable;
  /** Components that may be added, beside those the world knows. */
  readonly components?: readonly AnyComponent[];
  /** Inputs of your own, by component. */
  readonly widgets?: { readonly [component: string]: Widget };
  /** What the editor shows as the name of the document. */
  readonly title?: string;
}

/** An editor in a page. */
export interface MountedEditor {
  /** The editor itself. */
  readonly app: App;
  /** Whether it is on the page. */
  readonly isOpen: boolean;
  /** While closed nothing is followed and nothing drawn: the game does not feel it. */
  open(): void;
  /** Takes it off the page: nothing is followed and nothing drawn until `open()`. */
  close(): void;
  /** Opens it, or closes it when it is open. */
  toggle(): void;
  /** Takes the editor out of the page. The world lives on. */
  unmount(): void;
}

/** Puts the editor into an element. It starts open. */
export function mountEditor(element: HTMLElement, options: MountOptions): MountedEditor {
  const { world } = options;
  const known = listComponents(world)
    .filter(({ reserved }) => reserved === undefined)
    .flatMap(({ name }) => world.componentNamed(name) ?? [])
    // Known from an editor that was here before.
    .filter((component) => component !== (EditorLock as AnyComponent));
  const own = [...new Map([...known, ...(options.components ?? [])].map((one) => [one.name, one])).values()];
  const document = new EditorDocument({
    world,
    format: createEditorFormat(own),
    tree: options.tree,
    space: options.space,
    history: options.history,
    title: options.title ?? translator()("app.live"),
  });
  const app = new App({
    live: document,
    components: own,
    ...(options.widgets === undefined ? {} : { widgets: options.widgets }),
  });
  app.run = (id) => actions.find((action) => action.id === id)?.run(app);
  app.pausable =
    options.pausable ?? (options.schedule === undefined ? undefined : pausableSchedule(options.schedule));
  app.liveSchedule = options.schedule;
  app.setExpanded([...document.tree.roots()].slice(0, 200), true);
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

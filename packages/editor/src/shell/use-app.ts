/** The app in React: a component that reads it is drawn again when it changes. */
import { createContext, useContext, useSyncExternalStore } from "react";
import type { LivePart } from "../devtool/live-session.ts";
import type { App } from "./app.ts";

export const AppContext = createContext<App | undefined>(undefined);

/** The app, followed: the component is drawn again with every change, whatever it was. */
export function useApp(): App {
  useAppValue(({ signal }) => signal.revision);
  return useAppItself();
}

/** Something of the app: the component is drawn again when `read` gives another value. For what is shown all the time. */
export function useAppValue<Value>(read: (app: App) => Value): Value {
  const app = useAppItself();
  return useSyncExternalStore(app.signal.subscribe, () => read(app));
}

/** The app, not followed. */
export function useAppItself(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error("There is no app around this component.");
  return app;
}

/** Draws the component again when a part of a live world was brought up to date. */
export function useLive(app: App, part: LivePart): number {
  return useSyncExternalStore(app.live.subscribeTo[part], () => app.live.pulses[part]);
}

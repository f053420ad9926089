/** The app in React: a component that reads it is re-rendered when it changes. */
import { createContext, useContext, useSyncExternalStore } from "react";
import type { LivePart } from "../devtool/live-session.ts";
import type { App } from "./app.ts";

export const AppContext = createContext<App | undefined>(undefined);

/** Returns the app and re-renders the component with every change. */
export function useApp(): App {
  useAppValue(({ signal }) => signal.revision);
  return useAppItself();
}

/** A value of the app: the component is re-rendered when `read` returns another value. For components that are always shown. */
export function useAppValue<Value>(read: (app: App) => Value): Value {
  const app = useAppItself();
  return useSyncExternalStore(app.signal.subscribe, () => read(app));
}

/** Returns the app without subscribing to changes. */
export function useAppItself(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error("There is no app around this component.");
  return app;
}

/** Re-renders the component when a part of a live world is updated. */
export function useLive(app: App, part: LivePart): number {
  return useSyncExternalStore(app.live.subscribeTo[part], () => app.live.pulses[part]);
}

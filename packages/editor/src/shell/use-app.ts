/** The app in React: a component that reads it is drawn again when it changes. */
import { createContext, useContext, useSyncExternalStore } from "react";
import type { App, LivePart } from "./app.ts";

export const AppContext = createContext<App | undefined>(undefined);

/** The app, followed. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error("There is no app around this component.");
  useSyncExternalStore(app.subscribe, () => app.revision);
  return app;
}

/** Draws the component again when a part of a live world was brought up to date. */
export function useLive(app: App, part: LivePart): number {
  return useSyncExternalStore(app.subscribeTo[part], () => app.pulses[part]);
}

/** Connects an editor to a session, to edit its scenes together with others. */
import type { ShareService } from "../share/collab.ts";
import { Sharing } from "../share/sharing.ts";
import type { App } from "./app.ts";

/** @param open - Opens a file of the project. */
export function startSharing(app: App, service: ShareService, open: (path: string) => void): void {
  const sharing = new Sharing(
    {
      t: app.t,
      notes: app.notes,
      name: () => app.view.settings.userName,
      open,
      changed: () => app.changed(),
    },
    service,
  );
  app.sharing = sharing;
  // Otherwise the others would see this user for another half a minute.
  globalThis.addEventListener?.("pagehide", () => sharing.leave());
  // Browsers cache pages, and restore them as they were.
  globalThis.addEventListener?.("pageshow", ({ persisted }) => {
    if (persisted) void sharing.join(app.documents.outermost);
  });
}

/** Refuses to change a prefab while others, who would not receive the change, edit the scene; informs the user why. */
export function refusePrefabs(app: App): boolean {
  if (app.sharing?.isShared(app.documents.outermost) !== true) return false;
  app.notes.say(app.t("share.noPrefabs"), "error");
  return true;
}

/** Lets an editor edit its scenes together with others: what a session needs of it. */
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
  // The others would see it for half a minute more otherwise.
  globalThis.addEventListener?.("pagehide", () => sharing.leave());
  // Browsers keep pages, and bring them back as they were.
  globalThis.addEventListener?.("pageshow", ({ persisted }) => {
    if (persisted) void sharing.join(app.documents.outermost);
  });
}

/** Refuses to change a prefab while others edit the scene too, who would not get that; the user is informed why. */
export function refusePrefabs(app: App): boolean {
  if (app.sharing?.isShared(app.documents.outermost) !== true) return false;
  app.notes.say(app.t("share.noPrefabs"), "error");
  return true;
}

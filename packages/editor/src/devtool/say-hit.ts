/** Reports why a game was paused at a breakpoint, and selects what changed. */
import type { App } from "../shell/app.ts";
import type { Hit } from "./breakpoint.ts";

export function sayHit(app: App, { entity, label, kind, component, system, behaviour, call }: Hit): void {
  const { document, t } = app;
  const change =
    component === undefined
      ? t(`activity.${kind as "spawned" | "destroyed" | "moved"}`)
      : t(`activity.change.${kind as "added" | "changed" | "removed"}`, { component });
  const ran =
    behaviour !== undefined
      ? t("activity.byBehaviour", { behaviour })
      : system === undefined
        ? undefined
        : t("activity.bySystem", { system });
  const by = [ran, call].filter((part) => part !== undefined);
  const who = by.length === 0 ? "" : t("activity.by", { who: by.join(", ") });
  app.notes.say(t("activity.paused", { name: label, change, who }));
  if (document.world.isAlive(entity)) document.selection.replace([entity]);
}

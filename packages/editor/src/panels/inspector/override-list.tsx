/** How an instance differs from its prefab, item by item: each can be applied or reverted on its own. */
import type { Instance, Override } from "espalier/scene";
import type { ReactNode } from "react";
import { revertOverride } from "../../commands/scene/revert-override.ts";
import { applyToPrefab } from "../../shell/actions/prefab-actions.ts";
import type { App } from "../../shell/app.ts";
import { Button } from "../../shell/button.tsx";
import { icons } from "../../shell/icons.tsx";
import { useApp } from "../../shell/use-app.ts";

/** More overrides can only be applied or reverted together, or at their fields. */
const MOST = 100;

export function OverrideList({
  instance,
  overrides,
}: {
  readonly instance: Instance;
  readonly overrides: readonly Override[];
}): ReactNode {
  const app = useApp();
  return (
    <details className="esp-overrides">
      <summary>{app.t("inspector.overrides", { count: overrides.length })}</summary>
      <ul>
        {overrides.slice(0, MOST).map((override) => {
          const label = labelOf(app, instance, override);
          return (
            <li
              key={`${label} ${override.target} ${override.entity ?? ""}`}
              className="esp-line"
              data-override={label}
            >
              <span className="grow">{label}</span>
              {override.own === true ? (
                <small>{app.t("inspector.ownOverride")}</small>
              ) : (
                <Button
                  label={`${app.t("inspector.apply")}: ${label}`}
                  icon={icons.save}
                  onClick={() => applyToPrefab(app, instance, [override])}
                />
              )}
              <Button
                label={`${app.t("inspector.revert")}: ${label}`}
                icon={icons.undo}
                onClick={() => app.notes.attempt(() => revertOverride(app.document, instance, override))}
              />
            </li>
          );
        })}
      </ul>
    </details>
  );
}

/** `turret Transform2D.x`, `wheel removed`: the entity, and what is different about it. */
function labelOf({ document, t }: App, { root }: Instance, override: Override): string {
  const { kind, target, entity, component, field } = override;
  const whole = target === "." ? root : entity;
  const name = whole === undefined ? target : document.label(kind === "added" ? (entity ?? whole) : whole);
  const what = [component, field].filter((part) => part !== undefined).join(".");
  return `${name} ${what === "" || kind === "added" ? t(`override.${kind}`) : what}`;
}

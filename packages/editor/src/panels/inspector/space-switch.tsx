/** Whether a transform is shown relative to the parent, or in the world. */
import type { ReactNode } from "react";
import { useApp } from "../../shell/use-app.ts";

export function SpaceSwitch(): ReactNode {
  const app = useApp();
  return (
    <div className="esp-field">
      <span className="label">{app.t("inspector.space")}</span>
      <div className="value">
        <span className="esp-segment">
          {(["local", "world"] as const).map((space) => (
            <button
              key={space}
              type="button"
              className="esp-button"
              aria-pressed={app.view.settings.inspectorSpace === space}
              onClick={() => app.view.set({ inspectorSpace: space })}
            >
              {app.t(space === "local" ? "inspector.local" : "inspector.world")}
            </button>
          ))}
        </span>
      </div>
    </div>
  );
}

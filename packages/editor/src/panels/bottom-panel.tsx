/** The panels below the viewport, one at a time. */
import { type ReactNode, useState } from "react";
import { useAppItself, useAppValue } from "../shell/use-app.ts";
import type { TextKey } from "../texts.ts";
import { ActivityPanel } from "./activity-panel.tsx";
import { AssetsPanel } from "./assets-panel.tsx";
import { EditsPanel } from "./edits-panel.tsx";
import { HistoryPanel } from "./history-panel.tsx";
import { ProblemsPanel, problemsOf } from "./problems-panel.tsx";
import { SystemsPanel } from "./systems-panel.tsx";

const tabs = [
  { id: "assets", text: "panel.assets", Panel: AssetsPanel },
  { id: "history", text: "panel.history", Panel: HistoryPanel },
  { id: "edits", text: "panel.edits", Panel: EditsPanel },
  { id: "problems", text: "panel.problems", Panel: ProblemsPanel },
  { id: "activity", text: "panel.activity", Panel: ActivityPanel },
  { id: "systems", text: "panel.systems", Panel: SystemsPanel },
] as const satisfies readonly { id: string; text: TextKey; Panel: () => ReactNode }[];

export function BottomPanel(): ReactNode {
  const app = useAppItself();
  const [shown, show] = useState<string>(app.isLive ? "activity" : "assets");
  // A live world has no files.
  const offered = tabs.filter(
    ({ id }) => (!app.isLive || id !== "assets") && (app.edits.keeper !== undefined || id !== "edits"),
  );
  const current = offered.find(({ id }) => id === shown) ?? offered[0] ?? tabs[0];
  const { Panel } = current;
  const count = useAppValue((now) => problemsOf(now).length);
  const go = (by: number) => {
    const next = offered[(offered.indexOf(current) + by + offered.length) % offered.length] ?? current;
    show(next.id);
    document.getElementById(`esp-tab-${next.id}`)?.focus();
  };
  return (
    <section className="esp-panel">
      <div className="esp-tabs" role="tablist" aria-label={app.t("panel.tabs")}>
        {offered.map(({ id, text }) => (
          <button
            key={id}
            id={`esp-tab-${id}`}
            type="button"
            role="tab"
            className="esp-tab"
            aria-selected={id === current.id}
            aria-controls={`esp-panel-${id}`}
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => show(id)}
            onKeyDown={(event) => {
              if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
              event.preventDefault();
              event.stopPropagation();
              go(event.key === "ArrowRight" ? 1 : -1);
            }}
          >
            {app.t(text)}
            {id === "problems" && count > 0 ? <span className="esp-count">{count}</span> : null}
          </button>
        ))}
      </div>
      <div
        className="esp-scroll"
        role="tabpanel"
        id={`esp-panel-${current.id}`}
        aria-labelledby={`esp-tab-${current.id}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <Panel />
      </div>
    </section>
  );
}

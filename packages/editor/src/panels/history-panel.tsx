/** The steps that can be undone and redone; a click goes there. */
import { type ReactNode, useEffect, useRef } from "react";
import { useApp } from "../shell/use-app.ts";

/** More steps than this are not listed. */
const MOST = 300;

export function HistoryPanel(): ReactNode {
  const app = useApp();
  const { document } = app;
  const { undoLabels, redoLabels } = document.history;
  const done = undoLabels.slice(0, MOST).reverse();
  const first = undoLabels.length - done.length;
  const saved = document.isDirty ? "" : app.t("history.saved");
  const rows = [
    ...(first === 0 ? [{ at: 0, label: app.t("history.start"), undone: false }] : []),
    ...done.map((label, k) => ({ at: first + k + 1, label, undone: false })),
    ...redoLabels.slice(0, MOST).map((label, k) => ({ at: undoLabels.length + k + 1, label, undone: true })),
  ];
  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the current step when it changes
  useEffect(() => {
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }, [undoLabels.length, redoLabels.length, document]);
  return (
    <ol className="esp-list" reversed={false} ref={list}>
      {rows.map(({ at, label, undone }) => (
        <li key={at}>
          <button
            type="button"
            data-undone={undone}
            aria-current={at === undoLabels.length}
            onClick={() => app.notes.attempt(() => document.jumpTo(at))}
          >
            <span className="grow">{label}</span>
            {at === undoLabels.length ? <small>{saved}</small> : null}
          </button>
        </li>
      ))}
    </ol>
  );
}

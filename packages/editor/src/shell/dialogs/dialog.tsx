/** A dialog over the editor: takes the focus; Escape or a click outside closes it. */
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "../button.tsx";
import { icons } from "../icons.tsx";
import { useApp } from "../use-app.ts";

export function Dialog({
  title,
  children,
  bare = false,
  onClose,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly bare?: boolean;
  /** Called instead of closing it. */
  readonly onClose?: () => void;
}): ReactNode {
  const app = useApp();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    if (box.current !== null && !box.current.contains(document.activeElement)) box.current.focus();
    return () => before?.focus?.();
  }, []);
  const close = onClose ?? (() => app.view.open("none"));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click outside the dialog closes it; Escape does so by keyboard
    <div
      className="esp-overlay"
      onClick={(event) => {
        if (event.target === event.currentTarget) close();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          close();
        } else if (event.key === "Tab") keepInside(event, box.current);
      }}
    >
      <div className="esp-dialog" role="dialog" aria-modal="true" aria-label={title} ref={box} tabIndex={-1}>
        {bare ? null : (
          <header>
            <h2>{title}</h2>
            <Button label={app.t("common.close")} icon={icons.close} onClick={close} />
          </header>
        )}
        {children}
      </div>
    </div>
  );
}

function keepInside(event: React.KeyboardEvent, box: HTMLElement | null): void {
  const all =
    box?.querySelectorAll<HTMLElement>("button:not(:disabled), input, select, textarea, [href]") ?? [];
  const [first, last] = [all[0], all[all.length - 1]];
  if (first === undefined || last === undefined) return;
  if (event.shiftKey && document.activeElement === first) {
    event.preventDefault();
    last.focus();
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault();
    first.focus();
  }
}

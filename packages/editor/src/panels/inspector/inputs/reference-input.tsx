/** An entity, picked in the tree or in the viewport. */
import type { Entity } from "espalier";
import { type ReactNode, useEffect, useRef } from "react";
import { icons } from "../../../shell/icons.tsx";
import { useApp } from "../../../shell/use-app.ts";
import type { SimpleProps } from "./simple-props.ts";

export function ReferenceInput({ label, value, isMixed, onChange }: SimpleProps<Entity | null>): ReactNode {
  const app = useApp();
  const { document } = app;
  const isThere = value !== null && document.world.isAlive(value);
  const text = isMixed ? app.t("inspector.mixed") : isThere ? document.label(value) : app.t("inspector.none");
  const box = useRef<HTMLSpanElement>(null);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    const element = box.current;
    return element === null
      ? undefined
      : app.view.offerDrop({ element, take: (entity) => latest.current(entity) });
  }, [app]);
  return (
    <span ref={box} className="esp-reference" title={app.t("inspector.dropReference")}>
      <button
        type="button"
        className="esp-input"
        style={{ textAlign: "left" }}
        aria-label={`${label}: ${text}`}
        disabled={!isThere}
        onClick={() => isThere && document.selection.replace([value])}
      >
        {text}
      </button>
      <button
        type="button"
        className="esp-button icon"
        aria-label={`${label}: ${app.t("inspector.pick")}`}
        title={app.t("inspector.pick")}
        aria-pressed={app.view.picking !== undefined}
        onClick={() => app.view.pick((entity) => onChange(entity))}
      >
        {icons.pick}
      </button>
      {isThere ? (
        <button
          type="button"
          className="esp-button icon"
          aria-label={`${label}: ${app.t("inspector.clear")}`}
          onClick={() => onChange(null)}
        >
          {icons.close}
        </button>
      ) : null}
    </span>
  );
}

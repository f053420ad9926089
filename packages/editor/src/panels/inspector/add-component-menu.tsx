/** Gives the selected entities another component, which is found by its name. */
import type { AnyComponent, Entity } from "espalier";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { addComponent } from "../../commands/components/add-component.ts";
import { Button } from "../../shell/button.tsx";
import { icons } from "../../shell/icons.tsx";
import { useApp } from "../../shell/use-app.ts";

export function AddComponentMenu({
  entities,
  components,
}: {
  readonly entities: readonly Entity[];
  readonly components: readonly AnyComponent[];
}): ReactNode {
  const app = useApp();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const place = useRef<HTMLDivElement>(null);
  // It stands in the list like everything else there, so that all of it can be scrolled to, however little room there is.
  useEffect(() => {
    if (isOpen) place.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    setText("");
    place.current?.querySelector("button")?.focus();
  };
  const choices = app.document.components.filter(
    (component) =>
      !components.includes(component) && component.name.toLowerCase().includes(text.toLowerCase()),
  );
  const add = (component: AnyComponent | undefined) => {
    if (component !== undefined) app.notes.attempt(() => addComponent(app.document, entities, component));
    close();
  };
  return (
    <div ref={place} className="esp-add">
      <Button
        label={app.t("inspector.add")}
        icon={icons.plus}
        showLabel
        className="solid"
        expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      />
      {isOpen ? (
        <div className="esp-menu">
          <input
            className="esp-input"
            aria-label={app.t("inspector.addSearch")}
            placeholder={app.t("inspector.addSearch")}
            value={text}
            ref={focusOnce}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") add(choices[0]);
              if (event.key === "Escape") close();
            }}
          />
          <div className="list">
            {choices.map((component) => (
              <button
                key={component.name}
                type="button"
                className="esp-button"
                onClick={() => add(component)}
              >
                {component.name}
              </button>
            ))}
          </div>
        </div>
      ) : null}
    </div>
  );
}

/** When it comes, without a jump of what is around it. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus({ preventScroll: true });
}

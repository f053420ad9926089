/** Adds a component, or the components of a bundle, to the selected entities. Both are found by name. */
import type { AnyBundle, AnyComponent, Entity } from "espalier";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { addBundle } from "../../commands/components/add-bundle.ts";
import { addComponent } from "../../commands/components/add-component.ts";
import { bundleLabel } from "../../document/bundles.ts";
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
  const list = useRef<HTMLDivElement>(null);
  // It is part of the list, so that all of it can be scrolled to, however little space there is.
  useEffect(() => {
    if (isOpen) list.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    setText("");
    list.current?.querySelector("button")?.focus();
  };
  const isFound = ({ name }: AnyComponent | AnyBundle) => name.toLowerCase().includes(text.toLowerCase());
  const choices = app.document.components.filter(
    (component) => !components.includes(component) && isFound(component),
  );
  // A bundle of which nothing is missing has nothing to add.
  const bundles = app.bundles.filter(
    (bundle) => isFound(bundle) && bundle.parts.some(({ component }) => !components.includes(component)),
  );
  const add = (component: AnyComponent) => {
    app.notes.attempt(() => addComponent(app.document, entities, component));
    close();
  };
  const addAll = (bundle: AnyBundle) => {
    app.notes.attempt(() => addBundle(app.document, entities, bundle));
    close();
  };
  const addFirst = () => {
    const [bundle] = bundles;
    const [component] = choices;
    if (bundle !== undefined) addAll(bundle);
    else if (component !== undefined) add(component);
    else close();
  };
  return (
    <div ref={list} className="esp-add">
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
              if (event.key === "Enter") addFirst();
              if (event.key === "Escape") close();
            }}
          />
          <div className="list">
            {bundles.map((bundle) => (
              <button
                key={`bundle ${bundle.name}`}
                type="button"
                className="esp-button"
                data-bundle={bundle.name}
                onClick={() => addAll(bundle)}
              >
                {bundleLabel(bundle)}
              </button>
            ))}
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

/** Focuses the input when it appears, without scrolling. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus({ preventScroll: true });
}

/** Gives the selected entities another component, which is found by its name. */
import type { AnyComponent, Entity } from "espalier";
import { type ReactNode, useState } from "react";
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
  const choices = app.document.components.filter(
    (component) =>
      !components.includes(component) && component.name.toLowerCase().includes(text.toLowerCase()),
  );
  const add = (component: AnyComponent | undefined) => {
    if (component !== undefined) app.attempt(() => addComponent(app.document, entities, component));
    setOpen(false);
    setText("");
  };
  return (
    <div className="esp-add">
      <Button
        label={app.t("inspector.add")}
        icon={icons.plus}
        showLabel
        className="solid"
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen ? (
        <div className="esp-menu">
          <input
            className="esp-input"
            aria-label={app.t("inspector.addSearch")}
            placeholder={app.t("inspector.addSearch")}
            value={text}
            ref={(input) => input?.focus()}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") add(choices[0]);
              if (event.key === "Escape") setOpen(false);
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

/** Asks under which name to save a scene in the project, or to save it elsewhere. */
import { type ReactNode, useId, useState } from "react";
import { pathFrom } from "../actions/ask-path.ts";
import { Button } from "../button.tsx";
import { useApp } from "../use-app.ts";
import { Dialog } from "./dialog.tsx";

export function SaveAs(): ReactNode {
  const app = useApp();
  const id = useId();
  const { asked } = app.view;
  const [text, setText] = useState(asked?.offered ?? "");
  const [refused, setRefused] = useState<string | undefined>();
  if (asked === undefined) return null;
  return (
    <Dialog title={app.t("saveAs.title")} onClose={() => asked.answer(undefined)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const answer = pathFrom(app, text);
          if ("path" in answer) asked.answer(answer.path);
          else setRefused(answer.refused);
        }}
      >
        <div className="content">
          <label htmlFor={id}>{app.t("saveAs.name")}</label>
          <input
            id={id}
            className="esp-input"
            autoFocus
            value={text}
            aria-invalid={refused !== undefined}
            aria-describedby={refused === undefined ? undefined : `${id}-refused`}
            onFocus={({ target }) => target.setSelectionRange(0, target.value.indexOf("."))}
            onChange={({ target }) => {
              setText(target.value);
              setRefused(undefined);
            }}
          />
          {refused === undefined ? null : (
            <p className="esp-refused" id={`${id}-refused`} role="alert">
              {refused}
            </p>
          )}
        </div>
        <footer className="esp-line">
          <Button label={app.t("saveAs.elsewhere")} className="solid" onClick={() => asked.answer(null)} />
          <span className="esp-grow" />
          <Button label={app.t("saveAs.cancel")} className="solid" onClick={() => asked.answer(undefined)} />
          <button type="submit" className="esp-button primary">
            {app.t("action.save")}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

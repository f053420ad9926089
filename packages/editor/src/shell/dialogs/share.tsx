/** Joining others who edit the same scene: asks for a name once, and reports failures. */
import { type ReactNode, useId, useState } from "react";
import { Button } from "../button.tsx";
import { useApp } from "../use-app.ts";
import { Dialog } from "./dialog.tsx";

/** Covers the editor until the scene is the shared one: edits before that would be lost. */
export function Share(): ReactNode {
  const { sharing } = useApp();
  switch (sharing?.state) {
    case "asking":
      return <AskName />;
    case "joining":
      return <Joining />;
    case "failed":
      return <Failed reason={sharing.reason} />;
    default:
      return null;
  }
}

function AskName(): ReactNode {
  const app = useApp();
  const id = useId();
  const [name, setName] = useState("");
  const alone = () => app.sharing?.stayAlone();
  return (
    <Dialog title={app.t("share.title")} onClose={alone}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === "") return;
          app.view.set({ userName: name.trim() });
          void app.sharing?.connect();
        }}
      >
        <div className="content">
          <p>{app.t("share.about")}</p>
          <label htmlFor={id}>{app.t("share.name")}</label>
          <input
            id={id}
            className="esp-input"
            autoFocus
            required
            maxLength={40}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        <footer className="esp-line">
          <Button label={app.t("share.alone")} className="solid" onClick={alone} />
          <span className="esp-grow" />
          <button type="submit" className="esp-button primary">
            {app.t("share.join")}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function Joining(): ReactNode {
  const app = useApp();
  return (
    // It ends on its own and cannot be cancelled: the scene may be replaced by the shared one at any moment.
    <Dialog title={app.t("share.title")} bare onClose={() => {}}>
      <div className="content">
        <p role="status">{app.t("share.joining")}</p>
      </div>
    </Dialog>
  );
}

function Failed({ reason }: { readonly reason: string }): ReactNode {
  const app = useApp();
  const alone = () => app.sharing?.stayAlone();
  return (
    <Dialog title={app.t("share.title")} onClose={alone}>
      <div className="content">
        <p className="esp-refused" role="alert">
          {reason}
        </p>
      </div>
      <footer className="esp-line">
        <Button label={app.t("share.alone")} className="solid" onClick={alone} />
        <span className="esp-grow" />
        <button type="button" className="esp-button primary" onClick={() => void app.sharing?.connect()}>
          {app.t("share.again")}
        </button>
      </footer>
    </Dialog>
  );
}

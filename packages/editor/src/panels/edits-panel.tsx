/** What people and programs did to the file, and branches of it: each edit is undone alone, each branch accepted whole or by entity. */
import type { ReactNode } from "react";
import type { ListedBranch, ListedEdit } from "../edits/listed-edits.ts";
import { acceptBranch, undoEdit } from "../shell/actions/journal-actions.ts";
import type { App } from "../shell/app.ts";
import { Button } from "../shell/button.tsx";
import { useApp } from "../shell/use-app.ts";

/** More edits than this are not listed. */
const MOST = 200;

export function EditsPanel(): ReactNode {
  const app = useApp();
  const { edits, branches } = app.edits.now;
  if (edits.length === 0 && branches.length === 0) return <p className="esp-empty">{app.t("edits.none")}</p>;
  return (
    <>
      {branches.map((branch) => (
        <Branch key={branch.name} app={app} branch={branch} />
      ))}
      <ol className="esp-list" aria-label={app.t("panel.edits")}>
        {edits
          .slice(-MOST)
          .reverse()
          .map((edit) => (
            <Edit key={edit.token} app={app} edit={edit} />
          ))}
      </ol>
    </>
  );
}

function Edit({ app, edit }: { readonly app: App; readonly edit: ListedEdit }): ReactNode {
  const { token, author, reason, text, isUndone } = edit;
  return (
    <li data-edit={token} data-undone={isUndone} title={text}>
      <div className="esp-line">
        <b>{author ?? app.t("edits.unknown")}</b>
        <span className="grow">{reason ?? text.split("\n", 1)[0]}</span>
        {isUndone ? (
          <small>{app.t("edits.undone")}</small>
        ) : (
          <Button label={app.t("edits.undo", { token })} onClick={() => void undoEdit(app, token)} />
        )}
      </div>
    </li>
  );
}

function Branch({ app, branch }: { readonly app: App; readonly branch: ListedBranch }): ReactNode {
  const { name, differences } = branch;
  const isShown = app.edits.shown === name;
  return (
    <section aria-label={app.t("edits.branch", { name })}>
      <div className="esp-line">
        <b className="grow">{app.t("edits.branch", { name })}</b>
        <Button
          label={app.t(isShown ? "edits.hide" : "edits.show", { name })}
          onClick={() => app.edits.show(isShown ? undefined : name)}
        />
        <Button
          label={app.t("edits.acceptAll", { name })}
          className="solid"
          onClick={() => void acceptBranch(app, name, [])}
        />
      </div>
      {isShown ? (
        <ul className="esp-list">
          {differences.map(({ entity, path, text }) => (
            <li key={entity} title={text}>
              <div className="esp-line">
                <span className="grow">{text.split("\n", 1)[0]}</span>
                <Button
                  label={app.t("edits.accept", { path })}
                  onClick={() => void acceptBranch(app, name, [entity])}
                />
              </div>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

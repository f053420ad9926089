/** The conflicts of a merge, per entity and field: each resolved on its own, or all in favour of one side. */
import type { Json, MergeChoice, MergeConflict } from "espalier/scene";
import type { ReactNode } from "react";
import type { MergeSession } from "../../document/merge-session.ts";
import { applyMerge, cancelMerge } from "../actions/merge-actions.ts";
import { Button } from "../button.tsx";
import { useApp } from "../use-app.ts";
import { Dialog } from "./dialog.tsx";

/** More conflicts than this are not listed: choosing a side resolves them. */
const MOST = 200;
/** Longer values are cut. */
const LONGEST = 80;

export function Merge(): ReactNode {
  const app = useApp();
  const session = app.documents.merge?.session;
  if (session === undefined) return null;
  const { conflicts } = session;
  const count = conflicts.length;
  const all = (side: "ours" | "theirs") => {
    session.chooseAll(side);
    app.changed();
  };
  return (
    <Dialog title={app.t("merge.title")} onClose={() => cancelMerge(app)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section className="content" tabIndex={0} aria-label={app.t("merge.title")}>
        <p>{count === 1 ? app.t("merge.aboutOne") : app.t("merge.about", { count })}</p>
        <ul className="esp-conflicts">
          {conflicts.slice(0, MOST).map((conflict) => (
            <Conflict key={conflict.key} session={session} conflict={conflict} />
          ))}
        </ul>
        {count > MOST ? <p>{app.t("inspector.showMore", { count: count - MOST })}</p> : null}
      </section>
      <footer className="esp-line">
        <Button label={app.t("merge.allMine")} className="solid" onClick={() => all("ours")} />
        <Button label={app.t("merge.allDisk")} className="solid" onClick={() => all("theirs")} />
        <span className="esp-grow" />
        <Button label={app.t("merge.cancel")} className="solid" onClick={() => cancelMerge(app)} />
        <Button label={app.t("merge.apply")} className="primary" onClick={() => applyMerge(app)} />
      </footer>
    </Dialog>
  );
}

function Conflict({
  session,
  conflict,
}: {
  readonly session: MergeSession;
  readonly conflict: MergeConflict;
}): ReactNode {
  const app = useApp();
  const { key, kind, component, field, entities, base, choice } = conflict;
  const what = [component, field].filter((part) => part !== undefined).join(".");
  const sides: readonly (readonly [MergeChoice, string, Json | undefined])[] = [
    ["ours", app.t("merge.mine"), conflict.ours],
    ["theirs", app.t("merge.disk"), conflict.theirs],
  ];
  return (
    <li data-conflict={key}>
      <fieldset>
        <legend>
          <b>{session.labelOf(conflict)}</b> {what === "" ? app.t(`merge.kind.${kind}`) : what}
          {entities === undefined || kind === "order" ? null : <small> {entities.join(", ")}</small>}
        </legend>
        {sides.map(([side, label, value]) => (
          <Choice key={side} session={session} conflict={conflict} side={side} isChosen={choice === side}>
            {label}: <code>{shown(value, app.t("merge.absent"))}</code>
          </Choice>
        ))}
        {kind === "added" ? (
          <Choice session={session} conflict={conflict} side="both" isChosen={choice === "both"}>
            {app.t("merge.both")}
          </Choice>
        ) : (
          <small>
            {app.t("merge.before")}: <code>{shown(base, app.t("merge.absent"))}</code>
          </small>
        )}
      </fieldset>
    </li>
  );
}

function Choice({
  session,
  conflict,
  side,
  isChosen,
  children,
}: {
  readonly session: MergeSession;
  readonly conflict: MergeConflict;
  readonly side: MergeChoice;
  readonly isChosen: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const app = useApp();
  return (
    <label className="esp-line">
      <input
        type="radio"
        name={conflict.key}
        checked={isChosen}
        onChange={() => {
          session.choose(conflict.key, side);
          app.changed();
        }}
      />
      <span>{children}</span>
    </label>
  );
}

function shown(value: Json | undefined, absent: string): string {
  if (value === undefined) return absent;
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

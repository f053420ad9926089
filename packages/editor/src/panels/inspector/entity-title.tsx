/** The name of what is selected, which can be changed, and its path. */
import type { Entity } from "espalier";
import { type ReactNode, useState } from "react";
import { renameEntity } from "../../commands/tree/rename-entity.ts";
import { shortPath } from "../../document/tree/short-path.ts";
import { useApp } from "../../shell/use-app.ts";
import { useLiveValue } from "./use-live-value.ts";

export function EntityTitle({ entities }: { readonly entities: readonly Entity[] }): ReactNode {
  const app = useApp();
  const { document } = app;
  const last = entities.at(-1) as Entity;
  const [draft, setDraft] = useState<string | undefined>();
  const name = useLiveValue(app, entities, () => document.tree.nameOf(last) ?? "");
  const path = useLiveValue(app, entities, () => document.tree.pathOf(last));
  if (entities.length > 1) {
    return (
      <div className="esp-title">
        <b>{app.t("inspector.several", { count: entities.length })}</b>
      </div>
    );
  }
  const id = document.scene?.idOf(last);
  return (
    <div className="esp-title">
      <input
        className="esp-input"
        aria-label={app.t("hierarchy.rename")}
        value={draft ?? name}
        placeholder={document.label(last)}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => {
          if (draft !== undefined) app.notes.attempt(() => renameEntity(document, last, draft));
          setDraft(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          else if (event.key === "Escape") setDraft(undefined);
        }}
      />
      <div className="path esp-code" title={path}>
        {shortPath(path)}
        {id === undefined ? "" : `  ·  ${id}`}
      </div>
    </div>
  );
}

/** The prefab of the instance that an entity belongs to, and the actions for it. */
import type { Instance, Override } from "espalier/scene";
import { type ReactNode, useMemo } from "react";
import { revertOverride } from "../../commands/scene/revert-override.ts";
import { unpack } from "../../commands/scene/unpack-instance.ts";
import { originOf } from "../../document/prefab-origin.ts";
import { applyToPrefab, openPrefab } from "../../shell/actions/prefab-actions.ts";
import { Button } from "../../shell/button.tsx";
import { useApp } from "../../shell/use-app.ts";
import { OverrideList } from "./override-list.tsx";

export function PrefabBar({
  instance,
  overrides,
}: {
  readonly instance: Instance;
  readonly overrides: readonly Override[];
}): ReactNode {
  const app = useApp();
  const { document } = app;
  const { prefabs } = app.project;
  // Read from the files of the prefabs, so only when these change.
  // biome-ignore lint/correctness/useExhaustiveDependencies: all instances of a prefab say the same
  const origin = useMemo(() => originOf(instance), [document, instance.prefab, prefabs]);
  return (
    <div className="esp-prefab">
      <div className="what">
        <b>{app.t("inspector.prefab", { name: instance.prefab })}</b>
        {origin === undefined ? null : (
          <small className="esp-origin">
            {app.t(`inspector.${origin.kind}`, { names: origin.names.join(", ") })}
          </small>
        )}
        <OverrideList instance={instance} overrides={overrides} />
      </div>
      <Button
        label={app.t("inspector.openPrefab")}
        className="solid"
        onClick={() => openPrefab(app, instance.prefab)}
      />
      <Button
        label={app.t("inspector.apply")}
        className="solid"
        disabled={overrides.length === 0}
        onClick={() => applyToPrefab(app, instance)}
      />
      <Button
        label={app.t("inspector.revertAll")}
        className="solid"
        disabled={overrides.length === 0}
        onClick={() => app.notes.attempt(() => revertOverride(document, instance))}
      />
      <Button
        label={app.t("inspector.unpack")}
        className="solid"
        onClick={() => app.notes.attempt(() => unpack(document, instance.root))}
      />
    </div>
  );
}

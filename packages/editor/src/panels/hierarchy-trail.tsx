/** The path from the root to the selected entity, and the way out of a branch. */
import type { Entity } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import { type ReactNode, useMemo } from "react";
import { Button } from "../shell/button.tsx";
import { icons } from "../shell/icons.tsx";
import { useApp } from "../shell/use-app.ts";

/** The nearest ancestors that are shown; those between them and the root are counted. */
const NEAR = 3;

interface Trail {
  readonly root: Entity | undefined;
  readonly skipped: number;
  readonly near: readonly Entity[];
}

export function HierarchyTrail(): ReactNode {
  const app = useApp();
  const { document, view } = app;
  const { branch } = view;
  const entity = document.selection.primary ?? branch;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of structure changes the path
  const trail = useMemo(() => trailOf(app.document.tree, entity), [document, entity, document.structure]);
  const step = (one: Entity) => (
    <li key={one}>
      <button
        type="button"
        aria-current={one === entity ? "true" : undefined}
        title={document.label(one)}
        onClick={() => {
          document.selection.replace([one]);
          view.reveal(one);
        }}
      >
        {document.label(one)}
      </button>
    </li>
  );
  return (
    <nav className="esp-trail" aria-label={app.t("hierarchy.trail")}>
      {branch === undefined ? null : (
        <Button
          label={app.t("action.show-all")}
          icon={icons.back}
          className="solid"
          onClick={() => app.run("show-all")}
        />
      )}
      {trail === undefined ? null : (
        <ol>
          {trail.root === undefined ? null : step(trail.root)}
          {trail.skipped === 0 ? null : (
            <li className="skipped" title={app.t("hierarchy.skipped", { count: trail.skipped })}>
              …
            </li>
          )}
          {trail.near.map(step)}
        </ol>
      )}
    </nav>
  );
}

function trailOf(tree: Hierarchy, entity: Entity | undefined): Trail | undefined {
  if (entity === undefined || !tree.world.isAlive(entity)) return undefined;
  const depth = tree.depthOf(entity);
  const near = [entity];
  for (let up = tree.parentOf(entity); up !== null && near.length < NEAR; up = tree.parentOf(up))
    near.unshift(up);
  const isCut = depth + 1 > near.length;
  return {
    root: isCut ? tree.rootOf(entity) : undefined,
    skipped: isCut ? depth - near.length : 0,
    near,
  };
}

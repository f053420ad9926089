/** How many entities share the values of a component, and what an edit does then. */
import type { AnyComponent, Entity } from "espalier";
import type { ReactNode } from "react";
import { mostSharedBy } from "../../document/values/shared-by.ts";
import { useApp } from "../../shell/use-app.ts";
import { useLiveValue } from "./use-live-value.ts";

/** Nothing for a component whose values are not shared. */
export function SharedNote({
  component,
  entities,
}: {
  readonly component: AnyComponent;
  readonly entities: readonly Entity[];
}): ReactNode {
  const app = useApp();
  const { world } = app.document;
  const count = useLiveValue(
    app,
    entities,
    () => mostSharedBy(app.document, entities, component),
    Object.is,
    (entity) => world.isAlive(entity) && world.has(entity, component),
  );
  if (count === undefined) return null;
  const text = count > 1 ? app.t("inspector.shared", { count }) : app.t("inspector.notShared");
  return <p className="esp-shared-note">{text}</p>;
}

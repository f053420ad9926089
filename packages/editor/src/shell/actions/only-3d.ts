/** Refusing 2D actions on entities that are only in 3D. */
import { Transform3D } from "espalier/transform";
import { movable } from "../../document/space/movable.ts";
import type { App } from "../app.ts";
import { selected } from "./selected.ts";

/** Why the viewport cannot act on the selection, because it is in 3D; `undefined` when it can. */
export function whyOnly3D(app: App): string | undefined {
  const { document } = app;
  const entities = selected(app);
  if (!entities.some((entity) => document.world.has(entity, Transform3D))) return undefined;
  return movable(document, entities).length > 0 ? undefined : app.t("refuse.only3D");
}

/** Warnings of an entity for its row: cheap enough to compute for every row on the screen. */
import type { Entity } from "espalier";
import { whyNotAttach } from "espalier/hierarchy";
import { Sprite } from "espalier/render";
import type { SceneProblem } from "espalier/scene";
import { Transform3D } from "espalier/transform";
import { plainMessage } from "../document/plain-message.ts";
import type { App } from "./app.ts";

/** An entity this many units from the origin is hardly where it should be. */
const FAR = 100_000;

const byEntity = new WeakMap<readonly SceneProblem[], ReadonlyMap<string, string>>();

/** The warnings as texts. */
export function warningsOf(app: App, entity: Entity): readonly string[] {
  const { document, t } = app;
  const { world, space, scene, tree } = document;
  const found: string[] = [];
  const problems = app.documents.problems ?? document.problems;
  const id = problems.length === 0 ? undefined : scene?.idOf(entity);
  const problem = id === undefined ? undefined : messagesOf(problems).get(id);
  if (problem !== undefined) found.push(problem);
  for (const { entities, message } of app.sharing?.problems ?? [])
    if (entities.includes(entity)) found.push(plainMessage(message));
  const refusal = whyNotAttach(tree, entity, tree.parentOf(entity));
  if (refusal !== null) found.push(refusal.message);
  if (world.has(entity, Sprite)) {
    const { texture } = world.get(entity, Sprite) as { readonly texture: string };
    if (texture === "") found.push(t("warning.noTexture"));
    else if (
      app.textures.find(texture) === undefined &&
      !app.project.images.some(({ name }) => name === texture)
    )
      found.push(t("warning.missingTexture", { name: texture }));
  }
  if (world.has(entity, space.component)) {
    const { x, y, scaleX, scaleY } = space.localOf(entity);
    if (scaleX === 0 || scaleY === 0) found.push(t("warning.zeroScale"));
    if (Math.hypot(x, y) > FAR) found.push(t("warning.far", { distance: Math.round(Math.hypot(x, y)) }));
  } else if (world.has(entity, Transform3D)) {
    const { scaleX, scaleY, scaleZ } = world.get(entity, Transform3D) as { [field: string]: number };
    if (scaleX === 0 || scaleY === 0 || scaleZ === 0) found.push(t("warning.zeroScale"));
  }
  return found;
}

function messagesOf(problems: readonly SceneProblem[]): ReadonlyMap<string, string> {
  const known = byEntity.get(problems);
  if (known !== undefined) return known;
  const messages = new Map(
    problems.flatMap(({ entity, message }) => (entity === undefined ? [] : [[entity, message]])),
  );
  byEntity.set(problems, messages);
  return messages;
}

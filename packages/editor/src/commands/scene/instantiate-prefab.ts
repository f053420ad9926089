/** Make an instance of a prefab. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { type CreateOptions, moveBeside } from "../tree/create-entity.ts";

export interface InstantiateAt extends Pick<CreateOptions, "parent" | "before" | "after"> {
  /** In the world. */
  readonly x?: number;
  readonly y?: number;
}

/** Selects it. @throws SceneError when the prefab is broken or missing. */
export function instantiatePrefab(document: EditorDocument, prefab: string, at: InstantiateAt = {}): Entity {
  const { tree, format, prefabs, space, world } = document;
  const text = JSON.stringify({ version: format.version, entities: [{ id: "instance", prefab }] });
  const root = edit(document, document.t("step.add", { name: prefab }), () => {
    const scene = format.load(tree, text, {
      parent: at.parent ?? null,
      prefabs,
      unknown: "keep",
      ...(document.file === undefined ? {} : { file: document.file }),
    });
    const created = scene.entity("instance");
    moveBeside(document, created, at);
    if (at.x !== undefined && at.y !== undefined && world.has(created, space.component)) {
      space.setWorldPosition(created, at.x, at.y);
    }
    return created;
  });
  document.selection.replace([root]);
  return root;
}

/** Paste a scene text below a parent. */
import type { Component, Entity, Schema } from "espalier";
import { keptOf } from "espalier/scene";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/**
 * Whatever is sound in the text is pasted. References that lead out of it find the entity of that id in this document, or
 * nobody. Selects what was pasted.
 *
 * @throws SceneError when it is not a scene.
 */
export function pasteEntities(
  document: EditorDocument,
  text: string,
  parent: Entity | null,
): readonly Entity[] {
  const { tree, format, prefabs } = document;
  const pasted = edit(document, document.t("step.paste"), () => {
    const scene = format.load(tree, text, {
      parent,
      prefabs,
      lenient: true,
      unknown: "keep",
      ...(document.file === undefined ? {} : { file: document.file }),
    });
    const roots = scene.roots();
    for (const root of roots) {
      for (const entity of tree.descendants(root, { includeSelf: true })) relink(document, entity);
    }
    return roots;
  });
  document.selection.replace(pasted);
  return pasted;
}

function relink(document: EditorDocument, entity: Entity): void {
  const { references } = keptOf(document.tree, entity);
  for (const [name, fields] of Object.entries(references)) {
    const component = document.format.component(name) as Component<Schema> | undefined;
    if (component === undefined || !document.world.has(entity, component)) continue;
    for (const [field, id] of Object.entries(fields)) {
      const target = typeof id === "string" ? document.scene?.find(id) : undefined;
      if (target !== undefined) document.world.set(entity, component, { [field]: target });
    }
  }
}

/** Paste a scene text below a parent. */
import type { Component, Entity, Schema } from "espalier";
import { keptOf, type Scene } from "espalier/scene";
import type { CutOut } from "../../document/cut-out.ts";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { putAt } from "../../document/space/keep-worlds.ts";

/**
 * Whatever is valid in the text is pasted. Entities keep their ids where the document has no entity with that id, so that what was
 * cut is moved. References that lead out of the text find the entity with that id in this document, or become empty. Selects what was
 * pasted.
 *
 * @param cut - What was cut out of this document, if the text is that: references to it are restored.
 * @throws SceneError when it is not a scene.
 */
export function pasteEntities(
  document: EditorDocument,
  text: string,
  parent: Entity | null,
  cut?: CutOut,
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
    const byId = new Map(roots.map((root) => [scene.idOf(root), root]));
    for (const root of roots) {
      for (const entity of tree.descendants(root, { includeSelf: true })) {
        keepId(document, scene, entity);
        relink(document, entity);
      }
    }
    if (cut?.text === text) {
      reconnect(document, cut);
      // What was cut is moved, so it stays where it is.
      for (const { id, transform } of cut.worlds) {
        const entity = byId.get(id);
        if (entity !== undefined) putAt(document, entity, transform);
      }
    }
    return roots;
  });
  document.selection.replace(pasted);
  return pasted;
}

/** Entities inside an instance derive their ids from the id of the instance. */
function keepId({ scene }: EditorDocument, from: Scene, entity: Entity): void {
  const id = from.idOf(entity);
  if (scene === undefined || id === undefined || id.includes("/") || scene.find(id) !== undefined) return;
  scene.add(entity, id);
}

function relink(document: EditorDocument, entity: Entity): void {
  const { references } = keptOf(document.tree, entity);
  for (const [name, fields] of Object.entries(references)) {
    for (const [field, id] of Object.entries(fields)) {
      if (typeof id === "string") refer(document, entity, name, field, id);
    }
  }
}

/** References that became empty when it was cut, unless they were set to something else meanwhile. */
function reconnect(document: EditorDocument, { references }: CutOut): void {
  for (const { id, component, field, target } of references) {
    const entity = document.scene?.find(id);
    if (entity !== undefined) refer(document, entity, component, field, target);
  }
}

function refer(document: EditorDocument, entity: Entity, name: string, field: string, id: string): void {
  const { world, scene, format } = document;
  const component = format.component(name) as Component<Schema> | undefined;
  const target = scene?.find(id);
  if (component === undefined || target === undefined || !world.has(entity, component)) return;
  const values = world.get(entity, component) as { readonly [field: string]: unknown };
  if (values[field] === null) world.set(entity, component, { [field]: target });
}

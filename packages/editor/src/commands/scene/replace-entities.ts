/** Replace entities by instances of a prefab: positions in the tree and in the world, and references to them, stay. */
import type { Entity } from "espalier";
import { topmost } from "espalier/hierarchy";
import { instanceOf, replaceEntity } from "espalier/scene";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { requireUnlocked } from "../../document/require-unlocked.ts";
import { putAt, worldTransform } from "../../document/space/keep-worlds.ts";

/**
 * As one step; their descendants are deleted. Selects the instances.
 *
 * @param prefab - As the document refers to it.
 * @throws SceneError when the prefab is broken or missing; nothing has changed then.
 */
export function replaceEntities(
  document: EditorDocument,
  entities: Iterable<Entity>,
  prefab: string,
): readonly Entity[] {
  const { tree, format, prefabs, world, scene } = document;
  const tops = topmost(tree, entities);
  if (tops.length === 0) return [];
  requireUnlocked(document, tops);
  for (const top of tops) requireOwn(document, top);
  const file = document.file === undefined ? {} : { file: document.file };
  const text = JSON.stringify({ version: format.version, entities: [{ id: "instance", prefab }] });
  const label = document.t("step.replace", { name: document.labelAll(tops) });
  const made = edit(document, label, () =>
    tops.map((top) => {
      const [name, transform, id] = [tree.nameOf(top), worldTransform(document, top), scene?.idOf(top)];
      const loaded = format.load(tree, text, {
        parent: tree.parentOf(top),
        prefabs,
        unknown: "keep",
        ...file,
      });
      const created = loaded.entity("instance");
      replaceEntity(tree, top, created, { children: false });
      if (name !== undefined) tree.setName(created, name);
      if (transform !== undefined && world.has(created, componentOf(document, transform.kind)))
        putAt(document, created, transform);
      if (scene !== undefined && id !== undefined && scene.find(id) === undefined) scene.add(created, id);
      return created;
    }),
  );
  document.rereads++;
  document.selection.replace(made);
  return made;
}

function componentOf({ space, space3D }: EditorDocument, kind: "2d" | "3d") {
  return kind === "3d" && space3D !== undefined ? space3D.component : space.component;
}

/** An entity inside an instance cannot be replaced: it belongs to the prefab. Unpack the instance first. */
export class PartOfInstanceError extends Error {}

function requireOwn(document: EditorDocument, entity: Entity): void {
  const instance = instanceOf(document.tree, entity);
  if (instance === undefined || instance.root === entity || !document.scene?.idOf(entity)?.includes("/"))
    return;
  throw new PartOfInstanceError(document.t("refuse.partOfInstance", { name: document.label(entity) }));
}

/** Make a prefab of an entity and what is below it: an instance replaces them. */
import type { Component, Entity, Schema } from "espalier";
import { fieldTypeOf } from "espalier";
import { nextInList } from "espalier/hierarchy";
import { instanceOf, type Prefabs, parseScene, printScene, type SceneFile } from "espalier/scene";
import { textWithIds } from "../../document/clipboard.ts";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";
import { referencesInto } from "../../document/outside-references.ts";

/** The prefab as text, with its root at the origin: the position belongs to the instance. */
export function prefabText(document: EditorDocument, root: Entity): string {
  for (const top of document.tree.roots()) {
    // An entity created in the editor gets its id when it becomes part of the scene.
    if (document.scene?.idOf(top) === undefined) document.scene?.add(top);
  }
  const file = parseScene(textWithIds(document, [root]));
  const [first, ...others] = file.entities;
  const components = { ...first?.components };
  for (const name of ["Transform2D", "Transform3D"]) {
    const { x: _x, y: _y, z: _z, ...pose } = components[name] ?? {};
    if (components[name] !== undefined) components[name] = pose;
  }
  const inside = new Set(document.tree.descendants(root, { includeSelf: true }));
  const out = outward(document, inside);
  const entities = [{ ...first, components }, ...others].map((entry) => {
    const leaving = out.filter(({ id }) => id === entry.id);
    if (leaving.length === 0) return entry;
    const cleaned: { [name: string]: { readonly [field: string]: unknown } | null } = { ...entry.components };
    for (const { component, field } of leaving) {
      const { [field]: _, ...rest } = cleaned[component] ?? {};
      cleaned[component] = rest;
    }
    return { ...entry, components: cleaned };
  });
  return printScene({ ...file, entities } as SceneFile);
}

/**
 * Replaces an entity by an instance, as one step: same id, same position, same references to and from it. Selects it.
 *
 * @param prefab - How the document refers to the prefab, whose text is `prefabText` of that entity.
 * @throws SceneError
 */
export function replaceByInstance(
  document: EditorDocument,
  root: Entity,
  prefab: string,
  prefabs: Prefabs,
): Entity {
  const { tree, format, scene, world, space, space3D } = document;
  const name = tree.nameOf(root);
  const id = scene?.idOf(root) ?? "instance";
  const idsOf = (entity: Entity) => scene?.idOf(entity) ?? "";
  const inward = referencesInto(document, [root]).map((one) => ({ ...one, id: idsOf(one.target) }));
  const inside = new Set(tree.descendants(root, { includeSelf: true }));
  const out = outward(document, inside);
  const local = world.has(root, space.component) ? { ...space.localOf(root) } : undefined;
  const local3D =
    space3D !== undefined && world.has(root, space3D.component) ? { ...space3D.localOf(root) } : undefined;
  const instance = edit(document, document.t("step.makePrefab", { name: document.label(root) }), () => {
    const [parent, before] = [tree.parentOf(root), nextInList(tree, root)];
    tree.destroy(root, { children: "cascade" });
    const entry = { id, prefab, ...(name === undefined ? {} : { name }) };
    const made = format.load(tree, JSON.stringify({ version: format.version, entities: [entry] }), {
      parent,
      prefabs,
      unknown: "keep",
      ...(document.file === undefined ? {} : { file: document.file }),
    });
    const created = made.entity(id);
    if (before !== null) tree.moveChild(created, { before });
    if (scene !== undefined && scene.find(id) === undefined) scene.add(created, id);
    if (local !== undefined) space.setPosition(created, local.x, local.y);
    if (local3D !== undefined) space3D?.setPosition(created, local3D.x, local3D.y, local3D.z);
    const find = (member: string) => (member === id ? created : instanceOf(tree, created)?.find(member));
    for (const { entity, component, field, id: target } of inward) {
      const to = find(target);
      if (to !== undefined) world.set(entity, component as Component<Schema>, { [field]: to });
    }
    for (const { id: from, component, field, target } of out) {
      const entity = find(from);
      const known = format.component(component) as Component<Schema> | undefined;
      if (entity !== undefined && known !== undefined) world.set(entity, known, { [field]: target });
    }
    return created;
  });
  document.prefabs = prefabs;
  document.rereads++;
  document.selection.replace([instance]);
  return instance;
}

interface Outward {
  readonly id: string;
  readonly component: string;
  readonly field: string;
  readonly target: Entity;
}

/** References that lead out of a subtree: a prefab cannot hold them, so the instance does. */
function outward(document: EditorDocument, inside: ReadonlySet<Entity>): Outward[] {
  const { world, scene } = document;
  const found: Outward[] = [];
  for (const component of document.components) {
    const fields = Object.keys(component.schema).filter(
      (field) => fieldTypeOf(component.schema[field] as never).valueKind === "entity",
    );
    for (const entity of fields.length === 0 ? [] : inside) {
      if (!world.has(entity, component as Component<Schema>)) continue;
      const values = world.get(entity, component as Component<Schema>) as { [field: string]: Entity | null };
      for (const field of fields) {
        const target = values[field] ?? null;
        const id = scene?.idOf(entity);
        if (target !== null && id !== undefined && !inside.has(target))
          found.push({ id, component: component.name, field, target });
      }
    }
  }
  return found;
}

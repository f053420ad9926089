/**
 * Makes overrides of an instance part of the prefab's file.
 *
 * The instance is written as a scene, with only the chosen overrides, and loaded into a world of its own. There it is
 * unpacked: the entities of the prefab's file are plain ones again, or instances of the prefabs inside it. Then the file is
 * written.
 */
import { createWorld, type Entity } from "../../ecs/index.ts";
import { createHierarchy, type Hierarchy } from "../../hierarchy/index.ts";
import { build, recordOf, setLate } from "../build.ts";
import { SceneError, type SceneProblem, type SceneProblemCode } from "../errors.ts";
import type { EntityEntry, OverrideEntry, SceneFile } from "../file.ts";
import type { Json } from "../json/json.ts";
import { equalJson } from "../json/values.ts";
import { isComposed } from "../read/composition.ts";
import { initsOf } from "../read/decode.ts";
import { matchIds } from "../read/id-steps.ts";
import { readScene, requireDraft } from "../read/load.ts";
import type { InstanceDraft, SceneNode, Template } from "../read/node.ts";
import type { Draft } from "../read/read.ts";
import { isSameForm, matchMembers } from "../read/template.ts";
import type { Registry } from "../registry.ts";
import { tablesOf } from "../tables.ts";
import { SceneIds } from "../write/ids.ts";
import { writeScene } from "../write/write.ts";
import { arrangeChildren, byIndex, indicesOf } from "./child-order.ts";
import type { Instance } from "./instance.ts";
import { differencesOf, isOwn, type Override, outsideId } from "./overrides.ts";

export interface EditedPrefab {
  readonly file: SceneFile;
  /** Entities that were added to the instance and now belong to the prefab, with their ids there. */
  readonly joined: ReadonlyMap<Entity, string>;
}

/** Whether an override was chosen. */
type IsChosen = (kind: Override["kind"], target: string, component?: string, field?: string) => boolean;

/**
 * @param own - The prefab's file.
 * @throws SceneError
 */
export function editPrefab(
  own: Draft,
  template: Template,
  instance: Instance,
  overrides: readonly Override[],
): EditedPrefab {
  if (isComposed(template.source.value)) {
    const name = instance.prefab;
    const why = `${name} is composed of other prefabs. Apply them to an instance of one of those, or write a prefab whose root is an instance of ${name} and use that.`;
    throw refuseApplying(name, [{ code: "scene/invalid-composition", target: ".", why }]);
  }
  const chosen = new Set<string>();
  for (const { kind, target, component, field } of overrides)
    chosen.add(keyOf(kind, target, component, field));
  const isChosen: IsChosen = (...parts) => chosen.has(keyOf(...parts));
  const ids = new SceneIds();
  // So that new ids differ from those of the prefab.
  for (const node of own.nodes) if (!node.isInside) ids.reserve(node.id);
  ids.set(instance.root, template.nodes[0].id);
  const members = instance.localIds();
  const file = writeScene({
    tree: instance.tree,
    registry: own.registry,
    ids,
    tops: [...members.keys()],
    keys: {},
    doing: doingOf(instance),
    options: {},
    partly: { members, without: leftOut(instance, members, overrides) },
  });
  const joined = new Map<Entity, string>();
  for (const entity of ids.entities()) {
    if (!members.has(entity)) joined.set(entity, ids.of(entity) as string);
  }
  refuse(instance, [
    ...ownOf(instance, overrides),
    ...outsideOf(instance, isChosen, ids),
    ...leftOf(instance, isChosen),
    ...loopsIn(instance, template, joined),
  ]);
  const draft = readChosen(file, template, instance, joined, isChosen);
  return { file: writeUnpacked(own, template, draft, instance, joined, isChosen), joined };
}

function keyOf(...[kind, target, component, field]: Parameters<IsChosen>): string {
  return JSON.stringify([kind, target, component, field]);
}

function doingOf({ prefab }: Instance): string {
  return `apply the overrides of ${prefab}`;
}

/** Entities added to the instance that are not to become part of the prefab. */
function leftOut(
  { tree }: Instance,
  members: ReadonlyMap<Entity, string>,
  overrides: readonly Override[],
): Set<Entity> {
  const added = new Set<Entity | undefined>();
  for (const { kind, entity } of overrides) if (kind === "added") added.add(entity);
  const found = new Set<Entity>();
  for (const member of members.keys()) {
    for (const child of tree.children(member)) if (!members.has(child) && !added.has(child)) found.add(child);
  }
  return found;
}

/** The instance with the chosen overrides and added entities. */
function readChosen(
  file: SceneFile,
  template: Template,
  instance: Instance,
  joined: ReadonlyMap<Entity, string>,
  isChosen: IsChosen,
): Draft {
  const { registry, reference } = instance.record;
  const [{ id, overrides = {}, ...root }, ...added] = file.entities;
  const inside: [string, OverrideEntry | null][] = [];
  for (const [target, patch] of Object.entries(overrides)) {
    if (patch !== null) inside.push([target, chosenOf(patch, target, isChosen)]);
    else if (isChosen("removed", target)) inside.push([target, null]);
  }
  const { parent: _, ...own } = withoutPlacement(chosenOf(root, ".", isChosen), registry);
  const entry: EntityEntry = {
    id: id as string,
    prefab: reference,
    ...own,
    overrides: Object.fromEntries(inside),
  };
  const result = readScene(
    registry,
    { version: registry.version, entities: [entry, ...added] },
    { file: template.file, prefabs: template.prefabs, unknown: "keep" },
    { given: new Map([[reference, template]]) },
  );
  if (result.draft !== undefined) refuse(instance, otherForms(instance, result.draft, joined));
  const problems = result.problems.map((problem) => ({
    ...problem,
    // Its position in a temporary scene.
    path: "",
    message: `${problem.message} That would be the result of the chosen overrides: also choose those that belong to them, or leave some out.`,
  }));
  return requireDraft({ ...result, problems }, { file: instance.prefab }, "apply the overrides of");
}

/** The override of the root of an instance, without its placement, which may also be in added components. */
function withoutPlacement(entry: OverrideEntry, registry: Registry): OverrideEntry {
  const { components } = entry;
  if (components === undefined) return entry;
  const parts = Object.entries(components).map(([name, json]) => {
    const placement = registry.codecs.get(name)?.component.placement ?? [];
    const fields = json && Object.entries(json).filter(([field]) => !placement.includes(field));
    return [name, fields && Object.fromEntries(fields)] as const;
  });
  return { ...entry, components: Object.fromEntries(parts) };
}

/** The chosen part of an override of an entity. */
function chosenOf(patch: OverrideEntry, target: string, isChosen: IsChosen): OverrideEntry {
  const { name, parent, components = {} } = patch;
  const parts: [string, { readonly [field: string]: Json } | null][] = [];
  for (const [component, json] of Object.entries(components)) {
    if (isChosen("component", target, component)) parts.push([component, json]);
    const fields = Object.entries(json ?? {}).filter(([field]) =>
      isChosen("field", target, component, field),
    );
    if (fields.length > 0) parts.push([component, Object.fromEntries(fields)]);
  }
  return {
    ...(name !== undefined && isChosen("name", target) ? { name } : {}),
    ...(parent !== undefined && isChosen("parent", target) ? { parent } : {}),
    ...(parts.length > 0 ? { components: Object.fromEntries(parts) } : {}),
  };
}

/** @param draft - The instance with the content that the prefab is to have. */
function writeUnpacked(
  own: Draft,
  template: Template,
  draft: Draft,
  instance: Instance,
  joined: ReadonlyMap<Entity, string>,
  isChosen: IsChosen,
): SceneFile {
  const tree = createHierarchy(createWorld());
  const entities = build(tree, draft, null);
  const { members } = draft.nodes[0].rare.instance as InstanceDraft;
  const copies = Array.from(members, (k) => entities[k] as Entity | undefined);
  const copyOf = new Map<Entity, Entity | undefined>();
  const { record } = instance;
  const here = matchMembers(record.template, template);
  record.members.forEach((member, k) => {
    copyOf.set(member, copies[here[k]]);
  });
  for (const [entity, id] of joined) copyOf.set(entity, entities[draft.byId.find(id) as number]);
  arrange(tree, copies, instance, copyOf, isChosen);

  const { instances } = tablesOf(tree);
  instances.delete(entities[0]);
  const ids = new SceneIds();
  // Entities inside an instance get their ids when it is written.
  draft.nodes.forEach((node, k) => {
    if (!node.isInside) ids.set(entities[k], node.id);
  });
  const same = matchIds(own.byId, template.byId, own.nodes.length);
  const entityAt = (index: number) => copies[same[index]];
  own.nodes.forEach((node, k) => {
    const entity = entityAt(k);
    if (entity === undefined) return;
    if (!node.isInside) ids.set(entity, node.id);
    keepPrefabOnly(tree, own, k, entity, entityAt);
    const { instance: inner } = node.rare;
    if (inner !== undefined) instances.set(entity, recordOf(own, inner, entity, entityAt, ""));
  });
  return writeScene({
    tree,
    registry: own.registry,
    ids,
    tops: [entities[0]],
    keys: own.keys,
    doing: doingOf(instance),
    options: {},
  });
}

/** Instances lack the components that only a prefab has; its file keeps them. */
function keepPrefabOnly(
  tree: Hierarchy,
  { byId, nodes, registry }: Draft,
  k: number,
  entity: Entity,
  entityAt: (index: number) => Entity | undefined,
): void {
  if (registry.prefabOnly.size === 0) return;
  const find = (id: string) => entityAt(byId.find(id) ?? -1);
  const node = nodes[k] as SceneNode;
  for (const init of initsOf(node)) {
    const { component } = init;
    if (!registry.prefabOnly.has(component.name) || tree.world.has(entity, component)) continue;
    tree.world.add(entity, init);
    for (const late of node.rare.late) {
      if (late.codec.component === component) setLate(tree, entity, late, { entity: find, at: entityAt });
    }
  }
}

/** Gives children the order of the instance if that was chosen, or else that of the prefab, with added ones last. */
function arrange(
  tree: Hierarchy,
  copies: readonly (Entity | undefined)[],
  instance: Instance,
  copyOf: ReadonlyMap<Entity, Entity | undefined>,
  isChosen: IsChosen,
): void {
  const indices = indicesOf(copies);
  const targets = instance.localIds().set(instance.root, ".");
  for (const [parent, copy] of copyOf) {
    if (copy === undefined || !instance.tree.world.isAlive(parent) || tree.childCount(copy) < 2) continue;
    const wanted = new Set<Entity>();
    for (const child of instance.tree.children(parent)) {
      const its = copyOf.get(child);
      if (its !== undefined && tree.parentOf(its) === copy) wanted.add(its);
    }
    for (const child of tree.children(copy)) wanted.add(child);
    const target = targets.get(parent);
    const isAsInPrefab = target !== undefined && !isChosen("order", target);
    arrangeChildren(tree, isAsInPrefab ? byIndex([...wanted], indices) : wanted);
  }
}

// What cannot be part of a prefab ----------------------------------------------------------------------------------------

interface Refusal {
  readonly code: SceneProblemCode;
  readonly target: string;
  readonly why: string;
}

function refuse({ prefab }: Instance, refusals: readonly Refusal[]): void {
  if (refusals.length > 0) throw refuseApplying(prefab, refusals);
}

export function refuseApplying(prefab: string, refusals: readonly Refusal[]): SceneError {
  const nowhere = { line: undefined, column: undefined, path: "" };
  const problems = refusals.map(
    ({ code, target, why }): SceneProblem => ({
      code,
      message: why,
      file: prefab,
      ...nowhere,
      entity: target,
    }),
  );
  return new SceneError(`apply the overrides of ${prefab}`, { problems });
}

/** The name and the placement of the root, which are the instance's own. */
function ownOf(instance: Instance, overrides: readonly Override[]): Refusal[] {
  return overrides
    .filter((override) => isOwn(override, instance.record.registry))
    .map(({ target, component, field }) => ({
      code: "scene/own-override",
      target,
      why: `${field === undefined ? "the name" : `${component}.${field}`} of the root is the instance's own. Leave that override out: those that are \`own\` cannot be applied.`,
    }));
}

/** Added instances of the prefab itself. */
function loopsIn({ tree }: Instance, template: Template, joined: ReadonlyMap<Entity, string>): Refusal[] {
  const { instances } = tablesOf(tree);
  const refusals: Refusal[] = [];
  for (const [entity, target] of joined) {
    const other = instances.get(entity)?.template;
    if (other === undefined || (other !== template && !isSameForm(other, template))) continue;
    const why = `${target} is an instance of the prefab itself, which would be infinite. Leave that override out.`;
    refusals.push({ code: "scene/prefab-loop", target, why });
  }
  return refusals;
}

/**
 * References to entities outside the prefab, and parents outside it.
 *
 * @param ids - The ids of everything that will be part of it.
 */
function outsideOf(instance: Instance, isChosen: IsChosen, ids: SceneIds): Refusal[] {
  const outside = new Map<string, Entity>();
  const edits = differencesOf(instance, (entity) => {
    if (ids.of(entity) === undefined) outside.set(outsideId(entity), entity);
    return outsideId(entity);
  });
  const refusals: Refusal[] = [];
  for (const { kind, value, target, component, field } of edits) {
    if (kind === "order" || !isChosen(kind, target, component, field)) continue;
    const name = target === "." ? "its root" : target;
    if (kind === "parent" && value === null) {
      refusals.push({
        code: "scene/outside-parent",
        target,
        why: `${name} no longer has a parent, and a prefab has one root. Leave that override out.`,
      });
    }
    const part = field === undefined ? component : `${component}.${field}`;
    const what = kind === "parent" ? `${name} is below` : `${part} of ${name} refers to`;
    for (const id of outside.size === 0 ? [] : idsIn(value)) {
      const entity = outside.get(id);
      if (entity === undefined) continue;
      const label = instance.tree.label(entity);
      refusals.push({
        code: kind === "parent" ? "scene/outside-parent" : "scene/outside-reference",
        target,
        why: `${what} ${label}, which is not part of the prefab. Leave that override out.`,
      });
    }
  }
  return refusals;
}

/** Living entities that would be removed with a removed one: below it, or in the inner instance that it was the root of. */
function leftOf({ record, tree }: Instance, isChosen: IsChosen): Refusal[] {
  const { nodes, byId } = record.template;
  const isAlive = (k: number) => tree.world.isAlive(record.members[k]);
  /** By node: the removed entity that it is removed with. */
  const goneWith = new Map<number, string>();
  nodes.forEach(({ id, parent }, k) => {
    const above = goneWith.get(parent);
    if (above !== undefined && !isChosen("parent", id)) goneWith.set(k, above);
    else if (!isAlive(k) && isChosen("removed", id)) goneWith.set(k, id);
  });
  const refusals: Refusal[] = [];
  if (goneWith.size === 0) return refusals;
  nodes.forEach(({ id }, k) => {
    if (!isAlive(k)) return;
    const above = goneWith.get(k);
    const [inner] = id.split("/", 1);
    if (above !== undefined) {
      const why = `${above} is gone, but ${id}, which the prefab has below it, is still there. Choose its new parent too, or leave that override out.`;
      refusals.push({ code: "scene/removed-with-parts", target: above, why });
    } else if (inner !== id && goneWith.has(byId.find(inner) as number)) {
      const why = `${inner} is gone, but ${id}, which comes with it, is still there. Leave that override out.`;
      refusals.push({ code: "scene/removed-with-parts", target: inner, why });
    }
  });
  return refusals;
}

/** Added instances whose prefab is a different one, or another form, by that name in the file of this prefab. */
function otherForms(
  { tree, prefab }: Instance,
  { nodes, byId }: Draft,
  joined: ReadonlyMap<Entity, string>,
): Refusal[] {
  const refusals: Refusal[] = [];
  const { instances } = tablesOf(tree);
  for (const [entity, target] of joined) {
    const record = instances.get(entity);
    if (record === undefined) continue;
    const found = nodes[byId.find(target) ?? -1]?.rare.instance;
    if (found === undefined || isSame(record.template, found.template)) continue;
    const why = `${target} is an instance of ${record.reference} in another form than ${prefab} finds by that name. Replace the prefab first, or leave that override out.`;
    refusals.push({ code: "scene/other-form", target, why });
  }
  return refusals;
}

/** Whether two prefabs have the same entities. */
function isSame(a: Template, b: Template): boolean {
  if (a === b) return true;
  if (a.nodes.length !== b.nodes.length) return false;
  const same = matchMembers(a, b);
  return a.nodes.every(({ name, parent, components }, k) => {
    const other = b.nodes[same[k]];
    return (
      name === other?.name &&
      (k === 0 || same[parent] === other.parent) &&
      equalJson(components, other.components)
    );
  });
}

/** All strings in a JSON value. */
function idsIn(value: Json | undefined): string[] {
  const found: string[] = [];
  const stack: (Json | undefined)[] = [value];
  while (stack.length > 0) {
    const item = stack.pop();
    if (typeof item === "string") found.push(item);
    else if (typeof item === "object" && item !== null)
      for (const inner of Object.values(item)) stack.push(inner);
  }
  return found;
}

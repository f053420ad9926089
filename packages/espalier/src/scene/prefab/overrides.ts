/**
 * The differences of an instance from its prefab.
 */
import { describeValue, type Entity } from "../../ecs/index.ts";
import { notifyCapture, stateOf } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { isRecord, refuseUse, requireList } from "../arguments.ts";
import type { Json } from "../json/json.ts";
import type { SceneNode } from "../read/node.ts";
import type { Registry } from "../registry.ts";
import type { InstanceRecord } from "../tables.ts";
import { ComponentWriter } from "../write/component-writer.ts";
import { diffInstance, type InstancePatch } from "../write/instance-diff.ts";
import { reordered } from "./child-order.ts";

/** One way in which an instance differs from its prefab. */
export interface Override {
  /**
   * `field`: a field has another value. `component`: a component was added, or removed (`value` is `null`). `name`,
   * `parent`: it has another. `order`: its children are in another order. `removed`: an entity of the prefab was removed.
   * `added`: an entity that the prefab does not have.
   */
  readonly kind: "field" | "component" | "name" | "parent" | "order" | "removed" | "added";
  /** The entity of the prefab it is about, by its id there; `"."` is the root. For `added`, the parent. */
  readonly target: string;
  /** The entity in the world; `undefined` if it was removed. */
  readonly entity: Entity | undefined;
  /** The component it is about, if it is about one. */
  readonly component?: string;
  /** The field it is about, if it is about one. */
  readonly field?: string;
  /** The value in the instance, as JSON. For `order`, the ids of the children. */
  readonly value?: Json;
  /**
   * The name of the root, or a field of its placement, which belongs to the instance. `apply` does not make it part of the
   * prefab, and `revert` reverts it only when it is passed explicitly.
   */
  readonly own?: true;
}

/** What these functions need from an `Instance`. */
export interface InstanceParts {
  readonly tree: Hierarchy;
  readonly root: Entity;
  readonly record: InstanceRecord;
  /** The ids of the prefab by entity, for living entities. */
  localIds(): Map<Entity, string>;
}

/** All differences of an instance from its prefab, in the order of the prefab. */
export function overridesOf(instance: InstanceParts): Override[] {
  const ids = instance.localIds();
  return differencesOf(instance, (entity) => ids.get(entity) ?? outsideId(entity));
}

/** The overrides, with the ids that `idOf` returns. */
export function differencesOf(instance: InstanceParts, idOf: (entity: Entity) => string): Override[] {
  const { tree, root, record } = instance;
  const { members, template } = record;
  const { nodes } = template;
  const ids = instance.localIds();
  const { name, components, overrides } = entryOf(instance, idOf);
  const list = partsOf(".", root, nodes[0], { ...(name === undefined ? {} : { name }), components });
  for (const [target, patch] of Object.entries(overrides)) {
    const k = template.byId.find(target) as number;
    if (patch === null) list.push({ kind: "removed", target, entity: undefined });
    else list.push(...partsOf(target, members[k], nodes[k], patch));
  }
  for (const k of reordered(tree, record)) {
    const value = tree.childrenOf(members[k]).map(idOf);
    list.push({ kind: "order", target: k === 0 ? "." : nodes[k].id, entity: members[k], value });
  }
  for (const [member, id] of ids) {
    for (const child of tree.children(member)) {
      if (!ids.has(child)) list.push({ kind: "added", target: member === root ? "." : id, entity: child });
    }
  }
  return list.map((override) => (isOwn(override, record.registry) ? { ...override, own: true } : override));
}

/** The entry of an instance as in a file, with the ids that `idOf` returns. */
export function entryOf(instance: InstanceParts, idOf: (entity: Entity) => string): InstancePatch {
  const { tree, record } = instance;
  const ids = instance.localIds();
  notifyCapture(stateOf(tree.world));
  return diffInstance({
    tree,
    writer: new ComponentWriter(tree, record.registry),
    record,
    isThere: (member) => ids.has(member),
    context: { idOf: (entity) => (entity === null ? null : idOf(entity)) },
    idInFile: (entity) => (entity === null ? null : idOf(entity)),
    begin: () => {},
    onError: (error) => {
      throw error;
    },
  });
}

interface Parts {
  readonly name?: string | null;
  readonly parent?: string | null;
  readonly components?: InstancePatch["components"];
}

function partsOf(
  target: string,
  entity: Entity,
  node: SceneNode,
  { name, parent, components = {} }: Parts,
): Override[] {
  const list: Override[] = [];
  if (name !== undefined) list.push({ kind: "name", target, entity, value: name });
  if (parent !== undefined) list.push({ kind: "parent", target, entity, value: parent });
  for (const [component, json] of Object.entries(components)) {
    if (json === null || !node.inits.some((init) => init.component.name === component)) {
      list.push({ kind: "component", target, entity, component, value: json });
      continue;
    }
    for (const [field, value] of Object.entries(json)) {
      list.push({ kind: "field", target, entity, component, field, value });
    }
  }
  return list;
}

/** A placeholder id for an entity that is not part of the instance. */
export function outsideId(entity: Entity): string {
  return `#${entity}`;
}

/** Whether an override is about the name or the placement of the root, which belong to each instance. */
export function isOwn({ kind, target, component, field }: Override, registry: Registry): boolean {
  if (target !== ".") return false;
  if (kind !== "field") return kind === "name";
  const placement = registry.codecs.get(component as string)?.component.placement;
  return placement?.includes(field as string) === true;
}

const kinds: ReadonlySet<unknown> = /* @__PURE__ */ new Set<Override["kind"]>([
  "field",
  "component",
  "name",
  "parent",
  "order",
  "removed",
  "added",
]);

/** One or several overrides, such as `instance.overrides()` gives, as a list. @throws SceneUseError */
export function requireOverrides(overrides: unknown, doing: string): readonly Override[] {
  const list = isRecord(overrides) ? [overrides] : requireList(overrides, "what differs", doing);
  for (const override of list) {
    const { kind, target } = Object(override) as Partial<Override>;
    if (kinds.has(kind) && typeof target === "string") continue;
    throw refuseUse(
      doing,
      `${describeValue(override)} is not an override. Pass some of instance.overrides().`,
    );
  }
  return list as readonly Override[];
}

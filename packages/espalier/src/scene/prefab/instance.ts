/**
 * An instance of a prefab in a world, and what makes it differ from the prefab.
 */
import { describeValue, type Entity, type EntityLike, formatEntity } from "../../ecs/index.ts";
import { notifyCapture, stateOf } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import { isRecord, refuseUse, requireEntity, requireList, requireTree } from "../arguments.ts";
import type { ReloadSummary } from "../compare/reconcile.ts";
import { SceneUseError } from "../errors.ts";
import type { Json } from "../json/json.ts";
import { requireDraft } from "../read/load.ts";
import type { SceneNode } from "../read/node.ts";
import type { Draft } from "../read/read.ts";
import type { Registry } from "../registry.ts";
import { type InstanceRecord, isMember, tablesOf } from "../tables.ts";
import type { InstancePatch } from "../write/instance-diff.ts";
import { type writeTools, writeToolsOf } from "../write-tools.ts";
import { expandPatch } from "./instance-draft.ts";

/** One way in which an instance differs from its prefab. */
export interface Override {
  /**
   * `field`: a field has another value. `component`: a component was added, or removed (`value` is `null`). `name`,
   * `parent`: it has another. `order`: its children stand in another order. `removed`: an entity of the prefab is gone.
   * `added`: an entity that the prefab has not.
   */
  readonly kind: "field" | "component" | "name" | "parent" | "order" | "removed" | "added";
  /** The entity of the prefab it is about, by its id there; `"."` is the root. For `added`, the parent. */
  readonly target: string;
  /** The entity in the world; nothing where it was removed. */
  readonly entity: Entity | undefined;
  /** The component it is about, if it is about one. */
  readonly component?: string;
  /** The field it is about, if it is about one. */
  readonly field?: string;
  /** What the instance says instead, as JSON. For `order`, the ids of the children. */
  readonly value?: Json;
  /**
   * The name of the root, or a field of it that says where it is: the instance's own. `apply` does not make it part of the
   * prefab, and `revert` takes it back only where it is asked for by itself.
   */
  readonly own?: true;
}

/** An instance of a prefab. It stays one however it is changed, until its root is destroyed. */
export class Instance {
  /** The hierarchy that the instance is in. */
  readonly tree: Hierarchy;
  /** The entity of the prefab's root. */
  readonly root: Entity;

  /** @internal Use `prefab.instantiate()` or `instanceOf()`. */
  constructor(tree: Hierarchy, root: Entity) {
    this.tree = tree;
    this.root = root;
  }

  /** The name of the prefab. */
  get prefab(): string {
    return this.record.reference;
  }

  /** @internal Whether it still is an instance. */
  get isThere(): boolean {
    return this.tree.world.isAlive(this.root) && tablesOf(this.tree).instances.get(this.root) !== undefined;
  }

  /** The entity that was made from the prefab's entity of that id; nothing when there is none, or no longer. */
  find(id: string): Entity | undefined {
    const { template, members } = this.record;
    const entity = members[template.byId.find(id) ?? -1];
    return entity !== undefined && this.tree.world.isAlive(entity) ? entity : undefined;
  }

  /** Everything in which the instance differs from the prefab, in the order of the prefab. */
  overrides(): Override[] {
    const ids = this.localIds();
    return this.differences((entity) => ids.get(entity) ?? outsideId(entity));
  }

  /** @internal The overrides, with the ids that `idOf` gives. */
  differences(idOf: (entity: Entity) => string): Override[] {
    const { members, template } = this.record;
    const { nodes } = template;
    const ids = this.localIds();
    const { name, components, overrides } = this.patch(idOf);
    const list = partsOf(".", this.root, nodes[0], { ...(name === undefined ? {} : { name }), components });
    for (const [target, patch] of Object.entries(overrides)) {
      const k = template.byId.find(target) as number;
      if (patch === null) list.push({ kind: "removed", target, entity: undefined });
      else list.push(...partsOf(target, members[k], nodes[k], patch));
    }
    for (const k of toolsOf(this, "list overrides").reordered(this.tree, this.record)) {
      const value = this.tree.childrenOf(members[k]).map(idOf);
      list.push({ kind: "order", target: k === 0 ? "." : nodes[k].id, entity: members[k], value });
    }
    for (const [member, id] of ids) {
      for (const child of this.tree.children(member)) {
        if (!ids.has(child))
          list.push({ kind: "added", target: member === this.root ? "." : id, entity: child });
      }
    }
    return list.map((override) =>
      isOwn(override, this.record.registry) ? { ...override, own: true } : override,
    );
  }

  /**
   * Takes back overrides: the instance says what the prefab says. Added entities are destroyed, removed ones created again. All
   * or nothing.
   *
   * @param overrides - One or some of `instance.overrides()`; all but those that are `own` if left out.
   */
  revert(overrides?: Override | readonly Override[]): ReloadSummary {
    const { record } = this;
    if (overrides === undefined) {
      this.requireUntangled();
      return toolsOf(this, "revert").followDraft(this.tree, record, {
        after: this.draftWith(ownPatch(this.overrides())),
        before: undefined,
        doomed: this.strangers(),
      });
    }
    const summaries = toolsOf(this, "revert").asOneChange(this.tree.world, () =>
      requireOverrides(overrides, "revert").map((override) => this.revertOne(override)),
    );
    const all = (part: keyof ReloadSummary) => [...new Set(summaries.flatMap((summary) => summary[part]))];
    return { added: all("added"), removed: all("removed"), moved: all("moved"), changed: all("changed") };
  }

  private revertOne(override: Override): ReloadSummary {
    const { registry, template, reference } = this.record;
    if (override.kind === "added") return this.revertAdded(override.entity);
    if (override.kind === "order") return this.revertOrder(override);
    const before = expandPatch(registry, template, reference, patchOf(override), { lenient: true }).draft;
    return toolsOf(this, "revert").followDraft(this.tree, this.record, { after: this.draftWith({}), before });
  }

  /** Destroys an entity that was added. Parts of the instance that were moved below it go back to their places first. */
  private revertAdded(entity: Entity | undefined): ReloadSummary {
    const { tree } = this;
    this.requireUntangled();
    const ids = this.localIds();
    const isAdded = (child: Entity) =>
      tree.world.isAlive(child) && !ids.has(child) && ids.has(tree.parentOf(child) as Entity);
    // By now it may be gone, or have moved elsewhere.
    if (entity === undefined || !isAdded(entity)) return nothingChanged;
    const moved = this.overrides().filter(
      (other) => other.kind === "parent" && tree.isAncestor(entity, other.entity as Entity),
    );
    for (const other of moved) this.revertOne(other);
    tree.destroy(entity);
    return { ...nothingChanged, moved: moved.map(({ target }) => target) };
  }

  /** The prefab as a draft, with some overrides. */
  private draftWith(patch: object): Draft {
    const { registry, template, reference } = this.record;
    return requireDraft(expandPatch(registry, template, reference, patch), {}, "revert");
  }

  /** Refuses to take away what the instance itself is below. */
  private requireUntangled(): void {
    const ids = this.localIds();
    for (const above of this.tree.ancestors(this.root)) {
      if (!ids.has(above)) continue;
      throw new SceneUseError(
        `Cannot revert the instance ${this.tree.label(this.root)}: it is below its own ${ids.get(above)}, which cannot go back below it. Move the instance elsewhere first.`,
        "scene/invalid-use",
        { entities: [this.root] },
      );
    }
  }

  private revertOrder({ target, value }: Override): ReloadSummary {
    const { record, tree } = this;
    const index = target === "." ? 0 : record.template.byId.find(target);
    if (index === undefined || !tree.world.isAlive(record.members[index])) return nothingChanged;
    toolsOf(this, "revert").restoreOrder(tree, record, index);
    return { ...nothingChanged, moved: (value ?? []) as readonly string[] };
  }

  // For the rest of the room ---------------------------------------------------------------------------------------------

  /** @internal */
  get record(): InstanceRecord {
    const record = tablesOf(this.tree).instances.get(this.root);
    if (record !== undefined && this.tree.world.isAlive(this.root)) return record;
    throw new SceneUseError(
      `Cannot use the instance ${formatEntity(this.root)}: it is no longer an instance of a prefab. Its root was destroyed, or its file has changed.`,
      "scene/invalid-use",
      { entities: [this.root] },
    );
  }

  /** @internal What a file would say about it, with the ids that `idOf` gives. */
  patch(idOf: (entity: Entity) => string): InstancePatch {
    const { record } = this;
    const ids = this.localIds();
    notifyCapture(stateOf(this.tree.world));
    const { createWriter, diffInstance } = toolsOf(this, "list overrides");
    return diffInstance({
      tree: this.tree,
      writer: createWriter(this.tree, record.registry),
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

  /** @internal The ids of the prefab by entity, for those that live. */
  localIds(): Map<Entity, string> {
    const { members, template } = this.record;
    const ids = new Map<Entity, string>();
    members.forEach((member, k) => {
      if (this.tree.world.isAlive(member)) ids.set(member, template.nodes[k].id);
    });
    return ids;
  }

  /** What was added to the instance, wherever its own entities are by now. */
  private strangers(): Entity[] {
    const ids = this.localIds();
    const found = new Set<Entity>();
    for (const member of ids.keys()) {
      for (const child of this.tree.children(member)) {
        if (ids.has(child) || found.has(child)) continue;
        for (const entity of this.tree.descendants(child, { includeSelf: true })) {
          if (!ids.has(entity)) found.add(entity);
        }
      }
    }
    return [...found];
  }
}

function toolsOf({ record }: Instance, doing: string): typeof writeTools {
  return writeToolsOf(record.registry, doing);
}

const nothingChanged: ReloadSummary = /* @__PURE__ */ Object.freeze({
  added: [],
  removed: [],
  moved: [],
  changed: [],
});

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

/** Whether an override is about the name or the placement of the root, which every instance has for itself. */
export function isOwn({ kind, target, component, field }: Override, registry: Registry): boolean {
  if (target !== ".") return false;
  if (kind !== "field") return kind === "name";
  const placement = registry.codecs.get(component as string)?.component.placement;
  return placement?.includes(field as string) === true;
}

/** What a file would say of those overrides that are the instance's own. */
function ownPatch(overrides: readonly Override[]): object {
  const entry: { name?: string | null; components: { [name: string]: { [field: string]: Json } } } = {
    components: {},
  };
  for (const { own, kind, component, field, value } of overrides) {
    if (own !== true) continue;
    if (kind === "name") entry.name = value as string | null;
    else {
      const fields = ownOf(entry.components, component as string) ?? {};
      setOwn(fields, field as string, value as Json);
      setOwn(entry.components, component as string, fields);
    }
  }
  return entry;
}

/** What stands for an entity that is not part of the instance. */
export function outsideId(entity: Entity): string {
  return `#${entity}`;
}

/**
 * The instance that an entity belongs to, as its root or as one of the prefab's entities; nothing if there is none.
 * Entities that were added to an instance do not belong to it.
 */
export function instanceOf(tree: Hierarchy, entity: EntityLike): Instance | undefined {
  requireTree(tree, "find an instance");
  const member = requireEntity(tree, entity, "find an instance");
  const { instances } = tablesOf(tree);
  if (instances.isEmpty) return undefined;
  for (const above of tree.ancestors(member, { includeSelf: true })) {
    const record = instances.get(above);
    if (record !== undefined && isMember(record, member)) return new Instance(tree, above);
  }
  return undefined;
}

/** All living instances of prefabs in a tree, in the order in which they were made. */
export function instancesIn(tree: Hierarchy): Instance[] {
  requireTree(tree, "list instances");
  return Array.from(tablesOf(tree).instances.entities(), (root) => new Instance(tree, root));
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

/** The patch with nothing but one override, which is not about an added entity. */
export function patchOf({ kind, target, component, field, value }: Override): object {
  let entry: { [key: string]: unknown } | null = {};
  if (kind === "removed") entry = null;
  else if (kind === "name" || kind === "parent" || kind === "order") entry = { [kind]: value };
  else if (kind === "component") entry = { components: { [component as string]: value } };
  else entry = { components: { [component as string]: { [field as string]: value } } };
  return target === "." ? (entry as object) : { overrides: { [target]: entry } };
}

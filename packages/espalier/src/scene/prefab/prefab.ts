/**
 * Prefabs: scenes with one root that can be instantiated any number of times.
 */
import type { Entity, EntityLike, OptionKinds } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { freeName, positionFrom, type SiblingPositionOptions } from "../among-siblings.ts";
import { requireEntity, requireInstanceOf, requireOptions, requireTree } from "../arguments.ts";
import { build, makeEntities } from "../build.ts";
import type { ComponentEntries, OverrideEntry, SceneFile } from "../file.ts";
import { requireDraft } from "../read/load.ts";
import type { Template } from "../read/node.ts";
import { formComparer } from "../read/template.ts";
import type { Registry } from "../registry.ts";
import { tablesOf } from "../tables.ts";
import { writeToolsOf } from "../write-tools.ts";
import { Instance, instancesIn } from "./instance.ts";
import { expandPatch, instanceId } from "./instance-draft.ts";
import type { Override } from "./overrides.ts";
import { prefabToolsOf } from "./prefab-tools.ts";

/** The position of an instance, and its differences from the prefab. */
export interface InstantiateOptions extends SiblingPositionOptions {
  /** The parent; a root of the tree if left out. */
  readonly parent?: EntityLike | null;
  /** The name; that of the prefab if left out, with a number where siblings must have different names. */
  readonly name?: string;
  /** Components of the root, as in a file: merged into the prefab's, `null` removes one. */
  readonly components?: ComponentEntries;
  /** Changes of the entities below, by their id or path in the prefab; `null` removes one. */
  readonly overrides?: { readonly [target: string]: OverrideEntry | null };
}

export const instanceOptions: OptionKinds = {
  at: "anything",
  before: "anything",
  after: "anything",
  parent: "anything",
  name: "string",
  components: "anything",
  overrides: "anything",
};

/** A scene with one root, ready to be instantiated. */
export class Prefab {
  /** The name that scenes use for it. */
  readonly name: string;
  /** @internal */
  readonly registry: Registry;
  private template: Template;

  /** @internal Use `format.prefab()`. */
  constructor(registry: Registry, template: Template, name: string) {
    this.registry = registry;
    this.template = template;
    this.name = name;
  }

  /** @internal Its current form. */
  get form(): Template {
    return this.template;
  }

  /** @internal For a kept prefab whose file has changed: new instances get this form. */
  follow(form: Template): void {
    this.template = form;
  }

  /** How many entities an instance has. */
  get size(): number {
    return this.template.nodes.length;
  }

  /**
   * Creates an instance: independent of all others, children in the order of the prefab.
   *
   * @throws SceneError when an override does not fit, or the hierarchy refuses; nothing was created then.
   */
  instantiate(tree: Hierarchy, options: InstantiateOptions = {}): Instance {
    requireTree(tree, "instantiate");
    const { checks } = tree.world;
    const {
      parent = null,
      components,
      overrides,
    } = requireOptions(options, "instantiate", instanceOptions, checks);
    const under = parent === null ? null : requireEntity(tree, parent, "instantiate");
    const own = this.template.nodes[0].name ?? undefined;
    const name = options.name ?? (own === undefined ? undefined : freeName(tree, under, own));
    const position = positionFrom(options);
    const root =
      components === undefined && overrides === undefined
        ? this.spawn(tree, under, name, position)
        : this.spawnPatched(tree, under, clean({ name, components, overrides }), position);
    return new Instance(tree, root);
  }

  /** The fast path, for the prefab without changes: everything was checked when it was read. */
  private spawn(
    tree: Hierarchy,
    parent: Entity | null,
    rootName: string | undefined,
    position: SiblingPositionOptions | undefined,
  ): Entity {
    const { registry, template, name: reference } = this;
    const { nodes, byId, source } = template;
    const tables = tablesOf(tree);
    const number = tables.instances.reserve({ template });
    const note = { instance: number };
    const members = makeEntities(tree, nodes, parent, {
      source,
      position,
      rootName,
      doing: "instantiate",
      noteOf: (k) => (k === 0 ? note : undefined),
      context: (made) => ({ entity: (id) => made[byId.find(id) as number], at: (k) => made[k] }),
    });
    nodes.forEach(({ rare: { kept } }, k) => {
      if (kept !== undefined) tables.kept.set(members[k], kept);
    });
    tables.instances.put(number, members[0], { registry, template, reference, root: members[0], members });
    return members[0];
  }

  private spawnPatched(
    tree: Hierarchy,
    parent: Entity | null,
    patch: object,
    position: SiblingPositionOptions | undefined,
  ): Entity {
    const { registry, template, name } = this;
    const { prefabs } = template;
    const result = expandPatch(registry, template, name, patch, { prefabs });
    const draft = requireDraft(result, { file: template.file }, "instantiate");
    const entities = build(tree, draft, parent, { position, doing: "instantiate" });
    return entities[draft.byId.find(instanceId) as number];
  }

  /** All living instances in a tree that follow this form of the prefab, even if they were made from another reading of it. */
  instances(tree: Hierarchy): Instance[] {
    requireTree(tree, "list instances");
    const isSameForm = formComparer();
    return instancesIn(tree).filter(({ record }) => isSameForm(record.template, this.template));
  }

  /**
   * Makes all instances in a tree instances of `next`, another form of this prefab: changes between the two are
   * applied, overrides of instances stay. Instances of prefabs that contain this one follow too, by the name of
   * its file. All or nothing; a step of its own in a history, unless one is open.
   *
   * @throws SceneError when an instance cannot follow.
   */
  replace(tree: Hierarchy, next: Prefab): void {
    requireTree(tree, "replace a prefab");
    requireInstanceOf(next, Prefab, "another prefab", "replace a prefab");
    prefabToolsOf(this.registry, "replace a prefab").replacePrefab(tree, this, next.template);
  }

  /**
   * Makes overrides of an instance part of the prefab: returns the prefab in its new form, to be saved with `save()`, and
   * makes all instances in the tree follow that. The name and the placement of the instance's root are not applied. All or
   * nothing; a step of its own in a history, unless one is open. Undo restores the former text: see `prefabOf(instance)`.
   *
   * @param overrides - Some of `instance.overrides()`; all but those that are `own` if left out.
   * @throws SceneError when one cannot be part of a prefab, such as a reference to an entity outside.
   */
  apply(instance: Instance, overrides?: Override | readonly Override[]): Prefab {
    requireInstanceOf(instance, Instance, "an instance", "apply overrides");
    const { applyToPrefab } = prefabToolsOf(this.registry, "apply overrides");
    return new Prefab(this.registry, applyToPrefab(this, instance, overrides), this.name);
  }

  /** The prefab as a value, flat. */
  toFile(): SceneFile {
    return prefabToolsOf(this.registry, "write a prefab").writePrefab(this);
  }

  /** The prefab as text, for its file. */
  save(): string {
    return writeToolsOf(this.registry, "save a prefab").printScene(this.toFile());
  }
}

/**
 * The prefab that an instance follows now, as it was read: `save()` returns its text. After an undo it is the former one again.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const format = createSceneFormat({ components: [Health] });
 * const tank = format.prefab(`{ "entities": [{ "id": "tank", "components": { "Health": {} } }] }`, { file: "tank" });
 * const tree = createHierarchy(createWorld());
 * const history = createHistory(tree.world);
 * const instance = tank.instantiate(tree);
 * tree.world.set(instance.root, Health, { hp: 5 });
 * prefabOf(instance).apply(instance);
 * prefabOf(instance).toFile().entities[0].components; // → { Health: { hp: 5 } }
 * history.undo();
 * prefabOf(instance).toFile().entities[0].components; // → { Health: {} }
 * ```
 *
 * @throws SceneUseError `scene/invalid-use` when it is no longer an instance.
 */
export function prefabOf(instance: Instance): Prefab {
  const { registry, template, reference } = requireInstanceOf(
    instance,
    Instance,
    "an instance",
    "find the prefab of an instance",
  ).record;
  return new Prefab(registry, template, reference);
}

function clean(entry: object): object {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

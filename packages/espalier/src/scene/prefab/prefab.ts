/**
 * Prefabs: scenes with one root that can be made any number of times.
 */
import { createWorld, type Entity, type OptionKinds } from "../../ecs/index.ts";
import { createHierarchy, type Hierarchy } from "../../hierarchy/index.ts";
import { transaction } from "../../history/index.ts";
import { freeName, placeIn, type SiblingPlace } from "../among-siblings.ts";
import { requireEntity, requireInstanceOf, requireOptions, requireTree } from "../arguments.ts";
import { build, makeEntities } from "../build.ts";
import type { ComponentEntries, OverrideEntry, SceneFile } from "../file.ts";
import { readScene, readTemplate, requireDraft } from "../read/load.ts";
import type { Template } from "../read/node.ts";
import type { Draft } from "../read/read.ts";
import { matchMembers } from "../read/template.ts";
import type { Registry } from "../registry.ts";
import { noMember, tablesOf } from "../tables.ts";
import { SceneIds } from "../write/ids.ts";
import { printScene } from "../write/print-scene.ts";
import { writeScene } from "../write/write.ts";
import { editPrefab } from "./apply-overrides.ts";
import { followDraft } from "./follow-draft.ts";
import { Instance, instancesIn, type Override, outsideId, requireOverrides } from "./instance.ts";
import { expandPatch, instanceId } from "./instance-draft.ts";

/** Where an instance goes and what differs from the prefab. */
export interface InstantiateOptions extends SiblingPlace {
  /** A root if left out. */
  readonly parent?: Entity | null;
  /** That of the prefab if left out, with a number where siblings must have different names. */
  readonly name?: string;
  /** Components of the root, as in a file: merged into the prefab's, `null` removes one. */
  readonly components?: ComponentEntries;
  /** Changes of the entities below, by their id or path in the prefab; `null` removes one. */
  readonly overrides?: { readonly [target: string]: OverrideEntry | null };
}

const instanceOptions: OptionKinds = {
  at: "anything",
  before: "anything",
  after: "anything",
  parent: "anything",
  name: "string",
  components: "anything",
  overrides: "anything",
};

/** A scene with one root, ready to be made. */
export class Prefab {
  /** The name by which scenes refer to it. */
  readonly name: string;
  private readonly registry: Registry;
  private readonly template: Template;

  /** @internal Use `format.prefab()`. */
  constructor(registry: Registry, template: Template, name: string) {
    this.registry = registry;
    this.template = template;
    this.name = name;
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
    if (parent !== null) requireEntity(tree, parent, "instantiate");
    const own = this.template.nodes[0].name ?? undefined;
    const name = options.name ?? (own === undefined ? undefined : freeName(tree, parent, own));
    const place = placeIn(options);
    const root =
      components === undefined && overrides === undefined
        ? this.spawn(tree, parent, name, place)
        : this.spawnPatched(tree, parent, clean({ name, components, overrides }), place);
    return new Instance(tree, root);
  }

  /** The short way, for the prefab as it is: everything was checked when it was read. */
  private spawn(
    tree: Hierarchy,
    parent: Entity | null,
    rootName: string | undefined,
    place: SiblingPlace | undefined,
  ): Entity {
    const { registry, template, name: reference } = this;
    const { nodes, byId, source } = template;
    const tables = tablesOf(tree);
    const number = tables.instances.reserve();
    const note = { instance: number };
    const members = makeEntities(tree, nodes, parent, {
      source,
      place,
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
    place: SiblingPlace | undefined,
  ): Entity {
    const { registry, template, name } = this;
    const { prefabs } = template;
    const result = expandPatch(registry, template, name, patch, { prefabs });
    const draft = requireDraft(result, { file: template.file }, "instantiate");
    const entities = build(tree, draft, parent, { place, doing: "instantiate" });
    return entities[draft.byId.find(instanceId) as number];
  }

  /** All living instances in a tree. */
  instances(tree: Hierarchy): Instance[] {
    requireTree(tree, "list instances");
    return instancesIn(tree).filter(({ record }) => record.template === this.template);
  }

  /**
   * Makes all instances in a tree instances of `next`, another form of this prefab: what changed between the two is
   * carried over, what an instance overrides stays.
   */
  replace(tree: Hierarchy, next: Prefab): void {
    requireInstanceOf(next, Prefab, "another prefab", "replace a prefab");
    for (const instance of this.instances(tree)) this.replaceIn(instance, next);
  }

  private replaceIn(instance: Instance, next: Prefab): void {
    const { registry, template } = this;
    const ids = instance.localIds();
    const externals = new Map<string, Entity>();
    const patch = instance.patch((entity) => {
      const id = ids.get(entity);
      if (id !== undefined) return entity === instance.root ? instanceId : `${instanceId}/${id}`;
      externals.set(outsideId(entity), entity);
      return outsideId(entity);
    });
    const { tree, record } = instance;
    const expand = (form: Template) =>
      expandPatch(registry, form, record.reference, clean(patch), {
        lenient: true,
        externals,
        prefabs: form.prefabs,
      }).draft;
    const after = expand(next.template);
    if (after !== undefined) followDraft(tree, record, { after, before: expand(template) });
  }

  /**
   * Makes an instance whose overrides were applied an instance of `next`. Nothing else changes: what was applied is what it has.
   *
   * @param joined - What was added to it and belongs to the prefab now, by the ids there.
   */
  private adopt({ tree, record }: Instance, next: Template, joined: ReadonlyMap<Entity, string>): void {
    const { instances } = tablesOf(tree);
    const members = Array.from(matchMembers(next, record.template), (k) => record.members[k] ?? noMember);
    for (const [entity, id] of joined) members[next.byId.find(id) as number] = entity;
    // Those that are instances came with this one now.
    transaction(tree.world, () => {
      for (const entity of joined.keys()) instances.delete(entity);
    });
    const { registry, reference, root } = record;
    instances.replace(root, { registry, template: next, reference, root, members });
  }

  /**
   * Makes overrides of an instance part of the prefab: returns the prefab in its new form, to be saved with `save()`,
   * and makes all instances in the tree instances of that.
   *
   * @param overrides - Some of `instance.overrides()`; all of them if left out.
   * @throws SceneError when one cannot be part of a prefab, such as a reference to an entity outside.
   */
  apply(
    instance: Instance,
    overrides: readonly Override[] = requireInstanceOf(
      instance,
      Instance,
      "an instance",
      "apply overrides",
    ).overrides(),
  ): Prefab {
    const { registry, template, name } = this;
    requireInstanceOf(instance, Instance, "an instance", "apply overrides");
    requireOverrides(overrides, "apply overrides");
    const { file, joined } = editPrefab(this.draft(), template, instance, overrides);
    const next = new Prefab(
      registry,
      readTemplate(registry, file, { file: template.file, prefabs: template.prefabs, unknown: "keep" }),
      name,
    );
    for (const other of this.instances(instance.tree)) {
      if (other.root === instance.root) this.adopt(other, next.template, joined);
      else this.replaceIn(other, next);
    }
    return next;
  }

  /** What its file says. */
  private draft(): Draft {
    const { registry, template } = this;
    const options = { file: template.file, prefabs: template.prefabs, unknown: "keep" } as const;
    const result = readScene(registry, template.source.value as unknown as SceneFile, options);
    return requireDraft(result, { lenient: true }, "write");
  }

  /** The prefab as a value, flat. */
  toFile(): SceneFile {
    const tree = createHierarchy(createWorld());
    const draft = this.draft();
    const entities = build(tree, draft, null);
    const ids = new SceneIds();
    entities.forEach((entity, k) => {
      // What comes with an instance gets its id when it is written.
      if (!draft.nodes[k].isInside) ids.set(entity, draft.nodes[k].id);
    });
    const tops = draft.children.of(-1).map((k) => entities[k]);
    return writeScene({
      tree,
      registry: this.registry,
      ids,
      tops,
      keys: draft.keys,
      doing: `save ${this.name}`,
      options: {},
    });
  }

  /** The prefab as text, for its file. */
  save(): string {
    return printScene(this.toFile());
  }
}

function clean(entry: object): object {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

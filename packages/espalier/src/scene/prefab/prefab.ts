/**
 * Prefabs: scenes with one root that can be made any number of times.
 */
import { createWorld, type Entity, type EntityLike, type OptionKinds } from "../../ecs/index.ts";
import { createHierarchy, type Hierarchy } from "../../hierarchy/index.ts";
import { freeName, placeIn, type SiblingPlace } from "../among-siblings.ts";
import { requireEntity, requireInstanceOf, requireOptions, requireTree } from "../arguments.ts";
import { build, makeEntities } from "../build.ts";
import type { ComponentEntries, OverrideEntry, SceneFile } from "../file.ts";
import { isComposed } from "../read/composition.ts";
import { readScene, readTemplate, requireDraft } from "../read/load.ts";
import type { Template } from "../read/node.ts";
import type { Draft } from "../read/read.ts";
import { formComparer } from "../read/template.ts";
import type { Registry } from "../registry.ts";
import { tablesOf } from "../tables.ts";
import { SceneIds } from "../write/ids.ts";
import { writeToolsOf } from "../write-tools.ts";
import { refuseApplying } from "./apply-overrides.ts";
import { Instance, instancesIn, type Override, requireOverrides } from "./instance.ts";
import { expandPatch, instanceId } from "./instance-draft.ts";
import type { NextForms } from "./next-forms.ts";
import { prefabToolsOf } from "./prefab-tools.ts";

/** Where an instance goes and what differs from the prefab. */
export interface InstantiateOptions extends SiblingPlace {
  /** A root if left out. */
  readonly parent?: EntityLike | null;
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
  /** @internal */
  readonly registry: Registry;
  private template: Template;

  /** @internal Use `format.prefab()`. */
  constructor(registry: Registry, template: Template, name: string) {
    this.registry = registry;
    this.template = template;
    this.name = name;
  }

  /** @internal Its form of the moment. */
  get form(): Template {
    return this.template;
  }

  /** @internal For a kept prefab whose file has changed: the instances to come are of this form. */
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
    const place = placeIn(options);
    const root =
      components === undefined && overrides === undefined
        ? this.spawn(tree, under, name, place)
        : this.spawnPatched(tree, under, clean({ name, components, overrides }), place);
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
    const number = tables.instances.reserve({ template });
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

  /** All living instances in a tree that follow this form of the prefab, whichever reading of it they were made from. */
  instances(tree: Hierarchy): Instance[] {
    requireTree(tree, "list instances");
    const isSameForm = formComparer();
    return instancesIn(tree).filter(({ record }) => isSameForm(record.template, this.template));
  }

  /**
   * Makes all instances in a tree instances of `next`, another form of this prefab: what changed between the two is
   * carried over, what an instance overrides stays. Instances of prefabs that have this one inside follow too, by the name of
   * its file. All or nothing; a step of its own in a history, unless one is open.
   *
   * @throws SceneError when an instance cannot follow.
   */
  replace(tree: Hierarchy, next: Prefab): void {
    requireTree(tree, "replace a prefab");
    requireInstanceOf(next, Prefab, "another prefab", "replace a prefab");
    const { changeForms, followNext } = prefabToolsOf(this.registry, "replace a prefab");
    const forms = this.formsAfter(next.template);
    changeForms(tree, `Replace ${this.name}`, () => {
      for (const instance of instancesIn(tree)) followNext(instance, forms);
    });
  }

  /** What prefabs come to when this one has another form. */
  private formsAfter(next: Template, ...same: readonly Template[]): NextForms {
    const { template } = this;
    const isSameForm = formComparer();
    const isThis = (other: Template) => [template, ...same].some((each) => isSameForm(other, each));
    const isFile = (file: string) =>
      template.source.file !== undefined && file === next.file && file === template.file;
    const source = next.source.text ?? (next.source.value as unknown as SceneFile);
    const others = prefabToolsOf(this.registry, "replace a prefab").nextForms({
      is: isFile,
      source,
      prefabs: next.prefabs,
      unknown: "keep",
    });
    return (other, registry) => {
      if (isThis(other)) return isSameForm(other, next) ? undefined : next;
      return other.file === template.file ? undefined : others(other, registry);
    };
  }

  /**
   * Makes overrides of an instance part of the prefab: returns the prefab in its new form, to be saved with `save()`, and
   * makes all instances in the tree follow that. The name and the placement of the instance's root stay its own. All or
   * nothing; a step of its own in a history, unless one is open. Undo leads back to the former text: `prefabOf(instance)`.
   *
   * @param overrides - Some of `instance.overrides()`; all but those that are `own` if left out.
   * @throws SceneError when one cannot be part of a prefab, such as a reference to an entity outside.
   */
  apply(
    instance: Instance,
    overrides: Override | readonly Override[] = requireInstanceOf(
      instance,
      Instance,
      "an instance",
      "apply overrides",
    )
      .overrides()
      .filter(({ own }) => own !== true),
  ): Prefab {
    const { registry, template, name } = this;
    requireInstanceOf(instance, Instance, "an instance", "apply overrides");
    const { adoptForm, changeForms, editPrefab, followNext } = prefabToolsOf(registry, "apply overrides");
    const chosen = requireOverrides(overrides, "apply overrides");
    const { file, joined } = editPrefab(this.draft(), template, instance, chosen);
    const next = readTemplate(registry, file, {
      file: template.file,
      prefabs: template.prefabs,
      unknown: "keep",
    });
    const { tree, root, record } = instance;
    const forms = this.formsAfter(next, record.template);
    changeForms(tree, `Apply to ${name}`, () => {
      adoptForm(instance, next, joined);
      for (const other of instancesIn(tree)) if (other.root !== root) followNext(other, forms);
      requireStillThere(instance, name);
    });
    return new Prefab(registry, next, name);
  }

  /** @internal See `basePrefabOf`. */
  base(): Prefab | undefined {
    const { nodes, children } = this.draft();
    const root = nodes[children.of(-1)[0]]?.rare.instance;
    return root && new Prefab(this.registry, root.template, root.reference);
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
    const { value } = this.template.source;
    // It says nothing of entities, so it is written as it was read.
    if (isComposed(value)) {
      const { $schema, compose } = value as unknown as SceneFile;
      return clean({ $schema, version: this.registry.version, compose, entities: [] }) as SceneFile;
    }
    const tree = createHierarchy(createWorld());
    const draft = this.draft();
    const entities = build(tree, draft, null);
    const ids = new SceneIds();
    entities.forEach((entity, k) => {
      // What comes with an instance gets its id when it is written.
      if (!draft.nodes[k].isInside) ids.set(entity, draft.nodes[k].id);
    });
    const tops = draft.children.of(-1).map((k) => entities[k]);
    return writeToolsOf(this.registry, "write a prefab").writeScene({
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
    return writeToolsOf(this.registry, "save a prefab").printScene(this.toFile());
  }
}

/** Refuses to apply what takes away the instance itself, with the part of another one that it is below. */
function requireStillThere(instance: Instance, name: string): void {
  if (instance.isThere) return;
  throw refuseApplying(name, [
    {
      code: "scene/applied-instance-lost",
      target: ".",
      why: "the instance is below an entity of another one that the overrides take out of the prefab, so it would be destroyed. Move it elsewhere first, or leave that override out.",
    },
  ]);
}

/**
 * The prefab that an instance follows now, as it was read: `save()` gives its text. After an undo it is the former one again.
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

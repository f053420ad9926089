/**
 * Making a running world follow a draft: entities keep their identity by id, and only what differs is touched.
 *
 * With `before`, the draft that the entities were made from, what changed between the two drafts is carried over and
 * whatever the game did meanwhile stays. Without it the world is made to say what the draft says.
 */
import type { Component, Entity, Schema, World } from "../../ecs/index.ts";
import { defaultOf } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { transaction } from "../../history/index.ts";
import { contextOf, type LateContext, recordOf, refused, setFields, setLate } from "../build.ts";
import type { ComponentCodec } from "../codec.ts";
import { isJsonObject, type JsonObject } from "../json/json.ts";
import { ownOf, setOwn } from "../json/parse.ts";
import { equalJson } from "../json/values.ts";
import { initsOf } from "../read/decode.ts";
import type { InstanceDraft, SceneNode } from "../read/node.ts";
import type { Draft } from "../read/read.ts";
import { type InstanceRecord, noMember, tablesOf } from "../tables.ts";
import { ComponentWriter } from "../write/component-writer.ts";
import type { EntityIds } from "../write/ids.ts";
import { fieldsDiff } from "../write/instance-diff.ts";

export interface ReconcileInput {
  readonly tree: Hierarchy;
  readonly ids: EntityIds;
  readonly before: Draft | undefined;
  readonly after: Draft;
  /** Where new roots go. */
  readonly parent: Entity | null;
  /** Entities that have no place in `after`, besides those that only `before` has. */
  readonly doomed: readonly Entity[];
  /** Leave the roots of the draft where they are. */
  readonly keepRoots: boolean;
}

/** What was done, as ids. */
export interface ReloadSummary {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Got another parent or another place among their siblings. */
  readonly moved: readonly string[];
  /** Got other values, components or names. */
  readonly changed: readonly string[];
}

/** All or nothing: when something is refused, everything is taken back. */
export function reconcile(input: ReconcileInput): ReloadSummary {
  const work = new Reconciler(input);
  transaction(input.tree.world, () => work.run());
  work.finish();
  return work.summary;
}

class Reconciler {
  private readonly input: ReconcileInput;
  private readonly tree: Hierarchy;
  private readonly world: World;
  private readonly writer: ComponentWriter;
  /** By node of `after`; nothing for those that stay dead. */
  private readonly entities: (Entity | undefined)[];
  private readonly added = new Set<number>();
  private readonly removed: string[] = [];
  private readonly moved = new Set<string>();
  private readonly changed = new Set<string>();
  private readonly doomed: ReadonlySet<Entity>;
  private readonly readContext: LateContext;
  /** Instances that got members: under the number they had, they have none of those. */
  private readonly grown: {
    readonly before: number;
    readonly entity: Entity;
    readonly record: InstanceRecord;
  }[] = [];
  /** The node that is being dealt with, for messages. */
  private current = 0;

  constructor(input: ReconcileInput) {
    this.input = input;
    this.tree = input.tree;
    this.world = input.tree.world;
    this.writer = new ComponentWriter(input.tree, input.after.registry);
    this.entities = new Array(input.after.nodes.length);
    this.doomed = new Set([...leaving(input), ...input.doomed]);
    this.readContext = contextOf(input.after, this.entities);
  }

  get summary(): ReloadSummary {
    const { nodes } = this.input.after;
    return {
      added: [...this.added].map((k) => nodes[k].id),
      removed: this.removed,
      moved: [...this.moved],
      changed: [...this.changed],
    };
  }

  run(): void {
    const { after } = this.input;
    try {
      for (const k of after.order) this.place((this.current = k));
      for (const k of after.order) this.arrange((this.current = k));
      this.arrange(-1);
      for (const k of after.order) if (!this.added.has(k)) this.update((this.current = k));
      for (const k of this.added) this.setReferences((this.current = k));
    } catch (error) {
      throw refused(after.source, after.nodes[Math.max(this.current, 0)], error, "reload");
    }
    this.destroy();
    this.note();
  }

  /** What the tables hold about entities that they did not know. */
  private note(): void {
    const { after } = this.input;
    const tables = tablesOf(this.tree);
    after.nodes.forEach((node, k) => {
      const entity = this.entities[k];
      if (entity === undefined) return;
      const { kept, instance } = node;
      if (kept === undefined) tables.kept.delete(entity);
      else if (tables.kept.get(entity) === undefined) tables.kept.set(entity, kept);
      if (instance === undefined) tables.instances.delete(entity);
      else if (tables.instances.get(entity) === undefined) {
        tables.instances.set(entity, recordOf(after, instance, entity, this.entities));
      } else if (instance.members.some((member) => this.added.has(member))) {
        // Whoever undoes this takes the new members away, and others may get their handles then.
        const before = tables.instances.numberOf(entity);
        const record = this.recordOf(instance, entity, this.withoutAdded());
        tables.instances.set(entity, this.recordOf(instance, entity, this.entities));
        this.grown.push({ before, entity, record });
      }
    });
  }

  /** What the tables will hold about an instance. The dead stay in it: a history may bring them back. */
  private recordOf(
    instance: InstanceDraft,
    root: Entity,
    entities: readonly (Entity | undefined)[],
  ): InstanceRecord {
    const record = recordOf(this.input.after, instance, root, entities);
    const before = tablesOf(this.tree).instances.get(root);
    if (before === undefined || !record.members.includes(noMember)) return record;
    const { nodes } = record.template;
    const indexOf = (k: number) =>
      before.template === record.template ? k : (before.template.byId.get(nodes[k].id) ?? -1);
    const members = record.members.map((member, k) =>
      member === noMember ? (before.members[indexOf(k)] ?? noMember) : member,
    );
    return { ...record, members };
  }

  /** The entities as they are when everything here is undone. */
  private withoutAdded(): (Entity | undefined)[] {
    return this.entities.map((entity, k) => (this.added.has(k) ? undefined : entity));
  }

  /** What they hold about the others, once nothing can be refused any more. It is no change of the world. */
  finish(): void {
    const { after } = this.input;
    const tables = tablesOf(this.tree);
    const grown = new Set(this.grown.map(({ entity }) => entity));
    after.nodes.forEach(({ kept, instance }, k) => {
      const entity = this.entities[k];
      if (entity === undefined) return;
      if (kept !== undefined) tables.kept.replace(entity, kept);
      if (instance === undefined || grown.has(entity)) return;
      tables.instances.replace(entity, this.recordOf(instance, entity, this.entities));
    });
    for (const { before, entity, record } of this.grown) tables.instances.put(before, entity, record);
  }

  private find(id: string): Entity | undefined {
    return this.input.ids.entity(id);
  }

  private nodeBefore(id: string): SceneNode | undefined {
    const { before } = this.input;
    const k = before?.byId.get(id);
    return k === undefined ? undefined : before?.nodes[k];
  }

  /** Creates the entity, or puts it under its parent. */
  private place(k: number): void {
    const { before, after, parent: top, keepRoots } = this.input;
    const node = after.nodes[k];
    const entity = this.find(node.id);
    const parent = node.parent < 0 ? top : this.entities[node.parent];
    const was = this.nodeBefore(node.id);
    if (entity === undefined) {
      // What the game destroyed stays destroyed, with what would be below it.
      if (parent === undefined || (before !== undefined && was !== undefined)) return;
      const made = this.tree.attachNew(parent, ...initsOf(node));
      if (typeof node.name === "string") this.tree.setName(made, node.name);
      this.entities[k] = made;
      this.added.add(k);
      this.input.ids.set(made, node.id);
      return;
    }
    this.entities[k] = entity;
    if (parent === undefined || (keepRoots && node.parent < 0)) return;
    const parentId = node.parent < 0 ? undefined : after.nodes[node.parent].id;
    if (before !== undefined) {
      const isNews = was !== undefined && parentIdOf(before, was) !== parentId;
      // The game may have put it below something that goes now; the file still wants it.
      if (!isNews && !this.isBelowDoomed(entity)) return;
    } else if (node.parent < 0 && this.isTop(entity)) {
      return;
    }
    if (this.tree.parentOf(entity) === parent) return;
    if (parent !== null) this.makeWay(entity, parent);
    this.tree.attach(entity, parent);
    this.moved.add(node.id);
  }

  /** The game may have put the new parent below the entity: what is on the way changes places with it. */
  private makeWay(entity: Entity, parent: Entity): void {
    let below = parent;
    for (const above of this.tree.ancestors(parent)) {
      if (above === entity) {
        this.tree.attach(below, this.tree.parentOf(entity));
        return;
      }
      below = above;
    }
  }

  /** Whether nothing above an entity belongs to the scene, or is about to go. */
  private isTop(entity: Entity): boolean {
    for (const above of this.tree.ancestors(entity)) {
      if (this.input.ids.of(above) !== undefined || this.doomed.has(above)) return false;
    }
    return true;
  }

  private isBelowDoomed(entity: Entity): boolean {
    if (this.doomed.size === 0) return false;
    for (const above of this.tree.ancestors(entity)) if (this.doomed.has(above)) return true;
    return false;
  }

  /** Puts children into the order of the draft, where that is news. */
  private arrange(k: number): void {
    const { before, after, parent: top, keepRoots } = this.input;
    const parent = k < 0 ? top : this.entities[k];
    if (parent === undefined || (k < 0 && keepRoots)) return;
    const children = after.children.of(k);
    if (children.length < 2 && before !== undefined) return;
    const idsOf = (draft: Draft, list: readonly number[]) => list.map((child) => draft.nodes[child].id);
    const wanted = idsOf(after, children);
    const known = new Set(wanted);
    if (before !== undefined) {
      const index = k < 0 ? -1 : before.byId.get(after.nodes[k].id);
      const had = new Set(index === undefined ? [] : idsOf(before, before.children.of(index)));
      const kept = [...had].filter((id) => known.has(id));
      const news = wanted.filter((id) => !had.has(id));
      if (equalLists([...kept, ...news], wanted)) return;
    }
    let previous: Entity | undefined;
    for (const child of children) {
      const entity = this.entities[child];
      if (entity === undefined || this.tree.parentOf(entity) !== parent) continue;
      if (!this.standsBehind(entity, previous, known)) {
        if (previous === undefined) this.tree.moveChild(entity, "first");
        else this.tree.moveChild(entity, { after: previous });
        if (!this.added.has(child)) this.moved.add(after.nodes[child].id);
      }
      previous = entity;
    }
  }

  /** Whether only entities that the draft does not know stand between the two. */
  private standsBehind(entity: Entity, previous: Entity | undefined, known: ReadonlySet<string>): boolean {
    let at = this.tree.previousInList(entity);
    while (at !== null && at !== previous) {
      const id = this.input.ids.of(at);
      if (id !== undefined && known.has(id)) return false;
      at = this.tree.previousInList(at);
    }
    return at === (previous ?? null);
  }

  /** Names and components of an entity that was there before. */
  private update(k: number): void {
    const entity = this.entities[k];
    if (entity === undefined) return;
    const node = this.input.after.nodes[k];
    const was = this.nodeBefore(node.id);
    const name = node.name ?? undefined;
    const nameBefore = was === undefined ? this.tree.nameOf(entity) : (was.name ?? undefined);
    if (name !== nameBefore && this.tree.nameOf(entity) !== name) {
      this.tree.setName(entity, name);
      this.changed.add(node.id);
    }
    if (was === undefined) this.updateToDraft(entity, node);
    else this.updateByDifference(entity, node, was);
  }

  private updateToDraft(entity: Entity, node: SceneNode): void {
    const codecs = this.writer.codecsOf(entity);
    for (const codec of codecs) {
      const at = node.inits.findIndex((init) => init.component === codec.component);
      if (at < 0) {
        this.world.remove(entity, codec.component);
        this.changed.add(node.id);
        continue;
      }
      const input = {
        writer: this.writer,
        context: {
          ...this.readContext,
          idOf: (other: Entity | null) =>
            other === null ? null : (this.input.ids.of(other) ?? `\0${other}`),
        },
        onError: () => {},
      };
      const values = this.writer.valuesOf(entity, codec);
      const differing = fieldsDiff(input, node, codec, values, at, input.context);
      if (Object.keys(differing).length > 0) this.setTo(entity, node, codec, Object.keys(differing));
    }
    for (const [at, { component }] of node.inits.entries()) {
      if (codecs.some((codec) => codec.component === component)) continue;
      this.addComponent(entity, node, at);
    }
  }

  private updateByDifference(entity: Entity, node: SceneNode, was: SceneNode): void {
    const { codecs } = this.input.after.registry;
    for (const name of new Set([...Object.keys(was.components), ...Object.keys(node.components)])) {
      const codec = codecs.get(name);
      const json = ownOf(node.components, name);
      const jsonBefore = ownOf(was.components, name);
      if (codec === undefined || equalJson(json, jsonBefore)) continue;
      const at = node.inits.findIndex((init) => init.component === codec.component);
      if (at < 0) {
        if (this.world.remove(entity, codec.component)) this.changed.add(node.id);
      } else if (!this.world.has(entity, codec.component)) {
        this.addComponent(entity, node, at);
      } else {
        this.setTo(entity, node, codec, differingFields(codec, jsonBefore, json));
      }
    }
  }

  private addComponent(entity: Entity, node: SceneNode, at: number): void {
    const init = initsOf(node)[at];
    this.world.add(entity, init);
    for (const late of node.late ?? []) {
      if (late.codec.component === init.component) setLate(this.tree, entity, late, this.readContext);
    }
    this.changed.add(node.id);
  }

  /** Gives fields the values that the draft says. */
  private setTo(entity: Entity, node: SceneNode, codec: ComponentCodec, fields: readonly string[]): void {
    const at = node.inits.findIndex((init) => init.component === codec.component);
    const given = (initsOf(node)[at].values ?? {}) as { readonly [field: string]: unknown };
    const values: { [field: string]: unknown } = {};
    for (const field of fields) {
      const late = node.late?.find((value) => value.codec === codec && value.field.name === field);
      if (late !== undefined) {
        setLate(this.tree, entity, late, this.readContext);
        continue;
      }
      const own = ownOf(given, field);
      setOwn(values, field, own === undefined ? defaultOf(codec.component.schema[field]) : own);
    }
    if (Object.keys(values).length > 0)
      setFields(this.tree, entity, codec.component as Component<Schema>, values);
    this.changed.add(node.id);
  }

  private setReferences(k: number): void {
    const entity = this.entities[k];
    if (entity === undefined) return;
    for (const late of this.input.after.nodes[k].late ?? [])
      setLate(this.tree, entity, late, this.readContext);
  }

  private destroy(): void {
    for (const entity of this.doomed) {
      const id = this.input.ids.of(entity);
      if (id !== undefined) this.removed.push(id);
    }
    for (const entity of this.doomed) if (this.world.isAlive(entity)) this.tree.destroy(entity);
  }
}

/** Living entities that only the former draft has. */
function leaving({ before, after, ids }: ReconcileInput): Entity[] {
  const found: Entity[] = [];
  for (const node of before?.nodes ?? []) {
    const entity = after.byId.has(node.id) ? undefined : ids.entity(node.id);
    if (entity !== undefined) found.push(entity);
  }
  return found;
}

function parentIdOf(draft: Draft, node: SceneNode): string | undefined {
  return node.parent < 0 ? undefined : draft.nodes[node.parent].id;
}

/** Fields that two forms of a component say differently; one that is left out has its default in both. */
function differingFields(codec: ComponentCodec, a: unknown, b: unknown): string[] {
  const left: JsonObject = isJsonObject(a) ? a : {};
  const right: JsonObject = isJsonObject(b) ? b : {};
  return [...codec.fields.keys()].filter((field) => !equalJson(ownOf(left, field), ownOf(right, field)));
}

function equalLists(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, k) => item === b[k]);
}

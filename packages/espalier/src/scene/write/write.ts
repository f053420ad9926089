/**
 * From entities to a scene file: flat, parents first, siblings in their order.
 */
import { describeValue, type Entity, formatEntity, type OptionKinds, Transient } from "../../ecs/index.ts";
import { notifyCapture, stateOf } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { ownOf, setOwn } from "../../history/internal.ts";
import { reasonOf } from "../arguments.ts";
import type { ComponentCodec, WriteContext } from "../codec.ts";
import { SceneError, type SceneProblem, type SceneProblemCode } from "../errors.ts";
import type { ComponentEntries, EntityEntry, OverrideEntry, SceneFile } from "../file.ts";
import type { Json } from "../json/json.ts";
import { nearest } from "../read/nearest.ts";
import type { Registry } from "../registry.ts";
import { type InstanceRecord, type SceneTables, tablesOf } from "../tables.ts";
import { ComponentLines } from "./component-line.ts";
import { ComponentWriter, InvalidComponent } from "./component-writer.ts";
import type { EntityIds } from "./ids.ts";
import { diffInstance, type InstancePatch } from "./instance-diff.ts";
import { printEntries, printEntryStart, printInSlices, SLICE } from "./print-scene.ts";

/** Options of `save`. */
export interface SaveOptions {
  /** Whether to also write fields that have their default value. */
  readonly defaults?: boolean;
  /** How to treat references to entities that are not saved: as an error (`"refuse"`), or as `null`. */
  readonly outside?: "refuse" | "null";
}

export const saveOptions: OptionKinds = { defaults: "boolean", outside: ["refuse", "null"] };

export interface WriteInput {
  readonly tree: Hierarchy;
  readonly registry: Registry;
  readonly ids: EntityIds;
  /** The entities that have no parent in the file. */
  readonly tops: readonly Entity[];
  /** Keys of the file it was loaded from that are to be written again. */
  readonly keys: { readonly [key: string]: Json };
  readonly doing: string;
  readonly options: SaveOptions;
  /** For an instance of which only a part will be used. */
  readonly partly?: PartlyUsed;
}

/** All its entities may be among the tops. Orders are not written. */
interface PartlyUsed {
  /** Its entities. Parts that cannot be written are left out. */
  readonly members: ReadonlyMap<Entity, string>;
  /** Entities that are not written, including their descendants. */
  readonly without: ReadonlySet<Entity>;
}

type MutableEntry = { -readonly [K in keyof EntityEntry]: EntityEntry[K] };

/** @throws SceneError with everything that cannot be written. */
export function writeScene(input: WriteInput): SceneFile {
  return new SceneWriter(input).toFile();
}

/** The text of `writeScene`, which is printed while it is written. */
export function printWorld(input: WriteInput): string {
  return new SceneWriter(input).toText();
}

/** The same in slices: yields the fraction that is done. The world must not change in between. */
export function printWorldInSlices(input: WriteInput): Generator<number, string> {
  return new SceneWriter(input).textInSlices();
}

class SceneWriter {
  private readonly input: WriteInput;
  private readonly context: WriteContext = { idOf: (entity) => this.idOf(entity) };
  private readonly writer: ComponentWriter;
  private readonly lines = new ComponentLines();
  private readonly tables: SceneTables;
  private readonly problems: SceneProblem[] = [];
  private readonly idByEntity = new Map<Entity, string>();
  /** Entities inside a prefab instance, which have no entry of their own. */
  private readonly members = new Map<Entity, { readonly record: InstanceRecord; readonly index: number }>();
  /** The ids of children whose order differs from what a loader would produce. */
  private readonly orders = new Map<Entity, readonly string[]>();
  // What is being written, for messages.
  private entity: Entity | null = null;
  private codec: ComponentCodec | undefined;

  constructor(input: WriteInput) {
    this.input = input;
    notifyCapture(stateOf(input.tree.world));
    this.writer = new ComponentWriter(input.tree, input.registry);
    this.tables = tablesOf(input.tree);
  }

  toFile(): SceneFile {
    const entities = this.prepare();
    const rootOrder = this.findOrders(entities);
    const entries: MutableEntry[] = [];
    for (const entity of entities) if (!this.members.has(entity)) entries.push(this.entry(entity));
    this.throwProblems();
    return { ...this.header(rootOrder), entities: entries };
  }

  toText(): string {
    const entities = this.prepare();
    const rootOrder = this.findOrders(entities);
    const text = printEntries(this.header(rootOrder), this.printed(entities));
    this.throwProblems();
    return text;
  }

  *textInSlices(): Generator<number, string> {
    const entities = this.visit();
    yield 0;
    yield* this.givingIds(entities);
    const rootOrder = this.findOrders(entities);
    const total = Math.max(1, entities.length - this.members.size);
    const printing = printInSlices(this.header(rootOrder), this.printed(entities));
    for (;;) {
      const { done, value } = printing.next();
      if (done === true) {
        this.throwProblems();
        return value;
      }
      yield value / total;
    }
  }

  /** All entities to be saved, with their ids assigned. */
  private prepare(): readonly Entity[] {
    const entities = this.visit();
    this.giveIds(entities);
    return entities;
  }

  /** The items of the list of entities, one by one: as text in the usual case. */
  private *printed(entities: readonly Entity[]): IterableIterator<MutableEntry | string> {
    for (const entity of entities) {
      if (!this.members.has(entity)) yield this.line(entity) ?? this.entry(entity);
    }
  }

  /** The text of an entity that does not come from a prefab and whose components fit on a line each; `undefined` for any other. */
  private line(entity: Entity): string | undefined {
    const { tree, options } = this.input;
    const { instances, kept } = this.tables;
    if (options.defaults === true || instances.get(entity) !== undefined || kept.get(entity) !== undefined)
      return undefined;
    if (this.orders.has(entity)) return undefined;
    const codecs = this.writer.codecsOf(entity);
    if (codecs.length === 0 || this.writer.unregisteredOf(entity).length > 0) return undefined;
    this.entity = entity;
    const problems = this.problems.length;
    const parent = tree.parentOf(entity);
    let text = printEntryStart(
      this.idByEntity.get(entity) as string,
      tree.nameOf(entity),
      parent === null ? undefined : this.idByEntity.get(parent),
    );
    for (let k = 0; k < codecs.length; k++) {
      const codec = codecs[k];
      this.codec = codec;
      let line: string | undefined;
      try {
        line = this.lines.print(codec, this.writer.valuesOf(entity, codec), this.context);
      } catch {
        // The general way says what is wrong.
      }
      if (line === undefined || this.problems.length > problems) {
        // The general path finds and reports it again.
        this.problems.length = problems;
        return undefined;
      }
      text += `${k === 0 ? "\n        " : ",\n        "}${line}`;
    }
    return `${text}\n      }\n    }`;
  }

  private throwProblems(): void {
    if (this.problems.length > 0) throw new SceneError(this.input.doing, { problems: this.problems });
  }

  private header(rootOrder: readonly string[] | undefined): Omit<SceneFile, "entities"> {
    const { registry, keys } = this.input;
    // The address in the file is relative to that file, so it takes precedence over the format's.
    const { $schema = registry.schema, ...others } = keys;
    const file: { [key: string]: unknown } = {};
    if ($schema !== undefined) file.$schema = $schema;
    file.version = registry.version;
    for (const key of Object.keys(others)) setOwn(file, key, others[key]);
    if (rootOrder !== undefined) file.order = rootOrder;
    return file;
  }

  /** The id of an entity that is saved; a problem for any other. */
  private idOf(entity: Entity | null): string | null {
    if (entity === null || !this.input.tree.world.isAlive(entity)) return null;
    const id = this.idByEntity.get(entity);
    if (id !== undefined) return id;
    if (this.input.options.outside === "null" || this.isPartlyUsed(this.entity)) return null;
    this.problem(
      "scene/outside-reference",
      `refers to ${this.input.tree.label(entity)}, which is not part of what is saved. Save it too, set the field to null, or save with outside: "null".`,
    );
    return null;
  }

  private isPartlyUsed(entity: Entity | null): boolean {
    return entity !== null && this.input.partly?.members.has(entity) === true;
  }

  // Steps ----------------------------------------------------------------------------------------------------------------

  /** All entities to be saved, in pre-order. */
  private visit(): Entity[] {
    const { tree, tops, partly } = this.input;
    const { world } = tree;
    const seen = new Set(partly?.without);
    // A world that does not know it may have a component of its own with that name.
    const hasTransient = stateOf(world).byComponent.has(Transient);
    const entities: Entity[] = [];
    for (const top of tops) {
      tree.forEachDescendant(
        top,
        (entity) => {
          if (partly !== undefined) {
            if (seen.has(entity)) return "skip";
            seen.add(entity);
          }
          if (hasTransient && world.has(entity, Transient) && !this.isPartlyUsed(entity)) return "skip";
          entities.push(entity);
          return undefined;
        },
        { includeSelf: true },
      );
    }
    return entities;
  }

  private giveIds(entities: readonly Entity[]): void {
    const giving = this.givingIds(entities);
    while (giving.next().done !== true);
  }

  /** Assigning ids is much faster than printing entities: larger slices. */
  private *givingIds(entities: readonly Entity[]): Generator<number, void> {
    const { ids, tree } = this.input;
    const { instances } = this.tables;
    if (!instances.isEmpty) this.findMembers(entities);
    let count = 0;
    for (const entity of entities) {
      if (++count % (20 * SLICE) === 0) yield 0;
      if (this.members.size > 0 && this.members.has(entity)) continue;
      let id = ids.of(entity);
      if (id === undefined || id.includes("/")) {
        id = ids.generate(entity, tree.nameOf(entity) ?? instances.get(entity)?.reference);
      }
      this.idByEntity.set(entity, id);
    }
    for (const [member, { record, index }] of this.members) {
      const id = memberIds(record, this.idByEntity.get(record.root) as string)[index];
      if (ids.of(member) !== id) ids.give(member, id);
      this.idByEntity.set(member, id);
    }
  }

  private findMembers(entities: readonly Entity[]): void {
    const there = new Set(entities);
    for (const entity of entities) {
      const record = this.tables.instances.get(entity);
      record?.members.forEach((member, index) => {
        if (index > 0 && there.has(member)) this.members.set(member, { record, index });
      });
    }
  }

  private entry(entity: Entity): MutableEntry {
    const { tree } = this.input;
    const record = this.tables.instances.get(entity);
    const entry: MutableEntry = { id: this.idByEntity.get(entity) as string };
    const patch = record === undefined ? undefined : this.patch(record);
    const name = patch === undefined ? tree.nameOf(entity) : patch.name;
    if (name !== undefined) entry.name = name;
    const parent = tree.parentOf(entity);
    const parentId = parent === null ? undefined : this.idByEntity.get(parent);
    if (parentId !== undefined) entry.parent = parentId;
    if (record !== undefined) entry.prefab = record.reference;
    const components = patch === undefined ? this.components(entity) : patch.components;
    if (!isEmpty(components)) entry.components = components as ComponentEntries;
    if (patch !== undefined && !isEmpty(patch.overrides)) entry.overrides = patch.overrides;
    const kept = this.tables.kept.get(entity)?.keys;
    for (const key in kept)
      if (!Object.hasOwn(entry, key)) setOwn(entry as { [key: string]: unknown }, key, kept[key]);
    if (this.orders.size > 0) this.writeOrders(entry, entity, record);
    return entry;
  }

  private patch(record: InstanceRecord): InstancePatch {
    const { tree } = this.input;
    return diffInstance({
      tree,
      writer: this.writer,
      record,
      isThere: (member) => member === record.root || this.isMember(member, record),
      context: this.context,
      idInFile: (other) => (other === null ? null : (this.idByEntity.get(other) ?? null)),
      begin: (entity, codec) => this.begin(entity, codec),
      onError: (error) => this.unwritable(error),
    });
  }

  private isMember(entity: Entity, record: InstanceRecord): boolean {
    return this.members.get(entity)?.record === record;
  }

  /** The components of an entity that does not come from a prefab. */
  private components(entity: Entity): { [name: string]: Json } {
    const { defaults = false } = this.input.options;
    const kept = this.tables.kept.get(entity);
    const components: { [name: string]: Json } = {};
    this.begin(entity, undefined);
    for (const codec of this.writer.codecsOf(entity)) {
      this.codec = codec;
      const values = this.writer.valuesOf(entity, codec);
      const json = this.writer.write(values, codec, this.context, defaults, (error) =>
        this.unwritable(error),
      );
      const lost = ownOf(kept?.references, codec.name);
      // Unless the game has set it meanwhile.
      for (const field in lost) {
        if (values[field] === null || ownOf(json, field) === undefined) setOwn(json, field, lost[field]);
      }
      setOwn(components, codec.name, json);
    }
    for (const name in kept?.components) {
      if (!Object.hasOwn(components, name)) setOwn(components, name, kept.components[name]);
    }
    return components;
  }

  /** Sets what is written next, for messages. */
  private begin(entity: Entity, codec: ComponentCodec | undefined): void {
    const isNew = entity !== this.entity;
    this.entity = entity;
    this.codec = codec;
    if (isNew && !this.isPartlyUsed(entity)) this.requireRegistered(entity);
  }

  /** Finds siblings whose order differs from what a loader would produce. Returns the order of the roots, if it is needed. */
  private findOrders(entities: readonly Entity[]): readonly string[] | undefined {
    // Without instances the entries are in pre-order, so siblings are in order.
    const { tree, tops, partly } = this.input;
    if (this.members.size === 0 || partly !== undefined) return undefined;
    const sequence = this.loaderSequence(entities);
    const ordered = (list: readonly Entity[]) =>
      list.every((entity, k) => k === 0 || (sequence.get(entity) ?? 0) > (sequence.get(list[k - 1]) ?? 0));
    const idsOf = (list: readonly Entity[]) => list.map((entity) => this.idByEntity.get(entity) as string);
    const saved = (list: readonly Entity[]) => list.filter((entity) => this.idByEntity.has(entity));
    for (const entity of entities) {
      if (tree.childCount(entity) < 2) continue;
      const children = saved(tree.childrenOf(entity));
      if (!ordered(children)) this.orders.set(entity, idsOf(children));
    }
    const roots = saved(tops);
    return ordered(roots) ? undefined : idsOf(roots);
  }

  /** Writes the order of an entity's children into its entry, and those of its instance into overrides. */
  private writeOrders(entry: MutableEntry, entity: Entity, record: InstanceRecord | undefined): void {
    const order = this.orders.get(entity);
    if (order !== undefined) entry.order = order;
    record?.members.forEach((member, k) => {
      const below = k === 0 || !this.isMember(member, record) ? undefined : this.orders.get(member);
      if (below === undefined) return;
      entry.overrides ??= {};
      const overrides = entry.overrides as { [id: string]: OverrideEntry };
      const { id } = record.template.nodes[k];
      setOwn(overrides, id, { ...ownOf(overrides, id), order: below });
    });
  }

  /** The position at which a loader will meet each entity: an instance brings all of its own at once. */
  private loaderSequence(entities: readonly Entity[]): Map<Entity, number> {
    const sequence = new Map<Entity, number>();
    for (const entity of entities) {
      if (this.members.has(entity)) continue;
      sequence.set(entity, sequence.size);
      const record = this.tables.instances.get(entity);
      record?.members.forEach((member) => {
        if (this.isMember(member, record)) sequence.set(member, sequence.size);
      });
    }
    return sequence;
  }

  // Problems -----------------------------------------------------------------------------------------------------------

  private requireRegistered(entity: Entity): void {
    for (const component of this.writer.unregisteredOf(entity)) {
      const near = nearest(component.name, this.input.registry.codecs.keys());
      const help = near === undefined ? "" : ` (it has ${near})`;
      this.codec = undefined;
      this.problem(
        "scene/unregistered-component",
        `has ${component.name}, which the scene format does not know${help}. List it in components, or in transient if it should not be saved.`,
      );
    }
  }

  private unwritable(error: unknown): void {
    if (error instanceof InvalidComponent) {
      const of = error.path === "" ? "" : ` (${error.path})`;
      this.problem(
        "scene/invalid-value",
        `is not what its validator accepts${of}: ${error.message}. It would not load again.`,
      );
      return;
    }
    const why = reasonOf(error);
    this.problem(
      "scene/unwritable-value",
      `cannot be written: ${why}. Give the field a codec with withCodec().`,
    );
  }

  private problem(code: SceneProblemCode, message: string): void {
    const { entity, codec } = this;
    const { field } = this.writer;
    const id = entity === null ? undefined : this.idByEntity.get(entity);
    const label = id === undefined ? formatEntity(entity) : describeValue(id);
    const what = codec === undefined ? "" : `: ${codec.name}${field === undefined ? "" : `.${field.name}`}`;
    this.problems.push({
      code,
      message: `Entity ${label}${what} ${message}`,
      file: undefined,
      line: undefined,
      column: undefined,
      path: "",
      entity: id,
    });
  }
}

/** The ids of an instance's entities in the file. */
function memberIds(record: InstanceRecord, root: string): readonly string[] {
  if (record.noted?.root !== root) {
    record.noted = {
      root,
      ids: record.template.nodes.map((node, k) => (k === 0 ? root : `${root}/${node.id}`)),
    };
  }
  return record.noted.ids;
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

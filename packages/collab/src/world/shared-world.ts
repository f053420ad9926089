/**
 * What both directions of the binding share: the scene, the document, and the mapping of nodes to entities.
 */
import { type Component, type Entity, type Schema, Transient, type World } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import {
  applyPatch,
  type ChangeStream,
  createIdMap,
  followChanges,
  type IdMap,
  type Json,
  type PatchEntry,
  type ValueCodec,
  type Violation,
} from "espalier/history";
import {
  type FieldCodec,
  keptOf,
  type Prefabs,
  type Scene,
  type SceneFormat,
  sceneComponents,
  setKept,
} from "espalier/scene";
import { KEPT } from "../document/keys.ts";
import { PartIndex } from "../document/part-index.ts";
import { SceneIds } from "../document/scene-ids.ts";
import type { NodeId, SharedDocument } from "../document/shared-document.ts";
import { type SharedField, type SharedSchema, sharedSchemaOf } from "../document/shared-schema.ts";

/** The options of a shared scene. */
export interface SharedSceneOptions {
  /** The format that the scene was loaded with. Components that it does not list stay on this machine. */
  readonly format: SceneFormat;
  /** Where prefabs come from, as for `format.load`. */
  readonly prefabs?: Prefabs;
  /** The name of the scene's file, as for `format.load`: for prefabs that are found relative to it. */
  readonly file?: string;
  /** `"keep"` accepts components of prefabs that the format does not list, as for `format.load`. All members keep them. */
  readonly unknown?: "refuse" | "keep";
  /**
   * Codecs of object fields that hold entities or other values that are not plain JSON, by `"Component.field"`: those of the
   * format.
   */
  readonly codecs?: { readonly [field: string]: FieldCodec<never> };
}

interface MemberValues {
  readonly scene: number;
  readonly id: string;
  readonly instance: number;
}

const Member = sceneComponents[0] as Component<Schema>;

export class SharedWorld {
  readonly scene: Scene;
  readonly options: SharedSceneOptions;
  readonly schema: SharedSchema;
  readonly document: SharedDocument;
  readonly parts: PartIndex;
  readonly sceneIds: SceneIds;
  readonly stream: ChangeStream;
  /** Maps nodes to entities. Removed nodes keep their handles, so that undo restores them. */
  readonly ids: IdMap = createIdMap({ remembers: true });
  readonly codecs: { readonly [field: string]: ValueCodec };
  /** By node: the number of the instance in the world, for restored instances. */
  readonly instanceNumbers = new Map<NodeId, number>();
  private readonly outside = new Map<NodeId, Entity>();
  /** The last nodes of entities that have none now, and of the handles that stand for nodes without an entity. */
  private readonly former = new Map<Entity, NodeId>();
  /** The node that an entity had before it entered again with this one. */
  private readonly before = new Map<NodeId, NodeId>();
  /** What codecs get for nodes that are not in the scene. */
  private readonly absentees = new Map<NodeId, Entity>();
  private absentCount = 0;
  /** Nodes that came back while their entities lived on outside of the scene. */
  readonly returned = new Set<NodeId>();
  /** Entities with an id in the scene but no node: `Transient` ones, and what is below them. May still hold some that are shared again. */
  readonly outsiders = new Set<Entity>();

  constructor(scene: Scene, document: SharedDocument, options: SharedSceneOptions) {
    this.scene = scene;
    this.options = options;
    this.document = document;
    this.schema = sharedSchemaOf(options.format, options.codecs);
    this.parts = new PartIndex(document);
    this.sceneIds = new SceneIds(document, this.parts);
    for (const id of document.nodes.keys()) this.parts.update(id);
    for (const id of document.ids()) this.sceneIds.update(id);
    this.codecs = this.streamCodecs();
    const names = new Set([...this.schema.components.map(({ name }) => name), Member.name, Transient.name]);
    this.stream = followChanges(this.world, {
      trees: [this.tree],
      components: (name) => names.has(name),
      codecs: this.codecs,
    });
  }

  get tree(): Hierarchy {
    return this.scene.tree;
  }

  get world(): World {
    return this.scene.tree.world;
  }

  /** Gives an entity that enters the scene its node. */
  enter(id: NodeId, entity: Entity): void {
    const before = this.former.get(entity);
    if (before !== undefined) this.before.set(id, before);
    this.ids.set(id, entity);
  }

  /** Undoes that. Returns the node by which references mean the entity again: the one that it had before, if any. */
  leave(id: NodeId): NodeId {
    const entity = this.entityOf(id);
    const before = this.before.get(id) ?? id;
    this.drop(id);
    if (entity !== undefined) this.noteNode(entity, before);
    return before;
  }

  /** Removes a node that left the scene. It may come back, together with references to it. */
  drop(id: NodeId): void {
    const entity = this.entityOf(id);
    if (entity === undefined) return;
    this.noteNode(entity, id);
    this.ids.drop(entity);
    if (!this.world.isAlive(entity)) return;
    this.outside.set(id, entity);
    this.outsiders.add(entity);
  }

  /** The entity of a node that left the scene, where it lives on outside: it was made `Transient`, or something above it was. */
  outsideOf(id: NodeId): Entity | undefined {
    const entity = this.lastOutsideOf(id);
    const isStill = entity !== undefined && this.world.isAlive(entity) && this.nodeOf(entity) === undefined;
    return isStill ? entity : undefined;
  }

  /** The entity that lived on outside when a node left the scene, whatever it is now. */
  lastOutsideOf(id: NodeId): Entity | undefined {
    return this.outside.get(id);
  }

  /** Whether any node left the scene while its entity lived on. */
  get hasOutside(): boolean {
    return this.outside.size > 0;
  }

  /** Remembers the node of an entity, for references to it once it has none. */
  noteNode(entity: Entity, id: NodeId): void {
    this.former.set(entity, id);
  }

  /** The node that a reference to an entity means: also one that left the scene, which may come back. */
  nodeMeant(entity: Entity): NodeId | undefined {
    const id = this.nodeOf(entity);
    if (id !== undefined) return id;
    const former = this.former.get(entity);
    return former === undefined || this.document.has(former) ? undefined : former;
  }

  /** What a node means in references here: nothing if it is gone, and the entity if that lives on outside of the scene. */
  targetOf(id: NodeId): NodeId | Entity | undefined {
    return this.document.has(id) ? id : this.outsideTarget(id);
  }

  /** The same where it is not in the scene. An entity that entered again has another node since, and references mean it by that one. */
  outsideTarget(id: NodeId): Entity | undefined {
    const entity = this.outsideOf(id);
    return entity !== undefined && this.former.get(entity) === id ? entity : undefined;
  }

  /** A handle that is not alive, different for each node: a set keeps as many members as there are in the document. */
  private absent(id: NodeId | null): Entity {
    let entity = id === null ? undefined : this.absentees.get(id);
    if (entity === undefined) {
      entity = -++this.absentCount as Entity;
      if (id !== null) {
        this.absentees.set(id, entity);
        this.former.set(entity, id);
      }
    }
    return entity;
  }

  /**
   * Applies a patch whose keys are nodes.
   *
   * @returns Violations of rules of the world, which do not prevent it.
   * @throws HistoryBusyError inside an open step; nothing has changed then.
   */
  apply(patch: readonly PatchEntry[]): readonly Violation[] {
    if (patch.length === 0) return [];
    this.freeIds(patch);
    const { world, tree, ids, codecs } = this;
    const components = [...this.schema.components, Member];
    return applyPatch(world, patch, { trees: [tree], components, ids, codecs, rules: "report" }).violations;
  }

  /** Entities outside of what is shared give up ids that nodes get: all members agree on those. */
  private freeIds(patch: readonly PatchEntry[]): void {
    if (this.outsiders.size === 0) return;
    const given = new Set(patch.flatMap((entry) => memberIdIn(entry) ?? []));
    if (given.size === 0) return;
    const owners = new Map<Entity, string>();
    for (const entity of this.outsiders) {
      const own = this.world.isAlive(entity) && this.isMember(entity) ? this.memberOf(entity) : undefined;
      if (own === undefined || this.nodeOf(entity) !== undefined) this.outsiders.delete(entity);
      else if (given.has(own.id)) owners.set(entity, own.id.replaceAll("/", "-"));
    }
    if (owners.size === 0) return;
    // Throws inside an open step.
    applyPatch(this.world, []);
    for (const [entity, base] of owners) {
      let k = 2;
      while (given.has(`${base}-${k}`) || this.scene.find(`${base}-${k}`) !== undefined) k++;
      this.scene.add(entity, `${base}-${k}`);
    }
  }

  nodeOf(entity: Entity): NodeId | undefined {
    return this.ids.keyOf(entity) as NodeId | undefined;
  }

  entityOf(id: NodeId): Entity | undefined {
    return this.ids.entityOf(id);
  }

  memberOf(entity: Entity): MemberValues | undefined {
    return this.world.get(entity, Member) as MemberValues | undefined;
  }

  /** Whether an entity itself belongs to the scene. */
  isMember(entity: Entity): boolean {
    return this.memberOf(entity)?.scene === this.scene.key;
  }

  isTransient(entity: Entity): boolean {
    return this.world.has(entity, Transient);
  }

  /** The scene membership of the entity of a node. */
  memberValues(id: NodeId): { readonly scene: number; readonly id: string } {
    return { scene: this.scene.key, id: this.sceneIds.of(id) };
  }

  /** What loading kept of an entity, in the form of the document; `undefined` if nothing was kept. */
  keptOf(entity: Entity): string | undefined {
    const parts = Object.entries(keptOf(this.tree, entity)).filter(
      ([, part]) => Object.keys(part).length > 0,
    );
    return parts.length === 0 ? undefined : JSON.stringify(Object.fromEntries(parts));
  }

  /** Sets the kept values of an entity from the document. */
  setKept(id: NodeId): void {
    const entity = this.entityOf(id);
    const text = this.document.nodes.get(id)?.data[KEPT];
    if (entity === undefined || !this.world.isAlive(entity) || this.keptOf(entity) === text) return;
    setKept(this.tree, entity, text === undefined ? {} : JSON.parse(text as string));
  }

  /** A field with a codec, in the form of the document: entities as nodes. */
  encode(id: NodeId, { component, name, key }: SharedField): string | undefined {
    const codec = this.options.codecs?.[key];
    const entity = this.entityOf(id);
    const own = this.world.componentNamed(component) as Component<Schema> | undefined;
    if (codec === undefined || entity === undefined || own === undefined) return undefined;
    const value = (this.world.get(entity, own) as { readonly [field: string]: unknown })[name];
    const idOf = (other: Entity | null) => (other === null ? null : (this.nodeMeant(other) ?? null));
    return JSON.stringify(codec.write(value as never, { idOf }));
  }

  /** The value of a field with a codec, from its text in the document. */
  decode(key: string, text: string): unknown {
    return this.options.codecs?.[key]?.read(JSON.parse(text) as Json, {
      entity: (id) =>
        this.entityOf(id as NodeId) ?? this.outsideTarget(id as NodeId) ?? this.absent(id as NodeId),
    });
  }

  /** The stream only reports that such a field changed: entities in it may have no nodes yet. */
  private streamCodecs(): { readonly [field: string]: ValueCodec } {
    const silent: ValueCodec = { encode: () => null, decode: (json) => json };
    return Object.fromEntries(Object.keys(this.options.codecs ?? {}).map((key) => [key, silent]));
  }
}

/** The id in the scene's file that an entry of a patch gives to an entity. */
function memberIdIn(entry: PatchEntry): string | undefined {
  if (entry.op === "add") return entry.components[Member.name]?.id as string | undefined;
  const isMembership = entry.op === "set" && "component" in entry && entry.component === Member.name;
  return isMembership ? (entry.values?.id as string | undefined) : undefined;
}

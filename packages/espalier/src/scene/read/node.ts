/**
 * Entities on their way from a file to the world.
 */
import type { AnyInit } from "../../ecs/index.ts";
import { initOf } from "../../ecs/internal.ts";
import type { ComponentCodec, FieldInfo } from "../codec.ts";
import type { Json, JsonObject, JsonStep } from "../json/json.ts";
import type { IdSteps } from "./id-steps.ts";
import type { Prefabs } from "./prefab-source.ts";
import type { ProblemPlace, Source } from "./report.ts";

/** Where the ids of one file lead. */
export interface IdScope {
  /** The index of the node that an id of this file leads to. */
  find(id: string): number | undefined;
  /** The id as the outermost file writes it, for messages. */
  outerId(id: string): string;
}

/** The ids of nodes: those of the file that was read, and of what came with its instances. */
export interface IdIndex extends IdScope, IdSteps {
  /** All ids, those of the file itself first. */
  keys(): string[];
}

/** A file inside what is being read. */
export interface Home {
  readonly source: Source;
  /** The node of the instance that it is the inside of; nothing for the outermost file. */
  readonly owner: SceneNode | undefined;
  /** The id of that as the outermost file writes it; empty while it is not known. */
  readonly path: string;
}

/** A value that can be set only when other entities exist. */
export interface LateValue {
  readonly codec: ComponentCodec;
  readonly field: FieldInfo;
  /** The id for an entity field, whatever the codec reads otherwise. */
  readonly json: Json;
  /** Where ids in it lead; nothing for those of the file that is being loaded. */
  readonly scope: IdScope | undefined;
}

/** A value that every entity made from the node needs for itself. */
export interface FreshValue {
  /** Index of the component in `inits`. */
  readonly at: number;
  readonly field: FieldInfo;
  readonly json: Json;
}

/** What lenient reading could not use, kept so that saving does not lose it. */
export interface Kept {
  /** Components by name, as they stand in the file. */
  readonly components?: { [name: string]: Json };
  /** Other keys of the entity. */
  readonly keys?: { [key: string]: Json };
  /** References that lead nowhere, by component and field. */
  readonly references?: { [component: string]: { [field: string]: Json } };
}

/** The prefab instance that a node is the root of. */
export interface InstanceDraft {
  readonly template: Template;
  /** The name of the prefab as the file writes it. */
  readonly reference: string;
  /** Index of the node of each entity of the template; -1 where it is removed. */
  members: Int32Array;
}

/** A prefab, read and checked: the nodes in pre-order, the root first, parents as indices. */
export interface Template {
  readonly source: Source;
  readonly file: string;
  readonly nodes: readonly SceneNode[];
  readonly byId: IdIndex;
  /** Where the prefabs inside it came from. */
  readonly prefabs: Prefabs;
  /** The index of the entity that an id, or a path of names or ids below the root, leads to. */
  find(key: string): number | undefined;
}

const nothing: JsonObject = /* @__PURE__ */ Object.freeze({});
/** Shared by all nodes until they have components of their own. */
const none = /* @__PURE__ */ Object.freeze([]) as unknown as AnyInit[];

/** What few nodes have. Apart, because a scene has as many nodes as entities and all of them must be moved by the GC. */
class RareParts {
  order: readonly Json[] | undefined = undefined;
  late: LateValue[] | undefined = undefined;
  fresh: FreshValue[] | undefined = undefined;
  kept: Kept | undefined = undefined;
  instance: InstanceDraft | undefined = undefined;
  owner: SceneNode | undefined = undefined;
  template: Template | undefined = undefined;
  member = 0;
  home: Home | undefined = undefined;
  id: string | undefined = undefined;
}

export class SceneNode {
  private id_ = "";
  /** `null`: expressly none, although the prefab has one. */
  name: string | null | undefined = undefined;
  /** Index of the parent; -1 for a root. */
  parent = -1;
  /** The parent's id, where the file names it. */
  parentId: string | undefined = undefined;
  /** As they stand in the file, with overrides merged in. */
  components: JsonObject = nothing;
  /** The codecs of `components`, when they are values that `spawn` takes as they are. */
  plain: ReadonlyMap<string, ComponentCodec> | undefined = undefined;
  private inits_: AnyInit[] | undefined = none;
  private rare: RareParts | undefined = undefined;

  // Where it stands in its file.
  readonly source: Source;
  /** The node it is nested in, or, for the inside of an instance, the instance. */
  readonly container: SceneNode | undefined;
  /** The key of the override it stands in. */
  readonly via: string | undefined;
  /** Index among the entities or children; -1 for an override itself. */
  readonly at: number;

  constructor(source: Source, container: SceneNode | undefined, via: string | undefined, at: number) {
    this.source = source;
    this.container = container;
    this.via = via;
    this.at = at;
  }

  /** Empty until ids are given out. That of an entity inside an instance follows from the instance and the prefab. */
  get id(): string {
    if (this.rare === undefined) return this.id_;
    const { owner, template, member, home } = this.rare;
    if (this.rare.id !== undefined) return this.rare.id;
    if (owner !== undefined) {
      const id = owner.id;
      return id === "" ? "" : `${id}/${(template as Template).nodes[member].id}`;
    }
    if (home === undefined) return this.id_;
    const path = home.path;
    return path === "" || this.id_ === "" ? "" : `${path}/${this.id_}`;
  }

  set id(id: string) {
    this.id_ = id;
  }

  /**
   * Makes the id be this very text, the one that the world has, when all ids have been given out. Comparing a text with itself is
   * quick however long it is.
   */
  fixId(id = this.id): string {
    if (this.isInside) this.parts.id = id;
    return id;
  }

  /** The id in the file that it is an entity of. */
  get ownId(): string {
    return this.id_;
  }

  /** What `spawn` takes. */
  get inits(): AnyInit[] {
    this.inits_ ??= this.plainInits();
    return this.inits_;
  }

  set inits(inits: AnyInit[] | undefined) {
    this.inits_ = inits;
  }

  /** What `spawn` takes for a node whose components are taken as they are. Not kept: it is short-lived. */
  plainInits(): AnyInit[] {
    const { components, plain } = this;
    const inits: AnyInit[] = [];
    for (const name in components) {
      const codec = plain?.get(name);
      if (codec !== undefined) inits.push(initOf(codec.component, components[name] as object));
    }
    return inits;
  }

  /** Ids of children in the order wanted. */
  get order(): readonly Json[] | undefined {
    return this.rare?.order;
  }

  set order(order: readonly Json[] | undefined) {
    if (order !== undefined || this.rare !== undefined) this.parts.order = order;
  }

  get late(): LateValue[] | undefined {
    return this.rare?.late;
  }

  set late(late: LateValue[] | undefined) {
    if (late !== undefined || this.rare !== undefined) this.parts.late = late;
  }

  get fresh(): FreshValue[] | undefined {
    return this.rare?.fresh;
  }

  set fresh(fresh: FreshValue[] | undefined) {
    if (fresh !== undefined || this.rare !== undefined) this.parts.fresh = fresh;
  }

  get kept(): Kept | undefined {
    return this.rare?.kept;
  }

  set kept(kept: Kept | undefined) {
    this.parts.kept = kept;
  }

  get instance(): InstanceDraft | undefined {
    return this.rare?.instance;
  }

  set instance(instance: InstanceDraft | undefined) {
    this.parts.instance = instance;
  }

  /** For a copy of a prefab's node: the root of the instance. */
  get owner(): SceneNode | undefined {
    return this.rare?.owner;
  }

  /** For an entity of a prefab that was read in place: that file. */
  get home(): Home | undefined {
    return this.rare?.home;
  }

  set home(home: Home | undefined) {
    if (home !== undefined) this.parts.home = home;
  }

  /** Whether it came with an instance of a prefab. */
  get isInside(): boolean {
    return this.rare?.owner !== undefined || this.rare?.home !== undefined;
  }

  /** Is a copy of a node of `template`, in the instance `owner`. */
  belongTo(owner: SceneNode, template: Template, member: number): void {
    this.parts.owner = owner;
    this.parts.template = template;
    this.parts.member = member;
  }

  /** Stands for the same entity as another node, in a file further out. */
  standFor(other: SceneNode): void {
    this.id_ = other.id_;
    this.name = other.name;
    this.parent = other.parent;
    this.home = other.home;
    const { rare } = other;
    if (rare?.owner !== undefined) this.belongTo(rare.owner, rare.template as Template, rare.member);
  }

  private get parts(): RareParts {
    this.rare ??= new RareParts();
    return this.rare;
  }

  /** The path of the entity's entry in its file, and further steps. */
  path(...steps: JsonStep[]): JsonStep[] {
    const up: JsonStep[] = [];
    for (let node: SceneNode | undefined = this; node !== undefined; node = node.container) {
      if (node.at >= 0) up.push(node.at, node.container === undefined ? "entities" : "children");
      if (node.via !== undefined) up.push(node.via, "overrides");
    }
    return [...up.reverse(), ...steps];
  }

  place(...steps: JsonStep[]): ProblemPlace {
    return { source: this.source, path: () => this.path(...steps), entity: this.shownId };
  }

  keyPlace(...steps: JsonStep[]): ProblemPlace {
    return { ...this.place(...steps), key: true };
  }

  /** `Entity "tank"`, for the start of a sentence. */
  get label(): string {
    const id = this.shownId;
    if (id !== undefined) return `Entity ${JSON.stringify(id)}`;
    return typeof this.name !== "string"
      ? "An entity without id"
      : `An entity named ${JSON.stringify(this.name)}`;
  }

  /** The id in the file that says this about the entity, as far as it is known by now. */
  private get shownId(): string | undefined {
    const { owner, template, member = 0 } = this.rare ?? {};
    if (owner?.id_ === "") return undefined;
    let path = owner === undefined ? this.id_ : `${owner.id_}/${(template as Template).nodes[member].id}`;
    let home = (owner ?? this).home;
    for (; home?.owner !== undefined && home.source !== this.source; home = home.owner.home) {
      if (home.owner.id_ === "") return undefined;
      path = `${home.owner.id_}/${path}`;
    }
    return path === "" ? undefined : path;
  }

  /** The place in the outermost file: of an entity that comes with an instance, that of the instance. */
  outerPlace(...steps: JsonStep[]): ProblemPlace {
    let node: SceneNode = this.owner?.home === undefined ? this : this.owner;
    while (node.home?.owner !== undefined) node = node.home.owner;
    return { ...node.place(...steps), entity: this.id === "" ? undefined : this.id };
  }

  /** The label with the id of the outermost file. */
  get outerLabel(): string {
    return this.isInside ? `Entity ${JSON.stringify(this.id)}` : this.label;
  }

  addLate(late: LateValue): void {
    if (this.late === undefined) this.late = [late];
    else this.late.push(late);
  }

  keepComponent(name: string, json: Json): void {
    this.kept = { ...this.kept, components: { ...this.kept?.components, [name]: json } };
  }

  keepKey(key: string, json: Json): void {
    this.kept = { ...this.kept, keys: { ...this.kept?.keys, [key]: json } };
  }
}

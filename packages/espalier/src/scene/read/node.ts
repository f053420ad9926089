/**
 * Entities on their way from a file to the world.
 */
import type { AnyInit } from "../../ecs/index.ts";
import { initOf } from "../../ecs/internal.ts";
import type { ComponentCodec, FieldInfo } from "../codec.ts";
import type { Json, JsonObject, JsonStep } from "../json/json.ts";
import type { Prefabs } from "./prefab-source.ts";
import type { ProblemPlace, Source } from "./report.ts";

/** A value that can be set only when other entities exist. */
export interface LateValue {
  readonly codec: ComponentCodec;
  readonly field: FieldInfo;
  /** The id for an entity field, whatever the codec reads otherwise. */
  readonly json: Json;
  /** From an id as it is written to the id in the file that is being loaded; they differ inside prefabs. */
  readonly scope: ((id: string) => string) | undefined;
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
  readonly members: Int32Array;
}

/** A prefab, read and checked: the nodes in pre-order, the root first, parents as indices. */
export interface Template {
  readonly source: Source;
  readonly file: string;
  readonly nodes: readonly SceneNode[];
  readonly byId: ReadonlyMap<string, number>;
  /** Where the prefabs inside it came from. */
  readonly prefabs: Prefabs;
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
  member = 0;
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
    if (this.id_ !== "" || this.rare?.owner === undefined) return this.id_;
    const parts: string[] = [];
    let node: SceneNode = this;
    for (let { owner } = node; owner !== undefined; owner = node.owner) {
      if (owner.id_ === "") return "";
      parts.push(owner.id_);
      node = (owner.instance as InstanceDraft).template.nodes[node.member];
      if (node.id_ !== "") break;
    }
    parts.push(node.id_);
    return parts.join("/");
  }

  set id(id: string) {
    this.id_ = id;
  }

  /** Remembers an id that follows from others. */
  keepId(): void {
    this.id_ = this.id;
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
    if (order !== undefined) this.parts.order = order;
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

  /** For an entity that comes from a prefab: the root of the instance. */
  get owner(): SceneNode | undefined {
    return this.rare?.owner;
  }

  /** For an entity that comes from a prefab: its index in the template. */
  get member(): number {
    return this.rare?.member ?? 0;
  }

  belongTo(owner: SceneNode, member: number): void {
    this.parts.owner = owner;
    this.parts.member = member;
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

  /** The id as far as it is known by now. */
  private get shownId(): string | undefined {
    if (this.id !== "") return this.id;
    if (this.owner === undefined) return undefined;
    const member = this.owner.instance?.template.nodes[this.member].id;
    return this.owner.id === "" || member === undefined ? undefined : `${this.owner.id}/${member}`;
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

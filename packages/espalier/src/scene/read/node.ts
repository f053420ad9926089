/**
 * Entities on their way from a file to the world.
 */
import { type AnyInit, describeValue } from "../../ecs/index.ts";
import { initOf } from "../../ecs/internal.ts";
import type { ComponentCodec, FieldInfo } from "../codec.ts";
import type { Json, JsonObject, JsonStep } from "../json/json.ts";
import type { IdSteps } from "./id-steps.ts";
import type { Prefabs } from "./prefab-source.ts";
import type { ProblemLocation, Source } from "./report.ts";

/** Resolves the ids of one file. */
export interface IdScope {
  /** The index of the node with an id of this file. */
  find(id: string): number | undefined;
  /** The id as the outermost file writes it, for messages. */
  outerId(id: string): string;
}

/** The ids of nodes: those of the file that was read, and those inside its instances. */
export interface IdIndex extends IdScope, IdSteps {
  /** All ids, those of the file itself first. */
  keys(): string[];
}

/** A file among those being read. */
export interface Home {
  readonly source: Source;
  /** The node of the instance whose inside it is; `undefined` for the outermost file. */
  readonly owner: SceneNode | undefined;
  /** The id of that node as the outermost file writes it; empty while unknown. */
  readonly path: string;
}

/** A value that can be set only when other entities exist. */
export interface LateValue {
  readonly codec: ComponentCodec;
  readonly field: FieldInfo;
  /** The id for an entity field; for other fields, the JSON that the codec reads. */
  readonly json: Json;
  /** Resolves ids in it; `undefined` for those of the file that is being loaded. */
  readonly scope: IdScope | undefined;
}

/** A value of which every entity made from the node needs its own copy. */
export interface FreshValue {
  /** Index of the component in `inits`. */
  readonly at: number;
  readonly field: FieldInfo;
  readonly json: Json;
}

/** Parts that lenient reading could not use, kept so that saving does not lose them. */
export interface Kept {
  /** Components by name, as written in the file. */
  readonly components?: { [name: string]: Json };
  /** Other keys of the entity. */
  readonly keys?: { [key: string]: Json };
  /** Unresolved references, by component and field. */
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
  /** The source of the prefabs inside it. */
  readonly prefabs: Prefabs;
  /** The files of the prefabs that a file uses, this one or one inside, in the order of their names there. */
  usedBy(source: Source): readonly (Source | undefined)[];
  /** The index of the entity with an id, or with a path of names or ids below the root. */
  find(key: string): number | undefined;
}

const nothing: JsonObject = /* @__PURE__ */ Object.freeze({});
/** Shared by all nodes until they have components of their own. */
const none = /* @__PURE__ */ Object.freeze([]) as unknown as AnyInit[];

const nothingLate = /* @__PURE__ */ Object.freeze([]) as readonly LateValue[];
const nothingFresh = /* @__PURE__ */ Object.freeze([]) as readonly FreshValue[];

/** Parts that few nodes have. Separate, because a scene has as many nodes as entities, and the garbage collector moves all of them. */
class RareParts {
  /** Ids of children in the wanted order. */
  order: readonly Json[] | undefined = undefined;
  late = nothingLate;
  fresh = nothingFresh;
  kept: Kept | undefined = undefined;
  instance: InstanceDraft | undefined = undefined;
  /** For a copy of a prefab's node: the root of the instance, the prefab, and the index of the node there. */
  owner: SceneNode | undefined = undefined;
  template: Template | undefined = undefined;
  member = 0;
  /** For an entity of a prefab that was read in place: that file. */
  home: Home | undefined = undefined;
  /** The whole id, once it is final. */
  id: string | undefined = undefined;
}

/** Shared by all nodes that have none. */
const noParts: Readonly<RareParts> = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ new RareParts());

export class SceneNode {
  private id_ = "";
  /** `null` means explicitly none, although the prefab has one. */
  name: string | null | undefined = undefined;
  /** Index of the parent; -1 for a root. */
  parent = -1;
  /** The parent's id, if the file names it. */
  parentId: string | undefined = undefined;
  /** As written in the file, with overrides merged in. */
  components: JsonObject = nothing;
  /** The codecs of `components`, when they are values that `spawn` takes as they are. */
  plain: ReadonlyMap<string, ComponentCodec> | undefined = undefined;
  private inits_: AnyInit[] | undefined = none;
  /** For reading; use `parts` for writing. */
  rare = noParts;

  // Its location in its file.
  readonly source: Source;
  /** The node it is nested in, or, for the inside of an instance, the instance. */
  readonly container: SceneNode | undefined;
  /** The key of the override that contains it. */
  readonly via: string | undefined;
  /** Index among the entities or children; -1 for an override itself. */
  readonly at: number;

  constructor(source: Source, container: SceneNode | undefined, via: string | undefined, at: number) {
    this.source = source;
    this.container = container;
    this.via = via;
    this.at = at;
  }

  /** Empty until ids are assigned. The id of an entity inside an instance is derived from the instance and the prefab. */
  get id(): string {
    const { id, owner, template, member, home } = this.rare;
    if (id !== undefined) return id;
    if (owner === undefined && home === undefined) return this.id_;
    const path = owner === undefined ? (home as Home).path : owner.id;
    const last = owner === undefined ? this.id_ : (template as Template).nodes[member].id;
    return path === "" || last === "" ? "" : `${path}/${last}`;
  }

  set id(id: string) {
    this.id_ = id;
  }

  /**
   * Makes the id this same string object, which the world has, when all ids have been assigned. Comparing a string with itself is
   * fast however long it is.
   */
  fixId(id = this.id): string {
    if (this.isInside) this.parts.id = id;
    return id;
  }

  /** The id in its own file. */
  get ownId(): string {
    return this.id_;
  }

  /** The arguments of `spawn`. */
  get inits(): AnyInit[] {
    this.inits_ ??= this.plainInits();
    return this.inits_;
  }

  set inits(inits: AnyInit[] | undefined) {
    this.inits_ = inits;
  }

  /** The arguments of `spawn` for a node whose components are used as they are. Short-lived, so not kept. */
  plainInits(): AnyInit[] {
    const { components, plain } = this;
    const inits: AnyInit[] = [];
    for (const name in components) {
      const codec = plain?.get(name);
      if (codec !== undefined) inits.push(initOf(codec.component, components[name] as object));
    }
    return inits;
  }

  /** The rare parts, for writing. */
  get parts(): RareParts {
    if (this.rare === noParts) this.rare = new RareParts();
    return this.rare as RareParts;
  }

  /** Whether it came with an instance of a prefab. */
  get isInside(): boolean {
    return this.rare.owner !== undefined || this.rare.home !== undefined;
  }

  /** Makes it a copy of a node of `template`, in the instance `owner`. */
  belongTo(owner: SceneNode | undefined, template: Template | undefined, member: number): void {
    Object.assign(this.parts, { owner, template, member });
  }

  /** Makes it stand for the same entity as another node, in an outer file. */
  standFor(other: SceneNode): void {
    const { owner, template, member, home } = other.rare;
    this.id_ = other.id_;
    this.name = other.name;
    this.parent = other.parent;
    this.parts.home = home;
    this.belongTo(owner, template, member);
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

  location(...steps: JsonStep[]): ProblemLocation {
    return { source: this.source, path: () => this.path(...steps), entity: this.shownId };
  }

  keyLocation(...steps: JsonStep[]): ProblemLocation {
    return { ...this.location(...steps), key: true };
  }

  /** `Entity "tank"`, for the start of a sentence. */
  get label(): string {
    const id = this.shownId;
    if (id !== undefined) return `Entity ${describeValue(id)}`;
    return typeof this.name !== "string"
      ? "An entity without id"
      : `An entity named ${describeValue(this.name)}`;
  }

  /** The id in the file that contains this node, as far as it is known. */
  private get shownId(): string | undefined {
    const { owner, template, member } = this.rare;
    if (owner?.id_ === "") return undefined;
    let path = owner === undefined ? this.id_ : `${owner.id_}/${(template as Template).nodes[member].id}`;
    let { home } = (owner ?? this).rare;
    for (; home?.owner !== undefined && home.source !== this.source; home = home.owner.rare.home) {
      if (home.owner.id_ === "") return undefined;
      path = `${home.owner.id_}/${path}`;
    }
    return path === "" ? undefined : path;
  }

  /** The location in the outermost file: for an entity inside an instance, that of the instance. */
  outerLocation(...steps: JsonStep[]): ProblemLocation {
    const { owner } = this.rare;
    let node: SceneNode = owner?.rare.home === undefined ? this : owner;
    while (node.rare.home?.owner !== undefined) node = node.rare.home.owner;
    return { ...node.location(...steps), entity: this.id === "" ? undefined : this.id };
  }

  /** The label with the id of the outermost file. */
  get outerLabel(): string {
    return this.isInside ? `Entity ${describeValue(this.id)}` : this.label;
  }

  addLate(late: LateValue): void {
    this.parts.late = [...this.rare.late, late];
  }

  addFresh(fresh: FreshValue): void {
    this.parts.fresh = [...this.rare.fresh, fresh];
  }

  /** Keeps a value for saving. */
  keep(part: "components" | "keys", name: string, json: Json): void {
    const { kept } = this.rare;
    this.parts.kept = { ...kept, [part]: { ...kept?.[part], [name]: json } };
  }
}

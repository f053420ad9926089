/**
 * The entities of one file among those being read, and how the ids in this file resolve to them.
 *
 * A prefab that is used once is read in place, as a level inside the file that uses it: its nodes are made once, however deeply
 * prefabs are nested. Nodes have a slot while they are collected; `Slots` maps it to the final index.
 */
import { copiedSteps, findId, type IdSteps } from "./id-steps.ts";
import type { Home, IdIndex, IdScope, SceneNode, Template } from "./node.ts";
import type { Source } from "./report.ts";

/** Maps the slots of nodes, used while they are collected, to their indices in the finished list. */
export class Slots {
  readonly nodes: readonly (SceneNode | undefined)[];
  /** Whether all ids have been assigned, so that derived ids can be cached. */
  isFinal = false;
  private map: Int32Array | undefined = undefined;

  constructor(nodes: readonly (SceneNode | undefined)[]) {
    this.nodes = nodes;
  }

  /** The index of the node in a slot; `undefined` when it was removed. */
  at(slot: number): number | undefined {
    if (this.map === undefined) return this.nodes[slot] === undefined ? undefined : slot;
    const index = this.map[slot];
    return index < 0 ? undefined : index;
  }

  /** Called when nodes have moved: the node at index `k` is now at `map[k]`, or removed (-1). */
  renumber(map: Int32Array): void {
    this.map = this.map === undefined ? map : this.map.map((index) => (index < 0 ? -1 : map[index]));
  }
}

/** A file that was read in place, or the outermost one. */
export class Level implements IdIndex, Home {
  readonly source: Source;
  readonly slots: Slots;
  /** The node of the instance whose inside it is; `undefined` for the outermost file. */
  readonly owner: SceneNode | undefined;
  /** The slot of its root, which it shares with that node; -1 for the outermost file, which may have several. */
  readonly slot: number;
  /** The first slot of its other nodes. */
  readonly start: number;
  /** Slots that belong to the inside of its instances, as pairs of start and end, in increasing order. */
  readonly holes: number[] = [];
  /** Its instances: each was read in place, or consists of copies of a prefab's nodes. */
  readonly inner: { readonly node: SceneNode; readonly inside: IdSteps }[] = [];
  /** Slots of nodes inside its instances that it overrides. */
  readonly touched: number[] = [];
  /** The slots of its own entities by id. */
  readonly ids = new Map<string, number>();
  private innerById: ReadonlyMap<string, IdSteps> = new Map();
  private prefix: string | undefined = undefined;

  constructor(source: Source, slots: Slots, owner: SceneNode | undefined, slot: number, start: number) {
    this.source = source;
    this.slots = slots;
    this.owner = owner;
    this.slot = slot;
    this.start = start;
  }

  /** The slots of its own entities, the root first, when the nodes up to `end` have been collected. */
  ownSlots(end: number): number[] {
    const own: number[] = this.slot < 0 ? [] : [this.slot];
    let slot = this.start;
    for (let k = 0; k <= this.holes.length; k += 2) {
      const until = k < this.holes.length ? this.holes[k] : end;
      for (; slot < until; slot++) own.push(slot);
      if (k < this.holes.length) slot = this.holes[k + 1];
    }
    return own;
  }

  /** Makes ids resolve into its instances: call when all its entities have their ids. */
  indexInstances(): void {
    if (this.inner.length === 0) return;
    this.innerById = new Map(this.inner.map(({ node, inside }) => [node.ownId, inside]));
  }

  find(id: string): number | undefined {
    // Users may pass anything.
    if (typeof id === "string" && id.includes("/")) return findId(this, id);
    const slot = this.ids.get(id);
    return slot === undefined ? undefined : this.slots.at(slot);
  }

  at(id: string): number | undefined {
    const slot = this.ids.get(id);
    return slot === undefined || slot === this.slot ? undefined : this.slots.at(slot);
  }

  into(id: string): IdSteps | undefined {
    return this.innerById.get(id);
  }

  forEach(visit: (id: string, index: number) => void): void {
    for (const [id, slot] of this.ids) {
      const index = slot === this.slot ? undefined : this.slots.at(slot);
      if (index !== undefined) visit(id, index);
    }
  }

  instances(): Iterable<readonly [string, IdSteps]> {
    return this.innerById;
  }

  /** All ids that resolve, own ones first; the root of a prefab has none. */
  keys(): string[] {
    const found: string[] = [];
    const levels: (readonly [IdSteps, string])[] = [[this, ""]];
    for (const [steps, prefix] of levels) {
      steps.forEach((id) => {
        found.push(prefix + id);
      });
      for (const [id, below] of steps.instances()) levels.push([below, `${prefix}${id}/`]);
    }
    return found;
  }

  /**
   * The id of its instance as the outermost file writes it, with which the ids of its entities begin; empty while it is
   * unknown. Strings with a common prefix share it, so that ids of deep entities cost nothing before they are compared.
   */
  get path(): string {
    const waiting: Level[] = [];
    let level: Level | undefined = this;
    while (level?.owner !== undefined && level.prefix === undefined) {
      if (level.owner.ownId === "") return "";
      waiting.push(level);
      level = level.owner.rare.home as Level | undefined;
    }
    let path = level?.prefix ?? "";
    for (let k = waiting.length - 1; k >= 0; k--) {
      const id = (waiting[k].owner as SceneNode).ownId;
      path = path === "" ? id : `${path}/${id}`;
      if (this.slots.isFinal) waiting[k].prefix = path;
    }
    return path;
  }

  outerId(id: string): string {
    if (this.owner === undefined) return id;
    return this.ids.get(id) === this.slot ? this.owner.id : `${this.path}/${id}`;
  }
}

/** Nodes that were copied from a prefab that is used several times. */
export class Members implements IdScope {
  readonly template: Template;
  /** The slot of the copy of each node; -1 if there is none. */
  readonly members: Int32Array;
  private readonly slots: Slots;
  private readonly root: SceneNode;
  /** Resolves ids inside the prefab; `undefined` for those of its own file. */
  private readonly inner: IdScope | undefined;
  private readonly scopes = new Map<IdScope | undefined, Members>();

  constructor(template: Template, members: Int32Array, slots: Slots, root: SceneNode, inner?: IdScope) {
    this.template = template;
    this.members = members;
    this.slots = slots;
    this.root = root;
    this.inner = inner;
  }

  /** The scope, for the copy of a node, of ids that the node of the prefab has from `inner`. */
  scopeOf(inner: IdScope | undefined): Members {
    if (inner === this.inner) return this;
    let scope = this.scopes.get(inner);
    if (scope === undefined) {
      scope = new Members(this.template, this.members, this.slots, this.root, inner);
      this.scopes.set(inner, scope);
    }
    return scope;
  }

  find(id: string): number | undefined {
    const copies: Members[] = [this];
    let scope = this.inner;
    for (; scope instanceof Members; scope = scope.inner) copies.push(scope);
    let index = scope === undefined ? copies[copies.length - 1].template.byId.find(id) : scope.find(id);
    for (let k = copies.length - 1; k >= 0 && index !== undefined; k--) index = copies[k].copyOf(index);
    return index;
  }

  /** Lookup from another file below the id of the instance, which is the id of the root there. */
  get steps(): IdSteps {
    return copiedSteps(this.template.byId, (index) => (index === 0 ? undefined : this.copyOf(index)));
  }

  outerId(id: string): string {
    const index = this.inner === undefined ? this.template.byId.find(id) : this.inner.find(id);
    if (index === 0) return this.root.id;
    return `${this.root.id}/${this.inner === undefined ? id : this.inner.outerId(id)}`;
  }

  private copyOf(index: number): number | undefined {
    const slot = this.members[index];
    return slot < 0 ? undefined : this.slots.at(slot);
  }
}

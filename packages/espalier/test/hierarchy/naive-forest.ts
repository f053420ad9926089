/**
 * The slow, obvious twin of a hierarchy: plain objects and arrays, and every rule as one look at the whole.
 *
 * An operation is tried on a copy. If the outcome breaks a rule, or a step on the way does, it is refused and the copy
 * is forgotten.
 */
import type { Entity } from "espalier";
import type { AttachOptions, DestroyPolicy, HierarchyOptions, Order } from "espalier/hierarchy";

export class Refused extends Error {}

export interface NaiveNode {
  readonly entity: Entity;
  parent: NaiveNode | null;
  children: NaiveNode[];
  name: string | undefined;
}

export type NaivePosition = AttachOptions | undefined;

export class NaiveForest {
  readonly options: HierarchyOptions;
  /** Whether an entity may have a parent. */
  readonly mayBeChild: (entity: Entity) => boolean;
  /** Whether an entity is going to die in the call under way. */
  isDoomed: (entity: Entity) => boolean = () => false;
  isCertain: (entity: Entity) => boolean = () => false;
  roots: NaiveNode[] = [];
  nodes = new Map<Entity, NaiveNode>();

  constructor(options: HierarchyOptions, mayBeChild: (entity: Entity) => boolean = () => true) {
    this.options = options;
    this.mayBeChild = mayBeChild;
  }

  get policy(): DestroyPolicy {
    return this.options.onDestroy ?? "cascade";
  }

  node(entity: Entity): NaiveNode {
    const node = this.nodes.get(entity);
    if (node === undefined) throw new Refused("dead");
    return node;
  }

  list(parent: NaiveNode | null): NaiveNode[] {
    return parent === null ? this.roots : parent.children;
  }

  /** The state as plain data, for comparing. */
  state(): unknown {
    const show = (node: NaiveNode): unknown => [node.entity, node.name ?? null, node.children.map(show)];
    return this.roots.map(show);
  }

  /** Does `edit`, and undoes it if it or its outcome is refused. */
  attempt(edit: () => void): void {
    const restore = this.save();
    const before = this.violations();
    try {
      edit();
      this.requireRules(before);
    } catch (error) {
      restore();
      throw error;
    }
  }

  /** Keeps the state; the function brings it back. */
  private save(): () => void {
    const saved = Array.from(this.nodes.values(), (node) => ({
      node,
      parent: node.parent,
      children: [...node.children],
      name: node.name,
    }));
    const roots = [...this.roots];
    return () => {
      for (const { node, parent, children, name } of saved) Object.assign(node, { parent, children, name });
      this.nodes = new Map(saved.map(({ node }) => [node.entity, node]));
      this.roots = roots;
    };
  }

  /** What breaks a rule. While an entity goes, its position may hold it and those that take it. */
  private violations(): Set<string> {
    const { links, limits, maxChildren = links?.maxChildren ?? Number.POSITIVE_INFINITY } = this.options;
    const maxDepth = limits?.max ?? Number.POSITIVE_INFINITY;
    const found = new Set<string>();
    for (const node of this.nodes.values()) {
      const { entity } = node;
      for (let k = maxChildren + 1; k <= node.children.length; k++) found.add(`${entity} has ${k} children`);
      if (this.depth(node) > maxDepth) found.add(`${entity} is too deep`);
      if (node.parent !== null && !this.mayBeChild(entity)) found.add(`${entity} is a child`);
      if (node.parent !== null && this.isDoomed(node.parent.entity) && !this.isDoomed(entity))
        found.add(`${entity} is below ${node.parent.entity}, which is doomed`);
      if (this.isCertain(entity)) found.add(`${entity} can no longer leave ${node.parent?.entity}`);
    }
    if (!this.options.uniqueNames) return found;
    for (const parent of [null, ...this.nodes.values()]) {
      const used = this.list(parent).map((node) => node.name);
      for (const name of used) {
        const times = used.filter((other) => other === name).length;
        if (name !== undefined && times > 1) found.add(`${parent?.entity} has ${name} ${times} times`);
      }
    }
    return found;
  }

  private requireRules(before: ReadonlySet<string>): void {
    for (const violation of this.violations()) if (!before.has(violation)) throw new Refused(violation);
  }

  depth(node: NaiveNode): number {
    let depth = 0;
    for (let up = node.parent; up !== null; up = up.parent) depth++;
    return depth;
  }

  isInside(node: NaiveNode, top: NaiveNode): boolean {
    for (let up: NaiveNode | null = node; up !== null; up = up.parent) if (up === top) return true;
    return false;
  }

  // Steps --------------------------------------------------------------------------------------------------------------

  /** Moves a node to an index in the list of its new parent, counted without the node. */
  private move(node: NaiveNode, parent: NaiveNode | null, index: number): void {
    if (parent !== null && this.isInside(parent, node)) throw new Refused("cycle");
    const from = this.list(node.parent);
    from.splice(from.indexOf(node), 1);
    node.parent = parent;
    this.list(parent).splice(index, 0, node);
  }

  private index(list: readonly NaiveNode[], options: NaivePosition, parent: NaiveNode | null): number {
    if (options?.before !== undefined || options?.after !== undefined) {
      const beside = this.node((options.before ?? options.after) as Entity);
      if (beside.parent !== parent) throw new Refused("not a child");
      const at = list.indexOf(beside);
      if (at >= 0) return options.before !== undefined ? at : at + 1;
      // The sibling that marks the position moves itself: the position is that of the next one that stays.
      const all = this.list(parent);
      const behind = all.slice(all.indexOf(beside) + 1).find((node) => list.includes(node));
      return behind === undefined ? list.length : list.indexOf(behind);
    }
    const at = options?.at ?? "last";
    if (at === "first") return 0;
    if (at === "last") return list.length;
    return Math.min(Math.max(at < 0 ? list.length + 1 + at : at, 0), list.length);
  }

  private requireChild(node: NaiveNode, parent: NaiveNode | null): void {
    if (parent !== null && this.isInside(parent, node)) throw new Refused("cycle");
  }

  // Operations ---------------------------------------------------------------------------------------------------------

  /** A new entity; refused where `attachNew` would be. */
  spawned(entity: Entity, parent: Entity | null = null, options?: NaivePosition): void {
    this.attempt(() => {
      const under = parent === null ? null : this.node(parent);
      const list = this.list(under);
      const node = { entity, parent: under, children: [], name: undefined };
      list.splice(this.index(list, options, under), 0, node);
      this.nodes.set(entity, node);
    });
  }

  attach(child: Entity, parent: Entity | null, options?: NaivePosition): void {
    // A root without a given position stays where it is.
    const isPlaced =
      options?.at !== undefined || options?.before !== undefined || options?.after !== undefined;
    if (parent === null && !isPlaced && this.nodes.get(child)?.parent === null) return;
    this.attachMany([child], parent, options);
  }

  attachMany(children: readonly Entity[], parent: Entity | null, options?: NaivePosition): void {
    this.attempt(() => {
      const under = parent === null ? null : this.node(parent);
      const nodes = children.map((child) => this.node(child));
      if (new Set(nodes).size !== nodes.length) throw new Refused("twice");
      for (const node of nodes) this.requireChild(node, under);
      const staying = this.list(under).filter((node) => !nodes.includes(node));
      const index = this.index(staying, options, under);
      for (const node of nodes) {
        const from = this.list(node.parent);
        from.splice(from.indexOf(node), 1);
        node.parent = under;
      }
      this.list(under).splice(index, 0, ...nodes);
    });
  }

  attachAll(pairs: readonly (readonly [Entity, Entity | null])[]): void {
    this.attempt(() => {
      for (const [child, parent] of pairs) {
        const node = this.node(child);
        const under = parent === null ? null : this.node(parent);
        const { maxChildren } = this.options;
        const isNew = node.parent !== under;
        if (under === null && !isNew) continue;
        if (isNew && under !== null && maxChildren !== undefined && under.children.length >= maxChildren)
          throw new Refused("too many children");
        const staying = this.list(under).filter((other) => other !== node);
        this.move(node, under, staying.length);
      }
    });
  }

  toRoots(entities: readonly Entity[]): void {
    this.attempt(() => {
      const nodes = entities.map((entity) => this.node(entity));
      if (new Set(nodes).size !== nodes.length) throw new Refused("twice");
      for (const node of nodes) if (node.parent !== null) this.move(node, null, this.roots.length);
    });
  }

  detachChildren(parent: Entity): void {
    this.toRoots(this.node(parent).children.map((child) => child.entity));
  }

  isolate(entity: Entity): void {
    this.toRoots([entity, ...this.node(entity).children.map((child) => child.entity)]);
  }

  dissolve(entity: Entity): void {
    this.toRoots(this.below(entity, "pre", true).map((node) => node.entity));
  }

  moveChild(child: Entity, options: NaivePosition): void {
    const { parent } = this.node(child);
    this.attach(child, parent === null ? null : parent.entity, options);
  }

  swap(a: Entity, b: Entity): void {
    this.attempt(() => {
      const left = this.node(a);
      const right = this.node(b);
      if (left === right) return;
      if (this.isInside(left, right) || this.isInside(right, left)) throw new Refused("cycle");
      const leftList = this.list(left.parent);
      const rightList = this.list(right.parent);
      const at = leftList.indexOf(left);
      const other = rightList.indexOf(right);
      leftList[at] = right;
      rightList[other] = left;
      [left.parent, right.parent] = [right.parent, left.parent];
    });
  }

  replaceChildren(parent: Entity, children: readonly Entity[]): void {
    this.attempt(() => {
      const under = this.node(parent);
      const nodes = children.map((child) => this.node(child));
      if (new Set(nodes).size !== nodes.length) throw new Refused("twice");
      for (const node of nodes) this.requireChild(node, under);
      for (const node of [...under.children]) {
        if (!nodes.includes(node)) this.move(node, null, this.roots.length);
      }
      nodes.forEach((node, index) => {
        this.move(node, under, index);
      });
    });
  }

  sort(parent: Entity | null, compare: (a: Entity, b: Entity) => number): void {
    this.list(parent === null ? null : this.node(parent)).sort((a, b) => compare(a.entity, b.entity));
  }

  setName(entity: Entity, name: string | undefined): void {
    this.attempt(() => {
      this.node(entity).name = name;
    });
  }

  // End ----------------------------------------------------------------------------------------------------------------

  /** Refuses `destroy(entity, { children })` where the rules stand against it. They are asked as if the entity were gone. */
  requireSendable(entity: Entity, policy: DestroyPolicy): void {
    const node = this.node(entity);
    if (policy === "cascade" || policy === "refuse") return;
    const restore = this.save();
    const before = this.violations();
    try {
      const home = policy === "adopt" ? node.parent : null;
      for (const child of [...node.children]) this.move(child, home, this.list(home).length);
      this.remove(node);
      this.requireRules(before);
    } finally {
      restore();
    }
  }

  /**
   * Sends the children of dying nodes that live on away, in tree order: to the nearest ancestor that lives, in place, or to the
   * roots. Where a name is taken it gets a number.
   */
  sendAway(
    told: readonly Entity[],
    dying: ReadonlySet<Entity>,
    policyOf: (parent: Entity) => DestroyPolicy,
    isGoing: (entity: Entity) => boolean,
  ): void {
    const { maxChildren = Number.POSITIVE_INFINITY } = this.options;
    const isDying = (node: NaiveNode | null) => node !== null && dying.has(node.entity);
    const joined = new Map<NaiveNode | null, number>();
    const sent: { child: NaiveNode; to: NaiveNode | null; inPlace: boolean; top: NaiveNode }[] = [];
    const walk = (parent: NaiveNode, top: NaiveNode) => {
      for (const child of parent.children) {
        if (isDying(child)) {
          walk(child, top);
          continue;
        }
        let home: NaiveNode | null = parent;
        while (isDying(home)) home = (home as NaiveNode).parent;
        const adopts = policyOf(parent.entity) === "adopt";
        const fits =
          home === null ||
          (home.children.length - 1 + (joined.get(home) ?? 0) < maxChildren &&
            this.mayBeChild(child.entity) &&
            (!isGoing(home.entity) || isGoing(child.entity)));
        const to = adopts && fits ? home : null;
        joined.set(to, (joined.get(to) ?? 0) + 1);
        sent.push({ child, to, inPlace: adopts && to === top.parent, top });
      }
    };
    for (const entity of told) {
      const top = this.node(entity);
      if (!isDying(top.parent)) walk(top, top);
    }
    const lasts = new Map<NaiveNode, NaiveNode>();
    for (const { child, to, inPlace, top } of sent) {
      const list = this.list(to);
      if (this.options.uniqueNames) this.number(child, list, isDying);
      this.move(child, to, inPlace ? list.indexOf(lasts.get(top) ?? top) + 1 : list.length);
      if (inPlace) lasts.set(top, child);
    }
  }

  removeAll(entities: readonly Entity[]): void {
    for (const entity of entities) this.remove(this.node(entity));
  }

  private number(child: NaiveNode, list: readonly NaiveNode[], isDying: (node: NaiveNode) => boolean): void {
    const { name } = child;
    // The first one of that name is the one that a tree finds.
    const other = list.find((each) => each.name === name);
    if (name === undefined || other === undefined || isDying(other)) return;
    let number = 2;
    const siblings = [...list, ...this.list(child.parent)];
    while (siblings.some((other) => other.name === `${name}~${number}`)) number++;
    child.name = `${name}~${number}`;
  }

  remove(node: NaiveNode): void {
    const list = this.list(node.parent);
    list.splice(list.indexOf(node), 1);
    this.nodes.delete(node.entity);
  }

  // Walks --------------------------------------------------------------------------------------------------------------

  below(entity: Entity, order: Order, includeSelf: boolean): NaiveNode[] {
    return [...this.walk(entity, order, includeSelf, { skip: false })];
  }

  /** The rule of walks under change, written down as it reads. `answer.skip` says not to go below the last one. */
  walk(
    entity: Entity,
    order: Order,
    includeSelf: boolean,
    answer: { skip: boolean },
  ): Generator<NaiveNode, void, undefined> {
    const top = this.node(entity);
    // Lists are fixed when their parent is entered, the first one now.
    const first = includeSelf ? [top] : [...top.children];
    if (order === "level") return this.levels(top, first, answer);
    return order === "pre" ? this.preorder(top, first, answer) : this.postorder(top, first);
  }

  private isThere(node: NaiveNode, parent: NaiveNode | null, top: NaiveNode): boolean {
    return this.nodes.get(node.entity) === node && (node === top || node.parent === parent);
  }

  private *preorder(
    top: NaiveNode,
    list: readonly NaiveNode[],
    answer: { skip: boolean },
    parent: NaiveNode | null = list[0]?.parent ?? null,
  ): Generator<NaiveNode, void, undefined> {
    for (const node of list) {
      if (!this.isThere(node, parent, top)) continue;
      const children = [...node.children];
      answer.skip = false;
      yield node;
      if (!answer.skip) yield* this.preorder(top, children, answer, node);
      answer.skip = false;
    }
  }

  private *postorder(
    top: NaiveNode,
    list: readonly NaiveNode[],
    parent: NaiveNode | null = list[0]?.parent ?? null,
  ): Generator<NaiveNode, void, undefined> {
    for (const node of list) {
      if (!this.isThere(node, parent, top)) continue;
      yield* this.postorder(top, [...node.children], node);
      if (this.isThere(node, parent, top)) yield node;
    }
  }

  private *levels(
    top: NaiveNode,
    first: readonly NaiveNode[],
    answer: { skip: boolean },
  ): Generator<NaiveNode, void, undefined> {
    const queue = first.map((node) => ({ node, parent: node.parent }));
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      if (!this.isThere(entry.node, entry.parent, top)) continue;
      const { node } = entry;
      const children = node.children.map((child) => ({ node: child, parent: node }));
      answer.skip = false;
      yield node;
      if (!answer.skip) queue.push(...children);
    }
  }
}

/**
 * A world with hierarchies and its slow twin, and steps that are done to both.
 *
 * A step names entities by numbers; which ones are meant is settled when its turn comes, the same for both.
 */
import {
  checkWorld,
  createCommands,
  createWorld,
  type Entity,
  EspalierError,
  observeEntities,
  tag,
  type World,
} from "espalier";
import {
  type AttachOptions,
  attachAll,
  attachMany,
  attachNewAt,
  checkTree,
  constrain,
  createHierarchy,
  type DestroyPolicy,
  detachMany,
  flatOrder,
  forbidOnChildren,
  type Hierarchy,
  type HierarchyOptions,
  hierarchyCommands,
  type Order,
  replaceChildren,
  sortChildren,
  spawnTree,
  swap,
} from "espalier/hierarchy";
import { expect } from "vitest";
import { atOnce } from "./at-once.ts";
import { NaiveForest, type NaiveNode, Refused } from "./naive-forest.ts";
import { NaiveWorld } from "./naive-world.ts";
import { Replay, shape } from "./replay.ts";
import type { Edit, Meant, Step } from "./twin-steps.ts";

const Anchor = tag("Anchor");
const orders: readonly Order[] = ["pre", "post", "level"];
const literals = [
  { name: "n0", children: [{ name: "n1" }, {}] },
  { children: [{ children: [{ children: [{}] }] }] },
  { name: "n2", children: [{}, {}, { name: "n2" }, { name: "n2" }] },
] as const;

export class Twins {
  readonly world: World;
  readonly trees: readonly Hierarchy[];
  readonly naive: NaiveWorld;
  private readonly replays: readonly Replay[];
  private readonly ever: Entity[] = [];
  private readonly anchored = new Set<Entity>();
  /** Entities that the world created, for the twin to create too. */
  private fresh: Entity[] = [];
  private traps = new Map<Entity, Meant>();
  private naiveTraps = new Map<Entity, Meant>();
  readonly errors: Error[] = [];

  constructor(options: readonly HierarchyOptions[]) {
    this.world = createWorld({ capacity: 8, onError: (error) => this.errors.push(error) });
    this.trees = options.map((it, k) => createHierarchy(this.world, { ...it, name: `tree${k}` }));
    const rule = (entity: Entity) => !this.anchored.has(entity);
    this.naive = new NaiveWorld(options.map((it, k) => new NaiveForest(it, k === 1 ? rule : undefined)));
    if (this.trees[1] !== undefined) constrain(this.trees[1], forbidOnChildren(this.world, Anchor));
    this.replays = this.trees.map((it) => new Replay(it));
    // Half of the runs keep the flat order from the start.
    if (options[0]?.name === "ordered") for (const it of this.trees) flatOrder(it).sync();
    observeEntities(this.world, {
      destroying: (entity) => {
        const trap = this.traps.get(entity);
        this.traps.delete(entity);
        if (trap !== undefined) this.tryReal(trap);
      },
    });
    this.naive.onDestroying = (entity) => {
      const trap = this.naiveTraps.get(entity);
      this.naiveTraps.delete(entity);
      if (trap !== undefined) this.tryNaive(trap);
    };
    for (let k = 0; k < 3; k++) {
      const entity = this.world.spawn();
      this.naive.spawn(entity);
      this.ever.push(entity);
    }
  }

  step(it: Step): void {
    switch (it.do) {
      case "trap": {
        const who = this.entity(it.who);
        const meant = this.meant(it.edit);
        if (!this.world.isAlive(who)) break;
        this.traps.set(who, meant);
        this.naiveTraps.set(who, meant);
        break;
      }
      case "commands":
        this.commands(it.edits.map((edit) => this.meant(edit)));
        break;
      case "walk":
        this.walk(it);
        break;
      case "spawnTree":
        this.spawnTree(it.tree % this.trees.length, this.parent(it.under), it.shape % literals.length);
        break;
      default:
        this.both(this.meant(it));
    }
    this.compare();
  }

  /** That both are equal, that all invariants hold, and that the events tell how it came about. */
  compare(): void {
    expect(this.world.entities().sort()).toEqual([...this.naive.alive].sort());
    this.trees.forEach((tree, k) => {
      const forest = this.naive.forests[k]!;
      const show = (entity: Entity): unknown => [
        entity,
        tree.nameOf(entity) ?? null,
        tree.childrenOf(entity).map(show),
      ];
      expect(tree.childrenOf(null).map(show), `state of ${tree.name}`).toEqual(forest.state());
    });
    this.check();
    expect(this.fresh).toEqual([]);
  }

  /** That all invariants hold, and that the events lead to the trees. */
  check(): void {
    this.trees.forEach((tree, k) => {
      expect(checkTree(tree), `invariants of ${tree.name}`).toEqual([]);
      const replay = this.replays[k]!;
      expect(replay.state(), `replay of ${tree.name}`).toEqual(shape(tree));
      expect(replay.complaints).toEqual([]);
    });
    expect(checkWorld(this.world)).toEqual([]);
    expect(this.errors).toEqual([]);
  }

  private both(meant: Meant): void {
    const isDone = this.tryReal(meant);
    expect(this.tryNaive(meant), `whether ${JSON.stringify(meant)} is allowed`).toBe(isDone);
  }

  private tryReal(meant: Meant): boolean {
    try {
      this.real(meant);
      return true;
    } catch (error) {
      if (error instanceof EspalierError) return false;
      throw error;
    }
  }

  private tryNaive(meant: Meant): boolean {
    try {
      this.slow(meant);
      return true;
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
  }

  // Which entities are meant -------------------------------------------------------------------------------------------

  /** Nearly always a living one. */
  private entity(number: number): Entity {
    const alive = [...this.naive.alive];
    if (alive.length === 0 || number % 23 === 0) return this.ever[number % this.ever.length]!;
    return alive[number % alive.length]!;
  }

  private parent(number: number): Entity | null {
    return number % 7 === 0 ? null : this.entity(number);
  }

  private position(number: number): AttachOptions | undefined {
    const entity = this.entity(number >> 3);
    switch (number % 8) {
      case 0:
        return { at: (number >> 3) % 5 };
      case 1:
        return { at: -((number >> 3) % 5) };
      case 2:
        return { at: "first" };
      case 3:
        return { before: entity };
      case 4:
        return { after: entity };
      default:
        return undefined;
    }
  }

  private meant(it: Edit): Meant {
    if (it.do === "anchor") return { ...it, who: this.entity(it.who) };
    const tree = it.tree % this.trees.length;
    switch (it.do) {
      case "spawn":
        return { ...it, tree, under: this.parent(it.under), position: this.position(it.position) };
      case "attach":
        return {
          ...it,
          tree,
          who: this.entity(it.who),
          under: this.parent(it.under),
          position: this.position(it.position),
        };
      case "moveChild":
        return {
          ...it,
          tree,
          who: this.entity(it.who),
          position: this.position(it.position) ?? { at: "last" },
        };
      case "swap":
        return { ...it, tree, who: this.entity(it.who), other: this.entity(it.other) };
      case "attachMany": {
        const entities = it.many.map((number) => this.entity(number));
        return {
          ...it,
          tree,
          many: entities,
          under: this.parent(it.under),
          position: this.position(it.position),
        };
      }
      case "attachAll": {
        const pairs = it.many.map(
          (number, k) => [this.entity(number), this.parent(it.others[k] ?? number + 1)] as const,
        );
        return { do: it.do, tree, pairs };
      }
      case "detachMany":
        return { ...it, tree, many: it.many.map((number) => this.entity(number)) };
      case "replaceChildren": {
        const entities = it.many.map((number) => this.entity(number));
        return { ...it, tree, many: entities, under: this.entity(it.under) };
      }
      case "sort":
        return { ...it, tree, under: this.parent(it.under) };
      case "name":
        return { ...it, tree, who: this.entity(it.who), name: it.name === 0 ? undefined : `n${it.name}` };
      case "destroy": {
        const policies = [
          "tree",
          "world",
          "cascade",
          "orphan",
          "adopt",
          "orphan",
          "adopt",
          "refuse",
        ] as const;
        return { ...it, tree, who: this.entity(it.who), policy: policies[it.policy]! };
      }
      default:
        return { ...it, tree, who: this.entity(it.who) };
    }
  }

  // Doing it -----------------------------------------------------------------------------------------------------------

  private real(it: Meant): void {
    if (it.do === "anchor") {
      if (it.add) this.world.add(it.who, Anchor);
      else this.world.remove(it.who, Anchor);
      return;
    }
    const tree = this.trees[it.tree]!;
    switch (it.do) {
      case "spawn": {
        const entity = attachNewAt(tree, it.under, it.position, ...(it.anchored ? [Anchor] : []));
        this.fresh.push(entity);
        this.ever.push(entity);
        break;
      }
      case "attach":
        tree.attach(it.who, it.under, it.position);
        break;
      case "moveChild":
        tree.moveChild(it.who, moveTarget(it.position));
        break;
      case "swap":
        swap(tree, it.who, it.other);
        break;
      case "attachMany":
        attachMany(tree, it.many, it.under, it.position);
        break;
      case "attachAll":
        attachAll(tree, it.pairs);
        break;
      case "detachMany":
        detachMany(tree, it.many);
        break;
      case "replaceChildren":
        replaceChildren(tree, it.under, it.many);
        break;
      case "sort":
        sortChildren(tree, it.under, bySalt(it.salt));
        break;
      case "name":
        tree.setName(it.who, it.name);
        break;
      case "destroy":
        if (it.policy === "world") this.world.destroy(it.who);
        else tree.destroy(it.who, it.policy === "tree" ? {} : { children: it.policy });
        break;
      default:
        atOnce(tree)[it.do](it.who);
    }
  }

  private slow(it: Meant): void {
    if (it.do === "anchor") {
      this.slowAnchor(it.who, it.add);
      return;
    }
    const forest = this.naive.forests[it.tree]!;
    switch (it.do) {
      case "spawn": {
        const entity = this.fresh[0];
        // Refused by the world: by the twin too, or the outcomes differ.
        this.slowSpawn(forest, entity ?? (0 as Entity), it);
        this.fresh.shift();
        break;
      }
      case "attach":
        forest.attach(it.who, it.under, it.position);
        break;
      case "moveChild":
        forest.moveChild(it.who, it.position);
        break;
      case "swap":
        forest.swap(it.who, it.other);
        break;
      case "attachMany":
        forest.attachMany(it.many, it.under, it.position);
        break;
      case "attachAll":
        forest.attachAll(it.pairs);
        break;
      case "detachMany":
        forest.toRoots(it.many);
        break;
      case "replaceChildren":
        forest.replaceChildren(it.under, it.many);
        break;
      case "sort":
        forest.sort(it.under, bySalt(it.salt));
        break;
      case "name":
        forest.setName(it.who, it.name);
        break;
      case "destroy":
        this.slowDestroy(forest, it.who, it.policy);
        break;
      case "detach":
        forest.toRoots([it.who]);
        break;
      default:
        forest[it.do](it.who);
    }
  }

  private slowSpawn(forest: NaiveForest, entity: Entity, it: Meant & { do: "spawn" }): void {
    if (it.anchored) this.anchored.add(entity);
    try {
      this.naive.spawnIn(forest, entity, it.under, it.position);
    } catch (error) {
      this.anchored.delete(entity);
      throw error;
    }
  }

  private slowAnchor(who: Entity, add: boolean): void {
    if (!this.naive.alive.has(who)) throw new Refused("dead");
    const node = this.naive.forests[1]?.nodes.get(who);
    if (add && node !== undefined && node.parent !== null) throw new Refused("constraint");
    if (add) this.anchored.add(who);
    else this.anchored.delete(who);
  }

  private slowDestroy(forest: NaiveForest, who: Entity, policy: DestroyPolicy | "tree" | "world"): void {
    if (!this.naive.alive.has(who)) return;
    if (policy === "tree" || policy === "world") this.naive.destroy(who);
    else this.naive.destroy(who, { forest, policy });
  }

  // Compound steps -----------------------------------------------------------------------------------------------------

  private commands(edits: readonly Meant[]): void {
    const buffer = createCommands(this.world);
    const spawned = new Map<Meant, Entity>();
    const recorded = edits.filter((it) => it.do !== "anchor");
    for (const it of recorded) {
      const later = hierarchyCommands(this.trees[it.tree]!, buffer);
      if (it.do === "spawn") {
        const entity = later.attachNewAt(it.under, it.position, ...(it.anchored ? [Anchor] : []));
        spawned.set(it, entity);
        this.ever.push(entity);
      } else if (it.do === "destroy") {
        if (it.policy === "world") buffer.destroy(it.who);
        else later.destroy(it.who, it.policy === "tree" ? {} : { children: it.policy });
      } else if (it.do === "attach") later.attach(it.who, it.under, it.position);
      else if (it.do === "moveChild") later.moveChild(it.who, moveTarget(it.position));
      else if (it.do === "swap") later.swap(it.who, it.other);
      else if (it.do === "attachMany") later.attachMany(it.many, it.under, it.position);
      else if (it.do === "attachAll") later.attachAll(it.pairs);
      else if (it.do === "detachMany") later.detachMany(it.many);
      else if (it.do === "replaceChildren") later.replaceChildren(it.under, it.many);
      else if (it.do === "sort") later.sortChildren(it.under, bySalt(it.salt));
      else if (it.do === "name") later.setName(it.who, it.name);
      else later[it.do](it.who);
    }
    const result = buffer.flush();
    buffer.close();
    // Refused commands are reported; that is what is asked for here.
    expect(this.errors.splice(0).length).toBe(result.refused.length);
    for (const it of recorded) {
      if (it.do !== "spawn") {
        this.tryNaive(it);
        continue;
      }
      const forest = this.naive.forests[it.tree]!;
      try {
        this.slowSpawn(forest, spawned.get(it)!, it);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
    }
  }

  private spawnTree(index: number, under: Entity | null, which: number): void {
    const literal = literals[which]!;
    const forest = this.naive.forests[index]!;
    let all: readonly Entity[] | undefined;
    try {
      all = spawnTree(this.trees[index]!, literal, under).all;
    } catch (error) {
      if (!(error instanceof EspalierError)) throw error;
    }
    let next = 0;
    const before = new Set(this.naive.alive);
    const build = (node: { name?: string; children?: readonly object[] }, parent: Entity | null): void => {
      next++;
      const entity = all?.[next - 1] ?? ((2 ** 40 + next) as Entity);
      this.naive.spawnIn(forest, entity, parent);
      if (node.name !== undefined) forest.setName(entity, node.name);
      for (const child of node.children ?? []) build(child, entity);
    };
    let isRefused = false;
    try {
      build(literal, under);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      isRefused = true;
      for (const entity of [...this.naive.alive].reverse()) {
        if (before.has(entity)) continue;
        for (const it of this.naive.forests) it.remove(it.node(entity));
        this.naive.alive.delete(entity);
      }
    }
    expect(isRefused).toBe(all === undefined);
    this.ever.push(...(all ?? []));
  }

  private walk(it: Step & { do: "walk" }): void {
    const who = this.entity(it.who);
    if (!this.world.isAlive(who)) return;
    const index = it.tree % this.trees.length;
    const tree = this.trees[index]!;
    const order = orders[it.order]!;
    const options = { order, includeSelf: it.includeSelf };
    const answer = { skip: false };
    const slow = this.naive.forests[index]!.walk(who, order, it.includeSelf, answer);
    let visited = 0;
    const visit = (entity: Entity): "skip" | "stop" | undefined => {
      const expected: NaiveNode | undefined = slow.next().value ?? undefined;
      expect(entity, `entity ${visited} of the walk`).toBe(expected?.entity);
      const turn = it.turns[visited];
      if (turn?.edit) this.both(this.meant(turn.edit));
      if (visited++ === it.stopAt) return "stop";
      answer.skip = turn?.skip ?? false;
      return answer.skip ? "skip" : undefined;
    };
    let isStopped = false;
    if (it.callback) {
      tree.forEachDescendant(
        who,
        (entity) => {
          const verdict = visit(entity);
          isStopped = verdict === "stop";
          return verdict;
        },
        options,
      );
    } else {
      const walk = tree.descendants(who, options);
      for (const entity of walk) {
        const verdict = visit(entity);
        isStopped = verdict === "stop";
        if (isStopped) break;
        if (verdict === "skip") walk.skip();
      }
    }
    if (!isStopped) expect(slow.next().done, "the walk of the twin goes on").toBe(true);
  }
}

function moveTarget(position: AttachOptions) {
  if (position.before !== undefined) return { before: position.before };
  return position.after !== undefined ? { after: position.after } : (position.at ?? "last");
}

/** A repeatable order that has little to do with the entities. */
function bySalt(salt: number): (a: Entity, b: Entity) => number {
  const rank = (entity: Entity) => Math.imul(entity ^ salt, 0x9e3779b1) >>> 28;
  return (a, b) => rank(a) - rank(b);
}

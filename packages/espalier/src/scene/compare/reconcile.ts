/**
 * Making a running world follow a draft: entities keep their identity by id, and only what differs is touched.
 *
 * With `before`, the draft that the entities were made from, what changed between the two drafts is carried over and
 * whatever the game did meanwhile stays. Without it the world is made to say what the draft says.
 */
import type { Entity, World } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { transaction } from "../../history/index.ts";
import { attachNode, contextOf, refused, setLate } from "../build.ts";
import { memberOf } from "../member.ts";
import { matchIds } from "../read/id-steps.ts";
import type { Draft } from "../read/read.ts";
import { targetsOf } from "../read/references.ts";
import { ComponentWriter } from "../write/component-writer.ts";
import { type UpdateHost, updateEntity } from "./update-entity.ts";
import { type Followed, type Grown, noteNews, replaceOthers } from "./update-records.ts";

export interface ReconcileInput {
  readonly tree: Hierarchy;
  /** The draft that the entities were made from, and the living entity of each of its nodes. */
  readonly before: { readonly draft: Draft; find(k: number): Entity | undefined } | undefined;
  readonly after: Draft;
  /** The living entity that has the id of each node of `after`. Those that are made are put in. */
  readonly entities: (Entity | undefined)[];
  /** Where new roots go. */
  readonly parent: Entity | null;
  /** Entities that have no place in `after`, besides those that only `before` has, and their ids if they have some. */
  readonly doomed: ReadonlyMap<Entity, string | undefined>;
  /** Leave the roots of the draft where they are. */
  readonly keepRoots: boolean;
  /** The scene that the entities belong to, by its key; 0 for none. */
  readonly scene: number;
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
  let grown: ReadonlyMap<Entity, Grown> = new Map();
  transaction(input.tree.world, () => {
    work.run();
    grown = noteNews(work);
  });
  replaceOthers(work, grown);
  return work.summary;
}

class Reconciler implements Followed {
  readonly tree: Hierarchy;
  readonly after: Draft;
  readonly entities: (Entity | undefined)[];
  readonly added = new Set<number>();
  readonly scene: number;
  private readonly input: ReconcileInput;
  private readonly world: World;
  /** For each node of `after` that of `before`, and the other way round; -1 where there is none. */
  private readonly former: Int32Array;
  private readonly later: Int32Array;
  private readonly doomed: ReadonlyMap<Entity, string | undefined>;
  /** Entities below those that go, until it is known what becomes of them. */
  private readonly lost = new Set<Entity>();
  private readonly removed: string[] = [];
  private readonly moved = new Set<number>();
  private readonly changed: number[] = [];
  private readonly host: UpdateHost;
  /** The node that is being dealt with, for messages. */
  private current = 0;

  constructor(input: ReconcileInput) {
    const { tree, before, after, entities, scene } = input;
    this.input = input;
    this.tree = tree;
    this.after = after;
    this.entities = entities;
    this.scene = scene;
    this.world = tree.world;
    const count = after.nodes.length;
    const countBefore = before?.draft.nodes.length ?? 0;
    this.former =
      before === undefined
        ? new Int32Array(count).fill(-1)
        : matchIds(after.byId.steps, before.draft.byId.steps, count);
    this.later = new Int32Array(countBefore).fill(-1);
    for (let k = 0; k < count; k++) if (this.former[k] >= 0) this.later[this.former[k]] = k;
    this.doomed = new Map([...this.leaving(), ...input.doomed]);
    this.host = {
      tree,
      writer: new ComponentWriter(tree, after.registry),
      context: contextOf(after, entities),
      refersAlike: (late, former) => {
        const was = before === undefined ? [] : targetsOf(former, before.draft.byId);
        return targetsOf(late, after.byId).every(
          (k, at) => was[at] === (k === undefined ? k : this.former[k]),
        );
      },
    };
  }

  get summary(): ReloadSummary {
    const idsOf = (list: Iterable<number>) => Array.from(list, (k) => this.after.nodes[k].id);
    return {
      added: idsOf(this.added),
      removed: this.removed,
      moved: idsOf(this.moved),
      changed: idsOf(this.changed),
    };
  }

  run(): void {
    const { after } = this;
    this.findLost();
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
  }

  /** Living entities that only the former draft has. */
  private *leaving(): IterableIterator<[Entity, string]> {
    const { before } = this.input;
    if (before === undefined) return;
    for (let j = 0; j < this.later.length; j++) {
      const entity = this.later[j] < 0 ? before.find(j) : undefined;
      if (entity !== undefined) yield [entity, before.draft.nodes[j].id];
    }
  }

  /** Creates the entity, or puts it under its parent. */
  private place(k: number): void {
    const { before, parent: top, keepRoots } = this.input;
    const node = this.after.nodes[k];
    const isTop = node.parent < 0;
    const parent = isTop ? top : this.entities[node.parent];
    const entity = this.entities[k];
    if (entity === undefined || !this.world.isAlive(entity)) {
      // What the game destroyed stays destroyed, with what would be below it.
      const stays = parent === undefined || this.former[k] >= 0;
      this.entities[k] = stays ? undefined : this.make(k, parent);
      return;
    }
    if (parent === undefined || (keepRoots && isTop)) return;
    const isLost = this.lost.delete(entity) && this.isBelowDoomed(entity);
    if (before === undefined) {
      if (isTop && this.isTop(entity)) return;
      // The game may have put it below something that goes now; the file still wants it.
    } else if (!isLost && !this.isMoved(k, before.draft)) return;
    if (this.tree.parentOf(entity) === parent) return;
    if (parent !== null) this.makeWay(entity, parent);
    this.tree.attach(entity, parent);
    this.moved.add(k);
  }

  private make(k: number, parent: Entity | null): Entity {
    const { scene } = this;
    const node = this.after.nodes[k];
    const note = scene === 0 ? undefined : { scene, id: node.fixId() };
    const made = attachNode(this.tree, node, parent, undefined, note);
    if (typeof node.name === "string") this.tree.setName(made, node.name);
    this.added.add(k);
    return made;
  }

  /** Whether the draft gives a node another parent than the former one did. */
  private isMoved(k: number, before: Draft): boolean {
    const was = this.former[k];
    if (was < 0) return false;
    const parentBefore = before.nodes[was].parent;
    const { parent } = this.after.nodes[k];
    return parent < 0 ? parentBefore >= 0 : parentBefore < 0 || this.former[parent] !== parentBefore;
  }

  /** The game may have put the new parent below the entity: what is on the way changes places with it. */
  private makeWay(entity: Entity, parent: Entity): void {
    if (this.tree.childCount(entity) === 0 || !this.tree.isAncestor(entity, parent)) return;
    let below = parent;
    for (const above of this.tree.ancestors(parent)) {
      if (above === entity) break;
      below = above;
    }
    this.tree.attach(below, this.tree.parentOf(entity));
  }

  /** Whether nothing above an entity belongs to the scene, or is about to go. */
  private isTop(entity: Entity): boolean {
    for (const above of this.tree.ancestors(entity)) {
      if (memberOf(this.world, above)?.scene === this.scene || this.doomed.has(above)) return false;
    }
    return true;
  }

  /** Notes what is below entities that go. Nothing gets there later: whatever is moved goes below something that stays. */
  private findLost(): void {
    for (const doomed of this.doomed.keys()) {
      if (this.lost.has(doomed)) continue;
      this.tree.forEachDescendant(doomed, (entity) => {
        if (this.lost.has(entity)) return "skip";
        this.lost.add(entity);
        return undefined;
      });
    }
  }

  private isBelowDoomed(entity: Entity): boolean {
    for (const above of this.tree.ancestors(entity)) {
      if (this.doomed.has(above)) return true;
      if (!this.lost.has(above)) return false;
    }
    return false;
  }

  /** Puts children into the order of the draft, where that is news. */
  private arrange(k: number): void {
    const { before, parent: top, keepRoots } = this.input;
    const parent = k < 0 ? top : this.entities[k];
    if (parent === undefined || (k < 0 && keepRoots)) return;
    const children = this.after.children.of(k);
    if (children.length === 0 || (before !== undefined && this.isInOrder(k, children, before.draft))) return;
    const known = new Set(children.map((child) => this.entities[child]));
    let previous: Entity | undefined;
    for (const child of children) {
      const entity = this.entities[child];
      if (entity === undefined || this.tree.parentOf(entity) !== parent) continue;
      if (!this.standsBehind(entity, previous, known)) {
        if (previous === undefined) this.tree.moveChild(entity, "first");
        else this.tree.moveChild(entity, { after: previous });
        if (!this.added.has(child)) this.moved.add(child);
      }
      previous = entity;
    }
  }

  /** Whether children stand as in the former draft, with those that are new behind them. */
  private isInOrder(k: number, children: readonly number[], before: Draft): boolean {
    if (children.length < 2 || (k >= 0 && this.former[k] < 0)) return true;
    let at = 0;
    for (const child of before.children.of(k < 0 ? -1 : this.former[k])) {
      const later = this.later[child];
      if (later >= 0 && this.after.nodes[later].parent === k && children[at++] !== later) return false;
    }
    return true;
  }

  /** Whether only entities that the draft does not know stand between the two. */
  private standsBehind(
    entity: Entity,
    previous: Entity | undefined,
    known: ReadonlySet<Entity | undefined>,
  ): boolean {
    let at = this.tree.previousInList(entity);
    while (at !== null && at !== previous && !known.has(at)) at = this.tree.previousInList(at);
    return at === (previous ?? null);
  }

  /** Names and components of an entity that was there before. */
  private update(k: number): void {
    const entity = this.entities[k];
    if (entity === undefined) return;
    const was = this.input.before?.draft.nodes[this.former[k]];
    if (updateEntity(this.host, entity, this.after.nodes[k], was)) this.changed.push(k);
  }

  private setReferences(k: number): void {
    const entity = this.entities[k];
    if (entity === undefined) return;
    for (const late of this.after.nodes[k].late ?? []) setLate(this.tree, entity, late, this.host.context);
  }

  private destroy(): void {
    for (const [entity, id] of this.doomed) {
      if (id !== undefined && this.world.isAlive(entity)) this.removed.push(id);
    }
    for (const entity of this.doomed.keys()) if (this.world.isAlive(entity)) this.tree.destroy(entity);
  }
}

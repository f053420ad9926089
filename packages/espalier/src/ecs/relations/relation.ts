/**
 * One indexed field of one world: follows what entities hold there and keeps the way back.
 *
 * It is notified of an entity that got, changed or lost the component, whatever did it (creation, writes, undo, a snapshot, a scene),
 * and compares what the column holds with what it linked last. So it cannot miss a way in.
 */
import type { Column } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { type HeldRefs, withoutTargets } from "../field-types/entity-refs.ts";
import type { TargetPolicy } from "../field-types/field-relation.ts";
import type { Field } from "../field-types/field-type.ts";
import { frozen } from "../field-types/frozen.ts";
import { grown } from "../grown.ts";
import { writeOne, written } from "../mutate/write.ts";
import type { WorldState } from "../state.ts";
import { LinkLists } from "./link-lists.ts";

const none: readonly Entity[] = Object.freeze([]);

export abstract class Relation {
  readonly s: WorldState;
  readonly store: Store;
  /** The number of the field. */
  readonly number: number;
  readonly field: Field;
  readonly policy: TargetPolicy;
  readonly lists: LinkLists;

  constructor(s: WorldState, store: Store, number: number) {
    this.s = s;
    this.store = store;
    this.number = number;
    this.field = store.fields[number] as Field;
    this.policy = this.field.relation?.onTargetDestroyed ?? "null";
    this.lists = new LinkLists(s.table);
  }

  /** `Targets.enemy` */
  get name(): string {
    return `${this.store.component.name}.${this.store.names[this.number]}`;
  }

  /** Brings the links of the entity at `owner` up to date with what it holds. */
  abstract follow(owner: number): void;
  /** The entity at `owner` leaves. */
  abstract ownerLeft(owner: number): void;
  /** The index of the entity whose field a link is. */
  abstract ownerOf(link: number): number;
  /** The entities that the entity at `owner` refers to, dead ones included. */
  abstract targetsAt(owner: number): readonly Entity[];
  /** Takes the targets out of what the entity at `owner` holds, as a recorded and announced write that is part of a call. */
  abstract drop(owner: number, isGone: (target: Entity) => boolean): void;

  private known: Column = [];
  private knownAt = -1;

  /** The column of the field; looked up again when columns moved. */
  get column(): Column {
    const { store } = this;
    if (this.knownAt !== store.resized) {
      this.known = store.columns[store.names[this.number] as string] as Column;
      this.knownAt = store.resized;
    }
    return this.known;
  }

  /** What the column holds for the entity at `owner`; `undefined` where it lacks the component. */
  heldAt(owner: number): unknown {
    return this.s.hasAt(owner, this.store) ? this.column[this.store.rowOf(owner)] : undefined;
  }

  protected write(owner: number, held: unknown): void {
    const { s, store, number } = this;
    const entity = s.table.handleAt(owner);
    if (writeOne(s, entity, store, store.rowOf(owner), number, held)) written(s, entity, store);
  }

  /** The handles of all that refer to the entity at `target`, lowest index first; kept until that changes. */
  referrersAt(target: number): readonly Entity[] {
    const { lists } = this;
    if (lists.countAt(target) === 0) return none;
    const known = lists.answers[target];
    if (known !== undefined) return known;
    const owners = this.ownersAt(target);
    const found = new Array<Entity>(owners.length);
    for (let k = 0; k < owners.length; k++) found[k] = this.s.table.handleAt(owners[k]);
    lists.answers[target] = frozen(found);
    return found;
  }

  /**
   * The indices of all that refer to the entity at `target`, lowest first: equal worlds give equal lists, however they came to be.
   */
  ownersAt(target: number): Int32Array {
    const { lists } = this;
    const owners = new Int32Array(lists.countAt(target));
    // The last link comes first: what was linked in the order of indices is in order when filled from the back.
    let at = owners.length;
    let isSorted = true;
    let last = Number.POSITIVE_INFINITY;
    for (let link = lists.firstAt(target); link !== 0; link = lists.after(link)) {
      const owner = this.ownerOf(link);
      if (owner > last) isSorted = false;
      last = owner;
      owners[--at] = owner;
    }
    return isSorted ? owners : owners.sort();
  }
}

/** `indexedRef`: one target at most, so that the index of the owner is the number of its link. */
export class SingleRelation extends Relation {
  follow(owner: number): void {
    const { lists } = this;
    const now = (this.heldAt(owner) ?? 0) as number;
    const was = lists.targetOf(owner);
    if (now === was) return;
    if (was !== 0) lists.unlink(owner);
    if (now !== 0) lists.link(owner, now as Entity);
  }

  /** Writes a target, 0 for none, as a part of a call; the entity has the component. */
  set(owner: number, entity: Entity, target: number): void {
    const { s, store, number, lists } = this;
    const column = this.column as Float64Array;
    const row = store.rowOf(owner);
    const before = column[row];
    if (before === target) return;
    if (s.recorder.wanted) s.recorder.writing(entity, store, number, before);
    column[row] = target;
    // What following the change would find out.
    if (lists.targetOf(owner) !== 0) lists.unlink(owner);
    if (target !== 0) lists.link(owner, target as Entity);
    written(s, entity, store);
  }

  ownerLeft(owner: number): void {
    if (this.lists.targetOf(owner) !== 0) this.lists.unlink(owner);
  }

  ownerOf(link: number): number {
    return link;
  }

  targetsAt(owner: number): readonly Entity[] {
    const held = this.heldAt(owner) as Entity | 0 | undefined;
    return held === undefined || held === 0 ? none : [held];
  }

  drop(owner: number, isGone: (target: Entity) => boolean): void {
    const held = this.heldAt(owner) as Entity | 0 | undefined;
    if (held !== undefined && held !== 0 && isGone(held)) this.write(owner, 0);
  }
}

/** `entityRefs`: a link for each target. */
export class MultiRelation extends Relation {
  /** By owner: the targets that were linked last, and their links. */
  private readonly linked: (readonly Entity[] | undefined)[] = [];
  private readonly links: (number[] | undefined)[] = [];
  /** By link. */
  private owners = new Int32Array(16);
  private used = 0;
  private readonly free: number[] = [];

  follow(owner: number): void {
    const now = (this.heldAt(owner) as HeldRefs | undefined)?.targets ?? none;
    const was = this.linked[owner] ?? none;
    if (now === was) return;
    this.relink(owner, was, now);
    this.linked[owner] = now;
  }

  /** A target was added behind `was`, or removed from it at a position; `follow` has to be called where it gives `false`. */
  changedAt(owner: number, was: readonly Entity[], now: readonly Entity[], at: number): boolean {
    const links = this.links[owner];
    if (this.linked[owner] !== was || links === undefined) return false;
    this.linked[owner] = now;
    if (now.length > was.length) {
      links.push(this.take(owner, now[at] as Entity));
      return true;
    }
    this.release(links[at] as number);
    for (let k = at + 1; k < links.length; k++) links[k - 1] = links[k] as number;
    links.pop();
    return true;
  }

  /** Links are kept for what both begin and end with, which is all but one where a target was added or removed. */
  private relink(owner: number, was: readonly Entity[], now: readonly Entity[]): void {
    const most = Math.min(was.length, now.length);
    let start = 0;
    while (start < most && was[start] === now[start]) start++;
    let end = 0;
    while (end < most - start && was[was.length - 1 - end] === now[now.length - 1 - end]) end++;
    let links = this.links[owner];
    if (links === undefined) this.links[owner] = links = [];
    for (let k = start; k < was.length - end; k++) this.release(links[k] as number);
    const came = now.length - end - start;
    if (came === was.length - end - start) {
      for (let k = 0; k < came; k++) links[start + k] = this.take(owner, now[start + k] as Entity);
      return;
    }
    // Not by splice(): a call takes only so many arguments.
    const kept = end === 0 ? [] : links.slice(was.length - end);
    links.length = start;
    for (let k = 0; k < came; k++) links.push(this.take(owner, now[start + k] as Entity));
    for (const link of kept) links.push(link);
  }

  private take(owner: number, target: Entity): number {
    const link = this.free.pop() ?? ++this.used;
    if (link >= this.owners.length) this.owners = grown(this.owners, this.owners.length * 2);
    this.owners[link] = owner;
    this.lists.link(link, target);
    return link;
  }

  private release(link: number): void {
    this.lists.unlink(link);
    this.free.push(link);
  }

  ownerLeft(owner: number): void {
    const links = this.links[owner];
    if (links === undefined) return;
    for (const link of links) this.release(link);
    this.links[owner] = undefined;
    this.linked[owner] = undefined;
  }

  ownerOf(link: number): number {
    return this.owners[link];
  }

  targetsAt(owner: number): readonly Entity[] {
    return (this.heldAt(owner) as HeldRefs | undefined)?.targets ?? none;
  }

  drop(owner: number, isGone: (target: Entity) => boolean): void {
    const held = this.heldAt(owner) as HeldRefs | undefined;
    if (held !== undefined) this.write(owner, withoutTargets(held, isGone));
  }

  /** Whether the entity at `owner` refers to `target`: looks through the shorter of the two lists. */
  refersTo(owner: number, target: Entity): boolean {
    const targets = this.targetsAt(owner);
    const index = target & INDEX_MASK;
    if (targets.length <= this.lists.countAt(index)) return targets.includes(target);
    for (let link = this.lists.firstAt(index); link !== 0; link = this.lists.after(link)) {
      if (this.owners[link] === owner) return true;
    }
    return targets.includes(target);
  }
}

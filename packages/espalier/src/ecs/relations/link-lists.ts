/**
 * The way back from targets to owners: for each target a doubly linked list of links, in flat arrays. Linking and unlinking are
 * O(1) and make no garbage.
 *
 * A link to an entity that is not alive (undo brings an owner back before its target, a snapshot names one that is gone) waits among
 * the strays until an entity with exactly that handle comes.
 */
import type { Entities } from "../entities/entities.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { grown } from "../grown.ts";

export class LinkLists {
  /** How many links there are, strays included. */
  size = 0;
  private readonly table: Entities;
  // By index of the target.
  private heads: Int32Array;
  private counts: Int32Array;
  // By link. Link 0 is never used.
  private targets: Float64Array;
  private next: Int32Array;
  private before: Int32Array;
  /** By index of the target: what was answered last, while it holds. */
  readonly answers: (readonly Entity[] | undefined)[] = [];
  private readonly strays = new Map<number, Set<number>>();

  constructor(table: Entities) {
    this.table = table;
    this.heads = new Int32Array(table.capacity);
    this.counts = new Int32Array(table.capacity);
    this.targets = new Float64Array(table.capacity);
    this.next = new Int32Array(table.capacity);
    this.before = new Int32Array(table.capacity);
  }

  /** The handle that a link leads to; 0 for one that is not in use. */
  targetOf(link: number): number {
    return link < this.targets.length ? this.targets[link] : 0;
  }

  /** How many links lead to the entity at an index. */
  countAt(target: number): number {
    return target < this.counts.length ? this.counts[target] : 0;
  }

  /** The first link that leads to the entity at an index, and with `after` those behind it; 0 for none. */
  firstAt(target: number): number {
    return target < this.heads.length ? this.heads[target] : 0;
  }

  after(link: number): number {
    return this.next[link];
  }

  link(link: number, target: Entity): void {
    this.makeRoom(link, target & INDEX_MASK);
    this.targets[link] = target;
    this.size++;
    if (this.table.isAlive(target)) this.push(link, target & INDEX_MASK);
    else this.stray(link, target);
  }

  unlink(link: number): void {
    const target = this.targets[link];
    this.targets[link] = 0;
    this.size--;
    if (this.strays.size !== 0) {
      const waiting = this.strays.get(target);
      if (waiting?.delete(link)) {
        if (waiting.size === 0) this.strays.delete(target);
        return;
      }
    }
    const index = target & INDEX_MASK;
    const next = this.next[link];
    const before = this.before[link];
    if (before === 0) this.heads[index] = next;
    else this.next[before] = next;
    if (next !== 0) this.before[next] = before;
    this.counts[index]--;
    this.forget(index);
  }

  /** The entity at an index leaves: what still leads to it waits for its return. */
  targetLeft(index: number): void {
    for (let link = this.firstAt(index); link !== 0; ) {
      const next = this.next[link];
      this.stray(link, this.targets[link]);
      link = next;
    }
    if (index < this.heads.length) {
      this.heads[index] = 0;
      this.counts[index] = 0;
      this.forget(index);
    }
  }

  /** An entity came to life. */
  targetCame(index: number): void {
    if (this.strays.size === 0) return;
    const handle = this.table.handleAt(index);
    const waiting = this.strays.get(handle);
    if (waiting === undefined) return;
    this.strays.delete(handle);
    this.makeRoom(0, index);
    for (const link of waiting) this.push(link, index);
  }

  /** Whether some links lead to entities that are not alive. */
  get hasStrays(): boolean {
    return this.strays.size !== 0;
  }

  private push(link: number, index: number): void {
    const head = this.heads[index];
    this.next[link] = head;
    this.before[link] = 0;
    if (head !== 0) this.before[head] = link;
    this.heads[index] = link;
    this.counts[index]++;
    this.forget(index);
  }

  private forget(index: number): void {
    if (index < this.answers.length) this.answers[index] = undefined;
  }

  private stray(link: number, target: number): void {
    let waiting = this.strays.get(target);
    if (waiting === undefined) this.strays.set(target, (waiting = new Set()));
    waiting.add(link);
  }

  private makeRoom(link: number, target: number): void {
    if (link >= this.targets.length) {
      const length = Math.max(link + 1, this.targets.length * 2);
      this.targets = grown(this.targets, length);
      this.next = grown(this.next, length);
      this.before = grown(this.before, length);
    }
    if (target >= this.heads.length) {
      const length = Math.max(target + 1, this.table.capacity);
      this.heads = grown(this.heads, length);
      this.counts = grown(this.counts, length);
    }
  }
}

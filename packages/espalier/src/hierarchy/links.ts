/**
 * The truth: who is whose parent, and in which order. Everything else in this room is derived from it.
 *
 * Nodes are entity indices. Node 0 stands above all roots, so that roots are siblings like any others; it is never
 * shown to users. The methods do not check anything: that is the business of `core.ts`, the only caller of the two
 * that write.
 */
import type { IndexList } from "../ecs/internal.ts";

export interface Links extends RawLinks {
  /** Links an unlinked node under `parent`, before its child `before`, or last if that is 0. */
  insert(node: number, parent: number, before: number): void;
  /** `insert` as last child, and `setHandle`. */
  append(node: number, parent: number, handle: number): void;
  /** Unlinks a node from its parent; its own children stay with it. */
  remove(node: number): void;
  /** `remove` and `insert` in one; `before` is neither the node nor what follows it. */
  move(node: number, parent: number, before: number): void;
  /** Lists a node and everything below it, children before their parents. */
  collect(top: number, list: IndexList): void;
  /** Puts down the handles of parent and next sibling of each node at numbers[at], numbers[at + 1] and on; 0 for none. */
  savePlaces(nodes: Int32Array, count: number, numbers: Float64Array, at: number): void;
  /** Unlinks everything that `collect` listed, and forgets it. */
  removeAll(nodes: Int32Array, count: number): void;
  grow(capacity: number): void;
  readonly bytesPerNode: number;
  /** The child at `index`, where that is one look-up; -1 where it is not. */
  directAt(node: number, index: number): number;
  /**
   * The handle of the entity that a node stands for, kept beside its links so that a look at one record both finds the
   * parent and proves that the entity lives. 0 for nodes that are not linked, and for handles beyond 32 bits.
   */
  handle(node: number): number;
  setHandle(node: number, handle: number): void;
  /** The handle of the parent; 0 or less where there is none or it is not kept. */
  parentHandle(node: number): number;
  /** Forgets all handles: the world is gone. */
  forgetHandles(): void;
}

/** The part of the links that only reads. */
export interface RawLinks {
  /** The parent; 0 for roots, -1 for places that no living entity holds. */
  parent(node: number): number;
  /** First and last child; 0 if there is none. */
  first(node: number): number;
  last(node: number): number;
  /** Neighbours among the siblings; 0 at the ends. */
  prev(node: number): number;
  next(node: number): number;
  count(node: number): number;
}

/** Counts, for the door, how many listeners and derived structures have something to do. */
export interface Extras {
  count: number;
}

/** Fields of a record of `LinkedLinks`. */
export const PARENT = 0;
export const FIRST = 1;
export const LAST = 2;
export const PREV = 3;
export const NEXT = 4;
export const COUNT = 5;
export const HANDLE = 6;
export const PARENT_HANDLE = 7;

/**
 * The usual form: a doubly linked list of children, any number of them, every operation in constant time.
 *
 * One record of eight numbers per node: an operation touches few cache lines, and V8 fetches the array's address once.
 */
export class LinkedLinks implements Links {
  records: Int32Array;
  readonly bytesPerNode = 32;

  constructor(capacity: number) {
    this.records = new Int32Array(0);
    this.grow(capacity);
    this.records[PARENT] = -1;
    this.records[HANDLE] = -1;
  }

  parent(node: number): number {
    return this.records[node << 3];
  }

  handle(node: number): number {
    return this.records[(node << 3) | HANDLE];
  }

  setHandle(node: number, handle: number): void {
    this.records[(node << 3) | HANDLE] = handle;
  }

  parentHandle(node: number): number {
    return this.records[(node << 3) | PARENT_HANDLE];
  }

  forgetHandles(): void {
    for (let at = 8 | HANDLE; at < this.records.length; at += 8) this.records[at] = 0;
  }

  first(node: number): number {
    return this.records[(node << 3) | FIRST];
  }

  last(node: number): number {
    return this.records[(node << 3) | LAST];
  }

  prev(node: number): number {
    return this.records[(node << 3) | PREV];
  }

  next(node: number): number {
    return this.records[(node << 3) | NEXT];
  }

  count(node: number): number {
    return this.records[(node << 3) | COUNT];
  }

  insert(node: number, parent: number, before: number): void {
    const records = this.records;
    const n = node << 3;
    const p = parent << 3;
    const prev = before === 0 ? records[p | LAST] : records[(before << 3) | PREV];
    records[n] = parent;
    records[n | PARENT_HANDLE] = records[p | HANDLE];
    records[n | PREV] = prev;
    records[n | NEXT] = before;
    records[prev === 0 ? p | FIRST : (prev << 3) | NEXT] = node;
    records[before === 0 ? p | LAST : (before << 3) | PREV] = node;
    records[p | COUNT]++;
  }

  append(node: number, parent: number, handle: number): void {
    const records = this.records;
    const n = node << 3;
    const p = parent << 3;
    const prev = records[p | LAST];
    records[n] = parent;
    records[n | PREV] = prev;
    records[n | NEXT] = 0;
    records[n | HANDLE] = handle;
    records[n | PARENT_HANDLE] = records[p | HANDLE];
    records[prev === 0 ? p | FIRST : (prev << 3) | NEXT] = node;
    records[p | LAST] = node;
    records[p | COUNT]++;
  }

  remove(node: number): void {
    const records = this.records;
    const n = node << 3;
    const p = records[n] << 3;
    const prev = records[n | PREV];
    const next = records[n | NEXT];
    records[prev === 0 ? p | FIRST : (prev << 3) | NEXT] = next;
    records[next === 0 ? p | LAST : (next << 3) | PREV] = prev;
    records[p | COUNT]--;
    records[n] = -1;
    records[n | PREV] = 0;
    records[n | NEXT] = 0;
  }

  move(node: number, parent: number, before: number): void {
    const records = this.records;
    const n = node << 3;
    const p = parent << 3;
    const from = records[n] << 3;
    const left = records[n | PREV];
    const right = records[n | NEXT];
    records[left === 0 ? from | FIRST : (left << 3) | NEXT] = right;
    records[right === 0 ? from | LAST : (right << 3) | PREV] = left;
    records[from | COUNT]--;
    const prev = before === 0 ? records[p | LAST] : records[(before << 3) | PREV];
    records[n] = parent;
    records[n | PARENT_HANDLE] = records[p | HANDLE];
    records[n | PREV] = prev;
    records[n | NEXT] = before;
    records[prev === 0 ? p | FIRST : (prev << 3) | NEXT] = node;
    records[before === 0 ? p | LAST : (before << 3) | PREV] = node;
    records[p | COUNT]++;
  }

  collect(top: number, list: IndexList): void {
    const records = this.records;
    let { ids } = list;
    let count = 0;
    let node = top;
    for (;;) {
      for (let child = records[(node << 3) | FIRST]; child !== 0; child = records[(node << 3) | FIRST])
        node = child;
      for (;;) {
        if (count === ids.length) ids = list.grow();
        ids[count++] = node;
        if (node === top) {
          list.count = count;
          return;
        }
        const next = records[(node << 3) | NEXT];
        if (next !== 0) {
          node = next;
          break;
        }
        node = records[node << 3];
      }
    }
  }

  savePlaces(nodes: Int32Array, count: number, numbers: Float64Array, at: number): void {
    const records = this.records;
    let to = at;
    for (let k = 0; k < count; k++) {
      const n = nodes[k] << 3;
      const above = records[n | PARENT_HANDLE];
      const next = records[n | NEXT];
      numbers[to] = Math.max(above, 0);
      numbers[to + 1] = next === 0 ? 0 : records[(next << 3) | HANDLE];
      to += 2;
    }
  }

  removeAll(nodes: Int32Array, count: number): void {
    const records = this.records;
    this.remove(nodes[count - 1]);
    for (let k = 0; k < count; k++) {
      const n = nodes[k] << 3;
      records[n] = -1;
      records[n | FIRST] = 0;
      records[n | LAST] = 0;
      records[n | PREV] = 0;
      records[n | NEXT] = 0;
      records[n | COUNT] = 0;
      records[n | HANDLE] = 0;
    }
  }

  directAt(): number {
    return -1;
  }

  grow(capacity: number): void {
    const old = this.records;
    if (capacity << 3 <= old.length) return;
    this.records = new Int32Array(capacity << 3);
    this.records.set(old);
    for (let at = old.length; at < this.records.length; at += 8) this.records[at] = -1;
  }
}

/** Where the children begin in a record of `BoundedLinks`. */
const CHILDREN = 5;

/**
 * The form for few children: a fixed array of `limit` children inside each node. Reading the n-th child is one look-up;
 * neighbours are found by searching the parent's array, which is short. Roots, of which there may be many, are a
 * linked list.
 */
export class BoundedLinks implements Links {
  readonly bytesPerNode: number;
  private readonly limit: number;
  /** Per node: parent, count, previous root, next root, handle, then the children. */
  private records: Int32Array;
  private readonly stride: number;
  private firstRoot = 0;
  private lastRoot = 0;

  constructor(capacity: number, limit: number) {
    this.limit = limit;
    // One more than the limit: while two nodes swap their places, one parent holds both.
    this.stride = limit + CHILDREN + 1;
    this.bytesPerNode = this.stride * 4;
    this.records = new Int32Array(0);
    this.grow(capacity);
    this.records[4] = -1;
  }

  parent(node: number): number {
    return this.records[node * this.stride];
  }

  handle(node: number): number {
    return this.records[node * this.stride + 4];
  }

  setHandle(node: number, handle: number): void {
    this.records[node * this.stride + 4] = handle;
  }

  parentHandle(node: number): number {
    return this.handle(this.parent(node));
  }

  forgetHandles(): void {
    for (let at = this.stride + 4; at < this.records.length; at += this.stride) this.records[at] = 0;
  }

  first(node: number): number {
    return node === 0 ? this.firstRoot : this.count(node) === 0 ? 0 : this.childAt(node, 0);
  }

  last(node: number): number {
    return node === 0 ? this.lastRoot : this.count(node) === 0 ? 0 : this.childAt(node, this.count(node) - 1);
  }

  prev(node: number): number {
    const parent = this.parent(node);
    if (parent === 0) return this.records[node * this.stride + 2];
    const at = this.indexOf(node, parent);
    return at === 0 ? 0 : this.childAt(parent, at - 1);
  }

  next(node: number): number {
    const parent = this.parent(node);
    if (parent === 0) return this.records[node * this.stride + 3];
    const at = this.indexOf(node, parent);
    return at === this.count(parent) - 1 ? 0 : this.childAt(parent, at + 1);
  }

  count(node: number): number {
    return this.records[node * this.stride + 1];
  }

  insert(node: number, parent: number, before: number): void {
    const records = this.records;
    const p = parent * this.stride;
    records[node * this.stride] = parent;
    if (parent === 0) {
      const prev = before === 0 ? this.lastRoot : records[before * this.stride + 2];
      this.joinRoots(prev, node);
      this.joinRoots(node, before);
    } else {
      const count = records[p + 1];
      const at = before === 0 ? count : this.indexOf(before, parent);
      records.copyWithin(p + CHILDREN + at + 1, p + CHILDREN + at, p + CHILDREN + count);
      records[p + CHILDREN + at] = node;
    }
    records[p + 1]++;
  }

  append(node: number, parent: number, handle: number): void {
    this.insert(node, parent, 0);
    this.setHandle(node, handle);
  }

  remove(node: number): void {
    const records = this.records;
    const parent = this.parent(node);
    const p = parent * this.stride;
    if (parent === 0) {
      this.joinRoots(records[node * this.stride + 2], records[node * this.stride + 3]);
    } else {
      const at = this.indexOf(node, parent);
      records.copyWithin(p + CHILDREN + at, p + CHILDREN + at + 1, p + CHILDREN + records[p + 1]);
    }
    records[p + 1]--;
    records[node * this.stride] = -1;
  }

  grow(capacity: number): void {
    const old = this.records;
    const length = capacity * this.stride;
    if (length <= old.length) return;
    this.records = new Int32Array(length);
    this.records.set(old);
    for (let at = old.length; at < length; at += this.stride) this.records[at] = -1;
  }

  move(node: number, parent: number, before: number): void {
    this.remove(node);
    this.insert(node, parent, before);
  }

  collect(top: number, list: IndexList): void {
    list.count = 0;
    let node = top;
    for (;;) {
      while (this.count(node) !== 0) node = this.childAt(node, 0);
      for (;;) {
        list.push(node);
        if (node === top) return;
        const next = this.next(node);
        if (next !== 0) {
          node = next;
          break;
        }
        node = this.parent(node);
      }
    }
  }

  savePlaces(nodes: Int32Array, count: number, numbers: Float64Array, at: number): void {
    for (let k = 0; k < count; k++) {
      const next = this.next(nodes[k]);
      numbers[at + k * 2] = Math.max(0, this.parentHandle(nodes[k]));
      numbers[at + k * 2 + 1] = next === 0 ? 0 : this.handle(next);
    }
  }

  removeAll(nodes: Int32Array, count: number): void {
    for (let k = 0; k < count; k++) {
      this.remove(nodes[k]);
      this.setHandle(nodes[k], 0);
    }
  }

  directAt(node: number, index: number): number {
    return node === 0 ? -1 : this.childAt(node, index);
  }

  private childAt(node: number, at: number): number {
    return this.records[node * this.stride + CHILDREN + at];
  }

  private indexOf(node: number, parent: number): number {
    const base = parent * this.stride + CHILDREN;
    for (let at = 0; at <= this.limit; at++) if (this.records[base + at] === node) return at;
    return -1;
  }

  /** Makes `b` follow `a` among the roots; 0 stands for either end. */
  private joinRoots(a: number, b: number): void {
    if (a === 0) this.firstRoot = b;
    else this.records[a * this.stride + 3] = b;
    if (b === 0) this.lastRoot = a;
    else this.records[b * this.stride + 2] = a;
  }
}

/**
 * The form of the links for few children: a fixed array of them inside each node.
 */
import { grown, type IndexList } from "../../ecs/internal.ts";
import type { Links } from "./links.ts";

/** Where the children begin in a record of `BoundedLinks`. */
const CHILDREN = 5;

/**
 * Reading the n-th child is one look-up; neighbours are found by searching the parent's array of up to `limit`. Roots, of which
 * there may be many, are a linked list.
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
    // One more than the limit: while two nodes swap their positions, one parent holds both.
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
    this.records = grown(old, length);
    for (let at = old.length; at < length; at += this.stride) this.records[at] = -1;
  }

  move(node: number, parent: number, before: number): void {
    this.remove(node);
    this.insert(node, parent, before);
  }

  collect(top: number, list: IndexList, met: Uint8Array | undefined): void {
    const unmet = (first: number) => {
      let node = first;
      while (node !== 0 && met?.[node] === 1) node = this.next(node);
      return node;
    };
    let node = top;
    for (;;) {
      for (let child = unmet(this.first(node)); child !== 0; child = unmet(this.first(node))) node = child;
      for (;;) {
        list.push(node);
        if (met !== undefined) met[node] = 1;
        if (node === top) return;
        const next = unmet(this.next(node));
        if (next !== 0) {
          node = next;
          break;
        }
        node = this.parent(node);
      }
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

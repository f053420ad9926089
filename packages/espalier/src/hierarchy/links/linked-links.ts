/**
 * The usual form of the links: a doubly linked list of children, any number of them, every operation in constant time.
 */
import { grown, type IndexList } from "../../ecs/internal.ts";
import type { Links } from "./links.ts";

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
 * One record of eight numbers per node: an operation touches few cache lines, and V8 fetches the array's address once.
 */
export class LinkedLinks implements Links {
  records: Int32Array;
  readonly bytesPerNode = 32;

  constructor(capacity: number) {
    this.records = new Int32Array(0);
    this.grow(capacity);
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

  collect(top: number, list: IndexList, met: Uint8Array | undefined): void {
    const records = this.records;
    let { ids, count } = list;
    let node = top;
    for (;;) {
      for (let child = this.unmet(node, FIRST, met); child !== 0; child = this.unmet(node, FIRST, met))
        node = child;
      for (;;) {
        if (count === ids.length) ids = list.grow();
        ids[count++] = node;
        if (met !== undefined) met[node] = 1;
        if (node === top) {
          list.count = count;
          return;
        }
        const next = this.unmet(node, NEXT, met);
        if (next !== 0) {
          node = next;
          break;
        }
        node = records[node << 3];
      }
    }
  }

  /** The first child of a node or what follows it, or the first behind that which is not marked. */
  private unmet(node: number, field: number, met: Uint8Array | undefined): number {
    const records = this.records;
    let found = records[(node << 3) | field];
    if (met !== undefined) while (found !== 0 && met[found] === 1) found = records[(found << 3) | NEXT];
    return found;
  }

  directAt(): number {
    return -1;
  }

  grow(capacity: number): void {
    const old = this.records;
    this.records = grown(old, capacity << 3);
    for (let at = old.length; at < this.records.length; at += 8) this.records[at] = -1;
  }
}

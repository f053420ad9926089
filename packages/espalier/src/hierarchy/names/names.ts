/**
 * Names of nodes. A parent of many children that is asked for one by name gets an index and keeps it up to date, so that
 * following a path costs its length and not the size of the tree.
 */
import type { Dependents, Links } from "../links/links.ts";

/** Families up to this size are walked: cheaper than keeping an index. */
const WALKED_FAMILY = 16;

/** By name: the child, or several that share the name. */
type NameIndex = Map<string, number | Set<number>>;

export class Names {
  readonly unique: boolean;
  private readonly links: Links;
  private readonly dependents: Dependents;
  /** By node. */
  private readonly names: (string | undefined)[] = [];
  /** How many have one. */
  private count = 0;
  /** By parent, where its children are found by an index. */
  readonly indexes = new Map<number, NameIndex>();

  constructor(links: Links, unique: boolean, dependents: Dependents) {
    this.links = links;
    this.unique = unique;
    this.dependents = dependents;
  }

  of(node: number): string | undefined {
    return this.names[node];
  }

  /** The child of `parent` with that name, the first one if several share it; 0 if there is none. */
  find(parent: number, name: string): number {
    if (this.count === 0) return 0;
    const index = this.indexOf(parent);
    const found = index?.get(name);
    if (typeof found === "number") return found;
    const isNowhere = index !== undefined && found === undefined;
    return isNowhere ? 0 : this.firstNamed(name, this.links.first(parent));
  }

  /** The first one with that name among `sibling` and those behind it, or 0. */
  private firstNamed(name: string, sibling: number): number {
    let node = sibling;
    while (node !== 0 && this.names[node] !== name) node = this.links.next(node);
    return node;
  }

  /** All children of `parent` with that name, in sibling order. */
  findEvery(parent: number, name: string): number[] {
    const every: number[] = [];
    let node = this.find(parent, name);
    const isOnly = typeof this.indexes.get(parent)?.get(name) === "number";
    for (; node !== 0; node = isOnly ? 0 : this.firstNamed(name, this.links.next(node))) every.push(node);
    return every;
  }

  set(node: number, name: string | undefined): void {
    const parent = this.links.parent(node);
    this.leaving(node, parent);
    this.write(node, name);
    this.joined(node, parent);
  }

  /** `node` dies. */
  forget(node: number): void {
    if (this.count === 0) return;
    this.indexes.delete(node);
    this.write(node, undefined);
  }

  private write(node: number, name: string | undefined): void {
    const { names } = this;
    const before = this.count;
    if (names[node] !== undefined) this.count--;
    if (name !== undefined) this.count++;
    // An unnamed node that dies gets no entry.
    if (name !== names[node]) names[node] = name;
    // There is something to do at every edit as long as anything has a name.
    this.dependents.count += Math.sign(this.count) - Math.sign(before);
    if (this.count === 0) this.indexes.clear();
  }

  // Indexes --------------------------------------------------------------------------------------------------------------

  /** The index of a parent, where it has one or should have one. */
  private indexOf(parent: number): NameIndex | undefined {
    const known = this.indexes.get(parent);
    if (known !== undefined || this.links.count(parent) <= WALKED_FAMILY) return known;
    const index: NameIndex = new Map();
    this.indexes.set(parent, index);
    for (let node = this.links.first(parent); node !== 0; node = this.links.next(node))
      this.enter(node, index);
    return index;
  }

  /** `node` came under `parent`. */
  joined(node: number, parent: number): void {
    if (this.indexes.size !== 0) this.enter(node, this.indexes.get(parent));
  }

  private enter(node: number, index: NameIndex | undefined): void {
    const name = this.names[node];
    if (name === undefined || index === undefined) return;
    const found = index.get(name);
    if (found === undefined) index.set(name, node);
    else if (typeof found === "number") index.set(name, new Set([found, node]));
    else found.add(node);
  }

  /** `node` goes from under `parent`. */
  leaving(node: number, parent: number): void {
    if (this.indexes.size !== 0) this.leave(node, parent);
  }

  private leave(node: number, parent: number): void {
    const index = this.indexes.get(parent);
    const name = this.names[node];
    if (name === undefined || index === undefined) return;
    const found = index.get(name);
    if (typeof found === "object") {
      found.delete(node);
      if (found.size === 1) for (const last of found) index.set(name, last);
    } else index.delete(name);
    if (index.size === 0) this.indexes.delete(parent);
  }
}

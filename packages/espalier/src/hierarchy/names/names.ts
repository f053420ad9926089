/**
 * Names of nodes, and for each parent an index from name to child, so that following a path costs its length and not
 * the size of the tree. Unnamed nodes cost nothing here.
 */
import type { Dependents, Links } from "../links/links.ts";

export class Names {
  readonly unique: boolean;
  private readonly links: Links;
  private readonly dependents: Dependents;
  private readonly names = new Map<number, string>();
  /** By parent, by name: the child, or several that share the name. */
  private readonly children = new Map<number, Map<string, number | Set<number>>>();

  constructor(links: Links, unique: boolean, dependents: Dependents) {
    this.links = links;
    this.unique = unique;
    this.dependents = dependents;
  }

  of(node: number): string | undefined {
    return this.names.get(node);
  }

  /** The child of `parent` with that name, the first one if several share it; 0 if there is none. */
  find(parent: number, name: string): number {
    const found = this.children.get(parent)?.get(name);
    if (found === undefined) return 0;
    if (typeof found === "number") return found;
    // Rare: look for the first of them in sibling order.
    for (let child = this.links.first(parent); child !== 0; child = this.links.next(child)) {
      if (found.has(child)) return child;
    }
    return 0;
  }

  /** Whether several children of `parent` have that name. */
  isShared(parent: number, name: string): boolean {
    return typeof this.children.get(parent)?.get(name) === "object";
  }

  /** All children of `parent` with that name, in sibling order. */
  findEvery(parent: number, name: string): number[] {
    const found = this.children.get(parent)?.get(name);
    if (found === undefined) return [];
    if (typeof found === "number") return [found];
    const every: number[] = [];
    for (let child = this.links.first(parent); child !== 0; child = this.links.next(child)) {
      if (found.has(child)) every.push(child);
    }
    return every;
  }

  set(node: number, name: string | undefined): void {
    const parent = this.links.parent(node);
    this.leaving(node, parent);
    const before = this.names.size;
    if (name === undefined) this.names.delete(node);
    else this.names.set(node, name);
    this.countFrom(before);
    this.joined(node, parent);
  }

  /** `node` came under `parent`. */
  joined(node: number, parent: number): void {
    if (this.names.size !== 0) this.enter(node, parent);
  }

  private enter(node: number, parent: number): void {
    const name = this.names.get(node);
    if (name === undefined) return;
    let index = this.children.get(parent);
    if (index === undefined) this.children.set(parent, (index = new Map()));
    const found = index.get(name);
    if (found === undefined) index.set(name, node);
    else if (typeof found === "number") index.set(name, new Set([found, node]));
    else found.add(node);
  }

  /** `node` goes from under `parent`. */
  leaving(node: number, parent: number): void {
    if (this.names.size !== 0) this.leave(node, parent);
  }

  private leave(node: number, parent: number): void {
    const name = this.names.get(node);
    if (name === undefined) return;
    const index = this.children.get(parent);
    const found = index?.get(name);
    if (index === undefined || found === undefined) return;
    if (typeof found === "number") index.delete(name);
    else {
      found.delete(node);
      if (found.size === 1) for (const last of found) index.set(name, last);
    }
    if (index.size === 0) this.children.delete(parent);
  }

  /** `node` dies. */
  forget(node: number): void {
    const before = this.names.size;
    if (before === 0) return;
    this.names.delete(node);
    this.countFrom(before);
  }

  /** There is something to do as long as anything has a name. */
  private countFrom(before: number): void {
    const { size } = this.names;
    if (before === 0 && size !== 0) this.dependents.count++;
    else if (before !== 0 && size === 0) this.dependents.count--;
  }

  /** Every entry of the index, for checking it. */
  *entries(): IterableIterator<{ parent: number; name: string; node: number }> {
    for (const [parent, index] of this.children) {
      for (const [name, found] of index) {
        for (const node of typeof found === "number" ? [found] : found) yield { parent, name, node };
      }
    }
  }
}

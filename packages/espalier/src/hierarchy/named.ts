/**
 * Names and paths: `find("../hull/turret")`.
 */
import { type Entity, generationOf, indexOf } from "../ecs/index.ts";
import { describeValue, INDEX_MASK } from "../ecs/internal.ts";
import { DuplicateNameError, InvalidPathError } from "./errors.ts";
import { isPlain, type PathStep, parsePath, quoteSegment } from "./paths.ts";
import { HierarchyReader } from "./reader.ts";

const SLASH = 47;

export class NamedHierarchy extends HierarchyReader {
  /** The name of an entity, if it has one. */
  nameOf(entity: Entity): string | undefined {
    return this.names.of(this.node(entity, "read the name"));
  }

  /**
   * Names an entity; `undefined` takes the name away. Any text but the empty one will do; `/`, `\`, `*`, `?` and a
   * leading `#` are escaped in paths.
   * @throws DuplicateNameError when a sibling has the name and the hierarchy wants unique names.
   */
  setName(entity: Entity, name: string | undefined): void {
    const node = this.node(entity, "name");
    if (name !== undefined && (typeof name !== "string" || name === "" || name === "." || name === "..")) {
      throw new InvalidPathError(
        `Cannot name ${this.label(entity)} ${describeValue(name)}. Use a text that is not empty and neither "." nor "..".`,
      );
    }
    if (this.names.unique && name !== undefined) {
      const other = this.names.find(this.links.parent(node), name);
      if (other !== 0 && other !== node) throw this.duplicateName(node, other, name);
    }
    this.rename(node, name);
  }

  /** The child (`null`: the root) of that name; the first one if several share it; `null` if there is none. */
  childNamed(parent: Entity | null, name: string): Entity | null {
    return this.entityOrNull(this.names.find(this.parentNode(parent, "find a child"), name));
  }

  /**
   * The entity at the end of a path, or `null`. `/a/b` starts at the roots, `a/b` and `../a` at `from` (at the roots if
   * that is left out). `.` is the entity itself, `..` its parent, `#7` a child by its number, `\` escapes. Costs the
   * length of the path.
   */
  find(path: string, from: Entity | null = null): Entity | null {
    if (isPlain(path)) return this.findPlain(path, from);
    const parsed = parsePath(path);
    if (parsed.steps.some((step) => step.kind === "glob" || step.kind === "any")) {
      throw new InvalidPathError(
        `Cannot find ${JSON.stringify(path)}: it has wildcards. Use findAll(), or escape them with \\.`,
      );
    }
    const top = parsed.absolute ? null : from;
    const start = this.parentNode(top, "find by path");
    return this.entityOrNull(this.follow(start, parsed.steps) ?? 0);
  }

  /**
   * All entities that match a pattern, in tree order, each once: `*` is any part of a name, `?` one character, `**` any
   * number of levels. Unnamed entities match only `**`.
   */
  findAll(pattern: string, from: Entity | null = null): Entity[] {
    const parsed = parsePath(pattern);
    const start = this.parentNode(parsed.absolute ? null : from, "find by path");
    let current = new Set([start]);
    for (const step of parsed.steps) {
      const next = new Set<number>();
      for (const node of current) for (const found of this.step(node, step)) next.add(found);
      current = next;
    }
    current.delete(0);
    // Going down one level after the other finds them in tree order already.
    const isOrdered = !parsed.steps.some((step) => step.kind === "any" || step.kind === "up");
    if (current.size < 2 || isOrdered) return Array.from(current, (node) => this.handleAt(node));
    const goesUp = parsed.steps.some((step) => step.kind === "up");
    return this.inTreeOrder(current, goesUp ? 0 : start);
  }

  /**
   * A path that leads to the entity from the roots. Entities without a name, and those that `find` would not reach by
   * it because an earlier sibling has the same, appear as `#7`.
   */
  pathOf(entity: Entity): string {
    const parts: string[] = [];
    for (let n = this.node(entity, "read the path"); n > 0; n = this.links.parent(n))
      parts.push(this.segment(n));
    return `/${parts.reverse().join("/")}`;
  }

  /** A path that leads to `entity` from `from`; through the roots when they are in different trees. */
  relativePath(from: Entity, entity: Entity): string {
    const start = this.node(from, "read the path");
    const goal = this.node(entity, "read the path");
    const top = this.commonAncestor(from, entity);
    if (top === null) return this.pathOf(entity);
    let ups = 0;
    for (let n = start; n !== (top & INDEX_MASK); n = this.links.parent(n)) ups++;
    const downs: string[] = [];
    for (let n = goal; n !== (top & INDEX_MASK); n = this.links.parent(n)) downs.push(this.segment(n));
    return [...new Array<string>(ups).fill(".."), ...downs.reverse()].join("/") || ".";
  }

  protected duplicateName(node: number, other: number, name: string): DuplicateNameError {
    const entities = [this.handleAt(node), this.handleAt(other)];
    return new DuplicateNameError(
      `Cannot have two siblings named ${JSON.stringify(name)}: ${this.label(entities[1])} has that name already. Rename one, or leave out uniqueNames.`,
      entities,
    );
  }

  /** A path without wildcards, escapes, numbers and dots: names and nothing else. */
  private findPlain(path: string, from: Entity | null): Entity | null {
    let start = path.charCodeAt(0) === SLASH ? 1 : 0;
    let node = this.parentNode(start === 1 ? null : from, "find by path");
    for (;;) {
      const end = path.indexOf("/", start);
      node = this.names.find(node, end < 0 ? path.slice(start) : path.slice(start, end));
      if (node === 0 || end < 0) return this.entityOrNull(node);
      start = end + 1;
    }
  }

  private segment(node: number): string {
    const name = this.names.of(node);
    if (name !== undefined && this.names.find(this.links.parent(node), name) === node)
      return quoteSegment(name);
    const entity = this.handleAt(node);
    const generation = generationOf(entity);
    return generation === 0 ? `#${node}` : `#${node}v${generation}`;
  }

  /** The node at the end of plain steps; nothing where there is none. */
  private follow(start: number, steps: readonly PathStep[]): number | undefined {
    let node = start;
    for (const step of steps) {
      const found = this.plainStep(node, step);
      if (found === undefined) return undefined;
      node = found;
    }
    return node;
  }

  private plainStep(node: number, step: PathStep): number | undefined {
    switch (step.kind) {
      case "self":
        return node;
      case "up":
        // Above the roots there is nothing to stand on.
        return node === 0 ? undefined : this.links.parent(node);
      case "id": {
        const child = indexOf(step.entity);
        const fits = this.isAliveAt(child, step.entity) && this.links.parent(child) === node;
        return fits ? child : undefined;
      }
      case "name":
        return this.names.find(node, step.name) || undefined;
      default:
        return undefined;
    }
  }

  private step(node: number, step: PathStep): Iterable<number> {
    if (step.kind === "any") return this.below(node);
    if (step.kind === "name") return this.names.findEvery(node, step.name);
    if (step.kind !== "glob") {
      const found = this.plainStep(node, step);
      return found === undefined ? [] : [found];
    }
    const matching: number[] = [];
    for (let child = this.links.first(node); child !== 0; child = this.links.next(child)) {
      const name = this.names.of(child);
      if (name !== undefined && step.pattern.test(name)) matching.push(child);
    }
    return matching;
  }

  private *below(top: number): Iterable<number> {
    yield top;
    const { links } = this;
    let node = links.first(top);
    while (node !== 0) {
      yield node;
      const first = links.first(node);
      if (first !== 0) {
        node = first;
        continue;
      }
      while (node !== top && links.next(node) === 0) node = links.parent(node);
      if (node === top) return;
      node = links.next(node);
    }
  }

  private inTreeOrder(nodes: ReadonlySet<number>, top: number): Entity[] {
    const found: Entity[] = [];
    for (const node of this.below(top)) if (nodes.has(node)) found.push(this.handleAt(node));
    return found;
  }
}

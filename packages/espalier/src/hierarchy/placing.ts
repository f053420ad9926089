/**
 * Where among its siblings a child is to stand, and what it keeps when its parent changes.
 */
import type { Entity } from "../ecs/index.ts";
import { checkOptions, describeValue } from "../ecs/internal.ts";
import { InvalidEditError, NotAChildError } from "./errors.ts";
import { placeOptions } from "./options.ts";
import { RuledHierarchy } from "./rules.ts";

/** Where among the siblings: at an index, beside a sibling, or at an end. Last if left out. */
export interface PlaceOptions {
  /** An index among the children without the moved one; clamped, negative counts from the end (-1: last place). */
  readonly at?: number | "first" | "last";
  readonly before?: Entity;
  readonly after?: Entity;
  /** Something to keep as it is although the parent changes: `"world"` with `espalier/transform`. */
  readonly keep?: string;
}

/**
 * Knows how to keep something when `child` gets another parent: computes, before anything changes, what to do after.
 * May throw to refuse the change.
 */
export type Keeper = (child: Entity, parent: Entity | null) => () => void;

export class PlacingHierarchy extends RuledHierarchy {
  private readonly keepers = new Map<string, Keeper>();

  /**
   * Teaches `attach` and `detach` what `{ keep: name }` means.
   * @throws InvalidEditError when the name means something already.
   */
  addKeeper(name: string, keeper: Keeper): void {
    if (this.keepers.has(name)) {
      throw new InvalidEditError(
        `Cannot teach ${this.name} to keep ${describeValue(name)}: it knows how already. Use another name for the second.`,
      );
    }
    this.keepers.set(name, keeper);
  }

  protected keeper(name: string): Keeper {
    const keeper = this.keepers.get(name);
    if (keeper !== undefined) return keeper;
    const known = [...this.keepers.keys()].map((key) => JSON.stringify(key)).join(", ") || "nothing yet";
    throw new InvalidEditError(
      `Cannot keep ${describeValue(name)} while attaching: nobody has taught ${this.name} how; it knows ${known}. For "world", create the transforms of the tree first.`,
    );
  }

  /**
   * Makes several changes as one call: listeners are told when all are made.
   * @internal
   */
  together<Result>(edit: () => Result): Result {
    this.notices.hold();
    try {
      return edit();
    } finally {
      this.notices.release();
    }
  }

  protected childNodes(parent: number): number[] {
    const nodes: number[] = [];
    for (let child = this.links.first(parent); child !== 0; child = this.links.next(child)) nodes.push(child);
    return nodes;
  }

  /**
   * The child of `parent` before which a moved node shall stand; 0 for last.
   * @param moving The node, 0 if it is no child of anything yet; or several that go together.
   */
  protected beforeNode(
    moving: number,
    parent: number,
    options: PlaceOptions,
    several?: ReadonlySet<number>,
  ): number {
    const { links } = this;
    checkOptions(this.world.checks, "place a child", options, placeOptions);
    const { at, before, after } = options;
    const hasTwo =
      before !== undefined
        ? at !== undefined || after !== undefined
        : at !== undefined && after !== undefined;
    if (hasTwo)
      throw new InvalidEditError("Cannot place a child: give one of at, before and after, not several.");
    if (before !== undefined) return this.siblingNode(before, parent);
    if (after !== undefined) return links.next(this.siblingNode(after, parent));
    if (at === undefined || at === "last") return 0;
    if (at === "first") return links.first(parent);
    if (!Number.isInteger(at)) {
      throw new InvalidEditError(
        `Cannot place a child at ${describeValue(at)}: an index is an integer, "first" or "last".`,
      );
    }
    if (several !== undefined) return this.beforeNodeWithout(several, parent, at);
    const isThere = moving !== 0 && links.parent(moving) === parent;
    const staying = links.count(parent) - (isThere ? 1 : 0);
    const index = clampedIndex(at, staying);
    if (index === staying) return 0;
    const found = this.positions.at(parent, index);
    // Positions count without the moved one.
    const isBehind = isThere && index >= this.positions.indexOf(moving);
    return isBehind ? links.next(found) : found;
  }

  private beforeNodeWithout(moving: ReadonlySet<number>, parent: number, at: number): number {
    const staying = this.childNodes(parent).filter((node) => !moving.has(node));
    return staying[clampedIndex(at, staying.length)] ?? 0;
  }

  private siblingNode(sibling: Entity, parent: number): number {
    const node = this.node(sibling, "place a child beside a sibling");
    if (this.links.parent(node) === parent) return node;
    const of = parent === 0 ? "a root" : `a child of ${this.label(this.handleAt(parent))}`;
    throw new NotAChildError(
      `Cannot place a child beside ${this.label(sibling)}: it is not ${of}. Name one of its children, or leave the place out.`,
      [sibling],
    );
  }
}

/** An index among `count` that stay: from 0 to `count`; a negative one counts from the end. */
function clampedIndex(at: number, count: number): number {
  return Math.min(Math.max(at < 0 ? count + 1 + at : at, 0), count);
}

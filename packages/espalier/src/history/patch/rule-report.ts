/**
 * Applying a patch that an authority or a merge has decided: rules of this world do not refuse it, they report violations.
 */
import type { Entity, World } from "../../ecs/index.ts";
import { EspalierError } from "../../ecs/index.ts";
import { INDEX_MASK, type Store, stateOf } from "../../ecs/internal.ts";
import { CircularHierarchyError, NotAChildError, TooManyChildrenError } from "../../hierarchy/index.ts";
import { brokenRules, NAMED, reversibleOf, suspendRules, treeOf } from "../../hierarchy/internal.ts";
import { attachBehind } from "../snapshot/minimal-moves.ts";
import { type AnyTree, hasChildren } from "../state.ts";
import type { Placement } from "./placements.ts";

/** A violation of a rule of the world. */
export interface Violation {
  /** The code of the rule's error: `hierarchy/constraint`, `hierarchy/too-many-children` and so on; `guard` for an error of your own. */
  readonly rule: string;
  /** The entities involved. */
  readonly entities: readonly Entity[];
  /** The name of the hierarchy, if it is about one. */
  readonly tree: string | undefined;
  /** Whether it was applied anyway: not if the tree would no longer be a tree, or if an array of children is full. */
  readonly isApplied: boolean;
  /** The message of the rule. */
  readonly reason: string;
}

export class RuleReport {
  private readonly world: World;
  private readonly trees: readonly AnyTree[];
  private readonly touched = new Set<Entity>();
  private readonly refused: Violation[] = [];

  constructor(world: World, trees: readonly AnyTree[]) {
    this.world = world;
    this.trees = trees;
  }

  /** Marks an entity: rules about it are checked at the end. */
  changed(entity: Entity): void {
    this.touched.add(entity);
  }

  withoutRules<Result>(work: () => Result): Result {
    const ends = this.trees.filter(hasChildren).map((tree) => suspendRules(treeOf(tree)));
    const guarded = stateOf(this.world).stores.map((store) => [store, store.guards] as const);
    for (const [store] of guarded) store.guards = undefined;
    try {
      return work();
    } finally {
      for (const [store, guards] of guarded) store.guards = guards;
      for (const end of ends) end();
    }
  }

  /** Applies placements and names, except placements that would break the tree. */
  put(tree: AnyTree, ordered: readonly Placement[], names: ReadonlyMap<Entity, string | null>): void {
    if (hasChildren(tree)) {
      // Names may be duplicated for a while, or for good.
      for (const [entity, name] of names) reversibleOf(tree).reverse(entity, NAMED, 0, name ?? undefined);
      for (const entity of names.keys()) this.changed(entity);
    }
    for (const placement of ordered) {
      this.changed(placement.child);
      try {
        this.putOne(tree, placement);
      } catch (error) {
        if (!(error instanceof CircularHierarchyError || error instanceof TooManyChildrenError)) throw error;
        this.refused.push(violationOf(error, tree.name, false));
      }
    }
  }

  private putOne(tree: AnyTree, { child, parent, after }: Placement): void {
    if (!hasChildren(tree)) {
      tree.attach(child, parent);
      return;
    }
    const t = treeOf(tree);
    // A fixed array of children has no room for more, whatever was decided.
    if (t.options.links !== undefined && parent !== null && tree.parentOf(child) !== parent) {
      const count = t.links.count(parent & INDEX_MASK);
      if (count >= (t.options.maxChildren as number)) {
        throw new TooManyChildrenError(
          `Cannot give ${tree.nameOf(parent) ?? `#${parent & INDEX_MASK}`} another child: it has ${count}, and its array has room for no more.`,
          { entities: [child, parent], limit: count },
        );
      }
    }
    try {
      attachBehind(tree, child, parent, after);
    } catch (error) {
      // The sibling before it has another parent here, because a rule or a loop kept it there.
      if (!(error instanceof NotAChildError)) throw error;
      attachBehind(tree, child, parent, undefined);
    }
  }

  /** Call when the rules are enforced again. */
  violations(): Violation[] {
    const { world, trees, touched } = this;
    const living = [...touched].filter((entity) => world.isAlive(entity));
    const found = [...this.refused];
    for (const tree of trees) {
      if (!hasChildren(tree)) continue;
      for (const error of brokenRules(treeOf(tree), living)) found.push(violationOf(error, tree.name, true));
    }
    const s = stateOf(world);
    for (const entity of living) {
      for (const store of s.archetypeAt(entity & INDEX_MASK)?.stores ?? []) {
        for (const error of refusedBy(world, entity, store)) found.push(violationOf(error, undefined, true));
      }
    }
    return distinct(found);
  }
}

/** The errors of the guards of a component for an entity that has it. */
function refusedBy(world: World, entity: Entity, store: Store): unknown[] {
  return (store.guards ?? []).flatMap((guard) => {
    try {
      stateOf(world).ask(() => guard(entity & INDEX_MASK, world.get(entity, store.component as never), []));
      return [];
    } catch (error) {
      return [error];
    }
  });
}

function violationOf(error: unknown, tree: string | undefined, isApplied: boolean): Violation {
  const isOurs = error instanceof EspalierError;
  return {
    rule: isOurs ? error.code : "guard",
    entities: isOurs ? error.entities : [],
    tree,
    isApplied,
    reason: error instanceof Error ? error.message : String(error),
  };
}

/** A constraint may report the same violation through the tree and through a component. */
function distinct(violations: readonly Violation[]): Violation[] {
  const seen = new Map(
    violations.map((each) => [`${each.rule} ${each.entities.join()} ${each.reason}`, each]),
  );
  return [...seen.values()];
}

/**
 * What is asked of the arguments of this room's calls that get a tree or a query, so that whatever is passed gets an error
 * that helps.
 */
import type { Query, Term, World } from "../ecs/index.ts";
import { isWorld, refuseArgument, stateOf } from "../ecs/internal.ts";

/** What is read of something that claims to be a tree. */
interface Claimed {
  readonly world?: unknown;
  readonly parentOf?: unknown;
  readonly childrenOf?: unknown;
}

/** @throws InvalidArgumentError for what is not a hierarchy with children. */
export function requireTree(tree: unknown, doing: string): void {
  const { childrenOf } = Object(tree) as Claimed;
  if (!isTree(tree) || typeof childrenOf !== "function") {
    refuseArgument(
      tree,
      doing,
      "the tree",
      "a hierarchy with children. Pass what createHierarchy() returned",
    );
  }
}

/** @throws InvalidArgumentError for what is not a hierarchy; one with parents alone is. */
export function requireAnyTree(tree: unknown, doing: string): void {
  if (!isTree(tree)) {
    refuseArgument(tree, doing, "the tree", "a hierarchy. Pass what createHierarchy() returned");
  }
}

/** @throws InvalidArgumentError for what is not a query of the tree's world. */
export function requireQuery(
  tree: { readonly world: World },
  query: Query<readonly Term[]>,
  doing: string,
): void {
  const { ids, includes, state } = Object(query) as Partial<Query>;
  if (typeof ids !== "function" || typeof includes !== "function") {
    refuseArgument(query, doing, "it", "a query. Pass what world.query() returned");
  }
  if (state !== stateOf(tree.world)) {
    refuseArgument(query, doing, "the query", "one of the tree's world");
  }
}

function isTree(tree: unknown): boolean {
  const { world, parentOf } = Object(tree) as Claimed;
  return isWorld(world) && typeof parentOf === "function";
}

/**
 * Which hierarchies values can flow down.
 */
import type { Hierarchy } from "../hierarchy/index.ts";
import { InvalidInheritedError } from "./errors.ts";

/** Refuses what is not a hierarchy with children: a hierarchy of parents only has no order to compute in. */
export function requireTree(tree: Hierarchy): Hierarchy {
  const given = tree as Partial<Hierarchy> | null | undefined;
  if (typeof given?.childrenOf === "function") return tree;
  const isUp = typeof given?.parentOf === "function";
  throw new InvalidInheritedError(
    isUp
      ? `Cannot compute values along ${given?.name ?? "this hierarchy"}: it knows parents only (upLinks), so it has no order from parents to children. Use createHierarchy().`
      : "Cannot compute values along a tree: what was given is not a hierarchy. Pass what createHierarchy() returned.",
  );
}

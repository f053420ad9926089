/**
 * What entities keep as it is while their parent changes.
 */
import { checkOptions, describeValue, needCheck } from "../../ecs/internal.ts";
import { InvalidEditError } from "../errors.ts";
import { entityAt, entityOrNull } from "../nodes.ts";
import { type KeepOptions, keepOptions } from "../options.ts";
import type { Keeper, TreeState } from "../state.ts";

/** Says what `{ keep: name }` means. */
export function addKeeper({ keepers, name: tree }: TreeState, name: string, keeper: Keeper): void {
  if (keepers.has(name)) {
    throw new InvalidEditError(
      `Cannot add a handler for keep: ${describeValue(name)} to ${tree}: it has one already. Use another name for the second.`,
      { option: "keep", value: name },
    );
  }
  keepers.set(name, keeper);
}

export function keeperOf({ keepers, name: tree }: TreeState, name: string): Keeper {
  const keeper = keepers.get(name);
  if (keeper !== undefined) return keeper;
  const known = [...keepers.keys()].map((key) => describeValue(key)).join(", ") || "none";
  throw new InvalidEditError(
    `Cannot keep ${describeValue(name)} while attaching: no handler for it is registered in ${tree} (registered: ${known}). For "world", create the transforms of the tree first.`,
    { option: "keep", value: name },
  );
}

/** What options say is to be kept. */
export function keepIn(t: TreeState, doing: string, options: KeepOptions | undefined): string | undefined {
  if (options === undefined) return undefined;
  if (needCheck(options, t.optionKinds?.keep)) checkOptions(t.ecs.checks, doing, options, keepOptions);
  return options.keep;
}

/**
 * Call before nodes move: finds out how each keeps what `keep` names, or throws. Gives what to call when they have moved.
 * @param moves Node and new parent of each.
 */
export function keeping(
  t: TreeState,
  keep: string | undefined,
  moves: Iterable<readonly [node: number, to: number]>,
): () => void {
  if (keep === undefined) return () => {};
  const keeper = keeperOf(t, keep);
  const finishes: (() => void)[] = [];
  for (const [node, to] of moves) finishes.push(keepingOne(t, keeper, node, to));
  return () => {
    for (const finish of finishes) finish();
  };
}

/** The same for one node. */
export function keepingOne(t: TreeState, keeper: Keeper, node: number, to: number): () => void {
  if (t.links.parent(node) === to) return () => {};
  const entity = entityAt(t, node);
  // Rules that look at components judge the child by the parent it is going to have.
  t.guardedNode = node;
  t.guardedParent = to;
  try {
    const finish = t.ecs.ask(() => keeper(entity, entityOrNull(t, to)));
    // An observer may have destroyed it.
    return () => {
      if (t.ecs.isAlive(entity)) finish();
    };
  } finally {
    t.guardedNode = 0;
    t.guardedParent = 0;
  }
}

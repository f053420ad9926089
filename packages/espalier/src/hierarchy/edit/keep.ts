/**
 * What an entity keeps as it is while its parent changes.
 */
import { describeValue } from "../../ecs/internal.ts";
import { InvalidEditError } from "../errors.ts";
import { entityAt, entityOrNull } from "../nodes.ts";
import type { Keeper, TreeState } from "../state.ts";
import { place, together } from "./place.ts";

/** Says what `{ keep: name }` means. */
export function addKeeper({ keepers, name: tree }: TreeState, name: string, keeper: Keeper): void {
  if (keepers.has(name)) {
    throw new InvalidEditError(
      `Cannot teach ${tree} to keep ${describeValue(name)}: it knows how already. Use another name for the second.`,
    );
  }
  keepers.set(name, keeper);
}

export function keeperOf({ keepers, name: tree }: TreeState, name: string): Keeper {
  const keeper = keepers.get(name);
  if (keeper !== undefined) return keeper;
  const known = [...keepers.keys()].map((key) => JSON.stringify(key)).join(", ") || "nothing yet";
  throw new InvalidEditError(
    `Cannot keep ${describeValue(name)} while attaching: nobody has taught ${tree} how; it knows ${known}. For "world", create the transforms of the tree first.`,
  );
}

/** `place` with what `keep` names as it was. Nothing has changed when that cannot be. */
export function placeKeeping(t: TreeState, keep: string, node: number, to: number, before: number): boolean {
  const finish = keeperOf(t, keep)(entityAt(t, node), entityOrNull(t, to));
  return together(t, () => {
    const isPlaced = place(t, node, to, before);
    if (isPlaced) finish();
    return isPlaced;
  });
}

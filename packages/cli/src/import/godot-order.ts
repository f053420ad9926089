/**
 * The order of children where a scene adds some among those that an instance brings.
 */
import type { Entry } from "./imported.ts";

/**
 * Writes an order into an entry if its children would not stand in it anyway: first those that the instance brings, then those that
 * the entry itself lists. `false` when names cannot say it.
 *
 * @param brought - Names of the children that come with the prefab; `null` for what only Godot has.
 * @param wanted - All of them as Godot orders them.
 */
export function orderChildren(
  entry: Entry,
  brought: readonly (string | null)[],
  wanted: readonly (string | null)[],
): boolean {
  const own = (entry.children ?? []).map(({ name }) => name ?? null);
  const listed = [...brought, ...own].filter((name) => name !== null);
  const order = wanted.filter((name) => name !== null);
  const isSame =
    new Set(listed).size === listed.length && [...listed].sort().join("\n") === [...order].sort().join("\n");
  if (!isSame) return false;
  if (order.every((name, k) => name === listed[k])) return true;
  if (brought.length === 0) {
    // Nothing but its own: they are listed in their order.
    entry.children?.sort((a, b) => order.indexOf(a.name as string) - order.indexOf(b.name as string));
    return true;
  }
  if (own.some((name) => mayBeId(name as string, order))) return false;
  entry.order = order;
  return true;
}

/** Whether the id that an entity of a name gets may be the name of one of the others: an order looks for ids first. */
function mayBeId(name: string, others: readonly string[]): boolean {
  const id = name.replace(/[\s/]+/g, "-");
  return others.some(
    (other) => other !== name && other.startsWith(id) && /^(?:-\d+)?$/.test(other.slice(id.length)),
  );
}

/**
 * The order of children where a scene adds some among those of an instance.
 */
import type { Entry } from "./imported.ts";

/**
 * Writes an order into an entry if it differs from the default: first the children of the instance, then those that
 * the entry itself lists. `false` when names cannot express it.
 *
 * @param brought - Names of the children that come with the prefab; `null` for what only Godot has.
 * @param wanted - All of them in Godot's order.
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
    // Only its own children: they are listed in order.
    entry.children?.sort((a, b) => order.indexOf(a.name as string) - order.indexOf(b.name as string));
    return true;
  }
  if (own.some((name) => mayBeId(name as string, order))) return false;
  entry.order = order;
  return true;
}

/** Whether the id generated from a name may equal the name of another child: an order looks up ids first. */
function mayBeId(name: string, others: readonly string[]): boolean {
  const id = name.replace(/[\s/]+/g, "-");
  return others.some(
    (other) => other !== name && other.startsWith(id) && /^(?:-\d+)?$/.test(other.slice(id.length)),
  );
}

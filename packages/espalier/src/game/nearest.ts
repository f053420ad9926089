/**
 * Suggests the intended name, for messages about names that do not exist.
 */
import { describeValue } from "../ecs/index.ts";

/** `Did you mean "jump"?`, or the list of existing names, or that there are none. */
export function suggest(name: unknown, known: readonly string[], what: string): string {
  if (known.length === 0) return `There are no ${what} at all.`;
  const best = typeof name === "string" ? nearest(name, known) : "";
  if (best !== "") return `Did you mean ${describeValue(best)}?`;
  const shown = known.slice(0, 8).map((other) => describeValue(other));
  return `Known ${what}: ${shown.join(", ")}${known.length > 8 ? ", …" : ""}.`;
}

function nearest(name: string, known: readonly string[]): string {
  let best = "";
  let least = Math.max(2, Math.floor(name.length / 2)) + 1;
  for (const other of known) {
    const distance = editDistance(name.toLowerCase(), other.toLowerCase());
    if (distance < least) [best, least] = [other, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      const change = (row[k - 1] as number) + (a[i - 1] === b[k - 1] ? 0 : 1);
      next.push(Math.min(change, (row[k] as number) + 1, (next[k - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

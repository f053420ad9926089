/**
 * Suggestions for names that do not exist.
 */
import { shortText } from "./short-text.ts";

/**
 * A sentence for messages about a name that does not exist: the nearest name if one is near, otherwise those that exist.
 *
 * @example
 * ```ts
 * nearestName("jumps", ["idle", "jump"]); // → 'Did you mean "jump"?'
 * ```
 */
export function nearestName(wrong: unknown, names: readonly string[]): string {
  if (typeof wrong !== "string") return "Give a string.";
  if (names.length === 0) return "There is none yet.";
  const edits = names.map((name) => distance(wrong.toLowerCase(), name.toLowerCase()));
  const least = Math.min(...edits);
  if (least <= Math.ceil(wrong.length / 3) && least < wrong.length)
    return `Did you mean "${names[edits.indexOf(least)]}"?`;
  const most = 10;
  return `There is ${names.slice(0, most).map(shortText).join(", ")}${names.length > most ? ", …" : ""}.`;
}

/** Longer words are not compared: it takes as long as their lengths multiplied. */
const longest = 200;

/**
 * How many letters must be added, removed, replaced or exchanged with a neighbour to get from one word to the other; infinitely many
 * for a very long one.
 */
export function distance(a: string, b: string): number {
  if (a.length > longest || b.length > longest) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      let edits = Math.min(row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1), row[j] + 1, next[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, before[j - 2] + 1);
      next.push(edits);
    }
    before = row;
    row = next;
  }
  return row[b.length];
}

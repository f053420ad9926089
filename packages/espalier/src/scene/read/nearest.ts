/**
 * Suggestions for names that do not exist.
 */
import { describeValue, distance, shortText } from "../../ecs/internal.ts";

/** A sentence that helps: the nearest name if one is near, or else the existing ones. */
export function suggest(wrong: string, names: Iterable<string>, what: string): string {
  const few: string[] = [];
  let count = 0;
  const near = nearest(
    wrong,
    counted(names, (name) => {
      if (count++ < 8) few.push(shortText(name));
    }),
  );
  if (near !== undefined) return `Did you mean ${describeValue(near)}?`;
  if (few.length === 0) return `There are no ${what}.`;
  return `The ${what} are ${few.join(", ")}${count > few.length ? ", …" : ""}.`;
}

/** Suggestions from very many ids. Each id is searched for once, and only for a few dozen, because no one would read more. */
export class IdSuggestions {
  private readonly ids: { keys(): Iterable<string> };
  private readonly known = new Map<string, string>();

  constructor(ids: { keys(): Iterable<string> }) {
    this.ids = ids;
  }

  for(wrong: string): string {
    let sentence = this.known.get(wrong);
    if (sentence === undefined) {
      sentence = this.known.size < 50 ? suggest(wrong, this.ids.keys(), "ids") : "Check the id.";
      this.known.set(wrong, sentence);
    }
    return sentence;
  }
}

/** The name with the fewest differing letters, if they are few enough to be a typo. */
export function nearest(wrong: string, names: Iterable<string>): string | undefined {
  const word = wrong.toLowerCase();
  // With one difference nothing of a single letter would be left.
  const most = word.length === 1 ? 0 : Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  let looked = 0;
  for (const name of names) {
    // Ids of entities deep inside prefabs may be very long.
    if (Math.abs(name.length - word.length) > most + 2) continue;
    const other = name.toLowerCase();
    // A word that begins the same way may end quite differently.
    const allowed = word.length > 4 && other.startsWith(word.slice(0, 4)) ? most + 2 : most;
    if (Math.abs(other.length - word.length) > allowed) continue;
    // The best suggestion is not worth the wait in a scene of a million ids.
    if (++looked > 20_000) break;
    const edits = distance(word, other);
    if (edits > allowed || edits >= least) continue;
    least = edits;
    best = name;
  }
  return best;
}

function* counted(names: Iterable<string>, see: (name: string) => void): Iterable<string> {
  for (const name of names) {
    see(name);
    yield name;
  }
}

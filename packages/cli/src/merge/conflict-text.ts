/**
 * A merge with conflicts as text: the scene, with the lines of both sides between the marks that people know from git.
 *
 * Each side is the whole scene with all open conflicts decided in its favour, so everything outside of the marks is merged, and taking
 * all of one side gives a scene that loads.
 */
import { diffArrays } from "diff";

export interface MarkLabels {
  readonly ours: string;
  readonly theirs: string;
}

export function conflictText(ours: string, theirs: string, labels: MarkLabels): string {
  const lines: string[] = [];
  let pending: { ours: string[]; theirs: string[] } | undefined;
  const flush = () => {
    if (pending === undefined) return;
    lines.push(`<<<<<<< ${labels.ours}`);
    for (const line of pending.ours) lines.push(line);
    lines.push("=======");
    for (const line of pending.theirs) lines.push(line);
    lines.push(`>>>>>>> ${labels.theirs}`);
    pending = undefined;
  };
  for (const { value, added, removed } of differences(linesOf(ours), linesOf(theirs))) {
    if (!added && !removed) {
      flush();
      // A loop: a file may have more lines than a call can have arguments.
      for (const line of value) lines.push(line);
      continue;
    }
    pending ??= { ours: [], theirs: [] };
    const side = pending[added ? "theirs" : "ours"];
    for (const line of value) side.push(line);
  }
  flush();
  return `${lines.join("\n")}\n`;
}

/** Lines of both sides, or of one. */
interface LinePart {
  readonly value: readonly string[];
  readonly added: boolean;
  readonly removed: boolean;
}

/**
 * The differences, searched between lines that each side has once, such as the ids of entities: for a whole text with
 * thousands of conflicts the time would be quadratic.
 */
function* differences(ours: readonly string[], theirs: readonly string[]): IterableIterator<LinePart> {
  let [a, b] = [0, 0];
  for (const [x, y] of [...anchorsOf(ours, theirs), [ours.length, theirs.length] as const]) {
    if (x > a || y > b) yield* diffArrays(ours.slice(a, x), theirs.slice(b, y));
    if (x < ours.length) yield { value: [ours[x] as string], added: false, removed: false };
    [a, b] = [x + 1, y + 1];
  }
}

/** The positions of lines that both sides have once, as many as are in the same order on both. */
function anchorsOf(ours: readonly string[], theirs: readonly string[]): (readonly [number, number])[] {
  const inTheirs = onceIn(theirs);
  const pairs = [...onceIn(ours)].flatMap(([line, x]) => {
    const y = inTheirs.get(line);
    return y === undefined ? [] : [[x, y] as const];
  });
  /** By length minus one: the pair that ends a sequence of that length with the lowest position in theirs. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [k, [, y]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as readonly [number, number])[1] < y) low = middle + 1;
      else high = middle;
    }
    before[k] = low === 0 ? undefined : ends[low - 1];
    ends[low] = k;
  }
  const found: (readonly [number, number])[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at])
    found.push(pairs[at] as readonly [number, number]);
  return found.reverse();
}

/** The lines that occur once in a text, in order, with their positions. */
function onceIn(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  const more = new Set<string>();
  for (const [k, line] of lines.entries()) {
    if (found.has(line)) more.add(line);
    else found.set(line, k);
  }
  for (const line of more) found.delete(line);
  return found;
}

/** One side of a text with marks; `undefined` if it has none. */
export function sideOfText(text: string, side: "ours" | "theirs"): string | undefined {
  const lines: string[] = [];
  let part: "both" | "ours" | "base" | "theirs" = "both";
  let count = 0;
  for (const line of linesOf(text)) {
    if (line.startsWith("<<<<<<< ") && part === "both") {
      part = "ours";
      count++;
    } else if (line.startsWith("||||||| ") && part === "ours") part = "base";
    else if (line === "=======" && part !== "both") part = "theirs";
    else if (line.startsWith(">>>>>>> ") && part === "theirs") part = "both";
    else if (part === "both" || part === side) lines.push(line);
  }
  return count === 0 || part !== "both" ? undefined : `${lines.join("\n")}\n`;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}

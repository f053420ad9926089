/**
 * A merge with conflicts as text: the scene, with the lines of both sides between the marks that people know from git.
 *
 * Each side is the whole scene with all open conflicts decided for it, so what is outside of the marks is merged, and taking all of
 * one side gives a scene that loads.
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
    lines.push(
      `<<<<<<< ${labels.ours}`,
      ...pending.ours,
      "=======",
      ...pending.theirs,
      `>>>>>>> ${labels.theirs}`,
    );
    pending = undefined;
  };
  for (const { value, added, removed } of diffArrays(linesOf(ours), linesOf(theirs))) {
    if (!added && !removed) {
      flush();
      lines.push(...value);
      continue;
    }
    pending ??= { ours: [], theirs: [] };
    pending[added ? "theirs" : "ours"].push(...value);
  }
  flush();
  return `${lines.join("\n")}\n`;
}

/** One side of a text with marks; nothing where it has none. */
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

/**
 * The journal of a scene file: every edit that verbs made to it, a line of JSON each, in a file beside it. Edits are added once
 * the file exists.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { printScene, type SceneFile } from "espalier/scene";
import type { Edit } from "espalier/verbs";
import { exitCodes, Stop } from "../exit-codes.ts";
import { readText, shown } from "../files.ts";

/** An edit in a journal. */
export interface JournalLine {
  /** When it was made. */
  readonly at: string;
  /** Hashes of the scene before and after, so that changes by other programs are detected. */
  readonly before: string;
  readonly after: string;
  readonly edit: Edit;
}

export function journalOf(file: string): string {
  return `${file}.journal`;
}

/** A hash of the content of a scene, independent of the formatting of its file. */
export function formHash(file: SceneFile): string {
  return createHash("sha256").update(printScene(file)).digest("hex").slice(0, 16);
}

/** The lines of the journal of a scene file; `undefined` if there is none. */
export function readJournal(file: string): readonly JournalLine[] | undefined {
  const path = journalOf(file);
  if (!existsSync(path)) return undefined;
  const lines = readText(path)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.map((line, k) => {
    try {
      const parsed = JSON.parse(line) as JournalLine;
      if (typeof parsed.edit.token === "string" && Array.isArray(parsed.edit.delta.entries)) return parsed;
    } catch {
      // The same sentence serves for lines that are JSON and not an edit.
    }
    throw new Stop(
      exitCodes.problems,
      `Cannot read ${shown(path)}: line ${k + 1} is not an edit. Repair or delete the journal; the scene itself does not need it.`,
    );
  });
}

/** The edits of a journal, with a gap wherever the scene was changed by something else. */
export function editsOf(lines: readonly JournalLine[], file: SceneFile): Edit[] {
  const edits: Edit[] = [];
  let known: string | undefined;
  const gap = () => {
    const steps = [{ verb: "outside" }];
    edits.push({ token: `outside-${edits.length}`, steps, changes: [], delta: { entries: [] }, isGap: true });
  };
  for (const { before, after, edit } of lines) {
    if (known !== undefined && known !== before) gap();
    edits.push(edit);
    known = after;
  }
  if (known !== undefined && known !== formHash(file)) gap();
  return edits;
}

export function journalText(lines: readonly JournalLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

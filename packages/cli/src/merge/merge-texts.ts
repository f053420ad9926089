/**
 * Merges three texts of a scene: into the merged text if everything is decided, or one with marks if conflicts are open.
 */
import {
  type MergeChoice,
  type MergeConflict,
  mergeScenes,
  type Prefabs,
  parseScene,
  printScene,
  type SceneFile,
  toNested,
} from "espalier/scene";
import type { Config } from "../config.ts";
import { exitCodes, Stop } from "../exit-codes.ts";
import { prefabsOnDisk, shown } from "../files.ts";
import { conflictText } from "./conflict-text.ts";

export interface Texts {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** How conflicts are decided: all in favour of one side, or some by key. */
export interface Decisions {
  readonly all?: "ours" | "theirs" | undefined;
  readonly byKey: { readonly [key: string]: MergeChoice };
}

export interface MergedText {
  /** With marks where `open` is not empty. */
  readonly text: string;
  /** Everything on which the sides disagree. */
  readonly conflicts: readonly MergeConflict[];
  /** The undecided conflicts. Where both sides added something, both stay, and nothing is open. */
  readonly open: readonly MergeConflict[];
}

/**
 * @param path - The scene file that the texts are versions of; prefabs are found beside it.
 * @throws SceneError when one of them does not load; Stop for a decision of a conflict that does not exist.
 */
export function mergeTexts(
  texts: Texts,
  {
    config,
    path,
    decisions,
  }: { readonly config: Config; readonly path: string; readonly decisions: Decisions },
): MergedText {
  const reading = {
    file: shown(path),
    prefabs: prefabsOnDisk(config.prefabs) as Prefabs,
    unknown: config.file === undefined ? "keep" : "refuse",
  } as const;
  const decide = ({ key, kind }: MergeConflict, side: "ours" | "theirs" | undefined) => {
    if (Object.hasOwn(decisions.byKey, key)) return decisions.byKey[key];
    return decisions.all ?? (kind === "added" ? undefined : side);
  };
  const merge = (side: "ours" | "theirs" | undefined) =>
    mergeScenes(config.format, texts.base, texts.ours, texts.theirs, {
      ...reading,
      resolve: (conflict) => decide(conflict, side),
    });
  const { file, conflicts } = merge("ours");
  requireKnown(decisions, conflicts, path);
  const open = conflicts.filter(
    (conflict) => decide(conflict, undefined) === undefined && conflict.kind !== "added",
  );
  const print = printerFor(texts);
  if (open.length === 0) return { text: print(file), conflicts, open };
  const labels = { ours: "ours", theirs: "theirs" };
  return { text: conflictText(print(file), print(merge("theirs").file), labels), conflicts, open };
}

function requireKnown({ byKey }: Decisions, conflicts: readonly MergeConflict[], path: string): void {
  const keys = conflicts.map(({ key }) => key);
  for (const key of Object.keys(byKey)) {
    if (keys.includes(key)) continue;
    const there = keys.length === 0 ? "There are none" : `There are: ${keys.join("; ")}`;
    throw new Stop(
      exitCodes.usage,
      `Cannot resolve ${JSON.stringify(key)} of ${shown(path)}: there is no such conflict. ${there}.`,
    );
  }
}

/** Prints in the form of our file: nested or flat, with or without a version. */
function printerFor({ ours }: Texts): (file: SceneFile) => string {
  const former = parseScene(ours);
  const isNested = former.entities.some(({ children }) => children !== undefined);
  return (file) => {
    const { version, ...rest } = isNested ? toNested(file) : file;
    const keepsVersion = former.version !== undefined || (version ?? 1) !== 1;
    return printScene(keepsVersion && version !== undefined ? { version, ...rest } : rest);
  };
}

/** A conflict on one line: `value tank Health.hp: ours 60, theirs 70 (was 50)`. */
export function describeConflict({ key, ours, theirs, base, choice }: MergeConflict): string {
  const sides = `ours ${printed(ours)}, theirs ${printed(theirs)} (was ${printed(base)})`;
  return `${key}: ${sides}${choice === "both" ? ", both are kept" : ""}`;
}

function printed(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

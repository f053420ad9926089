/** Edits of a document as data: what was done, by which author, and its exact changes. */
import type { Json } from "../scene/index.ts";
import type { Change } from "./changes/change.ts";
import type { FileDelta } from "./changes/file-delta.ts";

/** One call of a verb, as in a batch or in the log. */
export interface VerbStep {
  /** The name of the verb. */
  readonly verb: string;
  /** Its parameters; left out if it needs none. */
  readonly parameters?: { readonly [name: string]: Json };
}

/** The texts of a prefab file before and after; `null` where there was none. */
export interface PrefabTexts {
  /** The text before. */
  readonly before: string | null;
  /** The text after. */
  readonly after: string | null;
}

/** A change that was made to a document. Plain data, so that it can be kept in a file. */
export interface Edit {
  /** Identifies it, for `undo`. */
  readonly token: string;
  /** The verbs in order; several for a batch. */
  readonly steps: readonly VerbStep[];
  /** Which person or program made it. */
  readonly author?: string;
  /** Why it was made. */
  readonly reason?: string;
  /** What changed. */
  readonly changes: readonly Change[];
  /** The difference between the files before and after, in both directions. */
  readonly delta: FileDelta;
  /** Prefab files that it changed, by file. */
  readonly prefabs?: { readonly [file: string]: PrefabTexts };
  /** The edit that this one undoes. */
  readonly undoes?: string;
  /** Whether it stands for unknown changes, so that nothing before it can be undone. */
  readonly isGap?: true;
}

/** Whether an edit was undone, and its undo was not undone itself. */
export function isUndone(edits: readonly Edit[], token: string): boolean {
  // Later ones first: an edit is undone if the last edit that undoes it is not undone itself.
  const undone = new Set<string>();
  for (let k = edits.length - 1; k >= 0; k--) {
    const { token: own, undoes } = edits[k] as Edit;
    if (undoes !== undefined && !undone.has(own)) undone.add(undoes);
  }
  return undone.has(token);
}

/** `set /tank by Ada: "too strong"`, for messages. */
export function describeEdit({ token, steps, author, reason }: Edit): string {
  const names = steps.map(({ verb }) => verb).join(", ");
  const by = author === undefined ? "" : ` by ${author}`;
  return `${token} (${names}${by}${reason === undefined ? "" : `: ${reason}`})`;
}

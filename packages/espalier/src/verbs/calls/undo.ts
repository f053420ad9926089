/**
 * Undoes one edit, whatever came after it.
 *
 * This is a merge: based on the scene after the edit, one side leads to the current scene, the other back to the scene before.
 * Where both touch the same thing a later edit depends on this one, and nothing is undone.
 */
import { describeValue } from "../../ecs/index.ts";
import { deepEqual } from "../../history/internal.ts";
import { type MergeConflict, mergeScenes, SceneError, type SceneFile } from "../../scene/index.ts";
import { revertDelta } from "../changes/file-delta.ts";
import { splitId } from "../changes/file-entities.ts";
import { describeEdit, type Edit, isUndone } from "../edit.ts";
import { VerbError } from "../errors.ts";
import type { Verb, VerbContext } from "../verb.ts";

/** The parameters of `undo`. */
export interface UndoParameters {
  /** Its token; the last edit that is not undone if left out. */
  readonly edit?: string;
  /** Without a token: the last edit of this author. */
  readonly author?: string;
}

export const undo: Verb<UndoParameters> = {
  name: "undo",
  aliases: [],
  summary: "undo one edit, even if others came after it",
  isReadOnly: false,
  parameters: {
    edit: { type: "string", description: "Its token; the last edit that is not undone if left out." },
    author: { type: "string", description: "Without a token: the last edit of this author." },
  },
  required: [],
  operands: ["edit"],
  run(context, parameters) {
    const { edits } = context.document;
    const at = positionOf(edits, parameters);
    const edit = edits[at] as Edit;
    const now = context.document.state.file;
    let after: SceneFile = now;
    for (let k = edits.length - 1; k > at; k--) after = revertDelta(after, (edits[k] as Edit).delta);
    const before = revertDelta(after, edit.delta);
    try {
      // Both sides of the merge refer to the current prefabs, so prefabs are restored after it.
      const next = deepEqual(after, now) ? before : merged(context, edits, at, { before, after, now });
      restorePrefabs(context, edits, at);
      context.reload(next);
    } catch (error) {
      if (!(error instanceof SceneError) || at === edits.length - 1) throw error;
      // A version of the scene needs a prefab as it was before or after this edit.
      const ids = error.problems.flatMap(({ entity }) => (entity === undefined ? [] : [splitId(entity)[0]]));
      throw dependent(edit, touching(edits, at, new Set(ids)), ids, error);
    }
    context.markUndone(edit.token);
    return { undone: edit.token };
  },
};

function positionOf(edits: readonly Edit[], { edit: token, author }: UndoParameters): number {
  const holds = ({ token: own }: Edit) => !isUndone(edits, own);
  const refuse = (why: string) =>
    new VerbError(`Cannot undo: ${why}`, "verbs/unknown-edit", { value: token });
  if (token === undefined) {
    for (let k = edits.length - 1; k >= 0; k--) {
      const edit = edits[k] as Edit;
      if (edit.isGap) break;
      if (edit.undoes !== undefined || !holds(edit)) continue;
      if (author === undefined || edit.author === author) return k;
    }
    throw refuse(
      `there is no edit${author === undefined ? "" : ` of ${describeValue(author)}`} to take back.`,
    );
  }
  const at = edits.findIndex((edit) => edit.token === token);
  if (at < 0) {
    throw refuse(
      `there is no edit ${describeValue(token)}. The log has ${
        edits
          .map((edit) => edit.token)
          .slice(-8)
          .join(", ") || "none"
      }.`,
    );
  }
  if (edits.slice(at).some(({ isGap }) => isGap)) {
    throw refuse(
      `the scene was changed outside the log after ${describeEdit(edits[at] as Edit)}. Change it back by hand, or take the file from version control.`,
    );
  }
  if (!holds(edits[at] as Edit)) throw refuse(`${describeEdit(edits[at] as Edit)} was already undone.`);
  return at;
}

/** Restores the former texts of prefab files. Refused if a later edit changed one again. */
function restorePrefabs({ writePrefab }: VerbContext, edits: readonly Edit[], at: number): void {
  const { prefabs = {} } = edits[at] as Edit;
  for (const [file, { before, after }] of Object.entries(prefabs)) {
    const later = edits.slice(at + 1).filter((edit) => Object.hasOwn(edit.prefabs ?? {}, file));
    const last = later[later.length - 1]?.prefabs?.[file];
    if (last !== undefined && last.after !== after) throw dependent(edits[at] as Edit, later, [file]);
    writePrefab(file, before, after);
  }
}

function merged(
  { document, format }: VerbContext,
  edits: readonly Edit[],
  at: number,
  { before, after, now }: { readonly before: SceneFile; readonly after: SceneFile; readonly now: SceneFile },
): SceneFile {
  const { state } = document;
  const files = state.prefabFiles;
  // Former versions may use prefabs that were deleted since.
  state.prefabFiles = new Map([...files, ...goneIn(edits)]);
  try {
    const { file, conflicts } = mergeScenes(format, after, now, before, state.reading);
    if (conflicts.length === 0) return file;
    throw inConflict(edits, at, conflicts);
  } finally {
    state.prefabFiles = files;
  }
}

/** The last texts of the prefab files that edits deleted. */
function goneIn(edits: readonly Edit[]): Map<string, string | null> {
  const gone = new Map<string, string | null>();
  for (const { prefabs = {} } of edits) {
    for (const [file, { before, after }] of Object.entries(prefabs)) {
      if (after === null) gone.set(file, before);
      else gone.delete(file);
    }
  }
  return gone;
}

function inConflict(edits: readonly Edit[], at: number, conflicts: readonly MergeConflict[]): VerbError {
  const ids = new Set(conflicts.flatMap(idsOf));
  return dependent(edits[at] as Edit, touching(edits, at, ids), ids);
}

/** The later edits in effect that change these entries; if there are none, all in effect, or all. */
function touching(edits: readonly Edit[], at: number, ids: ReadonlySet<string>): readonly Edit[] {
  const later = edits.slice(at + 1);
  const holds = later.filter(({ token, undoes }) => undoes === undefined && !isUndone(edits, token));
  const found = holds.filter(({ delta }) => delta.entries.some(({ id }) => ids.has(id)));
  return found.length > 0 ? found : holds.length > 0 ? holds : later;
}

/** The ids of the entries that a conflict is about. */
function idsOf({ entity, entities = [] }: MergeConflict): string[] {
  return [...(entity === null ? [] : [entity]), ...entities].map((id) => splitId(id)[0]);
}

function dependent(edit: Edit, later: readonly Edit[], ids: Iterable<string>, cause?: Error): VerbError {
  return new VerbError(
    `Cannot undo ${describeEdit(edit)}: later edits depend on it: ${later.map(describeEdit).join(", ")}. Undo those first.`,
    "verbs/dependent-edits",
    { edits: later.map(({ token }) => token), ids: [...ids], ...(cause === undefined ? {} : { cause }) },
  );
}

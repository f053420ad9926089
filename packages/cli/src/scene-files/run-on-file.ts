/**
 * Verbs on a scene file: read, change, write back, all or nothing. The command line and the tools of agents both call this.
 */
import { existsSync, rmSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { Json, PrefabSource } from "espalier/scene";
import {
  type Edit,
  openSceneDocument,
  type RunOptions,
  runBatch,
  runVerb,
  type SceneDocument,
  type VerbName,
  type VerbResult,
  type VerbStep,
  type VerbWarning,
} from "espalier/verbs";
import type { Config } from "../config.ts";
import { exitCodes, Stop } from "../exit-codes.ts";
import { prefabsOnDisk, readText, shown } from "../files.ts";
import { type NewFile, writeFiles } from "../write-files.ts";
import { editsOf, formHash, type JournalLine, journalOf, journalText, readJournal } from "./journal.ts";
import { textFor } from "./scene-text.ts";

export interface RunOnFileOptions extends RunOptions {
  /** Whether to create a journal if there is none. */
  readonly journal?: boolean;
  /** Refuses files that may not be written. */
  readonly mayWrite?: (file: string) => void;
  /** Refuses files that may not be read: prefabs, journals, branches. */
  readonly mayRead?: (file: string) => void;
  /** The `formHash` of what the caller read: a changed scene is refused. */
  readonly expected?: string;
}

/** The outcome for a file: the result of the verb, and the written files. */
export interface FileResult {
  readonly file: string;
  readonly dryRun: boolean;
  readonly token: string | null;
  readonly output: Json;
  readonly changes: VerbResult["changes"];
  readonly text: string;
  readonly warnings: readonly VerbWarning[];
  readonly problems: VerbResult["problems"];
  readonly written: readonly string[];
}

/** A scene file that was read. */
export interface OpenFile {
  readonly path: string;
  readonly text: string;
  readonly document: SceneDocument;
  readonly journal: readonly JournalLine[] | undefined;
  readonly hash: string;
}

export function openFile(path: string, config: Config, mayRead: (file: string) => void = () => {}): OpenFile {
  for (const each of [path, journalOf(path)]) mayRead(each);
  const text = readText(path);
  const journal = readJournal(path);
  let hash = "";
  const document = openSceneDocument(config.format, text, {
    file: shown(path),
    prefabs: prefabsBeside(path, config.prefabs, mayRead),
    unknown: config.file === undefined ? "keep" : "refuse",
    prefabFile: (name) => besideScene(path, resolve(dirname(path), name)),
    edits: (file) => {
      hash = formHash(file);
      return journal === undefined ? [] : editsOf(journal, file);
    },
  });
  return { path, text, document, journal, hash };
}

/**
 * Prefabs on disk, each checked before it is read, and named relative to the folder of the scene: journals hold these names, independent
 * of the current folder.
 */
function prefabsBeside(
  path: string,
  folder: string | undefined,
  mayRead: (file: string) => void,
): (name: string, from: string | undefined) => PrefabSource | undefined {
  const home = dirname(resolve(path));
  const find = prefabsOnDisk(folder, mayRead);
  return (name, from) => {
    const asking = from === undefined || from === shown(path) ? resolve(path) : resolve(home, from);
    const { file, source } = find(name, asking);
    return { file: besideScene(path, file), source };
  };
}

/** The path of a file relative to the folder of a scene. */
function besideScene(path: string, file: string): string {
  return relative(dirname(resolve(path)), resolve(file))
    .split(sep)
    .join("/");
}

/**
 * Runs one verb, or several as one edit, on a scene file.
 *
 * @param steps - One step, or an array for a batch.
 * @throws Stop when the file was changed meanwhile; nothing is written then, as for every other error.
 */
export function runOnFile(
  path: string,
  steps: VerbStep | readonly VerbStep[],
  config: Config,
  { journal, mayWrite = () => {}, mayRead, expected, ...options }: RunOnFileOptions = {},
): FileResult {
  const opened = openFile(path, config, mayRead);
  const { document } = opened;
  if (expected !== undefined && expected !== opened.hash) throw changedMeanwhile(path);
  const result: VerbResult<Json> = isBatch(steps)
    ? (runBatch(document, steps, options) as VerbResult<Json>)
    : runVerb(document, steps.verb as VerbName, (steps.parameters ?? {}) as never, options);
  const warnings = [...result.warnings];
  const written: string[] = [];
  if (result.token !== undefined) {
    const { text, areCommentsLost } = textFor(opened.text, document.scene.toFile());
    if (areCommentsLost) {
      warnings.push({ code: "lost-comments", message: `The comments of ${shown(path)} are not kept.` });
    }
    const edit = document.edits[document.edits.length - 1] as Edit;
    const files: NewFile[] = [{ file: path, text }];
    if (journal === true || opened.journal !== undefined) files.push(journalFile(opened, edit));
    writeEdit(opened, edit, files, mayWrite);
    const prefabs = Object.keys(edit.prefabs ?? {}).map((name) => resolve(dirname(path), name));
    written.push(...[...files.map(({ file }) => file), ...prefabs].map(shown));
  }
  return {
    file: shown(path),
    dryRun: options.dryRun === true,
    token: result.token ?? null,
    output: result.output,
    changes: result.changes,
    text: result.text,
    warnings,
    problems: result.problems,
    written: [...new Set(written)],
  };
}

function isBatch(steps: VerbStep | readonly VerbStep[]): steps is readonly VerbStep[] {
  return Array.isArray(steps);
}

function journalFile({ path, journal = [], document, hash }: OpenFile, edit: Edit): NewFile {
  const after = formHash(document.scene.toFile());
  const line = { at: new Date().toISOString(), before: hash, after, edit };
  return { file: journalOf(path), text: journalText([...journal, line]) };
}

function writeEdit(
  { path, text }: OpenFile,
  { prefabs = {} }: Edit,
  files: NewFile[],
  mayWrite: (file: string) => void,
): void {
  const gone: string[] = [];
  for (const [name, { before, after }] of Object.entries(prefabs)) {
    const file = resolve(dirname(path), name);
    mayWrite(file);
    const now = existsSync(file) ? readText(file) : null;
    if (now !== before) throw changedMeanwhile(file);
    if (after === null) gone.push(file);
    else files.push({ file, text: after });
  }
  for (const { file } of files) mayWrite(file);
  // As late as possible, so that changes since the file was read are not overwritten.
  if (readText(path) !== text) throw changedMeanwhile(path);
  writeFiles(files, true);
  for (const file of gone) rmSync(file, { force: true });
}

export function changedMeanwhile(file: string): Stop {
  return new Stop(
    exitCodes.problems,
    `Cannot write ${shown(file)}: it was changed meanwhile. Nothing was written; run the command again.`,
    "cli/changed-meanwhile",
  );
}

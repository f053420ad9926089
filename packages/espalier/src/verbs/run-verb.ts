/**
 * Running verbs: each call, or each batch, is one change that happens completely or not at all.
 */
import { describeValue, EspalierError } from "../ecs/index.ts";
import { transaction } from "../history/index.ts";
import { deepEqual } from "../history/internal.ts";
import { type Json, type JsonObject, SceneError, type SceneFile, type SceneProblem } from "../scene/index.ts";
import { isRecord, suggest } from "../scene/internal.ts";
import type { Change } from "./changes/change.ts";
import { compareFiles } from "./changes/compare-files.ts";
import { deltaOf, shareEntries } from "./changes/file-delta.ts";
import { printChanges } from "./changes/print-changes.ts";
import { currentFile, nextToken, SceneDocument } from "./document.ts";
import type { Edit, PrefabTexts, VerbStep } from "./edit.ts";
import { VerbError } from "./errors.ts";
import { checkParameters } from "./parameters/check-parameters.ts";
import { type VerbName, type VerbParameters, verbNamed, verbs } from "./table.ts";
import type { AnyVerb, VerbWarning } from "./verb.ts";
import { createContext, type RunningContext } from "./verb-context.ts";

/** Options of a call of a verb. */
export interface RunOptions {
  /** Whether to return the result without changing anything. */
  readonly dryRun?: boolean;
  /** Which person or program makes the edit. */
  readonly author?: string;
  /** Why it is made. */
  readonly reason?: string;
}

/** The result of a verb, or of its dry run. */
export interface VerbResult<Output = Json> {
  /** The return value of the verb: found entities, the id of a created one. For a batch: an array with that of each step. */
  readonly output: Output;
  /** Everything that changed. */
  readonly changes: readonly Change[];
  /** The same as text, a line each: `~ /tank Health.hp: 100 → 50`. */
  readonly text: string;
  /** Things to consider. */
  readonly warnings: readonly VerbWarning[];
  /** For a dry run: the problems that the scene would have, so that the call would be refused. */
  readonly problems: readonly SceneProblem[];
  /** The token to undo the edit: `runVerb(document, "undo", { edit: token })`. `undefined` for dry runs and without changes. */
  readonly token: string | undefined;
}

/**
 * Runs a verb on a document: completely, or, when it throws, not at all.
 *
 * @throws VerbError `verbs/unknown-verb`, `verbs/invalid-parameters`, `verbs/unknown-entity`, `verbs/ambiguous-path`, `verbs/unsound`, and the errors of what
 * the verb calls, such as `CircularHierarchyError`. Nothing has changed then.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const format = createSceneFormat({ components: [Health] });
 * const document = openSceneDocument(format, `{ "entities": [{ "id": "tank", "components": { "Health": {} } }] }`);
 * const values = { Health: { hp: 50 } };
 * runVerb(document, "set", { entity: "tank", values }, { dryRun: true }).text; // → "~ /tank Health.hp: 100 → 50\n"
 * const { token } = runVerb(document, "set", { entity: "tank", values }, { author: "Ada", reason: "too strong" });
 * runVerb(document, "undo", { edit: token as string }).text; // → "~ /tank Health.hp: 50 → 100\n"
 * ```
 */
export function runVerb<Name extends VerbName>(
  document: SceneDocument,
  name: Name,
  parameters: VerbParameters<Name>,
  options: RunOptions = {},
): VerbResult {
  const result = runSteps(document, [{ verb: name, parameters: parameters as JsonObject }], options);
  return { ...result, output: (result.output as Json[])[0] as Json };
}

/**
 * Runs several verbs as one edit: all of them, or, when one is refused, none. Later steps may use entities that a step creates;
 * give them an
 * `id` to refer to them.
 *
 * @throws VerbError `verbs/failed-step` with the index of the step and the reason as `cause`.
 *
 * @example
 * ```ts
 * const document = openSceneDocument(createSceneFormat({ components: [] }), `{ "entities": [] }`);
 * runBatch(document, [
 *   { verb: "create", parameters: { id: "tank" } },
 *   { verb: "create", parameters: { id: "turret", parent: "tank" } },
 * ]).text; // → "+ /tank\n+ /tank/turret\n"
 * document.edits.length; // → 1
 * ```
 */
export function runBatch(
  document: SceneDocument,
  steps: readonly VerbStep[],
  options: RunOptions = {},
): VerbResult<readonly Json[]> {
  if (!Array.isArray(steps)) {
    throw new VerbError(
      `Cannot run a batch: its steps are an array of { verb, parameters }, got ${describeValue(steps)}.`,
      "verbs/invalid-parameters",
      { value: steps },
    );
  }
  return runSteps(document, steps, options, true);
}

interface Prepared {
  readonly verb: AnyVerb;
  readonly parameters: { readonly [name: string]: unknown };
}

function runSteps(
  document: SceneDocument,
  steps: readonly VerbStep[],
  options: RunOptions,
  isBatch = false,
): VerbResult<readonly Json[]> {
  if (!(document instanceof SceneDocument)) {
    throw new VerbError(
      `Cannot run a verb: it takes a document, got ${describeValue(document)}. Pass what openSceneDocument() returned.`,
      "verbs/invalid-document",
    );
  }
  const { dryRun, author, reason } = checkedOptions(options);
  const prepared = steps.map((step, k) => inStep(isBatch, k, step, () => prepare(step, isBatch)));
  const { state, scene, format } = document;
  const warnings: VerbWarning[] = [];
  let output: Json[] = [];
  const before = currentFile(document);
  const filesBefore = state.prefabFiles;
  const runStep = (k: number): Json =>
    inStep(isBatch, k, steps[k] as VerbStep, () => {
      const { verb, parameters } = prepared[k] as Prepared;
      context.waiting.step = k;
      try {
        return verb.run(context, parameters as never);
      } catch (error) {
        // An earlier step that waits may be refused as well, and takes precedence.
        context.waiting.finish();
        throw error;
      }
    });
  const context: RunningContext = createContext(
    document,
    (warning) => warnings.push(warning),
    isBatch ? runStep : undefined,
  );
  const run = () => {
    output = prepared.map((_, k) => runStep(k));
    context.waiting.finish();
  };
  const nothing = { changes: [], text: "", problems: [], token: undefined };
  if (prepared.every(({ verb }) => verb.isReadOnly)) {
    run();
    return { ...nothing, output, warnings };
  }
  const forget = scene.remember();
  let after: SceneFile = before;
  let problems: readonly SceneProblem[] = [];
  let changes: readonly Change[] = [];
  const prefabs: { [file: string]: PrefabTexts } = {};
  try {
    inTransaction(document, labelOf(steps), () => {
      state.prefabFiles = new Map(filesBefore);
      try {
        run();
        after = shareEntries(before, scene.toFile());
        problems = format.check(after, state.reading);
      } catch (error) {
        const cause = isBatch && error instanceof VerbError ? error.cause : error;
        if (dryRun !== true || !(cause instanceof SceneError)) throw error;
        problems = cause.problems;
      }
      Object.assign(prefabs, changedPrefabs(context.prefabsBefore, state.prefabFiles));
      changes = [...compareFiles(before, after, state.defaults), ...prefabChanges(prefabs)];
      if (dryRun === true) throw new RolledBack();
      if (problems.length > 0) throw unsound(steps, problems);
    });
  } catch (error) {
    state.prefabFiles = filesBefore;
    forget();
    if (!(error instanceof RolledBack)) throw error;
    return { output, changes, text: printChanges(changes), warnings, problems, token: undefined };
  }
  const text = printChanges(changes);
  if (changes.length === 0 && deepEqual(before, after)) return { ...nothing, output, warnings };
  const token = nextToken(state.edits);
  const edit: Edit = {
    token,
    steps: steps.map(({ verb, parameters }) => (parameters === undefined ? { verb } : { verb, parameters })),
    ...(author === undefined ? {} : { author }),
    ...(reason === undefined ? {} : { reason }),
    changes,
    delta: deltaOf(before, after),
    ...(Object.keys(prefabs).length === 0 ? {} : { prefabs }),
    ...(context.undoes === undefined ? {} : { undoes: context.undoes }),
  };
  state.edits.push(edit);
  state.file = after;
  return { output, changes, text, warnings, problems: [], token };
}

/** Thrown to roll back a dry run. */
class RolledBack extends Error {}

function inTransaction(document: SceneDocument, label: string, work: () => void): void {
  const { history } = document.state;
  if (history === undefined) transaction(document.scene.tree.world, work);
  else history.transaction(label, work);
}

function labelOf(steps: readonly VerbStep[]): string {
  return steps.map(({ verb }) => verb).join(", ");
}

function checkedOptions(options: RunOptions): RunOptions {
  const kinds = { dryRun: "boolean", author: "string", reason: "string" } as const;
  const wrong = isRecord(options)
    ? Object.entries(options).find(
        ([name, value]) =>
          value !== undefined &&
          (!Object.hasOwn(kinds, name) || typeof value !== kinds[name as keyof typeof kinds]),
      )
    : (["options", options] as const);
  if (wrong === undefined) return options;
  const [option, value] = wrong;
  throw new VerbError(
    `Cannot run a verb with ${option}: ${describeValue(value)}: options are dryRun (a boolean), author and reason (strings).`,
    "verbs/invalid-parameters",
    { option, value },
  );
}

function prepare(step: VerbStep, isBatch: boolean): Prepared {
  if (!isRecord(step) || typeof step.verb !== "string") {
    throw new VerbError(
      `Cannot run ${describeValue(step)}: a step is an object with a verb and its parameters.`,
      "verbs/invalid-parameters",
      { value: step },
    );
  }
  const extra = Object.keys(step).find((key) => key !== "verb" && key !== "parameters");
  if (extra !== undefined) {
    throw new VerbError(
      `Cannot run ${step.verb}: a step has a verb and its parameters, and no ${describeValue(extra)}. Put it into the parameters.`,
      "verbs/invalid-parameters",
      { verb: step.verb, option: extra },
    );
  }
  const verb = verbNamed(step.verb);
  if (verb === undefined) {
    const names = Object.keys(verbs);
    throw new VerbError(
      `Cannot run ${describeValue(step.verb)}: there is no such verb. ${suggest(step.verb, names, "verbs")}`,
      "verbs/unknown-verb",
      { value: step.verb, verb: step.verb },
    );
  }
  if (isBatch && verb.name === "undo") {
    throw new VerbError(
      "Cannot run undo in a batch: it takes back a whole edit. Run it by itself.",
      "verbs/invalid-parameters",
      { verb: "undo" },
    );
  }
  return { verb, parameters: checkParameters(verb, step.parameters ?? {}) };
}

/** Adds the step to errors of steps in a batch. */
function inStep<Result>(isBatch: boolean, step: number, given: VerbStep, work: () => Result): Result {
  if (!isBatch) return work();
  const { verb = "without a verb" } = Object(given) as Partial<VerbStep>;
  try {
    return work();
  } catch (error) {
    // Errors of steps that waited have the step already.
    const isNamed = error instanceof VerbError && error.code === "verbs/failed-step";
    if (!(error instanceof EspalierError) || isNamed) throw error;
    throw new VerbError(
      `Cannot run the batch: step ${step + 1} (${verb}) is refused. ${error.message} Nothing has changed.`,
      "verbs/failed-step",
      { cause: error, step, verb, ...(error instanceof SceneError ? { problems: error.problems } : {}) },
    );
  }
}

function unsound(steps: readonly VerbStep[], problems: readonly SceneProblem[]): VerbError {
  const [{ message, code }] = problems as readonly [SceneProblem];
  return new VerbError(
    `Cannot run ${labelOf(steps)}: the scene would not load. ${message} (${code}${problems.length > 1 ? `, and ${problems.length - 1} more` : ""})`,
    "verbs/unsound",
    { problems, verb: steps[0]?.verb },
  );
}

function changedPrefabs(
  before: ReadonlyMap<string, string | null>,
  now: ReadonlyMap<string, string | null>,
): { [file: string]: PrefabTexts } {
  const changed: { [file: string]: PrefabTexts } = {};
  for (const [file, text] of before) changed[file] = { before: text, after: now.get(file) ?? null };
  return changed;
}

function prefabChanges(prefabs: { readonly [file: string]: PrefabTexts }): Change[] {
  return Object.entries(prefabs).map(([path, { before, after }]) => ({
    kind: "prefab-file",
    entity: null,
    path,
    ...(before === null ? {} : { before }),
    ...(after === null ? {} : { after }),
  }));
}

/**
 * Every problem and error of this room.
 *
 * Problems of a file are collected, so that one run shows all of them; a `SceneError` carries them and has the code of
 * the first. When one is thrown nothing has been loaded, saved or changed.
 */
import { type ErrorFacts, EspalierError, type FactsOf } from "../ecs/index.ts";

/** The kinds of problems of a scene file; each has a page. */
export type SceneProblemCode =
  // Reading: the text and its form.
  | "scene/syntax"
  | "scene/wrong-shape"
  | "scene/unknown-key"
  | "scene/newer-version"
  | "scene/migration"
  // Reading: entities and how they hang together.
  | "scene/invalid-id"
  | "scene/duplicate-id"
  | "scene/missing-parent"
  | "scene/cycle"
  | "scene/missing-reference"
  // Reading: components.
  | "scene/parent-component"
  | "scene/unknown-component"
  | "scene/unknown-field"
  | "scene/wrong-type"
  | "scene/out-of-range"
  | "scene/invalid-value"
  // Reading: prefabs.
  | "scene/unknown-prefab"
  | "scene/prefab-loop"
  | "scene/invalid-prefab"
  | "scene/invalid-composition"
  | "scene/unknown-override"
  // Checking: files that the scene needs.
  | "scene/missing-asset"
  // Applying overrides to a prefab.
  | "scene/own-override"
  | "scene/outside-parent"
  | "scene/removed-with-parts"
  | "scene/other-form"
  | "scene/applied-instance-lost"
  // Loading: the world or the hierarchy said no.
  | "scene/refused"
  // Saving.
  | "scene/unregistered-component"
  | "scene/outside-reference"
  | "scene/unwritable-value";

/** One thing that is wrong with a scene, and what to do about it. */
export interface SceneProblem {
  /** What kind of problem it is; each has a page in the documentation. */
  readonly code: SceneProblemCode;
  /** What is wrong and what to do, as sentences. */
  readonly message: string;
  /** The name the file was given. */
  readonly file: string | undefined;
  /** From 1; `undefined` when the scene did not come from text. */
  readonly line: number | undefined;
  /** From 1; `undefined` when the scene did not come from text. */
  readonly column: number | undefined;
  /** `entities[3].components.Health.hp`; empty for the file as a whole. */
  readonly path: string;
  /** The id of the entity it is about, if it has one. */
  readonly entity: string | undefined;
}

/** How many problems a message shows; `problems` has all. */
const shownProblems = 20;

/** A scene that cannot be loaded or saved. */
export class SceneError extends EspalierError {
  override get name(): string {
    return "SceneError";
  }
  /** Everything that is wrong with the file, in the order of the text. */
  declare readonly problems: readonly SceneProblem[];

  constructor(doing: string, facts: FactsOf<SceneError, "problems">) {
    const [{ code, path }] = facts.problems;
    super(code, summary(doing, facts.problems), { path, ...facts });
  }
}

/** A scene format, a call or options that cannot work. */
export class SceneUseError extends EspalierError {
  override get name(): string {
    return "SceneUseError";
  }
  constructor(
    message: string,
    code: "scene/invalid-format" | "scene/unknown-id" | "scene/invalid-use" | "scene/load-only",
    facts?: ErrorFacts,
  ) {
    super(code, message, facts);
  }
}

/** One line: `level.json:6:9: Entity "tank" has … (at entities[0].components.Helth) [scene/unknown-component]`. */
export function formatProblem(problem: SceneProblem): string {
  if (typeof problem !== "object" || problem === null || typeof problem.message !== "string") {
    throw new SceneUseError(
      "Cannot format a problem: the argument is not one. Pass one of error.problems.",
      "scene/invalid-use",
    );
  }
  return `${describeProblem(problem)} [${problem.code}]`;
}

function describeProblem({ file, line, column, path, message }: SceneProblem): string {
  const location = line === undefined ? (file ?? "") : `${file ?? "scene"}:${line}:${column}`;
  return `${location === "" ? "" : `${location}: `}${message}${path === "" ? "" : ` (at ${path})`}`;
}

function summary(doing: string, problems: readonly SceneProblem[]): string {
  if (problems.length === 1) return `Cannot ${doing}: ${describeProblem(problems[0])}`;
  const lines = problems.slice(0, shownProblems).map((problem) => `\n  ${formatProblem(problem)}`);
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`\n  … and ${more} more`);
  return `Cannot ${doing}, it has ${problems.length} problems:${lines.join("")}\n `;
}

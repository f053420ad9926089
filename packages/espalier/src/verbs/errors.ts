/**
 * Every error of this room. Nothing has changed when one is thrown.
 */
import { EspalierError, type FactsOf } from "../ecs/index.ts";
import type { SceneProblem } from "../scene/index.ts";

/** The kinds of errors of verbs; each has a page. */
export type VerbErrorCode =
  | "verbs/invalid-document"
  | "verbs/unknown-verb"
  | "verbs/invalid-parameters"
  | "verbs/unknown-entity"
  | "verbs/ambiguous-path"
  | "verbs/not-an-instance"
  | "verbs/unsound"
  | "verbs/failed-step"
  | "verbs/unknown-edit"
  | "verbs/dependent-edits"
  | "verbs/incomplete-pick";

/** A verb that cannot be run as it was called. */
export class VerbError extends EspalierError {
  override get name(): string {
    return "VerbError";
  }
  /** The verb that was called, if it is known. */
  declare readonly verb?: string;
  /** Existing names that are similar to the one that does not exist. */
  declare readonly nearest?: readonly string[];
  /** For `verbs/unsound`: the problems that the scene would have. */
  declare readonly problems?: readonly SceneProblem[];
  /** For `verbs/failed-step`: the index of the step in the batch. */
  declare readonly step?: number;
  /** For `verbs/dependent-edits`: the tokens of the later edits. */
  declare readonly edits?: readonly string[];
  /** The ids of the entities that it is about: for `verbs/ambiguous-path` the matching ones. */
  declare readonly ids?: readonly string[];

  constructor(
    message: string,
    code: VerbErrorCode,
    facts?: Partial<FactsOf<VerbError, "verb" | "nearest" | "problems" | "step" | "edits" | "ids">>,
  ) {
    super(code, message, facts);
  }
}

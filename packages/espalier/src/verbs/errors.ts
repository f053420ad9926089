/**
 * Every error of this room. Nothing has changed when one is thrown.
 */
import { EspalierError, type FactsOf } from "../ecs/index.ts";
import type { SceneProblem } from "../scene/index.ts";

/** What can be wrong with the call of a verb; each has a page. */
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
  /** Names that exist and are close to the one that does not. */
  declare readonly nearest?: readonly string[];
  /** Of `verbs/unsound`: what would be wrong with the scene. */
  declare readonly problems?: readonly SceneProblem[];
  /** Of `verbs/failed-step`: the position of the step in the batch, from 0. */
  declare readonly step?: number;
  /** Of `verbs/dependent-edits`: the tokens of the later edits. */
  declare readonly edits?: readonly string[];
  /** The ids of the entities that it is about: of `verbs/ambiguous-path` those that fit. */
  declare readonly ids?: readonly string[];

  constructor(
    message: string,
    code: VerbErrorCode,
    facts?: Partial<FactsOf<VerbError, "verb" | "nearest" | "problems" | "step" | "edits" | "ids">>,
  ) {
    super(code, message, facts);
  }
}

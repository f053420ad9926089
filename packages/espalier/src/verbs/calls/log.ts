/** Lists the edits of a document. */
import type { Json } from "../../scene/index.ts";
import { printChanges } from "../changes/print-changes.ts";
import { isUndone } from "../edit.ts";
import type { Verb } from "../verb.ts";

/** The parameters of `log`. */
export interface LogParameters {
  /** Only edits of this author. */
  readonly author?: string;
  /** How many edits, counted from the last. */
  readonly limit?: number;
}

export const log: Verb<LogParameters> = {
  name: "log",
  aliases: [],
  summary: "list the edits, with authors and reasons",
  isReadOnly: true,
  parameters: {
    author: { type: "string", description: "Only the edits of this author." },
    limit: { type: "integer", minimum: 1, description: "How many, the last ones; 100 if left out." },
  },
  required: [],
  operands: [],
  run({ document: { edits } }, { author, limit = 100 }) {
    const wanted = edits.filter((edit) => author === undefined || edit.author === author);
    return wanted.slice(-limit).map(
      (edit): Json => ({
        token: edit.token,
        steps: edit.steps as unknown as Json,
        author: edit.author ?? null,
        reason: edit.reason ?? null,
        text: printChanges(edit.changes),
        ...(edit.undoes === undefined ? {} : { undoes: edit.undoes }),
        ...(isUndone(edits, edit.token) ? { undone: true } : {}),
      }),
    );
  },
};

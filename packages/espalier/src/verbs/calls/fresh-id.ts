/** Ids for new entities. */
import { describeValue } from "../../ecs/index.ts";
import { idMaker } from "../../scene/internal.ts";
import { VerbError } from "../errors.ts";
import type { VerbContext } from "../verb.ts";

/** The requested id, if it is free, or one made from a name. @throws VerbError `verbs/invalid-parameters` */
export function freshId(
  { isTaken }: VerbContext,
  verb: string,
  asked: string | undefined,
  like: string | undefined,
): string {
  if (asked === undefined) return idMaker(isTaken)(like);
  const why =
    asked === "" || asked.includes("/")
      ? 'an id is a string that is not empty and has no "/"'
      : isTaken(asked)
        ? "it is taken. Choose another, or leave it out"
        : undefined;
  if (why === undefined) return asked;
  throw new VerbError(
    `Cannot run ${verb} with the id ${describeValue(asked)}: ${why}.`,
    "verbs/invalid-parameters",
    {
      verb,
      option: "id",
      value: asked,
    },
  );
}

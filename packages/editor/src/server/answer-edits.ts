/** Requests about edits and branches: the path is checked here, the keeper does the work. */
import type { EditKeeper } from "../edits/listed-edits.ts";
import { insidePath } from "./inside.ts";
import type { ProjectFolder } from "./project-files.ts";
import { Refusal } from "./refusal.ts";

/** Lists, undoes or accepts, depending on the request. */
export async function answerEdits(
  keeper: EditKeeper | undefined,
  { folder, isOwn }: ProjectFolder,
  { path, undo, accept, entities = [] }: { readonly [key: string]: unknown },
): Promise<unknown> {
  if (keeper === undefined) return { edits: [], branches: [] };
  const file = insidePath(folder, path, isOwn);
  const isList = Array.isArray(entities) && entities.every((entity) => typeof entity === "string");
  if (!isList) throw new Refusal(400, "Entities are an array of ids.");
  try {
    if (typeof undo === "string") await keeper.undo(file, undo);
    else if (typeof accept === "string") await keeper.accept(file, accept, entities);
    return await keeper.list(file);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(422, (error as Error).message);
  }
}

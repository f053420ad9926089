/** Make the scene equal to what was played. */
import type { AnyComponent } from "espalier";
import { restoreSnapshot } from "espalier/history";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/**
 * @param played - A snapshot of the world that was played, with its tree.
 * @param components - All components that the snapshot may contain.
 */
export function keepPlayed(
  document: EditorDocument,
  played: ArrayBuffer,
  components: readonly AnyComponent[],
): void {
  const { world, tree } = document;
  edit(document, document.t("step.keep"), () =>
    restoreSnapshot(world, played, { trees: [tree], components: [...components] }),
  );
}

/** Apply a file that changed on disk to the document, as a difference that can be undone. */
import type { Prefabs, ReloadSummary } from "espalier/scene";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

/** @throws SceneError when the file is broken; nothing has changed then. */
export function reloadScene(
  document: EditorDocument,
  text: string,
  options: { readonly prefabs?: Prefabs; readonly mode?: "changes" | "reset"; readonly label?: string } = {},
): ReloadSummary | undefined {
  const { scene } = document;
  if (scene === undefined) return undefined;
  const prefabs = options.prefabs ?? document.prefabs;
  const summary = edit(document, options.label ?? document.t("step.reload"), () =>
    scene.reload(text, { prefabs, unknown: "keep", mode: options.mode ?? "changes" }),
  );
  document.prefabs = prefabs;
  document.rereads++;
  return summary;
}

/**
 * The file of a prefab as a draft.
 */
import type { SceneFile } from "../file.ts";
import { readScene, requireDraft } from "../read/load.ts";
import type { Template } from "../read/node.ts";
import type { Draft } from "../read/read.ts";
import type { Registry } from "../registry.ts";

/** A prefab as it was read. */
export interface ReadPrefab {
  readonly registry: Registry;
  /** Its current form. */
  readonly form: Template;
  /** The name that scenes use for it. */
  readonly name: string;
}

/** The entities of the file itself, with prefabs inside it as instances. */
export function draftOf({ registry, form }: ReadPrefab): Draft {
  const { file, prefabs, source } = form;
  const options = { file, prefabs, unknown: "keep" } as const;
  const result = readScene(registry, source.value as unknown as SceneFile, options);
  return requireDraft(result, { lenient: true }, "write");
}

/**
 * A single prefab instance as a draft: the prefab with a patch merged in.
 */
import type { Entity } from "../../ecs/index.ts";
import type { EntityEntry } from "../file.ts";
import { type ReadResult, readScene } from "../read/load.ts";
import type { Template } from "../read/node.ts";
import type { Prefabs } from "../read/prefab-source.ts";
import type { Registry } from "../registry.ts";

/** The id that the root has in such a draft. */
export const instanceId = "instance";

/** @param patch - The instance's entry as in a file. */
export function expandPatch(
  registry: Registry,
  template: Template,
  reference: string,
  patch: Omit<EntityEntry, "id" | "prefab" | "parent">,
  options: {
    readonly lenient?: boolean;
    readonly prefabs?: Prefabs;
    readonly externals?: ReadonlyMap<string, Entity>;
  } = {},
): ReadResult {
  const { externals, ...read } = options;
  return readScene(
    registry,
    { version: registry.version, entities: [{ id: instanceId, prefab: reference, ...patch }] },
    { file: template.file, unknown: "keep", ...read },
    { given: new Map([[reference, template]]), ...(externals === undefined ? {} : { externals }) },
  );
}

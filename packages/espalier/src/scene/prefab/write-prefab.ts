/**
 * A prefab as a value, for its file.
 */
import { createWorld } from "../../ecs/index.ts";
import { createHierarchy } from "../../hierarchy/index.ts";
import { build } from "../build.ts";
import type { SceneFile } from "../file.ts";
import { isComposed } from "../read/composition.ts";
import { SceneIds } from "../write/ids.ts";
import { writeScene } from "../write/write.ts";
import { draftOf, type ReadPrefab } from "./prefab-draft.ts";

export function writePrefab(prefab: ReadPrefab): SceneFile {
  const { value } = prefab.form.source;
  // It has no entities, so it is written as it was read.
  if (isComposed(value)) {
    const { $schema, compose } = value as unknown as SceneFile;
    const keys = $schema === undefined ? {} : { $schema };
    return { ...keys, version: prefab.registry.version, compose: compose ?? [], entities: [] };
  }
  const tree = createHierarchy(createWorld());
  const draft = draftOf(prefab);
  const entities = build(tree, draft, null);
  const ids = new SceneIds();
  entities.forEach((entity, k) => {
    // Entities inside an instance get their ids when it is written.
    if (!draft.nodes[k].isInside) ids.set(entity, draft.nodes[k].id);
  });
  const tops = draft.children.of(-1).map((k) => entities[k]);
  return writeScene({
    tree,
    registry: prefab.registry,
    ids,
    tops,
    keys: draft.keys,
    doing: `save ${prefab.name}`,
    options: {},
  });
}

/** What other rooms of this package use of `scene`. Not published. */
export { isRecord } from "./arguments.ts";
export { SceneFormat } from "./format.ts";
export { renameReferences } from "./merge/references.ts";
export { prefabNamed } from "./prefab/prefab-named.ts";
export { isComposedSource } from "./read/composition.ts";
export { idMaker } from "./read/link.ts";
export { nearest, suggest } from "./read/nearest.ts";
export { Scene } from "./scene.ts";
export { ComponentWriter } from "./write/component-writer.ts";

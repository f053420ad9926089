/**
 * Loads the WebAssembly kernels, for tests that ask for them: from here on a world that wants one has it at once. Import it for its effect.
 */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createInherited, loadKernel, sum, zIndex } from "espalier/inherit";
import { createTransforms2D, createTransforms3D } from "espalier/transform";

const tree = createHierarchy(createWorld());
const kernel = "wasm";
await Promise.all(
  [
    createTransforms2D(tree, { kernel }),
    createTransforms3D(tree, { kernel, name: "solid" }),
    createInherited(tree, { ...zIndex, combine: sum("z") }, { kernel }),
  ].map(loadKernel),
);

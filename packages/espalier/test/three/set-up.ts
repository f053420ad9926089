import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms3D } from "espalier/transform";

/** A world with a tree and a space. */
export function setUp() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms3D(tree);
  return { world, tree, space };
}

/**
 * Development help: where no ancestor of a transform has one, it was probably forgotten there.
 */

import type { AnyComponent, Entity } from "../../ecs/index.ts";
import { DEVELOPMENT } from "../../ecs/internal.ts";
import { Ghost, type Hierarchy } from "../../hierarchy/index.ts";
import { InheritTransform } from "../spaces/inherit-mask.ts";

/** Every look costs a query over all transforms: a help while a scene takes shape, too much for every frame. */
const MOST_CHECKS = 8;

/** Makes a function that looks for one, if the tree has changed since the last look, and warns once for all. */
export function createUnrootedWarning(
  tree: Hierarchy,
  component: AnyComponent,
  warn: (message: string) => void = (message) => console.warn(message),
): () => void {
  if (!DEVELOPMENT) return () => undefined;
  const { world } = tree;
  let checksLeft = world.checks ? MOST_CHECKS : 0;
  let checkedVersion = -1;
  return () => {
    if (checksLeft === 0 || checkedVersion === tree.version) return;
    checksLeft--;
    checkedVersion = tree.version;
    for (const entity of world.query(component)) {
      const parent = bareParent(tree, component, entity);
      if (parent === null) continue;
      checksLeft = 0;
      const { name } = component;
      warn(
        `${tree.label(entity)} has a ${name}, but none of its ancestors has: it will not follow them. Add a ${name} to ${tree.label(parent)} if it should.`,
      );
      return;
    }
  };
}

/** The nearest ancestor that is no ghost, if neither it nor one above has the component; nothing if all is well. */
function bareParent(tree: Hierarchy, component: AnyComponent, entity: Entity): Entity | null {
  const { world } = tree;
  if (world.get(entity, InheritTransform)?.topLevel) return null;
  let nearest: Entity | null = null;
  for (let up = tree.parentOf(entity); up !== null; up = tree.parentOf(up)) {
    if (world.has(up, component)) return null;
    if (!world.has(up, Ghost)) nearest ??= up;
  }
  return nearest;
}

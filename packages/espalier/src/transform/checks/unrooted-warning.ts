/**
 * Development help: where no ancestor of a transform has one, it was probably forgotten there.
 */

import type { AnyComponent, Entity } from "../../ecs/index.ts";
import { INDEX_MASK, stateOf } from "../../ecs/internal.ts";
import { Ghost, type Hierarchy } from "../../hierarchy/index.ts";
import { treeOf } from "../../hierarchy/internal.ts";
import { InheritTransform } from "../spaces/inherit-mask.ts";

/** Every look costs a query over all transforms: a help while a scene takes shape, too much for every frame. */
const MOST_CHECKS = 8;

export class UnrootedWarning {
  private readonly tree: Hierarchy;
  private readonly component: AnyComponent;
  private readonly warn: (message: string) => void;
  private checksLeft: number;
  private checkedVersion = -1;

  constructor(tree: Hierarchy, component: AnyComponent, warn: ((message: string) => void) | undefined) {
    this.tree = tree;
    this.component = component;
    this.warn = warn ?? ((message) => console.warn(message));
    this.checksLeft = tree.world.checks ? MOST_CHECKS : 0;
  }

  /** Looks for one, if the tree has changed since the last look, and warns once for all. */
  check(): void {
    if (this.checksLeft === 0 || this.checkedVersion === this.tree.version) return;
    this.checksLeft--;
    this.checkedVersion = this.tree.version;
    for (const entity of this.tree.world.query(this.component)) {
      const parent = this.bareParent(entity);
      if (parent === 0) continue;
      this.checksLeft = 0;
      const { tree, component } = this;
      const label = tree.label(tree.handleAt(parent));
      this.warn(
        `${tree.label(entity)} has a ${component.name}, but none of its ancestors has: it will not follow them. Add a ${component.name} to ${label} if it should.`,
      );
      return;
    }
  }

  /** The nearest ancestor that is no ghost, if neither it nor one above has the component; 0 if all is well. */
  private bareParent(entity: Entity): number {
    const { tree, component } = this;
    const { world } = tree;
    const { links } = treeOf(tree);
    if (world.get(entity, InheritTransform)?.topLevel) return 0;
    let nearest = 0;
    for (let up = links.parent(entity & INDEX_MASK); up > 0; up = links.parent(up)) {
      const ancestor = stateOf(world).handleAt(up);
      if (world.has(ancestor, component)) return 0;
      if (nearest === 0 && !world.has(ancestor, Ghost)) nearest = up;
    }
    return nearest;
  }
}

/**
 * World transforms for tools that inspect entities.
 */
import type { AnyComponent, Entity } from "../../ecs/index.ts";
import { provideComputed } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";

interface ShownSpace {
  readonly tree: Hierarchy;
  readonly name: string;
  readonly component: AnyComponent;
  worldOf(entity: Entity): object;
}

/** Shows the world transforms of a space wherever entities are inspected; those without a transform have none. */
export function showWorlds(space: ShownSpace): void {
  const { world } = space.tree;
  provideComputed(world, space.tree.name, {
    name: `${space.name} transform`,
    compute: (entity) => {
      if (!world.has(entity, space.component)) return undefined;
      const values = space.worldOf(entity);
      return ArrayBuffer.isView(values) ? Array.from(values as Float64Array) : { ...values };
    },
  });
}

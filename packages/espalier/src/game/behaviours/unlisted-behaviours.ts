/**
 * Warns, in development builds, about behaviours that entities have and the game does not run, because they are not listed.
 */
import { type AnyComponent, listComponents, type World } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import type { Behaviour } from "./behaviour.ts";

/** Steps between two checks after the first steps: a check goes through all combinations of components. */
const STEPS_BETWEEN_CHECKS = 60;

/**
 * Makes the function that checks, to be called in every step. Warns once about each such behaviour.
 *
 * @param isListed - Whether the game runs the behaviour of a component.
 */
export function createUnlistedWarning(
  { world, tree }: { readonly world: World; readonly tree: Hierarchy },
  isListed: (component: AnyComponent) => boolean,
  onWarn: (message: string) => void,
): () => void {
  const warned = new Set<AnyComponent>();
  let steps = 0;
  return () => {
    if (steps++ >= STEPS_BETWEEN_CHECKS && steps % STEPS_BETWEEN_CHECKS !== 0) return;
    for (const { name, count } of listComponents(world)) {
      const component = count === 0 ? undefined : world.componentNamed(name);
      if (component === undefined || !isBehaviour(component) || isListed(component) || warned.has(component))
        continue;
      warned.add(component);
      const entity = world.query(component).first();
      const owner = entity === null ? "an entity" : tree.label(entity);
      onWarn(
        `${owner} has the behaviour ${name}, which does not run: the game does not know it. List it: createGame({ behaviours: [${name}] }).`,
      );
    }
  };
}

function isBehaviour(component: AnyComponent): boolean {
  return (component as Partial<Behaviour<never>>).behaviour !== undefined;
}

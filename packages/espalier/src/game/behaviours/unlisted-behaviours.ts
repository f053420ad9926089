/**
 * Warns, in development builds, about components of entities that have no effect, because the game lacks the behaviour or
 * option that runs them.
 */
import { type AnyComponent, listComponents, type World } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import type { Behaviour } from "./behaviour.ts";

/** Steps between two checks after the first steps: a check visits all combinations of components. */
const STEPS_BETWEEN_CHECKS = 60;

/** The options that run components, by the names of these: importing the components would put them into every bundle. */
const neededOptions: { readonly [component: string]: string } = {
  ParticleEmitter: "particles: ({ space }) => createParticles(space)",
  Timers: "timers: createTimers",
  Tweens: "timers: createTimers",
  Sequences: "timers: createTimers",
};

/**
 * Creates the check function, to be called in every step. Warns once about each such component.
 *
 * @param isListed - Whether the game runs the behaviour of a component.
 * @param hasOption - Whether the game was given an option.
 */
export function createUnlistedWarning(
  { world, tree }: { readonly world: World; readonly tree: Hierarchy },
  isListed: (component: AnyComponent) => boolean,
  hasOption: (name: string) => boolean,
  onWarn: (message: string) => void,
): () => void {
  const warned = new Set<AnyComponent>();
  let steps = 0;
  return () => {
    if (steps++ >= STEPS_BETWEEN_CHECKS && steps % STEPS_BETWEEN_CHECKS !== 0) return;
    for (const { name, count } of listComponents(world)) {
      const component = count === 0 ? undefined : world.componentNamed(name);
      if (component === undefined || warned.has(component)) continue;
      const option = Object.hasOwn(neededOptions, name) ? (neededOptions[name] as string) : undefined;
      const isIdle =
        option === undefined
          ? isBehaviour(component) && !isListed(component)
          : !hasOption(option.slice(0, option.indexOf(":")));
      if (!isIdle) continue;
      warned.add(component);
      const entity = world.query(component).first();
      const owner = entity === null ? "an entity" : tree.label(entity);
      onWarn(
        option === undefined
          ? `${owner} has the behaviour ${name}, which does not run: the game does not know it. List it: createGame({ behaviours: [${name}] }).`
          : `${owner} has ${name}, which does nothing: the game was made without what runs it. Add it: createGame({ ${option} }).`,
      );
    }
  };
}

function isBehaviour(component: AnyComponent): boolean {
  return (component as Partial<Behaviour<never>>).behaviour !== undefined;
}

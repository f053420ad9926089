/**
 * The names in asset fields of a world's entities.
 */
import { type Component, listComponents, type Schema, type World } from "../../ecs/index.ts";

/** All names, of any kind. */
export function usedNames(world: World): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name } of listComponents(world)) {
    const component = world.componentNamed(name);
    const fields = Object.entries(component?.schema ?? {}).filter(([, { asset }]) => asset !== undefined);
    if (component === undefined || fields.length === 0) continue;
    for (const entity of world.query(component)) {
      const values = world.get(entity, component as Component<Schema>) as {
        readonly [field: string]: unknown;
      };
      for (const [field] of fields) names.add(values[field] as string);
    }
  }
  return names;
}

/** Calls that find entities, and read and write their values. */
import {
  type Component,
  describeValue,
  type Entity,
  inspect,
  listComponents,
  nearestName,
  type Schema,
} from "../../ecs/index.ts";
import { findAll, HierarchyError } from "../../hierarchy/index.ts";
import type { Json } from "../../scene/index.ts";
import type { Game } from "../game-api.ts";
import { type CallDefinition, Refusal } from "./definition.ts";
import { plainJson } from "./plain-json.ts";

const mostFound = 1000;

const entityParameter = {
  type: "entity",
  description: 'The path of names, such as "/level/tank", or the number that find gives.',
} as const;

export const find: CallDefinition = {
  name: "find",
  summary: "find entities by path, name or component",
  isReadOnly: true,
  parameters: {
    path: { type: "string", description: 'A path with wildcards: "/level/*", "**/tank".' },
    name: { type: "string", description: "The exact name." },
    component: { type: "string", description: "The name of a component that it has." },
    limit: { type: "integer", description: "How many are given, up to 1,000; 100 if left out." },
  },
  required: [],
  run: ({ game }, { path, name, component, limit = 100 }) => {
    const { world, tree } = game;
    const has = component === undefined ? undefined : componentNamed(game, component as string);
    let found: readonly Entity[];
    if (path !== undefined) found = byPath(game, path as string);
    else found = has === undefined ? world.entities() : [...world.query(has)];
    if (has !== undefined && path !== undefined) found = found.filter((entity) => world.has(entity, has));
    if (name !== undefined) found = found.filter((entity) => tree.nameOf(entity) === name);
    const shown = found.slice(0, Math.min(limit as number, mostFound));
    return { count: found.length, entities: shown.map((entity) => labelOf(game, entity)) };
  },
};

export const read: CallDefinition = {
  name: "read",
  summary: "the values of an entity, its position in the world, its parent and children",
  isReadOnly: true,
  parameters: { entity: entityParameter },
  required: ["entity"],
  run: ({ game }, { entity: reference }) => {
    const { tree, world, space } = game;
    const entity = entityNamed(game, reference as string | number);
    const parent = tree.parentOf(entity);
    const { components } = inspect(world, entity);
    const own = components.filter(({ reserved }) => reserved === undefined);
    return {
      ...labelOf(game, entity),
      parent: parent === null ? null : labelOf(game, parent),
      children: tree
        .childrenOf(entity)
        .slice(0, mostFound)
        .map((child) => labelOf(game, child)),
      components: Object.fromEntries(own.map(({ name, values }) => [name, plainJson(values)])),
      world: world.has(entity, space.component) ? plainJson(game.getWorldTransform(entity)) : null,
      isVisible: game.entity(entity).isVisible,
    };
  },
};

export const write: CallDefinition = {
  name: "write",
  summary: "write values of components that an entity has, all of them or none",
  isReadOnly: false,
  parameters: {
    entity: entityParameter,
    values: {
      type: "object",
      description: 'Components with fields, in the form that read gives: { "Health": { "hp": 3 } }.',
    },
  },
  required: ["entity", "values"],
  run: ({ game }, { entity: reference, values }) => {
    const { world } = game;
    const entity = entityNamed(game, reference as string | number);
    const inits = Object.entries(values as { readonly [name: string]: Json }).map(([name, fields]) => {
      const component = componentNamed(game, name);
      if (!world.has(entity, component))
        throw new Refusal(`${game.tree.label(entity)} has no component ${name}`);
      if (typeof fields !== "object" || fields === null || Array.isArray(fields))
        throw new Refusal(`the values of ${name} are not an object`);
      for (const field of Object.keys(fields)) {
        if (!Object.hasOwn(component.schema, field))
          throw new Refusal(
            `${name} has no field ${describeValue(field)}. ${nearestName(field, Object.keys(component.schema))}`,
          );
      }
      return { component, fields: fields as { readonly [field: string]: Json } };
    });
    // One call, which validates before it writes.
    world.set(entity, ...inits.map(({ component, fields }) => component(fields as never)));
    return {
      ...labelOf(game, entity),
      components: Object.fromEntries(
        inits.map(({ component }) => [component.name, plainJson(world.get(entity, component))]),
      ),
    };
  },
};

function labelOf({ tree }: Game, entity: Entity): { [key: string]: Json } {
  return { id: entity, name: tree.nameOf(entity) ?? null, path: shortPath(tree, entity) };
}

/** Up to this depth the whole path of an entity is returned. */
const deepest = 64;

function shortPath(tree: Game["tree"], entity: Entity): string {
  return tree.depthOf(entity) > deepest ? `…/${tree.nameOf(entity) ?? "*"}` : tree.pathOf(entity);
}

function byPath({ tree }: Game, pattern: string): readonly Entity[] {
  try {
    return findAll(tree, pattern);
  } catch (error) {
    if (error instanceof HierarchyError) throw new Refusal(error.message);
    throw error;
  }
}

function entityNamed(game: Game, reference: string | number): Entity {
  const { world, tree } = game;
  if (typeof reference === "number") {
    if (world.isAlive(reference)) return reference as Entity;
    throw new Refusal(`there is no entity ${reference}, or no longer. find lists those that live`);
  }
  const [found, ...more] = byPath(game, reference);
  if (more.length > 0) {
    throw new Refusal(
      `${more.length + 1} entities have the path ${describeValue(reference)}. Give the number of one: find lists them`,
    );
  }
  if (found !== undefined) return found;
  const depth = reference.split("/").filter((part) => part !== "").length - 1;
  const names: string[] = [];
  for (const entity of world.entities()) {
    if (names.length >= mostFound) break;
    if (tree.depthOf(entity) === depth) names.push(tree.pathOf(entity));
  }
  throw new Refusal(`there is no entity ${describeValue(reference)}. ${nearestName(reference, names)}`);
}

function componentNamed({ world }: Game, name: string): Component<Schema> {
  const known = listComponents(world).filter(({ reserved }) => reserved === undefined);
  const component = world.componentNamed(name);
  if (component !== undefined && known.some((each) => each.name === name))
    return component as Component<Schema>;
  const names = known.map((each) => each.name);
  throw new Refusal(`the game has no component ${describeValue(name)}. ${nearestName(name, names)}`);
}

/**
 * What a `key` function can read of a world in its current state.
 */
import type { Component, Schema, World } from "../../ecs/index.ts";
import { stateOf } from "../../ecs/internal.ts";
import { type AnyTree, hasChildren } from "../state.ts";
import type { StateReader } from "./keyed-state.ts";

export function worldReader(world: World, trees: readonly AnyTree[]): StateReader {
  return {
    get(entity, name) {
      const component = stateOf(world).componentNamed(name) as Component<Schema> | undefined;
      return component === undefined ? undefined : world.get(entity, component);
    },
    nameOf(entity, name) {
      const tree = trees.find((each) => each.name === name);
      return tree !== undefined && hasChildren(tree) ? tree.nameOf(entity) : undefined;
    },
  };
}

/** The trees of the worlds that a program has made, as data for the page. */
import { type Entity, inspect, type World } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import { formatValue } from "./format-value.ts";
import type { DrawnNode, DrawnTree } from "./messages.ts";

/** More are not drawn. */
const limit = 200;

/** What a program has made so far. */
export interface Made {
  readonly worlds: World[];
  readonly trees: Hierarchy[];
}

/** Every tree; for a world without one, its entities as a list. Worlds that were disposed are left out. */
export function drawTrees({ worlds, trees }: Made): DrawnTree[] {
  return worlds.flatMap((world, index) => {
    try {
      const own = trees.filter((tree) => tree.world === world);
      const name = worlds.length > 1 ? `World ${index + 1}` : "World";
      if (own.length === 0) return [drawWorld(world, `${name}: ${entities(world.count)}`)];
      return own.map((tree) =>
        drawTree(
          tree,
          own.length > 1 || worlds.length > 1 ? `${name}, ${tree.name}` : `Tree: ${entities(world.count)}`,
        ),
      );
    } catch {
      return [];
    }
  });
}

const entities = (count: number) => (count === 1 ? "1 entity" : `${count} entities`);

function drawWorld(world: World, title: string): DrawnTree {
  const all = [...world.entities()];
  const nodes = all.slice(0, limit).map((entity) => drawNode(world, entity, "", 0));
  return { title, nodes, hidden: all.length - nodes.length };
}

function drawTree(tree: Hierarchy, title: string): DrawnTree {
  const { world } = tree;
  const nodes: DrawnNode[] = [];
  let count = 0;
  const draw = (entity: Entity, depth: number) => {
    if (++count > limit) return;
    nodes.push(drawNode(world, entity, tree.nameOf(entity) ?? "", depth));
  };
  for (const top of [...tree.roots()]) {
    draw(top, 0);
    for (const entity of [...tree.descendants(top)]) draw(entity, tree.depthOf(entity));
  }
  return { title, nodes, hidden: Math.max(0, count - limit) };
}

function drawNode(world: World, entity: Entity, name: string, depth: number): DrawnNode {
  const { components, index, generation } = inspect(world, entity);
  return {
    key: String(entity),
    label: `${name}#${index}${generation > 0 ? `v${generation}` : ""}`,
    depth,
    components: components.map(({ name, values }) => ({
      name,
      values: Object.keys(values).length === 0 ? "" : formatValue(values, 2, 90),
    })),
  };
}

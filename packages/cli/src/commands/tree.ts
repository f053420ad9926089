/**
 * `espalier tree <file>`: the tree of a scene, with positions.
 */
import { type AnyComponent, type Component, createWorld, type Entity, indexOf, type Schema } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { instanceOf, type Scene } from "espalier/scene";
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { prefabsOnDisk, readText, shown } from "../files.ts";
import type { Output } from "../output.ts";
import { type Places, placesOf } from "../places.ts";

export interface TreeOptions extends ConfigOptions {
  readonly depth?: string;
  readonly lines?: string;
  readonly components?: boolean;
}

interface Row {
  readonly entity: Entity;
  readonly depth: number;
  /** For each level above, whether a sibling follows there. */
  readonly prefix: string;
  readonly isLast: boolean;
}

export async function tree(output: Output, options: TreeOptions, path: string): Promise<ExitCode> {
  const most = { depth: count(options.depth, "depth"), lines: count(options.lines, "lines") };
  const file = shown(path);
  const config = await loadConfig(options);
  const hierarchy = createHierarchy(createWorld());
  const places = await placesOf(hierarchy, config.format);
  output.progress(`Loading ${file}`);
  const scene = config.format.load(hierarchy, readText(path), {
    file,
    prefabs: prefabsOnDisk(config.prefabs),
    unknown: "keep",
  });
  if (output.isJson) {
    const entities = [...rows(scene, hierarchy, most.depth)].map(({ entity, depth }) =>
      describeAsJson(scene, hierarchy, places, entity, depth),
    );
    output.json({ file, entities });
    return exitCodes.ok;
  }
  let left = 0;
  let drawn = 0;
  for (const row of rows(scene, hierarchy, most.depth)) {
    if (drawn++ < most.lines)
      output.line(draw(output, scene, hierarchy, places, row, options.components !== false));
    else left++;
  }
  if (left > 0) output.line(`… and ${left} more`);
  if (hierarchy.world.count === 0) output.line("(no entities)");
  return exitCodes.ok;
}

function count(text: string | undefined, name: string): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= 0) return value;
  throw new Stop(exitCodes.usage, `--${name} takes an integer of at least 0, got ${text}.`);
}

/** All entities in pre-order. A stack, because scenes may be deep. */
function* rows(scene: Scene, hierarchy: Hierarchy, maxDepth: number): Generator<Row> {
  const stack: Row[] = [];
  const push = (entities: readonly Entity[], prefix: string, depth: number) => {
    for (let k = entities.length - 1; k >= 0; k--) {
      stack.push({ entity: entities[k] as Entity, depth, prefix, isLast: k === entities.length - 1 });
    }
  };
  push(scene.roots(), "", 0);
  while (stack.length > 0) {
    const row = stack.pop() as Row;
    yield row;
    if (row.depth >= maxDepth) continue;
    // Nobody can read an indent of more than forty levels.
    const inner =
      row.depth === 0 ? "" : row.depth < 40 ? row.prefix + (row.isLast ? "   " : "│  ") : row.prefix;
    push(hierarchy.childrenOf(row.entity), inner, row.depth + 1);
  }
}

function draw(
  output: Output,
  scene: Scene,
  hierarchy: Hierarchy,
  places: Places,
  { entity, depth, prefix, isLast }: Row,
  withComponents: boolean,
): string {
  const branch = depth === 0 ? "" : `${prefix}${isLast ? "└─ " : "├─ "}`;
  const parts = [`${output.style("dim", branch)}${output.style("bold", scene.idOf(entity) ?? "?")}`];
  const name = hierarchy.nameOf(entity);
  if (name !== undefined) parts.push(JSON.stringify(name));
  const place = places.of(entity);
  if (place !== undefined) {
    parts.push(output.style("cyan", tuple(place.local)));
    if (tuple(place.local) !== tuple(place.world))
      parts.push(`${output.style("dim", "world")} ${tuple(place.world)}`);
  }
  const prefab = prefabOf(hierarchy, entity);
  if (prefab !== undefined) parts.push(output.style("yellow", `prefab ${prefab}`));
  const names = withComponents ? componentsOf(hierarchy, entity).map(({ name }) => name) : [];
  if (names.length > 0) parts.push(output.style("dim", `[${names.join(" ")}]`));
  return parts.join(" ");
}

function tuple(numbers: readonly number[]): string {
  return `(${numbers.map((number) => String(Number(number.toFixed(3)) + 0)).join(", ")})`;
}

/** The prefab of an instance's root; nothing for all others. */
function prefabOf(hierarchy: Hierarchy, entity: Entity): string | undefined {
  const instance = instanceOf(hierarchy, entity);
  return instance?.root === entity ? instance.prefab : undefined;
}

function componentsOf(hierarchy: Hierarchy, entity: Entity): AnyComponent[] {
  return (hierarchy.world.archetypeAt(indexOf(entity))?.stores ?? []).map(({ component }) => component);
}

function describeAsJson(
  scene: Scene,
  hierarchy: Hierarchy,
  places: Places,
  entity: Entity,
  depth: number,
): object {
  const parent = hierarchy.parentOf(entity);
  const components = componentsOf(hierarchy, entity).map((component) => [
    component.name,
    hierarchy.world.get(entity, component as Component<Schema>),
  ]);
  return {
    id: scene.idOf(entity),
    name: hierarchy.nameOf(entity) ?? null,
    parent: parent === null ? null : scene.idOf(parent),
    depth,
    prefab: prefabOf(hierarchy, entity) ?? null,
    ...places.of(entity),
    components: Object.fromEntries(components),
  };
}

/**
 * `espalier tree <file>`: the tree of a scene, with positions.
 */
import { basename } from "node:path";
import {
  type AnyComponent,
  type Component,
  createWorld,
  type Entity,
  fieldTypeOf,
  inspect,
  type Schema,
} from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { instancesIn, parseScene, type Scene, sceneComponents } from "espalier/scene";
import { type ConfigOptions, loadConfig } from "../config.ts";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { prefabsOnDisk, readText, shown, sizeOf } from "../files.ts";
import type { Output } from "../output.ts";
import { plainText, shortened } from "../plain-text.ts";
import { type PositionReader, positionsOf } from "../transforms.ts";

export interface TreeOptions extends ConfigOptions {
  readonly depth?: string;
  readonly lines?: string;
  readonly components?: boolean;
}

/** A loaded scene, and what is shown of it. */
interface View {
  readonly scene: Scene;
  readonly hierarchy: Hierarchy;
  readonly positions: PositionReader;
  /** The prefabs of instances, by their roots. */
  readonly prefabs: ReadonlyMap<Entity, string>;
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
  const text = readText(path);
  const config = await loadConfig(options, path);
  const hierarchy = createHierarchy(createWorld());
  const positions = await positionsOf(hierarchy, config.format);
  output.progress(`Loading ${file} (${sizeOf(text)})`, text.length);
  const composed = isComposed(text, file);
  // A prefab that is composed of others is not a scene: what an instance of it comes to is shown.
  const shownScene = composed ? { entities: [{ prefab: `./${basename(file)}` }] } : text;
  const scene = config.format.load(hierarchy, shownScene, {
    file: composed ? `${file} (an instance)` : file,
    prefabs: prefabsOnDisk(config.prefabs),
    unknown: "keep",
  });
  const prefabs = new Map(instancesIn(hierarchy).map(({ root, prefab }) => [root, prefab]));
  const view = { scene, hierarchy, positions, prefabs };
  if (output.isJson) {
    const entities = [...rows(view, most.depth)].map((row) => describeAsJson(view, row));
    output.json({ file, entities });
    return exitCodes.ok;
  }
  let left = 0;
  let drawn = 0;
  for (const row of rows(view, most.depth)) {
    if (drawn++ < most.lines) output.line(draw(output, view, row, options.components !== false));
    else left++;
  }
  if (left > 0) output.line(`… and ${left} more`);
  if (hierarchy.world.count === 0) output.line("(no entities)");
  return exitCodes.ok;
}

function isComposed(text: string, file: string): boolean {
  return text.includes('"compose"') && parseScene(text, { file }).compose !== undefined;
}

function count(text: string | undefined, name: string): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= 0) return value;
  throw new Stop(exitCodes.usage, `--${name} takes an integer of at least 0, got ${text}.`);
}

/** All entities in pre-order. A stack, because scenes may be deep. */
function* rows({ scene, hierarchy }: View, maxDepth: number): Generator<Row> {
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
    // An indent of more than forty levels is unreadable.
    const inner =
      row.depth === 0 ? "" : row.depth < 40 ? row.prefix + (row.isLast ? "   " : "│  ") : row.prefix;
    push(hierarchy.childrenOf(row.entity), inner, row.depth + 1);
  }
}

function draw(
  output: Output,
  { scene, hierarchy, positions, prefabs }: View,
  { entity, depth, prefix, isLast }: Row,
  withComponents: boolean,
): string {
  const branch = depth === 0 ? "" : `${prefix}${isLast ? "└─ " : "├─ "}`;
  const parts = [
    `${output.style("dim", branch)}${output.style("bold", shortened(scene.idOf(entity) ?? "?", output.width / 2))}`,
  ];
  const name = hierarchy.nameOf(entity);
  if (name !== undefined) parts.push(JSON.stringify(shortened(plainText(name), output.width / 2)));
  const at = positions.of(entity);
  if (at !== undefined) {
    parts.push(output.style("cyan", tuple(at.local)));
    if (tuple(at.local) !== tuple(at.world)) parts.push(`${output.style("dim", "world")} ${tuple(at.world)}`);
  }
  const prefab = prefabs.get(entity);
  if (prefab !== undefined)
    parts.push(output.style("yellow", `prefab ${shortened(prefab, output.width / 2)}`));
  const names = withComponents ? componentsOf(hierarchy, entity).map(({ name }) => name) : [];
  if (names.length > 0) parts.push(output.style("dim", `[${shortened(names.join(" "), output.width)}]`));
  return parts.join(" ");
}

function tuple(numbers: readonly number[]): string {
  return `(${numbers.map((number) => String(Number(number.toFixed(3)) + 0)).join(", ")})`;
}

function componentsOf(hierarchy: Hierarchy, entity: Entity): AnyComponent[] {
  // Components that scenes use internally; by name, because the project may have another copy of the library.
  const own = new Set(sceneComponents.map(({ name }) => name));
  return inspect(hierarchy.world, entity)
    .components.map(({ component }) => component)
    .filter(({ name }) => !own.has(name));
}

/** One of several references, or a pair, with the id of its target. */
function withId(scene: View["scene"], item: unknown): unknown {
  if (typeof item !== "object" || item === null) return scene.idOf(item as Entity) ?? null;
  const { target, ...data } = item as { target: Entity };
  return { target: scene.idOf(target) ?? null, ...data };
}

function describeAsJson({ scene, hierarchy, positions, prefabs }: View, { entity, depth }: Row): object {
  const parent = hierarchy.parentOf(entity);
  const components = componentsOf(hierarchy, entity).map((component) => {
    const values = hierarchy.world.get(entity, component as Component<Schema>) as {
      [field: string]: unknown;
    };
    // Outside this program only ids identify entities.
    for (const [field, spec] of Object.entries(component.schema)) {
      const value = values[field];
      const { valueKind } = fieldTypeOf(spec);
      if (valueKind === "entity" && value !== null) values[field] = scene.idOf(value as Entity) ?? null;
      if (valueKind === "entities") values[field] = (value as unknown[]).map((item) => withId(scene, item));
    }
    return [component.name, values];
  });
  return {
    id: scene.idOf(entity),
    name: hierarchy.nameOf(entity) ?? null,
    parent: parent === null ? null : scene.idOf(parent),
    depth,
    prefab: prefabs.get(entity) ?? null,
    ...positions.of(entity),
    components: Object.fromEntries(components),
  };
}

/** Trees from text and trees as text, for tests that compare whole trees. */
import { createWorld, type Entity, type World, type WorldOptions } from "espalier";
import { createHierarchy, type Hierarchy, type HierarchyOptions } from "espalier/hierarchy";
import { EulerTour, treeOf } from "espalier/internal/hierarchy";
import { createRandom } from "../random.ts";

export interface Planted {
  readonly world: World;
  readonly tree: Hierarchy;
  /** The entities by their names. */
  readonly e: { readonly [name: string]: Entity };
}

/** Plants `level(tank(turret(gun)) hangar) other`: names, children in brackets, siblings separated by blanks. */
export function plant(
  text: string,
  options: HierarchyOptions = {},
  worldOptions: WorldOptions = {},
): Planted {
  const world = createWorld(worldOptions);
  const tree = createHierarchy(world, options);
  return { world, tree, e: plantInto(tree, text) };
}

/** Plants into a tree that is there already. */
export function plantInto(tree: Hierarchy, text: string): { [name: string]: Entity } {
  const e: { [name: string]: Entity } = {};
  const parents: (Entity | null)[] = [null];
  let last: Entity | null = null;
  for (const token of text.match(/[^\s()]+|[()]/g) ?? []) {
    if (token === "(") parents.push(last);
    else if (token === ")") parents.pop();
    else {
      last = tree.attachNew(parents.at(-1) ?? null);
      tree.setName(last, token);
      e[token] = last;
    }
  }
  return e;
}

/** The subtree of `entity`, or the whole forest, in the form that `plant` reads. */
export function drawn(tree: Hierarchy, entity?: Entity): string {
  const name = (it: Entity) => tree.nameOf(it) ?? `#${it & 0x3fffff}`;
  const draw = (it: Entity): string => {
    const children = tree.childrenOf(it);
    return children.length === 0 ? name(it) : `${name(it)}(${children.map(draw).join(" ")})`;
  };
  return entity === undefined ? [...tree.roots()].map(draw).join(" ") : draw(entity);
}

/** The names of some entities, in order. */
export function names(tree: Hierarchy, entities: Iterable<Entity>): string {
  return Array.from(entities, (entity) => tree.nameOf(entity) ?? `#${entity & 0x3fffff}`).join(" ");
}

/** What `call` throws. */
export function thrown(call: () => unknown): Error & { code?: string; entities?: readonly Entity[] } {
  try {
    call();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

/** A world whose errors are kept instead of logged. */
export function plantQuietly(
  text: string,
  options: HierarchyOptions = {},
): Planted & { readonly errors: Error[] } {
  const errors: Error[] = [];
  const planted = plant(text, options, { onError: (error) => errors.push(error) });
  return { ...planted, errors };
}

/** A chain of `length` entities, each the only child of the one before. */
export function chain(tree: Hierarchy, length: number): Entity[] {
  const all: Entity[] = [tree.attachNew(null)];
  for (let k = 1; k < length; k++) all.push(tree.attachNew(all[k - 1]!));
  return all;
}

/** Repeatable chance: integers from 0 to `below` - 1. */
export function dice(seed: number): (below: number) => number {
  const random = createRandom(seed);
  return (below) => Math.floor(random() * below);
}

/**
 * How often `work` looks at a link of the tree or turns the tour of its depths: what something costs, the same on every machine.
 */
export function looksAtLinks(tree: Hierarchy, work: () => void): number {
  const { links } = treeOf(tree);
  let looks = 0;
  for (const name of ["parent", "first", "last", "prev", "next"] as const) {
    const look = links[name];
    links[name] = (node) => {
      looks++;
      return look.call(links, node);
    };
  }
  const { rotate } = EulerTour.prototype;
  EulerTour.prototype.rotate = function (at) {
    looks++;
    rotate.call(this, at);
  };
  try {
    work();
  } finally {
    EulerTour.prototype.rotate = rotate;
    for (const name of ["parent", "first", "last", "prev", "next"]) Reflect.deleteProperty(links, name);
  }
  return looks;
}

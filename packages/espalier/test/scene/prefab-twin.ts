/**
 * Prefabs inside prefabs, the slow and obvious way: every instance is a fresh copy of everything its prefab comes to, made by
 * plain recursion. And files to compare it with.
 */
import type { Entity } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import type { SceneFile } from "espalier/scene";
import { Aim, Health, Position } from "./scenes.ts";

export interface Entry {
  id: string;
  name?: string;
  parent?: string;
  prefab?: string;
  components?: { [name: string]: { [field: string]: unknown } | null };
  overrides?: { [target: string]: Change | null };
  order?: string[];
  children?: Entry[];
}
export type Change = Omit<Partial<Entry>, "id" | "prefab" | "overrides">;
/** A file; one that is composed of others has no entities, and the name of itself. */
export interface File {
  entities: Entry[];
  compose?: string[];
  file?: string;
}
export type Files = { [name: string]: File };

/** An entity of the slow twin. */
export interface Plain {
  id: string;
  name: string | undefined;
  components: { [name: string]: { [field: string]: unknown } };
  at: Plain | undefined;
  parent: Plain | undefined;
  children: Plain[];
}

export class Broken extends Error {}

export interface Expanded {
  readonly roots: readonly Plain[];
  readonly byId: ReadonlyMap<string, Plain>;
}

export function below(from: readonly Plain[]): Plain[] {
  return from.flatMap((node) => [node, ...below(node.children)]);
}

/** Everything a file comes to. @throws Broken when the file cannot be used. */
export function expand(files: Files, file: File): Expanded {
  const all: Plain[] = [];
  const parents: [Plain, string][] = [];
  const references: [Plain, string][] = [];
  const orders: [Plain, string[]][] = [];

  const say = (node: Plain, { name, parent, order, components = {} }: Change) => {
    if (name !== undefined) node.name = name;
    if (parent !== undefined) parents.push([node, parent]);
    if (order !== undefined) orders.push([node, order]);
    for (const [key, json] of Object.entries(components)) {
      if (json === null) {
        if (node.components[key] === undefined) throw new Broken(`${node.id} has no ${key}`);
        delete node.components[key];
        if (key === "Aim") node.at = undefined;
        continue;
      }
      node.components[key] = { ...node.components[key], ...json };
      if (key === "Aim" && "at" in json) references.push([node, json.at as string]);
    }
  };

  const visit = (entry: Entry, parent: Plain | undefined) => {
    const later: [Entry[], Plain][] = [];
    let node: Plain;
    if (entry.prefab === undefined) {
      node = { id: entry.id, name: undefined, components: {}, at: undefined, parent, children: [] };
      all.push(node);
    } else {
      const inner = expand(files, files[entry.prefab] as File);
      if (inner.roots.length !== 1) throw new Broken("not one root");
      node = inner.roots[0] as Plain;
      const targets = new Map<Plain, Change | null>();
      for (const [key, change] of Object.entries(entry.overrides ?? {})) {
        const target = inner.byId.get(key) ?? byNames(node, key);
        if (target === undefined || target === node || targets.has(target)) throw new Broken(key);
        targets.set(target, change);
      }
      const members = below(node.children);
      for (const member of members) member.id = `${entry.id}/${member.id}`;
      node.id = entry.id;
      node.parent = parent;
      const removed = new Set<Plain>();
      for (const member of members) {
        const change = targets.get(member);
        const isGone =
          change === null || (removed.has(member.parent as Plain) && change?.parent === undefined);
        if (isGone) removed.add(member);
      }
      all.push(node, ...members.filter((member) => !removed.has(member)));
      for (const [target, change] of targets) {
        if (change === null || removed.has(target)) continue;
        say(target, change);
        if (change.children !== undefined) later.unshift([change.children, target]);
      }
    }
    say(node, entry);
    for (const [list, above] of [[entry.children ?? [], node] as const, ...later]) {
      for (const child of list) visit(child, above);
    }
  };
  for (const entry of file.entities) visit(entry, undefined);
  if (file.compose !== undefined) all.push(...composed(files, file));

  const byId = new Map(all.map((node) => [node.id, node]));
  const find = (id: string) => {
    const node = byId.get(id);
    if (node === undefined) throw new Broken(`no ${id}`);
    return node;
  };
  for (const [node, id] of parents) node.parent = find(id);
  for (const [node, id] of references) node.at = find(id);
  for (const node of all) if (node.at !== undefined && !all.includes(node.at)) throw new Broken("gone");
  const roots: Plain[] = [];
  for (const node of all) node.children = [];
  for (const node of all) (node.parent?.children ?? roots).push(node);
  for (const node of all) {
    let steps = 0;
    for (let up = node.parent; up !== undefined; up = up.parent)
      if (++steps > all.length) throw new Broken("circle");
  }
  for (const [node, order] of orders) {
    const wanted = order.map((id) => {
      const byOwnId = byId.get(id);
      const child = byOwnId?.parent === node ? byOwnId : node.children.find(({ name }) => name === id);
      if (child === undefined) throw new Broken(`order ${id}`);
      return child;
    });
    if (new Set(wanted).size < wanted.length) throw new Broken("order twice");
    node.children = [...wanted, ...node.children.filter((child) => !wanted.includes(child))];
  }
  return { roots, byId };
}

/** One root with what the roots of all have. */
function composed(files: Files, { compose = [], file = "" }: File): Plain[] {
  const root: Plain = {
    id: file,
    name: undefined,
    components: {},
    at: undefined,
    parent: undefined,
    children: [],
  };
  const all = [root];
  const roots = compose.map((name) => {
    const inner = expand(files, files[name] as File);
    if (inner.roots.length !== 1) throw new Broken("not one root");
    return inner.roots[0] as Plain;
  });
  if (new Set(roots.map(({ id }) => id)).size < roots.length) throw new Broken("the same id");
  for (const top of roots) {
    const members = below(top.children);
    for (const member of members) {
      member.id = `${top.id}/${member.id}`;
      if (member.parent === top) member.parent = root;
      if (member.at === top) member.at = root;
    }
    if (top.name !== undefined) root.name = top.name;
    for (const [key, json] of Object.entries(top.components)) {
      root.components[key] = { ...root.components[key], ...json };
      if (key === "Aim" && "at" in json) root.at = top.at === top ? root : top.at;
    }
    all.push(...members);
  }
  return all;
}

function byNames(root: Plain, key: string): Plain | undefined {
  let at: Plain | undefined = root;
  for (const segment of key.split("/")) {
    at = at?.children.find(({ name, id }) => name === segment || id === segment);
  }
  return at;
}

/** The slow twin as text, one line per entity. */
export function plainLines({ roots }: Pick<Expanded, "roots">): string[] {
  return below(roots).map(({ id, name, components, at, children }) => {
    const { Aim: aim, ...others } = components;
    return lineOf(
      id,
      name,
      others,
      aim === undefined ? "none" : at?.id,
      children.map((child) => child.id),
    );
  });
}

/** The same of entities in a world. */
export function worldLines(
  tree: Hierarchy,
  from: readonly Entity[],
  idOf: (entity: Entity) => string,
): string[] {
  const { world } = tree;
  const lines: string[] = [];
  for (const root of from) {
    for (const entity of tree.descendants(root, { includeSelf: true })) {
      const components: { [name: string]: unknown } = {};
      if (world.has(entity, Position)) components.Position = world.get(entity, Position);
      if (world.has(entity, Health)) components.Health = { hp: world.get(entity, Health)?.hp };
      const at = world.has(entity, Aim) ? world.get(entity, Aim)?.at : undefined;
      const aim = at === undefined ? "none" : at === null ? undefined : idOf(at);
      const children = tree.childrenOf(entity).map(idOf);
      lines.push(lineOf(idOf(entity), tree.nameOf(entity), components, aim, children));
    }
  }
  return lines;
}

function lineOf(
  id: string,
  name: string | undefined,
  components: { [name: string]: unknown },
  aim: string | undefined,
  children: readonly string[],
): string {
  const { Position: position, Health: health } = components as {
    [name: string]: { [field: string]: number } | undefined;
  };
  const at = position === undefined ? "-" : `${position.x ?? 0},${position.y ?? 0}`;
  const hp = health === undefined ? "-" : (health.hp ?? 100);
  return `${id} ${name} at ${at} hp ${hp} aims ${aim} over ${children.join(" ")}`;
}

// Random files -----------------------------------------------------------------------------------------------------------

export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39) >>> 0;
    return ((mixed ^ (mixed >>> 16)) >>> 0) % limit;
  };
}

/**
 * Prefabs `0`, `1`, … each of which may contain later ones, once or several times, and change what is in them. Some are composed of
 * later ones.
 */
export function randomFiles(random: Random, count: number): Files {
  const files: Files = {};
  for (let k = count - 1; k >= 0; k--) {
    const inner = Object.keys(files);
    files[k] = randomComposition(random, files, inner, k) ?? randomFile(random, files, inner, 1, `p${k}-`);
  }
  return files;
}

function randomComposition(
  random: Random,
  files: Files,
  inner: readonly string[],
  k: number,
): File | undefined {
  if (inner.length < 2 || random(100) >= 30) return undefined;
  const compose = [...inner].sort(() => random(3) - 1).slice(0, 2 + random(2));
  const file: File = { entities: [], compose, file: String(k) };
  return expandedOr(files, file) === undefined ? undefined : file;
}

export function randomFile(
  random: Random,
  files: Files,
  inner: readonly string[],
  roots: number,
  prefix = "e",
): File {
  let last = 0;
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const chance = (percent: number) => random(100) < percent;
  const components = (): NonNullable<Entry["components"]> => {
    const made: NonNullable<Entry["components"]> = {};
    if (chance(50)) made.Position = { [pick(["x", "y"])]: random(9) };
    if (chance(30)) made.Health = { hp: random(50) };
    return made;
  };
  const entry = (depth: number): Entry => {
    const made: Entry = { id: `${prefix}${last++}` };
    if (chance(50)) made.name = `n${random(4)}`;
    made.components = components();
    if (inner.length > 0 && chance(40)) {
      // Mostly the next one, so that chains grow long.
      made.prefab = chance(70) ? (inner[inner.length - 1] as string) : pick(inner);
      made.overrides = overrides(made.prefab, depth);
    }
    if (depth < 2) made.children = Array.from({ length: random(3) }, () => entry(depth + 1));
    return made;
  };
  const overrides = (prefab: string, depth: number): NonNullable<Entry["overrides"]> => {
    const made: NonNullable<Entry["overrides"]> = {};
    const {
      roots: [root],
      byId,
    } = expand(files, files[prefab] as File);
    const ids = [...byId.keys()].filter((id) => byId.get(id) !== root);
    for (let k = random(4); k > 0 && ids.length > 0; k--) {
      const target = pick(ids);
      const names: string[] = [];
      for (let up = byId.get(target); up !== root; up = up?.parent) names.unshift(up?.name ?? up?.id ?? "");
      const key = chance(30) ? names.join("/") : target;
      if (chance(12)) made[key] = null;
      else {
        const change: Change = { components: components() };
        if (chance(20)) change.name = `n${random(4)}`;
        if (chance(20) && depth < 3) change.children = [entry(depth + 1)];
        const has = Object.keys(byId.get(target)?.components ?? {}).filter((name) => name !== "Aim");
        if (has.length > 0 && chance(10)) change.components = { [pick(has)]: null };
        made[key] = change;
      }
    }
    return made;
  };
  const file: File = { entities: Array.from({ length: roots }, () => entry(0)) };
  if (chance(50)) file.entities = flat(file.entities);
  connect(random, files, file);
  return file;
}

/** Adds what needs to know all entities of a file: references, orders, other parents. Broken additions are taken back. */
function connect(random: Random, files: Files, file: File): void {
  const attempt = (change: () => () => void) => {
    const before = expandedOr(files, file);
    const undo = change();
    const after = expandedOr(files, file);
    if (after === undefined || (before !== undefined && before.roots.length !== after.roots.length)) undo();
  };
  const expanded = expandedOr(files, file);
  if (expanded === undefined) {
    // An override removes what something refers to, or a path of names that another override leads to.
    stripOverrides(file.entities);
    return;
  }
  const ids = [...expanded.byId.keys()];
  const pick = () => ids[random(ids.length)] as string;
  for (let k = random(5); k > 0; k--) {
    attempt(() => {
      const entry = entryOf(files, file, pick());
      const what = random(10);
      if (entry === undefined) return () => {};
      const before = { ...entry };
      if (what < 6) entry.components = { ...entry.components, Aim: { at: pick() } };
      else if (what < 8) {
        const children = expandedOr(files, file)?.byId.get(before.id as string)?.children ?? [];
        const shuffled = children.map((child) => child.id).sort(() => random(3) - 1);
        entry.order = shuffled.slice(0, random(shuffled.length + 1));
      } else if (entry.id === undefined || entry.parent !== undefined) entry.parent = pick();
      return () => {
        delete entry.order;
        delete entry.parent;
        Object.assign(entry, { components: {} }, before);
      };
    });
  }
}

function expandedOr(files: Files, file: File): Expanded | undefined {
  try {
    return expand(files, file);
  } catch (error) {
    if (error instanceof Broken) return undefined;
    throw error;
  }
}

/** Where a file says something about the entity of that id; made if need be. */
function entryOf(files: Files, file: File, id: string): (Change & { id?: string }) | undefined {
  const cut = id.indexOf("/");
  const own = ownEntries(file.entities).find((entry) => entry.id === (cut < 0 ? id : id.slice(0, cut)));
  if (own === undefined || cut < 0) return own;
  own.overrides ??= {};
  const inner = expandedOr(files, files[own.prefab as string] as File);
  const target = inner?.byId.get(id.slice(cut + 1));
  for (const [key, change] of Object.entries(own.overrides)) {
    const at = inner?.byId.get(key) ?? byNames(inner?.roots[0] as Plain, key);
    if (at === target) return change ?? undefined;
  }
  const made: Change = {};
  own.overrides[id.slice(cut + 1)] = made;
  return made;
}

function ownEntries(list: readonly Entry[]): Entry[] {
  return list.flatMap((entry) => [
    entry,
    ...ownEntries(entry.children ?? []),
    ...Object.values(entry.overrides ?? {}).flatMap((change) => ownEntries(change?.children ?? [])),
  ]);
}

/** The same entries, each on its own, some of them before their parents. */
function flat(list: readonly Entry[], parent?: string): Entry[] {
  return list.flatMap(({ children = [], ...entry }, k) => {
    const own = parent === undefined ? entry : { ...entry, parent };
    const others = flat(children, entry.id);
    return k % 3 === 2 && parent !== undefined ? [...others, own] : [own, ...others];
  });
}

function stripOverrides(list: readonly Entry[]): void {
  for (const entry of ownEntries(list)) delete entry.overrides;
}

/** A file of the twin as the library takes it. */
export function fileOf(file: File): SceneFile {
  const { file: _, ...said } = file;
  return JSON.parse(JSON.stringify(said)) as SceneFile;
}

/**
 * Compares a scene with its re-imported export: the differences are exactly what was lost. Entities are matched
 * by their position in the tree, because names and ids may have to change.
 */

import type { EntityEntry } from "espalier/scene";
import type { NotCarried } from "./exported.ts";

/** Two entries of one entity, and those of its parent. */
interface Pair {
  readonly a: EntityEntry;
  readonly b: EntityEntry;
  readonly above: Pair | undefined;
}

export function lostBetween(before: readonly EntityEntry[], after: readonly EntityEntry[]): NotCarried[] {
  const [ours, theirs] = [childrenIn(before), childrenIn(after)];
  const lists = listsOf(before, ours);
  const lost: NotCarried[] = [];
  /** The new id of an entity, by its old one. */
  const renamed = new Map<string, string>();
  const pairs: Pair[] = [];
  const match = (keyA: string, keyB: string, above: Pair | undefined) => {
    const others = theirs.get(keyB) ?? [];
    (ours.get(keyA) ?? []).forEach((a, k) => {
      const b = others[k];
      if (b === undefined) {
        lost.push({ entity: `${pathOf(above)}/${labelOf(a)}`, what: "the entity itself, with all below it" });
        return;
      }
      renamed.set(a.id as string, b.id as string);
      pairs.push({ a, b, above });
    });
  };
  match("", "", undefined);
  // The array grows while it is walked: parents come before their children.
  for (const pair of pairs) {
    const [from, to] = [pair.a.id as string, pair.b.id as string];
    for (const key of lists.get(from) ?? []) match(key, `${to}${key.slice(from.length)}`, pair);
  }
  for (const pair of pairs)
    compareEntry(pair.a, pair.b, renamed, (what) => lost.push({ entity: pathOf(pair), what }));
  return lost;
}

/** The lists of children of an entity: its own, and those added to entities inside an instance. */
function listsOf(
  entries: readonly EntityEntry[],
  children: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, readonly string[]> {
  const ids = new Set(entries.map(({ id }) => id));
  const lists = new Map<string, string[]>();
  for (const key of children.keys()) {
    let owner = key;
    while (!ids.has(owner) && owner.includes("/")) owner = owner.slice(0, owner.lastIndexOf("/"));
    const list = lists.get(owner);
    if (list === undefined) lists.set(owner, [key]);
    else list.push(key);
  }
  return lists;
}

function labelOf({ name, id }: EntityEntry): string {
  return name ?? (id as string);
}

/** How many levels of a path are shown. */
const shownLevels = 64;

function pathOf(pair: Pair | undefined): string {
  const names: string[] = [];
  for (let at = pair; at !== undefined; at = at.above) {
    if (names.length === shownLevels) return `…/${names.reverse().join("/")}`;
    names.push(labelOf(at.a));
  }
  return names
    .reverse()
    .map((name) => `/${name}`)
    .join("");
}

/** Entries by their parent; the roots under "". */
function childrenIn(entries: readonly EntityEntry[]): Map<string, EntityEntry[]> {
  const lists = new Map<string, EntityEntry[]>();
  for (const entry of entries) {
    const key = entry.parent ?? "";
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [entry]);
    else list.push(entry);
  }
  return lists;
}

function compareEntry(
  a: EntityEntry,
  b: EntityEntry,
  renamed: ReadonlyMap<string, string>,
  lost: (what: string) => void,
): void {
  if ((a.name ?? null) !== (b.name ?? null))
    lost(
      a.name == null
        ? `that it has no name; it is called ${b.name}`
        : `name, which became ${JSON.stringify(b.name ?? null)}`,
    );
  if (a.prefab !== b.prefab)
    lost(a.prefab === undefined ? "that it is no instance" : `instance of ${a.prefab}`);
  const order = a.order?.map((id) => renamed.get(id) ?? id);
  if (!isSame(order, b.order)) lost("order of children");
  compareComponents(a.components ?? {}, b.components ?? {}, "", lost);
  const targets = new Set([...Object.keys(a.overrides ?? {}), ...Object.keys(b.overrides ?? {})]);
  for (const target of targets) {
    const [mine, theirs] = [a.overrides?.[target], b.overrides?.[target]];
    if (isSame(mine, theirs)) continue;
    const { components: some = {}, ...rest } = (mine ?? {}) as EntityEntry;
    const { components: other = {}, ...more } = (theirs ?? {}) as EntityEntry;
    if (mine === null || !isSame(rest, more)) lost(`what is said about ${target} of the instance`);
    compareComponents(some, other, `${target} `, lost);
  }
}

type Components = NonNullable<EntityEntry["components"]>;

function compareComponents(a: Components, b: Components, of: string, lost: (what: string) => void): void {
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [mine, theirs] = [a[name], b[name]];
    if (isSame(mine, theirs)) continue;
    if (!Object.hasOwn(b, name)) lost(`component ${of}${name}`);
    else if (!Object.hasOwn(a, name)) lost(`that it has no component ${of}${name}`);
    else for (const path of differingPaths(mine, theirs)) lost(`value of ${of}${name}${path}`);
  }
}

/** How deeply differing values are compared: Props hold data of the tool under its name. */
const deepest = 3;

function differingPaths(a: unknown, b: unknown): string[] {
  const found: string[] = [];
  const stack = [{ a, b, path: "", depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { a: mine, b: theirs, path, depth } = next;
    if (isSame(mine, theirs)) continue;
    if (depth >= deepest || !isRecord(mine) || !isRecord(theirs)) {
      found.push(path);
      continue;
    }
    for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)]))
      stack.push({ a: mine[key], b: theirs[key], path: `${path}.${key}`, depth: depth + 1 });
  }
  return found.sort();
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether values are equal. Numbers are compared to six digits: fields hold 32 bits, and formats round. */
function isSame(a: unknown, b: unknown): boolean {
  const stack: (readonly [unknown, unknown])[] = [[a, b]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [mine, theirs] = next;
    if (Object.is(mine, theirs)) continue;
    if (typeof mine === "number" && typeof theirs === "number") {
      if (Math.abs(mine - theirs) > 1e-6 * Math.max(Math.abs(mine), Math.abs(theirs))) return false;
      continue;
    }
    if (typeof mine !== "object" || typeof theirs !== "object" || mine === null || theirs === null)
      return false;
    const [keys, others] = [Object.keys(mine), Object.keys(theirs)];
    if (Array.isArray(mine) !== Array.isArray(theirs) || keys.length !== others.length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(theirs, key)) return false;
      stack.push([(mine as { [key: string]: unknown })[key], (theirs as { [key: string]: unknown })[key]]);
    }
  }
  return true;
}

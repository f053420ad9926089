/**
 * Edits of one part of a list of references. Each selected entity has a list of its own, which a game may change at any time: an edit
 * is made of the list that it has then, and keeps the rest.
 */
import type { Entity } from "espalier";

/** An entry of a relation with data. */
export type Pair = { readonly target: Entity; readonly [name: string]: unknown };
export type Item = Entity | Pair;

/** Returns the new list of an entity, which is equal to its own one when nothing changes. */
export type ListEdit = (list: readonly Item[]) => readonly Item[];

/** Which entry of each list is edited. */
export interface Entry {
  readonly at: number;
  /** Its target, if that of all lists is the same: the index may be another one by now. */
  readonly target: Entity | undefined;
}

export function targetOf(item: Item): Entity {
  return typeof item === "object" ? item.target : item;
}

/** Adds a target at the end, unless the list has it. */
export function adding(target: Entity, hasData: boolean): ListEdit {
  return (list) => (hasTarget(list, target) ? list : [...list, hasData ? { target } : target]);
}

/** Gives an entry another target, unless the list has that one; its data stays. */
export function retargeting(entry: Entry, target: Entity): ListEdit {
  return (list) =>
    hasTarget(list, target)
      ? list
      : changing(entry, (item) => (typeof item === "object" ? { ...item, target } : target))(list);
}

export function removing(entry: Entry): ListEdit {
  return (list) => {
    const at = indexIn(list, entry);
    return list.filter((_, k) => k !== at);
  };
}

/** Changes one value of a pair. */
export function settingDatum(entry: Entry, name: string, value: unknown): ListEdit {
  return changing(entry, (item) => ({ ...(item as Pair), [name]: value }));
}

function changing(entry: Entry, change: (item: Item) => Item): ListEdit {
  return (list) => {
    const at = indexIn(list, entry);
    return list.map((item, k) => (k === at ? change(item) : item));
  };
}

function indexIn(list: readonly Item[], { at, target }: Entry): number {
  return target === undefined ? at : list.findIndex((item) => targetOf(item) === target);
}

function hasTarget(list: readonly Item[], target: Entity): boolean {
  return list.some((item) => targetOf(item) === target);
}

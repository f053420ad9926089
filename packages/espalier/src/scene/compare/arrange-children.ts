/**
 * Children in the order of a draft.
 */
import type { Entity } from "../../ecs/index.ts";
import { previousInList } from "../../hierarchy/index.ts";
import type { Draft } from "../read/read.ts";
import type { Work } from "./prepare.ts";

/** Puts the children of a node, or for -1 the roots, into the order of the draft if that order changed. */
export function arranger(work: Work): (k: number) => void {
  const { tree, before, after, entities, former, later, added, moved, parent: top, keepRoots } = work;

  /** Whether children are in the order of the former draft, with new ones after them. */
  const isInOrder = (k: number, children: readonly number[], draft: Draft) => {
    if (children.length < 2 || (k >= 0 && former[k] < 0)) return true;
    let at = 0;
    for (const child of draft.children.of(k < 0 ? -1 : former[k])) {
      const j = later[child];
      if (j >= 0 && after.nodes[j].parent === k && children[at++] !== j) return false;
    }
    return true;
  };

  /** Whether only entities unknown to the draft are between the two. */
  const standsBehind = (
    entity: Entity,
    previous: Entity | undefined,
    known: ReadonlySet<Entity | undefined>,
  ) => {
    let at = previousInList(tree, entity);
    while (at !== null && at !== previous && !known.has(at)) at = previousInList(tree, at);
    return at === (previous ?? null);
  };

  return (k) => {
    const parent = k < 0 ? top : entities[k];
    if (parent === undefined || (k < 0 && keepRoots)) return;
    const children = after.children.of(k);
    if (children.length === 0 || (before !== undefined && isInOrder(k, children, before.draft))) return;
    const known = new Set(children.map((child) => entities[child]));
    let previous: Entity | undefined;
    for (const child of children) {
      const entity = entities[child];
      if (entity === undefined || tree.parentOf(entity) !== parent) continue;
      if (!standsBehind(entity, previous, known)) {
        tree.moveChild(entity, previous === undefined ? "first" : { after: previous });
        if (!added.has(child)) moved.add(child);
      }
      previous = entity;
    }
  };
}

/**
 * Taking the parent away, from one or several.
 */
import type { Entity } from "../../ecs/index.ts";
import { childNodes, subtreeNodes } from "../links/measure.ts";
import { nodeOf } from "../nodes.ts";
import { distinctNodes, requireAttachable } from "../rules/plan.ts";
import { refusal } from "../rules/refuse.ts";
import type { TreeState } from "../state.ts";
import { placeKeeping } from "./attach.ts";
import { keeping } from "./keep.ts";
import { place, together } from "./place.ts";

/** Makes the entity the last root. `false` when it is a root already. */
export function detach(t: TreeState, child: Entity, keep: string | undefined): boolean {
  t.ecs.requireUnasked("detach");
  const node = nodeOf(t, child, "detach");
  if (t.links.parent(node) === 0) return false;
  const error = refusal(t, node, 0);
  if (error !== undefined) throw error;
  return keep === undefined ? place(t, node, 0, 0) : placeKeeping(t, node, 0, 0, keep);
}

/** Makes several roots, in the given order. */
export function detachMany(t: TreeState, children: readonly Entity[], keep: string | undefined): void {
  toRoots(t, distinctNodes(t, children, "detach"), keep);
}

/** Makes all children of `parent` roots, in order. */
export function detachChildren(t: TreeState, parent: Entity, keep: string | undefined): void {
  toRoots(t, childNodes(t, nodeOf(t, parent, "detach the children")), keep);
}

/** Makes the entity and each of its children a root. */
export function isolate(t: TreeState, entity: Entity, keep: string | undefined): void {
  const node = nodeOf(t, entity, "isolate");
  toRoots(t, [node, ...childNodes(t, node)], keep);
}

/** Makes the entity and everything below it roots without children, in pre-order. */
export function dissolve(t: TreeState, entity: Entity, keep: string | undefined): void {
  toRoots(t, [...subtreeNodes(t, nodeOf(t, entity, "dissolve"))], keep);
}

/** Those that are roots already are passed over. */
function toRoots(t: TreeState, nodes: readonly number[], keep: string | undefined): void {
  t.ecs.requireUnasked("detach");
  const moving = nodes.filter((node) => t.links.parent(node) !== 0);
  requireAttachable(t, moving, 0);
  const finish = keeping(
    t,
    keep,
    moving.map((node) => [node, 0]),
  );
  together(t, () => {
    for (const node of moving) place(t, node, 0, 0);
    finish();
  });
}

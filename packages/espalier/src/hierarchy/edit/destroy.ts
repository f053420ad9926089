/**
 * What happens to the tree when entities are destroyed.
 *
 * The world asks which others go along (`collect`, `dependents`), tells who wants to know before (`tellDestroying`), has the
 * children that live on sent away (`unbind`) and lets the rest go, children first (`leaving`). `destroy` is the call of users,
 * with a policy of its own.
 */
import type { Entity } from "../../ecs/index.ts";
import { IndexList } from "../../ecs/internal.ts";
import { childNodes } from "../links/measure.ts";
import { entityAt, nodeOf, report } from "../nodes.ts";
import type { DestroyOptions, DestroyPolicy } from "../options.ts";
import { requirePlan } from "../rules/plan.ts";
import { mayGo, tooMany } from "../rules/refuse.ts";
import type { TreeState } from "../state.ts";
import { emitDestroyed } from "./emit.ts";
import { keeping } from "./keep.ts";
import { place, rename, together } from "./place.ts";
import { recordLeaving } from "./record.ts";

// The call -----------------------------------------------------------------------------------------------------------------

/** Destroys an entity; `false` when it is dead already. A child that may not go where it is sent makes the call throw. */
export function destroy(t: TreeState, entity: Entity, options: DestroyOptions): boolean {
  const { world } = t;
  const policy = options.children ?? (options.keep === undefined ? undefined : t.onDestroy);
  if (policy === undefined || !world.isAlive(entity)) return world.destroy(entity);
  const node = nodeOf(t, entity, "destroy");
  t.ecs.requireUnlocked("destroy an entity");
  return together(t, () => {
    if (policy !== "cascade") sendAway(t, node, policy, options.keep ?? t.options.keep);
    else if (t.onDestroy !== "cascade") destroyBelow(t, node);
    return world.destroy(entity) || !world.isAlive(entity);
  });
}

/** Children first, because the policy of the hierarchy would save them. */
function destroyBelow(t: TreeState, node: number): void {
  const list = new IndexList();
  t.links.collect(node, list, undefined);
  const below = Array.from(list.ids.subarray(0, list.count - 1), (each) => entityAt(t, each));
  for (const entity of below) t.world.destroy(entity);
}

/** Sends the children away before their parent is destroyed, or throws. */
function sendAway(t: TreeState, node: number, policy: DestroyPolicy, keep: string | undefined): void {
  const to = policy === "adopt" ? t.links.parent(node) : 0;
  const children = childNodes(t, node);
  const error = tooMany(t, to, children.length, t.links.count(to) - 1);
  if (error !== undefined) throw error;
  const plan = new Map(children.map((child) => [child, to]));
  requirePlan(t, plan, node);
  const finish = keeping(t, keep, plan);
  sendChildren(t, node, policy);
  finish();
}

// Which --------------------------------------------------------------------------------------------------------------------

/** Whether `child` dies with its parent: by the policy, or because no rule lets it live elsewhere. */
function goesWith(t: TreeState, child: number, parent: number): boolean {
  return t.onDestroy === "cascade" || homeOf(t, child, parent, t.onDestroy) === undefined;
}

/** Pushes the children that die with a node, last one first. */
export function dependents(t: TreeState, node: number, doomed: number[]): void {
  for (let child = t.links.last(node); child !== 0; child = t.links.prev(child)) {
    if (goesWith(t, child, node)) doomed.push(child);
  }
}

/** Lists a node and everything that dies with it, children first, but for what is marked as listed. */
export function collect(t: TreeState, node: number, doomed: IndexList, met: Uint8Array | undefined): void {
  if (t.onDestroy === "cascade") {
    t.links.collect(node, doomed, met);
    return;
  }
  const stack = [node];
  while (stack.length > 0) {
    const top = stack.pop() as number;
    // A negative entry marks the way back up.
    if (top < 0) {
      doomed.push(-top);
      if (met !== undefined) met[-top] = 1;
    } else if (met?.[top] !== 1) {
      stack.push(-top);
      dependents(t, top, stack);
    }
  }
}

/** Tells `onDestroying` of all that are going to die, parents first. */
export function tellDestroying(t: TreeState, { ids, count }: IndexList): void {
  if (t.destroyingListeners.length === 0) return;
  const entities: Entity[] = [];
  // Children stand before their parents in the list.
  for (let k = count - 1; k >= 0; k--) entities.push(entityAt(t, ids[k]));
  for (const entity of entities) {
    for (const listener of t.destroyingListeners) {
      try {
        listener(entity);
      } catch (error) {
        report(t, error);
      }
    }
  }
}

// The children that live on ------------------------------------------------------------------------------------------------

/** Sends the children of a dying node away. `alone`: all of them, whatever the rules say; their own end, if any, comes later. */
export function unbind(t: TreeState, node: number, alone: boolean): void {
  const { links, notices } = t;
  if (links.first(node) === 0) return;
  // Listeners are told when the world has settled.
  notices.hold();
  if (t.onDestroy !== "cascade") sendChildrenKeeping(t, node);
  if (alone) {
    for (let child = links.first(node); child !== 0; child = links.first(node)) placeNamed(t, child, 0, 0, 0);
  }
  notices.unhold();
}

/** By the policy of the hierarchy, with what that keeps. What cannot be kept is reported: the parent dies anyway. */
function sendChildrenKeeping(t: TreeState, node: number): void {
  const { keep } = t.options;
  const finishes: (() => void)[] = [];
  if (keep !== undefined) {
    for (const child of childNodes(t, node)) {
      const to = homeOf(t, child, node, t.onDestroy);
      if (to !== undefined) reporting(t, () => finishes.push(keeping(t, keep, [[child, to]])));
    }
  }
  sendChildren(t, node, t.onDestroy);
  for (const finish of finishes) reporting(t, finish);
}

function reporting(t: TreeState, work: () => void): void {
  try {
    work();
  } catch (error) {
    report(t, error);
  }
}

/** Where a child of a dying parent goes; `undefined` where no rule lets it live. */
function homeOf(t: TreeState, child: number, parent: number, policy: DestroyPolicy): number | undefined {
  const above = t.links.parent(parent);
  if (policy === "adopt" && mayGo(t, child, above)) return above;
  return mayGo(t, child, 0) ? 0 : undefined;
}

/** Sends the children of a dying parent where the policy says, or where the rules let them go. */
function sendChildren(t: TreeState, node: number, policy: DestroyPolicy): void {
  const { links } = t;
  const home = links.parent(node);
  let last = node;
  for (let child = links.first(node); child !== 0; ) {
    const next = links.next(child);
    const to = homeOf(t, child, node, policy);
    if (to === home && policy === "adopt") {
      placeNamed(t, child, home, links.next(last), node);
      last = child;
    } else if (to !== undefined) placeNamed(t, child, to, 0, node);
    child = next;
  }
}

/** `place`, with a number behind the name where a sibling other than `leaving` has it and names are unique. */
function placeNamed(t: TreeState, child: number, parent: number, before: number, leaving: number): void {
  const { names } = t;
  const name = names.unique ? names.of(child) : undefined;
  if (name !== undefined) {
    const other = names.find(parent, name);
    if (other !== 0 && other !== leaving) rename(t, child, numbered(t, child, parent, name));
  }
  place(t, child, parent, before);
}

/** A name with a number that no present and no future sibling has. */
function numbered({ names, links }: TreeState, child: number, parent: number, name: string): string {
  const from = links.parent(child);
  for (let number = 2; ; number++) {
    const candidate = `${name}~${number}`;
    if (names.find(parent, candidate) === 0 && names.find(from, candidate) === 0) return candidate;
  }
}

// Leaving ------------------------------------------------------------------------------------------------------------------

/** Lets go of the nodes ids[from..to), children before their parents. */
export function leaving(t: TreeState, ids: Int32Array, from: number, to: number): void {
  const { links, ecs } = t;
  for (let k = from; k < to; k++) {
    const node = ids[k];
    const parent = links.parent(node);
    // Where it is when those before it have left.
    if (ecs.recorder.wanted) recordLeaving(t, node);
    if (t.isRead && parent !== 0) emitDestroyed(t, node, parent);
    if (t.dependents.count !== 0) tellLeaving(t, node, parent);
    links.remove(node);
    links.setHandle(node, 0);
  }
  t.version += to - from;
  t.order?.destroyed(ids, from, to);
}

/** A node is about to be unlinked, because it dies. */
function tellLeaving(t: TreeState, node: number, parent: number): void {
  const { notices, placeListeners } = t;
  t.walks.changing(node, parent, -1);
  if (notices.active) notices.leaving(node, t.names.of(node));
  for (let k = 0; k < placeListeners.length; k++) placeListeners[k](node, parent, -1);
  t.positions.removing(node, parent);
  t.names.leaving(node, parent);
  t.names.forget(node);
  t.depths?.moved(node, parent, 0);
  if (t.warnedRoots.size !== 0) t.warnedRoots.delete(entityAt(t, node));
}

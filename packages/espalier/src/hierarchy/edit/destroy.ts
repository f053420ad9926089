/**
 * What happens to the tree when entities are destroyed.
 *
 * The world asks which others go along (`collect`, `dependents`), notifies those that listen before (`notifyDestroying`), has the
 * children that live on sent away (`unbind`) and lets the rest go, children first (`leaving`). `destroy` is the call of users, with a
 * policy of its own.
 */
import type { Entity } from "../../ecs/index.ts";
import { INDEX_MASK, type IndexList, runBeforeEdit } from "../../ecs/internal.ts";
import { errorOf } from "../error-of.ts";
import { HasChildrenError } from "../errors.ts";
import { childNodes } from "../links/measure.ts";
import { entityAt, entityOrNull, labelAt, nodeOf, report } from "../nodes.ts";
import type { DestroyOptions, DestroyPolicy } from "../options.ts";
import { requirePlan } from "../rules/plan.ts";
import { mayGo, tooMany } from "../rules/refuse.ts";
import type { ChosenPolicy, TreeState } from "../state.ts";
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
    const outer = t.chosen;
    t.chosen = { node, policy, keep: options.keep ?? t.options.keep, isListing: false };
    try {
      requireChosen(t, [entity]);
      return world.destroy(entity) || !world.isAlive(entity);
    } finally {
      t.chosen = outer;
    }
  });
}

/** Throws when a child may not go where the call under way sends it, if that is the call that destroys `roots`. */
export function requireChosen(t: TreeState, roots: readonly Entity[]): void {
  const { chosen } = t;
  if (chosen === undefined || !sendsAway(chosen.policy) || !isChosenOf(chosen, roots)) return;
  if (t.links.parent(chosen.node) === -1) return;
  const { node, policy, keep } = chosen;
  const to = policy === "adopt" ? t.links.parent(node) : 0;
  const children = childNodes(t, node);
  const error = tooMany(t, to, children.length, t.links.count(to) - 1);
  if (error !== undefined) throw error;
  const plan = new Map(children.map((child) => [child, to]));
  requirePlan(t, plan, node);
  keeping(t, keep, plan);
}

/** Whether children live on, elsewhere. */
function sendsAway(policy: DestroyPolicy): boolean {
  return policy === "orphan" || policy === "adopt";
}

/** Throws when a child would outlive a parent whose policy is `refuse`. */
export function requireChildless(t: TreeState, { ids, count }: IndexList): void {
  const { links, ecs } = t;
  if (ecs.isOverruled || (t.onDestroy !== "refuse" && t.chosen?.policy !== "refuse")) return;
  let doomed: Set<number> | undefined;
  for (let k = 0; k < count; k++) {
    const node = ids[k];
    if (links.first(node) === 0 || policyOf(t, node) !== "refuse") continue;
    doomed ??= new Set(ids.subarray(0, count));
    for (let child = links.first(node); child !== 0; child = links.next(child)) {
      if (doomed.has(child)) continue;
      throw new HasChildrenError(
        `Cannot destroy ${labelAt(t, node)}: it has children (the first is ${labelAt(t, child)}), and the policy is "refuse". Destroy or move them first, or give the call a policy: { children: "cascade" }.`,
        { entities: [entityAt(t, node), entityAt(t, child)] },
      );
    }
  }
}

/** Observers may destroy others meanwhile, for which nothing was chosen. */
function isChosenOf({ node }: ChosenPolicy, roots: readonly Entity[]): boolean {
  return roots.some((entity) => (entity & INDEX_MASK) === node);
}

/** What becomes of the children of a node that dies. */
function policyOf({ chosen, onDestroy }: TreeState, node: number): DestroyPolicy {
  if (chosen === undefined) return onDestroy;
  const isChosen = chosen.node === node || (chosen.policy === "cascade" && chosen.isListing);
  return isChosen ? chosen.policy : onDestroy;
}

// Which --------------------------------------------------------------------------------------------------------------------

/** A call begins that destroys these. */
export function going(t: TreeState, roots: readonly Entity[]): void {
  t.falling.clear();
  if (t.chosen !== undefined) t.chosen.isListing = isChosenOf(t.chosen, roots);
  for (const entity of roots) t.falling.add(entity & INDEX_MASK);
}

/** Whether `child` dies with its parent: by the policy, or because no rule lets it live elsewhere. */
function goesWith(t: TreeState, child: number, parent: number): boolean {
  if (t.falling.has(child)) return true;
  const policy = policyOf(t, parent);
  return policy === "cascade" || (policy !== "refuse" && homeOf(t, child, parent) === undefined);
}

/** Pushes the children that die with a node, last one first. */
export function dependents(t: TreeState, node: number, doomed: number[]): void {
  if (!spares(t)) {
    for (let child = t.links.last(node); child !== 0; child = t.links.prev(child)) doomed.push(child);
    return;
  }
  t.falling.add(node);
  for (let child = t.links.last(node); child !== 0; child = t.links.prev(child)) {
    if (!goesWith(t, child, node)) continue;
    t.falling.add(child);
    doomed.push(child);
  }
}

/** Whether some children of dying parents may live on, in the present call. */
export function spares({ onDestroy, chosen }: TreeState): boolean {
  return onDestroy !== "cascade" || chosen !== undefined;
}

/** Lists a node and everything that dies with it, children first, but for what is marked as listed. */
export function collect(t: TreeState, node: number, doomed: IndexList, met: Uint8Array | undefined): void {
  if (!spares(t)) {
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

/** Notifies `onDestroying` of an entity that is going to die. */
export function notifyDestroying(t: TreeState, entity: Entity): void {
  for (const listener of t.destroyingListeners) {
    // Those before may have destroyed it, with something above it.
    if (!t.ecs.isAlive(entity)) return;
    runBeforeEdit(t.ecs, `onDestroying of ${t.name}`, "destroying", () => listener(entity), errorOf);
  }
}

// The children that live on ------------------------------------------------------------------------------------------------

/** A child of a dying parent, and where it goes: the parent, and the sibling behind which it stands there (0: last). */
interface Sent {
  readonly child: number;
  readonly to: number;
  readonly isInPlace: boolean;
  /** The dying node above it that is a child of `to`. */
  readonly top: number;
}

/**
 * Sends the children of dying nodes that live on away. `alone`: whatever the rules say. Gives what to call when the others are gone:
 * that is code of the user's, and may report.
 */
export function unbind(t: TreeState, { ids, count }: IndexList, alone: boolean): (() => void)[] {
  const { links, falling } = t;
  const finishes: (() => void)[] = [];
  let first = 0;
  while (first < count && links.first(ids[first]) === 0) first++;
  // Only leaves go.
  if (first === count) return finishes;
  falling.clear();
  for (let k = 0; k < count; k++) falling.add(ids[k]);
  const sent: Sent[] = [];
  const joined = new Map<number, number>();
  for (let k = first; k < count; k++) {
    const top = ids[k];
    if (links.first(top) === 0 || falling.has(links.parent(top))) continue;
    survivorsBelow(t, top, (child, parent) => {
      const to = alone ? 0 : homeNow(t, child, parent, joined, finishes);
      joined.set(to, (joined.get(to) ?? 0) + 1);
      const isInPlace = !alone && to === links.parent(top) && policyOf(t, parent) === "adopt";
      sent.push({ child, to, isInPlace, top });
    });
  }
  if (!alone) keepAll(t, sent, finishes);
  let top = 0;
  let last = 0;
  for (const { child, to, isInPlace, top: own } of sent) {
    if (top !== own) last = own;
    top = own;
    placeNamed(t, child, to, isInPlace ? links.next(last) : 0);
    if (isInPlace) last = child;
  }
  falling.clear();
  return finishes;
}

/** Calls `visit` for the children of dying nodes from `top` down that live on, in tree order. */
function survivorsBelow(
  { links, falling }: TreeState,
  top: number,
  visit: (child: number, parent: number) => void,
): void {
  for (let node = links.first(top), parent = top; node !== 0 || parent !== top; ) {
    if (node === 0) {
      // The way back up: on to the next sibling of the dying node that was entered.
      node = links.next(parent);
      parent = links.parent(parent);
    } else if (falling.has(node)) {
      parent = node;
      node = links.first(node);
    } else {
      visit(node, parent);
      node = links.next(node);
    }
  }
}

/** `homeOf` where there is no way back: no rule keeps a child below a parent that is gone, and one that throws is reported. */
function homeNow(
  t: TreeState,
  child: number,
  parent: number,
  joined: ReadonlyMap<number, number>,
  finishes: (() => void)[],
): number {
  try {
    return homeOf(t, child, parent, joined) ?? 0;
  } catch (error) {
    finishes.push(() => report(t, error));
    return 0;
  }
}

/** By the policy of the hierarchy, with what that keeps. What cannot be kept is reported: the parent dies anyway. */
function keepAll(t: TreeState, sent: readonly Sent[], finishes: (() => void)[]): void {
  for (const { child, to } of sent) {
    const keep = t.chosen?.node === t.links.parent(child) ? t.chosen.keep : t.options.keep;
    if (keep === undefined) continue;
    try {
      const finish = keeping(t, keep, [[child, to]]);
      finishes.push(() => reporting(t, finish));
    } catch (error) {
      finishes.push(() => report(t, error));
    }
  }
}

function reporting(t: TreeState, work: () => void): void {
  try {
    work();
  } catch (error) {
    report(t, error);
  }
}

/** Where a child of a dying parent goes: to the nearest ancestor that lives, or to the roots; `undefined` where no rule lets it live. */
function homeOf(
  t: TreeState,
  child: number,
  parent: number,
  joined?: ReadonlyMap<number, number>,
): number | undefined {
  const { links, falling } = t;
  const { doomed } = t.ecs;
  let above = links.parent(parent);
  while (above > 0 && (falling.has(above) || doomed.has(above))) above = links.parent(above);
  const count = t.links.count(above) - 1 + (joined?.get(above) ?? 0);
  if (policyOf(t, parent) === "adopt" && mayGo(t, child, above, count)) return above;
  return mayGo(t, child, 0) ? 0 : undefined;
}

/** `place`, with a number behind the name where a sibling that lives has it and names are unique. */
function placeNamed(t: TreeState, child: number, parent: number, before: number): void {
  const { names } = t;
  const name = names.unique ? names.of(child) : undefined;
  if (name !== undefined) {
    const other = names.find(parent, name);
    if (other !== 0 && !t.falling.has(other)) rename(t, child, numbered(t, child, parent, name));
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

/** Lets go of the nodes ids[from..to). Children leave before their parents, also where the list has them in another order. */
export function leaving(t: TreeState, ids: Int32Array, from: number, to: number): void {
  const { links } = t;
  for (let k = from; k < to; k++) {
    const top = ids[k];
    // It left before its parent, which stood before it in the list.
    if (links.parent(top) === -1) continue;
    for (let node = lowest(t, top); node !== top; ) {
      const parent = links.parent(node);
      leave(t, node);
      node = lowest(t, parent);
    }
    leave(t, top);
  }
  t.version += to - from;
  t.order?.destroyed(ids, from, to);
}

/** The first node without children on the way down along first children. */
function lowest({ links }: TreeState, top: number): number {
  let node = top;
  for (let child = links.first(node); child !== 0; child = links.first(node)) node = child;
  return node;
}

function leave(t: TreeState, node: number): void {
  const { links, ecs } = t;
  const parent = links.parent(node);
  // Where it is when those before it have left.
  if (ecs.recorder.wanted) recordLeaving(t, node);
  if (ecs.gone.isKeeping) {
    ecs.gone.note(t, entityAt(t, node), { name: t.names.of(node), parent: entityOrNull(t, parent) });
  }
  if (t.isRead && parent !== 0) emitDestroyed(t, node, parent);
  if (t.dependents.count !== 0) noteLeaving(t, node, parent);
  links.remove(node);
  links.setHandle(node, 0);
}

/** A node is about to be unlinked, because it dies. */
function noteLeaving(t: TreeState, node: number, parent: number): void {
  const { notices, linkListeners } = t;
  t.walks.changing(node, parent, -1);
  if (notices.active) notices.leaving(node);
  for (let k = 0; k < linkListeners.length; k++) linkListeners[k](node, parent, -1);
  t.positions.removing(node, parent);
  t.names.leaving(node, parent);
  t.names.forget(node);
  t.depths?.moved(node, parent, 0);
  if (t.warnedRoots.size !== 0) t.warnedRoots.delete(entityAt(t, node));
}

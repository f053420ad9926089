/**
 * A new hierarchy over the entities of a world, and how the world notifies it of entities that come and go.
 */
import type { World } from "../ecs/index.ts";
import { extend, INDEX_MASK } from "../ecs/internal.ts";
import { created } from "./edit/create.ts";
import {
  collect,
  dependents,
  going,
  leaving,
  notifyDestroying,
  requireChildless,
  requireChosen,
  spares,
  unbind,
} from "./edit/destroy.ts";
import { finishReverse, reverse } from "./edit/reverse.ts";
import { keepHandle } from "./nodes.ts";
import type { HierarchyOptions } from "./options.ts";
import { TreeState } from "./state.ts";

/** Every entity is in the tree from the start, as a root. */
export function createTree(world: World, options: HierarchyOptions): TreeState {
  const t = new TreeState(world, options, reverse, finishReverse);
  for (const entity of world.entities()) {
    t.links.insert(entity & INDEX_MASK, 0, 0);
    keepHandle(t, entity & INDEX_MASK);
  }
  extend(t.ecs, {
    life: {
      created: (ids, from, to) => created(t, ids, from, to),
      leaving: (ids, from, to) => leaving(t, ids, from, to),
    },
    cascade: {
      dependents: (node, doomed) => dependents(t, node, doomed),
      collect: (node, doomed, met) => collect(t, node, doomed, met),
    },
    destruction: {
      spares: () => spares(t),
      going: (roots) => going(t, roots),
      permit: (doomed) => requireChildless(t, doomed),
      hasDestroying: () => t.destroyingListeners.length !== 0,
      destroying: (entity) => notifyDestroying(t, entity),
      confirm: (roots) => requireChosen(t, roots),
      unbind: (dying, alone) => unbind(t, dying, alone),
    },
    notices: {
      settled: () => t.notices.settled(),
      markNotices: () => t.notices.mark(),
      readsGone: () => t.notices.active,
    },
    columns: {
      grow: (capacity) => {
        t.links.grow(capacity);
        t.order?.resizeNodes(capacity);
      },
      dispose: () => t.links.forgetHandles(),
    },
  });
  return t;
}

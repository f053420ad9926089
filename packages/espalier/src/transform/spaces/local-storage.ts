/**
 * Local values as the storage of their component: queries, undo and files see an ordinary component, the kernels see records in
 * tree order.
 */
import { type AnyComponent, f64 } from "../../ecs/index.ts";
import type { ExternalStorage } from "../../ecs/internal.ts";
import { type Flow, type SlotNumbers, UNLISTED, WRITTEN } from "../../inherit/internal.ts";
import { type Geometry, TURNED } from "../maths/geometry.ts";
import type { LinkFlags } from "./link-flags.ts";

/** The part of a `SpaceState` that the storage uses. */
interface LocalRecords {
  readonly flow: Flow;
  readonly flags: LinkFlags;
  readonly geometry: Geometry;
  readonly component: AnyComponent;
  readonly local: SlotNumbers;
  readonly localWidth: number;
  readonly isSingle: boolean;
  resetLocal(slot: number): void;
}

export function createLocalStorage(space: LocalRecords): ExternalStorage {
  const { flow, flags, localWidth } = space;
  const { order } = flow;
  const { fields, derived } = space.geometry;
  const bits = Object.keys(space.component.schema).map(
    (name) =>
      UNLISTED | WRITTEN | (derived === undefined || fields.indexOf(name) < derived.from ? 0 : TURNED),
  );
  return {
    columns: {},
    // A space may keep more digits than the component asks for.
    fieldAs: (field) => (space.isSingle ? field : { ...field, ...f64(field.initial as number) }),
    followsDeath: true,
    rowOf: (node) => order.slotOf[node] * localWidth,
    occupy(nodes, from, to, rows) {
      const { slotOf } = order;
      for (let k = from; k < to; k++) {
        const slot = slotOf[nodes[k]];
        // All fields are about to be written, so a new slot is not reset first.
        flow.claimBefore(slot);
        flags.hold(slot, nodes[k]);
        flow.mark(slot, WRITTEN | TURNED);
        rows[k - from] = slot * localWidth;
      }
    },
    vacate(node) {
      const slot = order.slotOf[node];
      // A dying entity has left its slot already.
      if (order.nodeAt[slot] !== node) return;
      flow.claim(slot + 1);
      space.resetLocal(slot);
      flags.update(node, false);
      flow.mark(slot, WRITTEN | TURNED);
    },
    written: (node) => flow.mark(order.slotOf[node], WRITTEN | TURNED),
    memory: () => ({
      values: space.local,
      slots: order.slotOf,
      width: localWidth,
      count: order.tail,
      marks: { bySlot: flow.marked, bits },
    }),
    beginMarking: () => {
      flow.loops++;
    },
    marked: (nodes, count) => flow.listMarked(nodes, count),
    endMarking: () => {
      flow.loops--;
    },
  };
}

/**
 * What records are about: which entities came or went, and what of each was changed. The values are read from the world
 * afterwards, so that something changed a thousand times is told once.
 */
import type { Entity } from "../../ecs/index.ts";
import {
  type Archetype,
  CREATED,
  DESTROYED,
  REVIVED,
  type Records,
  type Reversible,
  ROOM,
  ROOM_WITH,
  recordsOf,
  type Store,
  TAKEN_BACK,
  type WorldState,
} from "../../ecs/internal.ts";
import { NAMED, REORDERED } from "../../hierarchy/internal.ts";
import { readRecords } from "../undo/read-records.ts";

/** What happened to one entity. */
export class Trace {
  /** Whether it was there at the start; nothing when it neither came nor went. */
  wasThere: boolean | undefined = undefined;
  /** Whether it came back: what referred to it when it went refers to it again. */
  isRevived = false;
  /** By component: the fields that were written; nothing stands for all of it. */
  readonly fields = new Map<Store, Set<number> | undefined>();
  /** The numbers of the hierarchies in which it was moved or renamed. */
  readonly moved = new Set<number>();
  readonly renamed = new Set<number>();
  /** The numbers of the hierarchies in which its children were put in another order. */
  readonly sorted = new Set<number>();

  wrote(store: Store, field: number): void {
    const fields = this.fields.get(store);
    if (fields !== undefined) fields.add(field);
    else if (!this.fields.has(store)) this.fields.set(store, new Set([field]));
  }
}

/** By entity, in the order of their last change; 0 stands for what is above all roots. `trees` are asked by their records. */
export function tracesOf(
  s: WorldState,
  records: Records,
  trees: readonly Reversible[],
): ReadonlyMap<Entity | 0, Trace> {
  const traces = new Map<Entity | 0, Trace>();
  const traceOf = (entity: Entity | 0) => {
    let trace = traces.get(entity);
    if (trace === undefined) {
      trace = new Trace();
      traces.set(entity, trace);
    }
    return trace;
  };
  const wrote = (entity: Entity, store: Store, field: number) => traceOf(entity).wrote(store, field);
  // From the last to the first: what is said last of `wasThere` holds.
  readRecords(s, records, wrote, (kind, detail, entity, from) => {
    switch (kind) {
      case CREATED:
      case REVIVED: {
        const come = traceOf(entity);
        come.wasThere = false;
        if (kind === REVIVED) come.isRevived = true;
        break;
      }
      case DESTROYED:
      case TAKEN_BACK: {
        const gone = traceOf(entity);
        gone.wasThere = true;
        // Should it be back by now, it may lack some of these.
        for (const store of (s.graph.all[detail] as Archetype).stores) gone.fields.set(store, undefined);
        break;
      }
      case ROOM:
      case ROOM_WITH: {
        const tree = trees.indexOf(recordsOf(s).owners[detail] as Reversible);
        if (tree < 0) break;
        const trace = traceOf(entity);
        (from === REORDERED ? trace.sorted : from === NAMED ? trace.renamed : trace.moved).add(tree);
        break;
      }
      default:
        // Added, removed or touched: all of the component.
        traceOf(entity).fields.set(s.stores[detail] as Store, undefined);
    }
  });
  return traces;
}

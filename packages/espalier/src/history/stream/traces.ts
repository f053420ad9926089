/**
 * A summary of records: which entities were created or destroyed, the former parent of each, and which fields were written. The values
 * are read from the world afterwards, so that a value changed a thousand times is reported once.
 */
import type { Entity } from "../../ecs/index.ts";
import {
  type Archetype,
  CREATED,
  DESTROYED,
  INDEX_MASK,
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
import { ALL, bitOf, ChangedRows, markCopied } from "./changed-rows.ts";

/** The changes of one entity, apart from its values. */
export class Trace {
  /** Whether it existed at the start; `undefined` when it was neither created nor destroyed. */
  wasThere: boolean | undefined = undefined;
  /** Whether it was revived: references to it from before its destruction are valid again. */
  isRevived = false;
  /** Its parent at the start in the first hierarchy (0: a root); `undefined` when that did not change. */
  parentBefore: number | undefined = undefined;
  /** The numbers of the hierarchies in which it was moved or renamed. */
  readonly moved = new Set<number>();
  readonly renamed = new Set<number>();
  /** The numbers of the hierarchies in which its children were reordered. */
  readonly sorted = new Set<number>();
}

/** All changes between two positions. */
export class Traces {
  /** In the order of their last change; 0 stands for the parent of all roots. */
  readonly entities = new Map<Entity | 0, Trace>();
  readonly rows = new Map<Store, ChangedRows>();
  private readonly state: WorldState;
  private readonly trees: readonly Reversible[];
  /** Bits of earlier reads, to be reused. */
  private readonly spare = new Map<Store, ChangedRows>();

  constructor(state: WorldState, trees: readonly Reversible[]) {
    this.state = state;
    this.trees = trees;
  }

  /** Discards the last range and reads another. */
  read(records: Records): void {
    this.entities.clear();
    for (const [store, rows] of this.rows) this.spare.set(store, rows);
    this.rows.clear();
    const { state: s } = this;
    const wrote = (entity: Entity, store: Store, field: number) =>
      this.rowsOf(store).mark(entity & INDEX_MASK, bitOf(store, field));
    const copied = (store: Store, all: Records, end: number) =>
      markCopied(s, store, all, end, this.rowsOf(store));
    readRecords(
      s,
      records,
      wrote,
      (kind, detail, entity, from) => this.note(kind, detail, entity, from),
      copied,
    );
  }

  rowsOf(store: Store): ChangedRows {
    let rows = this.rows.get(store);
    if (rows === undefined) {
      rows = this.spare.get(store) ?? new ChangedRows();
      rows.reset(this.state.table.capacity);
      this.rows.set(store, rows);
    }
    return rows;
  }

  private traceOf(entity: Entity | 0): Trace {
    let trace = this.entities.get(entity);
    if (trace === undefined) {
      trace = new Trace();
      this.entities.set(entity, trace);
    }
    return trace;
  }

  /** Records are read from the last to the first, so the last assignment of `wasThere` and `parentBefore` counts. */
  private note(kind: number, detail: number, entity: Entity | 0, from: number): void {
    const { state: s } = this;
    switch (kind) {
      case CREATED:
      case REVIVED: {
        const come = this.traceOf(entity);
        come.wasThere = false;
        if (kind === REVIVED) come.isRevived = true;
        break;
      }
      case DESTROYED:
      case TAKEN_BACK: {
        this.traceOf(entity).wasThere = true;
        // If it was revived, it may lack some of these.
        for (const store of (s.graph.all[detail] as Archetype).stores)
          this.rowsOf(store).mark(entity & INDEX_MASK, ALL);
        break;
      }
      case ROOM:
      case ROOM_WITH: {
        const tree = this.trees.indexOf(recordsOf(s).owners[detail] as Reversible);
        if (tree < 0) break;
        const trace = this.traceOf(entity);
        if (from === REORDERED) trace.sorted.add(tree);
        else if (from === NAMED) trace.renamed.add(tree);
        else {
          trace.moved.add(tree);
          if (tree === 0) trace.parentBefore = from;
        }
        break;
      }
      default:
        // Added, removed or touched: all of the component.
        this.rowsOf(s.stores[detail] as Store).mark(entity & INDEX_MASK, ALL);
    }
  }
}

/**
 * A query of the full world, which also reads changes.
 */
import type { ChangeReader } from "./changes.ts";
import type { AnyComponent } from "./component.ts";
import type { Entity } from "./entity.ts";
import { canBeFree, createFreeView } from "./free-view.ts";
import { CoreQuery, LoopSet, type QueryHost } from "./query.ts";
import type { Store } from "./store.ts";
import type { Term, ViewsOf } from "./terms.ts";
import type { View } from "./view.ts";
import type { WriterHost } from "./view-writer.ts";

/** What is taken for granted is looked at again after so many passes. */
const EAGER_PASSES = 63;

export interface WatchedQueryHost extends QueryHost, WriterHost {
  changes(component: AnyComponent, filter?: (entity: Entity) => boolean): ChangeReader;
}

/**
 * A query of one world. Making one is cheap and shares its matches with equal ones; keep it and reuse it, because
 * its loops are specialised the more it is used.
 */
export class Query<T extends readonly Term[] = readonly Term[]> extends CoreQuery<T> {
  declare protected readonly world: WatchedQueryHost;
  /** For how many further passes it is taken for granted that they write much. */
  private eager = 0;
  /** What of, and the loops with free views of that, where it can have some. */
  private written: readonly Store[] = [];
  private freeLoops = new LoopSet();
  private readonly carefulLoops: LoopSet = this.loops;

  /** @internal Use `world.query(...)`. */
  constructor(world: WatchedQueryHost, terms: T) {
    super(world, terms);
  }

  override each(fn: (entity: Entity, ...views: ViewsOf<T>) => void): void {
    if (this.world.window.recorder === undefined) {
      super.each(fn);
      return;
    }
    const { loops } = this;
    const outer = this.beginRecorded();
    try {
      super.each(fn);
    } finally {
      this.endRecorded(outer, loops);
    }
  }

  override update(fn: (...views: ViewsOf<T>) => void): void {
    if (this.world.window.recorder === undefined) {
      super.update(fn);
      return;
    }
    const { loops } = this;
    const outer = this.beginRecorded();
    try {
      super.update(fn);
    } finally {
      this.endRecorded(outer, loops);
    }
  }

  // `each` and `update` say the same twice: a function for both would be made anew for each pass.

  /** A pass of which somebody hears: one that is known to write much has the columns copied before it begins. */
  private beginRecorded(): number {
    const { window } = this.world;
    const outer = window.begin(this.size);
    const isFree = this.eager > 0 && window.copyAhead(this.written);
    this.loops = isFree ? this.freeLoops : this.carefulLoops;
    return outer;
  }

  private endRecorded(outer: number, loops: LoopSet): void {
    const { window } = this.world;
    this.loops = loops;
    if (this.eager > 0) this.eager--;
    else this.learn(window.copied);
    window.end(outer);
  }

  /** A pass that wrote much tells of the next ones. */
  private learn(copied: readonly Store[]): void {
    const written = copied.filter((store) => this.viewedStores().includes(store));
    if (written.length === 0) return;
    this.eager = EAGER_PASSES;
    if (written.length === this.written.length && written.every((store) => this.written.includes(store)))
      return;
    this.written = written;
    this.freeLoops = new LoopSet();
  }

  protected override makeView(store: Store): View {
    const isFree = this.loops === this.freeLoops && this.written.includes(store) && canBeFree(store);
    return isFree ? createFreeView(store, this.world) : super.makeView(store);
  }

  protected override forgetFlatLoops(): void {
    // The one in use may be a former `freeLoops`, of a pass that is still under way.
    for (const loops of [this.loops, this.carefulLoops, this.freeLoops]) loops.flat = [];
  }

  /** How many entities a pass visits at most. */
  private get size(): number {
    let size = 0;
    const { archetypes } = this.match;
    for (let t = 0; t < archetypes.length; t++) size += archetypes[t].count;
    return size;
  }

  /** A reader of the changes of `component` that lists only entities which match this query. */
  changes(component: AnyComponent): ChangeReader {
    return this.world.changes(component, (entity) => this.includes(entity));
  }
}

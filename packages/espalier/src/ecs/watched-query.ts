/**
 * A query of the full world, which also reads changes.
 */
import type { ChangeReader } from "./changes.ts";
import type { AnyComponent } from "./component.ts";
import type { Entity } from "./entity.ts";
import { CoreQuery, type QueryHost } from "./query.ts";
import type { Term, ViewsOf } from "./terms.ts";
import type { WriteWindow } from "./write-window.ts";

/** What is taken for granted is found out again after so many passes. */
const EAGER_PASSES = 15;

export interface WatchedQueryHost extends QueryHost {
  readonly window: WriteWindow;
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

  /** @internal Use `world.query(...)`. */
  constructor(world: WatchedQueryHost, terms: T) {
    super(world, terms);
  }

  override each(fn: (entity: Entity, ...views: ViewsOf<T>) => void): void {
    const { window } = this.world;
    if (window.recorder === undefined) {
      super.each(fn);
      return;
    }
    const { copies } = window;
    const outer = window.begin(this.size, this.eager > 0);
    try {
      super.each(fn);
    } finally {
      window.end(outer);
      this.learn(window.copies !== copies);
    }
  }

  override update(fn: (...views: ViewsOf<T>) => void): void {
    const { window } = this.world;
    if (window.recorder === undefined) {
      super.update(fn);
      return;
    }
    const { copies } = window;
    const outer = window.begin(this.size, this.eager > 0);
    try {
      super.update(fn);
    } finally {
      window.end(outer);
      this.learn(window.copies !== copies);
    }
  }

  /** A pass that wrote much tells of the next ones; after some of them it is looked at again. */
  private learn(hasCopied: boolean): void {
    if (this.eager > 0) this.eager--;
    else if (hasCopied) this.eager = EAGER_PASSES;
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

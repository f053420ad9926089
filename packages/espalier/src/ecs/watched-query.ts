/**
 * A query of the full world, which also reads changes.
 */
import type { ChangeReader } from "./changes.ts";
import type { AnyComponent } from "./component.ts";
import type { Entity } from "./entity.ts";
import { CoreQuery, type QueryHost } from "./query.ts";
import type { Term } from "./terms.ts";

export interface WatchedQueryHost extends QueryHost {
  changes(component: AnyComponent, filter?: (entity: Entity) => boolean): ChangeReader;
}

/**
 * A query of one world. Making one is cheap and shares its matches with equal ones; keep it and reuse it, because
 * its loops are specialised the more it is used.
 */
export class Query<T extends readonly Term[] = readonly Term[]> extends CoreQuery<T> {
  declare protected readonly world: WatchedQueryHost;

  /** @internal Use `world.query(...)`. */
  constructor(world: WatchedQueryHost, terms: T) {
    super(world, terms);
  }

  /** A reader of the changes of `component` that lists only entities which match this query. */
  changes(component: AnyComponent): ChangeReader {
    return this.world.changes(component, (entity) => this.includes(entity));
  }
}

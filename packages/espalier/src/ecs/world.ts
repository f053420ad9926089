/**
 * The full world: what most programs create.
 */
import type { Resource } from "./component.ts";
import { MissingResourceError, MissingRoomError } from "./errors.ts";
import type { Reversible } from "./extension.ts";
import { describe } from "./fields.ts";
import type { CoreQuery } from "./query.ts";
import { type TableRow, toTable } from "./table.ts";
import type { Term } from "./terms.ts";
import { Query } from "./watched-query.ts";
import { WorldBulk } from "./world-bulk.ts";
import type { WorldOptions } from "./world-telling.ts";

/** Creates an empty world. Worlds share nothing; handles of one mean nothing in another. */
export function createWorld(options: WorldOptions = {}): World {
  return new World(options);
}

export class World extends WorldBulk {
  /** What rooms and tools keep per world, each under a name of its own. Gone with the world. */
  readonly attachments = new Map<string, unknown>();
  /** What `transaction` is run by; set by the room that can take changes back. */
  transactor: (<Result>(work: () => Result) => Result) | undefined = undefined;
  private readonly resources = new Map<Resource<unknown>, unknown>();
  private readonly resourceChanges: Reversible = {
    reverse: (_entity, _a, _b, before) =>
      this.putResource(...(before as [resource: Resource<unknown>, present: boolean, value: unknown])),
  };

  /**
   * The world's value of a resource.
   * @throws MissingResourceError when it was never set and has no initial value.
   */
  resource<Value>(resource: Resource<Value>): Value {
    this.requireUsable("read a resource");
    if (!this.resources.has(resource)) {
      if (resource?.isResource !== true) {
        throw new MissingResourceError(
          `Cannot read ${describe(resource)}: it is no resource. Define one with resource().`,
        );
      }
      if (resource.initial === undefined) {
        throw new MissingResourceError(
          `Cannot read resource ${resource.name}: it was never set. Call world.setResource() first, or define it with an initial value.`,
        );
      }
      this.resources.set(resource, resource.initial());
    }
    return this.resources.get(resource) as Value;
  }

  setResource<Value>(resource: Resource<Value>, value: Value): void {
    this.requireUsable("set a resource");
    this.putResource(resource, true, value);
  }

  hasResource(resource: Resource<never> | Resource<unknown>): boolean {
    return this.resources.has(resource as Resource<unknown>);
  }

  private putResource(resource: Resource<unknown>, present: boolean, value: unknown): void {
    if (this.recorder_ !== undefined) {
      const before = [resource, this.resources.has(resource), this.resources.get(resource)];
      this.recorder_.changed(this.resourceChanges, null, 0, 0, before);
    }
    if (present) this.resources.set(resource, value);
    else this.resources.delete(resource);
  }

  // Reading ----------------------------------------------------------------------------------------------------------

  /** A query: `world.query(Position, not(Frozen), optional(Velocity))`. Equal queries share their matches. */
  override query<const T extends readonly Term[]>(...terms: T): Query<T> {
    this.requireUsable("make a query");
    return new Query(this, terms);
  }

  /**
   * The matches of a query as rows for `console.table`: a column `Entity`, one for each field that the query's terms
   * give, and `true` or `false` for tags. Fields that an entity does not have are left out of its row.
   */
  toTable(query: CoreQuery<readonly Term[]>): TableRow[] {
    return toTable(this, query);
  }

  /**
   * All or nothing: runs `work`, and when it throws, takes everything back that it changed. By `espalier/history`, which
   * takes care of a world after `createHistory(world)` or `enableTransactions(world)`.
   * @throws MissingRoomError before that.
   */
  transaction<Result>(work: () => Result): Result {
    this.requireUsable("start a transaction");
    if (this.transactor !== undefined) return this.transactor(work);
    throw new MissingRoomError(
      "Cannot start a transaction: nothing can take back what is changed in this world. Call enableTransactions(world) or createHistory(world) of espalier/history once, or transaction(world, work).",
    );
  }

  override dispose(): void {
    if (this.isDisposed) return;
    super.dispose();
    this.resources.clear();
    this.attachments.clear();
  }
}

/**
 * The matches of a query as a list for user interfaces, read from the query itself without a copy.
 */
import { type Entity, expectArguments, type Query, type Term, type World } from "../ecs/index.ts";

/**
 * The current matches of a query. Reads are up to date after any change; when entities were added or removed, the signal gives a new list, so that a
 * user interface can compare it. The order is that of the query, which may change without notice when entities get other components. Read the part that
 * is shown: `at`, `slice`.
 */
export class LiveList implements Iterable<Entity> {
  private readonly world: World;
  private readonly query: Query<readonly Term[]>;

  /** @internal Use `liveListSignal()`. */
  constructor(world: World, query: Query<readonly Term[]>) {
    this.world = world;
    this.query = query;
  }

  /** The number of matches. */
  get length(): number {
    return this.world.isDisposed ? 0 : this.query.sync();
  }

  /** The match at an index; a negative one counts from the end. `undefined` outside. */
  at(index: number): Entity | undefined {
    const { length } = this;
    const at = Math.trunc(index);
    const k = at < 0 ? at + length : at;
    return k >= 0 && k < length ? this.world.handleAt(this.query.indices[k] as number) : undefined;
  }

  /** A part of the list as an array, with the arguments of `Array.slice`. */
  slice(start = 0, end: number = this.length): Entity[] {
    expectArguments("read a live list", ["the start", start, aNumber], ["the end", end, aNumber]);
    const { length } = this;
    const from = Math.max(0, start < 0 ? start + length : start);
    const to = Math.min(length, end < 0 ? end + length : end);
    const { indices } = this.query;
    const found: Entity[] = [];
    for (let k = Math.trunc(from); k < to; k++) found.push(this.world.handleAt(indices[k] as number));
    return found;
  }

  /** All matches. If the list changes during the loop, an entity may be skipped or come twice. */
  *[Symbol.iterator](): IterableIterator<Entity> {
    for (let k = 0; k < this.length; k++) yield this.at(k) as Entity;
  }
}

const aNumber = { expected: "a number", fits: (value: unknown) => typeof value === "number" };

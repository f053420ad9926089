/**
 * What changed as terms of a query. Each query that is made with such a term is a reader of its own: each of its passes sees the changes since the
 * pass before it, once.
 */
import { type AnyComponent, isComponent } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import { type Entity, INDEX_MASK } from "../entities/entity.ts";
import { QueryError } from "../errors.ts";
import type { ChangeKind, ChangeReader } from "../listeners/changes.ts";
import { closeWhenDropped, keepNoLonger, warnOfMany } from "../listeners/close-when-dropped.ts";
import { readChanges } from "../listeners/read-changes.ts";
import { stateOf, type World } from "../world.ts";
import type { PassReader } from "./split-terms.ts";
import type { FilterTerm } from "./terms.ts";

/** A term that matches what changed since the query's last pass. */
export interface ChangeTerm extends FilterTerm {
  /** Ends the readers of all queries that were made with the term: nothing matches any more, and nothing is noted. */
  close(): void;
}

/**
 * Entities whose `component` got another value, or which got the component, since the last pass of the query; for the first pass, since the query
 * was made. A pass is `each`, `update`, `run`, `ids`, `sync` or a loop over the query; `count`, `first`, `isEmpty` and `includes` look at what waits for the
 * next one. Make the query once and keep it: each query is a reader of its own, and one that is made in each frame sees nothing of the frame before.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const tank = world.spawn(Health);
 * const hurt = world.query(Health, changed(Health));
 * world.set(tank, Health, { hp: 5 });
 * hurt.ids(); // → [tank]
 * hurt.ids(); // → []
 * ```
 */
export function changed(component: AnyComponent): ChangeTerm {
  return changeTerm("changed", component, (kind) => kind !== "removed");
}

/**
 * Entities that got `component` since the last pass of the query, and still have it; see `changed` for what a pass is.
 *
 * @example
 * ```ts
 * const Burning = tag("Burning");
 * const lit = world.query(added(Burning));
 * const torch = world.spawn(Burning);
 * lit.ids(); // → [torch]
 * lit.ids(); // → []
 * ```
 */
export function added(component: AnyComponent): ChangeTerm {
  return changeTerm("added", component, (kind) => (kind === "changed" ? undefined : kind === "added"));
}

/**
 * Entities that lost `component` since the last pass of the query, live and do not have it; see `changed` for what a pass is. What was destroyed matches
 * no query: `changesOf(world, component)` lists that too.
 *
 * @example
 * ```ts
 * const Burning = tag("Burning");
 * const torch = world.spawn(Burning);
 * const out = world.query(removed(Burning));
 * world.remove(torch, Burning);
 * out.ids(); // → [torch]
 * ```
 */
export function removed(component: AnyComponent): ChangeTerm {
  return changeTerm("removed", component, (kind) => (kind === "changed" ? undefined : kind === "removed"));
}

/** @param matches Whether an entity matches after such a change; nothing where that stays as it is. */
function changeTerm(
  word: string,
  component: AnyComponent,
  matches: (kind: ChangeKind) => boolean | undefined,
): ChangeTerm {
  if (!isComponent(component)) {
    throw new QueryError(
      `Cannot make the term ${word}(${describeValue(component)}): that is not a component. Give one: ${word}(Health).`,
      { value: component },
    );
  }
  const name = `${word}(${component.name})`;
  const notes: ChangeNotes[] = [];
  return {
    term: "filter",
    name,
    test: () => false,
    bind(world) {
      const own = new ChangeNotes(world as World, component, matches);
      notes.push(own);
      return { term: "filter", name, test: (index) => own.has(index), reader: own };
    },
    close() {
      for (const own of notes.splice(0)) own.close();
    },
  };
}

/** What changed for one query. */
class ChangeNotes implements PassReader {
  private readonly host: World;
  private readonly reader: ChangeReader;
  private readonly matches: (kind: ChangeKind) => boolean | undefined;
  /** By index: what waits for the next pass. */
  private waiting = new Map<number, Entity>();
  /** What the passes under way visit; the last is the inner one. */
  private readonly passes: Map<number, Entity>[] = [];
  private isClosed = false;

  constructor(host: World, component: AnyComponent, matches: (kind: ChangeKind) => boolean | undefined) {
    this.host = host;
    this.reader = readChanges(stateOf(host), component, undefined);
    this.matches = matches;
    closeWhenDropped(this, [this.reader]);
    warnOfMany(stateOf(host), component);
  }

  has(index: number): boolean {
    const pass = this.passes.at(-1);
    if (pass === undefined) this.gather();
    const noted = pass ?? this.waiting;
    // The index of a dead one may belong to another entity by now.
    return noted.size !== 0 && noted.get(index) === this.host.handleAt(index);
  }

  begin(): void {
    this.gather();
    this.passes.push(this.waiting);
    this.waiting = new Map();
  }

  end(): void {
    this.passes.pop();
  }

  close(): void {
    this.isClosed = true;
    this.reader.close();
    keepNoLonger(this);
    this.waiting.clear();
  }

  private gather(): void {
    if (this.isClosed || this.reader.pending === 0) return;
    const { waiting, matches } = this;
    this.reader.forEach((entity, kind) => {
      const isMatch = matches(kind);
      if (isMatch === true) waiting.set(entity & INDEX_MASK, entity);
      else if (isMatch === false) waiting.delete(entity & INDEX_MASK);
    });
  }
}

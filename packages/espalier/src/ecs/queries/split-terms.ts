/**
 * What the terms of a query come to: the components that archetypes must and must not have, tests of single entities, and what
 * callbacks get views of.
 */
import { type AnyComponent, isComponent, isTag } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import type { Store } from "../components/store.ts";
import { QueryError } from "../errors.ts";
import type { WorldState } from "../state.ts";
import {
  type ComputedTerm,
  type FilterTerm,
  isComputed,
  type NarrowingTerm,
  nameOfTerm,
  type RelatedTerm,
  type Term,
} from "./terms.ts";

/** What a callback gets a view of. */
export interface Viewed<Of = Store | ComputedTerm> {
  readonly of: Of;
  readonly optional: boolean;
  /** The way from the match to the entity it stands at; nothing where that is the match itself. */
  readonly resolve: ((index: number) => number) | undefined;
}

/** Notified when passes of a query begin and end. */
export interface PassReader {
  begin(): void;
  end(): void;
}

/** Asks something of the entity at an index. */
type Test = (index: number) => boolean;

/** Sorts terms of a world into what the query must check and what it passes on. */
export function splitTerms(state: WorldState, world: object, terms: readonly Term[]) {
  const all: AnyComponent[] = [];
  const none: AnyComponent[] = [];
  const some: (readonly AnyComponent[])[] = [];
  const viewed: Viewed<AnyComponent | ComputedTerm>[] = [];
  const filters: Test[] = [];
  const readers: PassReader[] = [];
  const view = (term: AnyComponent | RelatedTerm, optional: boolean) => {
    const isRelated = !isComponent(term) && term?.term === "related";
    const own = isRelated ? requireOwn(world, term) : undefined;
    if (own !== undefined) requireResolver(own);
    const { component: of, resolve } = own ?? { component: term as AnyComponent, resolve: undefined };
    // What is not a component is refused like everywhere else: when the world is asked for its store.
    if (!isTag(of)) viewed.push({ of, optional, resolve });
  };
  for (const term of terms) {
    if (isComponent(term)) {
      all.push(term);
      view(term, false);
      continue;
    }
    // Terms come from users, so the type alone does not promise that there is one.
    switch (term?.term) {
      case "not":
        none.push(...term.components);
        if (term.others.length > 0) filters.push(testOf(state, world, { ...term, components: [] }, readers));
        break;
      case "any":
        // Components alone are answered by whole archetypes.
        if (term.others.length === 0) some.push(term.components);
        else filters.push(testOf(state, world, term, readers));
        break;
      case "optional":
        view(term.component, true);
        break;
      case "related":
        view(term, false);
        filters.push(testOf(state, world, term, readers));
        break;
      case "filter":
        filters.push(testOf(state, world, term, readers));
        break;
      case "computed":
        viewed.push({ of: requireOwn(world, term) as ComputedTerm, optional: false, resolve: undefined });
        break;
      default:
        throw new QueryError(
          `Cannot build a query: ${describeValue(term)} is not a term. Use components, not(), any(), optional() or where().`,
          { value: term },
        );
    }
  }
  const stores = (components: readonly AnyComponent[]) =>
    components.map((component) => state.store(component));
  return {
    match: state.graph.match(stores(all), stores(none), some.map(stores)),
    viewed: viewed.map((each): Viewed => {
      const { of } = each;
      return { ...each, of: isComputed(of) ? of : state.store(of) };
    }),
    filters,
    readers,
  };
}

/** What a term that narrows a query asks of the entity at an index. */
export function testOf(
  state: WorldState,
  world: object,
  term: NarrowingTerm,
  readers: PassReader[] = [],
): Test {
  if (isComponent(term)) {
    const store = state.store(term);
    return (index) => state.hasAt(index, store);
  }
  switch (term?.term) {
    case "filter": {
      const own = requireOwn(world, term);
      if (own.reader !== undefined) readers.push(own.reader);
      return requireTest(own);
    }
    case "related": {
      const own = requireOwn(world, term);
      requireResolver(own);
      const { resolve } = own;
      return (index) => resolve(index) !== 0;
    }
    case "not":
    case "any": {
      const tests = [...term.components, ...term.others].map((inner) => testOf(state, world, inner, readers));
      const isAny = term.term === "any";
      return (index) => tests.some((test) => test(index)) === isAny;
    }
    default:
      throw new QueryError(
        `Cannot build a query: ${describeValue(term)} is not a term that can be negated or be an alternative. Use components, not(), any(), where() or terms of a tree.`,
        { value: term },
      );
  }
}

/** Binds a term to the world. Refuses one that answers for another world: its indices mean other entities there. */
export function requireOwn<T extends FilterTerm | RelatedTerm | ComputedTerm>(world: object, term: T): T {
  if ("bind" in term && typeof term.bind === "function") return term.bind(world) as T;
  if (term.world === undefined || term.world === world) return term;
  throw new QueryError(
    `Cannot build a query with ${nameOfTerm(term)}: it answers for another world. Make the term with a tree of this one.`,
    { value: term },
  );
}

/** Refuses a filter without a name or a test: a component instead of the name would be ignored, and the test get no values. */
function requireTest({ name, test }: FilterTerm): Test {
  const given: unknown = name;
  if (isComponent(given)) {
    throw new QueryError(
      `Cannot build a query: where(${given.name}, …) does not test values. List ${given.name} as a term of its own, and test by index: where("…", (index) => …), with the columns of world.columns(${given.name}).`,
    );
  }
  if (typeof given !== "string") {
    throw new QueryError(
      `Cannot build a query: where(${describeValue(given)}, …) needs a name: where("near", (index) => …).`,
    );
  }
  if (typeof test === "function") return test;
  throw new QueryError(
    `Cannot build a query: where(${describeValue(name)}, …) needs a function, got ${describeValue(test)}.`,
  );
}

/** Refuses a term about another entity that cannot find it. */
export function requireResolver({ name, resolve, component }: RelatedTerm): void {
  if (typeof resolve === "function" && isComponent(component)) return;
  throw new QueryError(
    `Cannot build a query: related(${describeValue(name)}, …) needs a component and a function that finds its entity.`,
  );
}

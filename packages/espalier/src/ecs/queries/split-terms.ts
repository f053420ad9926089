/**
 * What the terms of a query come to: the components that archetypes must and must not have, tests of single entities, and what
 * callbacks get views of.
 */
import { type AnyComponent, isComponent, isTag } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import { QueryError } from "../errors.ts";
import type { WorldState } from "../state.ts";
import {
  type ComputedTerm,
  type FilterTerm,
  type NarrowingTerm,
  nameOfTerm,
  type RelatedTerm,
  type Term,
} from "./terms.ts";

/** What a callback gets a view of. */
interface Viewed {
  readonly of: AnyComponent | ComputedTerm;
  readonly optional: boolean;
  readonly resolve?: (index: number) => number;
}

interface Parts {
  readonly all: AnyComponent[];
  readonly none: AnyComponent[];
  readonly some: (readonly AnyComponent[])[];
  readonly viewed: Viewed[];
  readonly filters: FilterTerm[];
}

/** Sorts terms into what the query must check and what it passes on. */
export function splitTerms(state: WorldState, terms: readonly Term[]): Parts {
  const parts: Parts = { all: [], none: [], some: [], viewed: [], filters: [] };
  for (const term of terms) {
    if (isComponent(term)) {
      parts.all.push(term);
      if (!isTag(term)) parts.viewed.push({ of: term, optional: false });
      continue;
    }
    // Terms come from users, so the type alone does not promise that there is one.
    switch (term?.term) {
      case "not":
        parts.none.push(...term.components);
        for (const other of term.others) {
          const holds = testOf(state, other);
          parts.filters.push({ term: "filter", name: nameOfTerm(term), test: (index) => !holds(index) });
        }
        break;
      case "any":
        // Components alone are answered by whole archetypes.
        if (term.others.length === 0) parts.some.push(term.components);
        else parts.filters.push({ term: "filter", name: nameOfTerm(term), test: testOf(state, term) });
        break;
      case "optional":
        if (!isComponent(term.component) && term.component?.term === "related") {
          const { component, resolve } = term.component;
          requireResolver(term.component);
          if (!isTag(component)) parts.viewed.push({ of: component, optional: true, resolve });
        }
        // What is not a component is refused like everywhere else: when the world is asked for its store.
        else if (!isComponent(term.component) || !isTag(term.component))
          parts.viewed.push({ of: term.component as AnyComponent, optional: true });
        break;
      case "filter":
        testOf(state, term);
        parts.filters.push(term);
        break;
      case "related": {
        const { name, component, resolve } = term;
        requireResolver(term);
        if (!isTag(component)) parts.viewed.push({ of: component, optional: false, resolve });
        parts.filters.push({ term: "filter", name, test: (index) => resolve(index) !== 0 });
        break;
      }
      case "computed":
        parts.viewed.push({ of: term as ComputedTerm, optional: false });
        break;
      default:
        throw new QueryError(
          `Cannot build a query: ${describeValue(term)} is not a term. Use components, not(), any(), optional() or where().`,
        );
    }
  }
  return parts;
}

/** What a term that narrows a query asks of the entity at an index. */
function testOf(state: WorldState, term: NarrowingTerm): (index: number) => boolean {
  if (isComponent(term)) {
    const store = state.store(term);
    return (index) => state.hasAt(index, store);
  }
  switch (term?.term) {
    case "filter":
      if (typeof term.test === "function") return term.test;
      throw new QueryError(
        `Cannot build a query: where(${describeValue(term.name)}, …) needs a function, got ${describeValue(term.test)}.`,
      );
    case "related": {
      requireResolver(term);
      const { resolve } = term;
      return (index) => resolve(index) !== 0;
    }
    case "not":
    case "any": {
      const tests = [...term.components, ...term.others].map((inner) => testOf(state, inner));
      const isAny = term.term === "any";
      return (index) => tests.some((test) => test(index)) === isAny;
    }
    default:
      throw new QueryError(
        `Cannot build a query: ${describeValue(term)} is not a term that can be negated or be an alternative. Use components, not(), any(), where() or terms of a tree.`,
      );
  }
}

/** Refuses a term about another entity that cannot find it. */
export function requireResolver({ name, resolve, component }: RelatedTerm): void {
  if (typeof resolve === "function" && isComponent(component)) return;
  throw new QueryError(
    `Cannot build a query: related(${describeValue(name)}, …) needs a component and a function that finds its entity.`,
  );
}

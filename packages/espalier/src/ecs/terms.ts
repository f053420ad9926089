/**
 * What a query asks for: components that must be there, must not be there, may be there, and free filters.
 */
import type { AnyComponent, Component } from "./component.ts";
import type { ColumnsOf, ValueOf } from "./fields.ts";

export interface NotTerm {
  readonly term: "not";
  readonly components: readonly AnyComponent[];
}

export interface AnyTerm {
  readonly term: "any";
  readonly components: readonly AnyComponent[];
}

export interface OptionalTerm<C extends AnyComponent = AnyComponent> {
  readonly term: "optional";
  readonly component: C;
}

/**
 * A test per entity, for what is not a component: "is a root", "is on screen". Asked while iterating, so it must be
 * cheap and must not change the world.
 */
export interface FilterTerm {
  readonly term: "filter";
  readonly name: string;
  /** Gets the entity's index, not its handle. */
  readonly test: (index: number) => boolean;
}

/**
 * The component of another entity that stands in some relation to the match: of its parent, of what it follows.
 * `resolve` gets the match's index and gives the other's, which must have the component, or 0 for none.
 */
export interface RelatedTerm<C extends AnyComponent = AnyComponent> {
  readonly term: "related";
  readonly name: string;
  readonly component: C;
  readonly resolve: (index: number) => number;
}

/**
 * A value that is computed for every entity, such as its world transform: does not narrow the query; the callback gets a
 * read-only view. Rooms make these: `space.world`.
 */
export interface ComputedTerm<Values extends object = object> {
  readonly term: "computed";
  readonly name: string;
  /** Brings the values up to date; called before each pass. */
  readonly refresh: () => void;
  /** A cursor: `index$` is moved along, its properties read the values of the entity at that index. */
  readonly createView: () => Values & { index$: number };
  /** Changes when cursors must be made anew. */
  readonly version: () => number;
}

/** What a query can ask for. */
export type Term = AnyComponent | NotTerm | AnyTerm | OptionalTerm | FilterTerm | RelatedTerm | ComputedTerm;

/** Entities that have none of these. */
export function not(...components: AnyComponent[]): NotTerm {
  return { term: "not", components };
}

/** Entities that have at least one of these. Values are not passed on; add `optional` terms to read them. */
export function any(...components: AnyComponent[]): AnyTerm {
  return { term: "any", components };
}

/** Does not narrow the query; the callback gets the component's view, or `undefined` where it is absent. */
export function optional<C extends AnyComponent>(component: C): OptionalTerm<C> {
  return { term: "optional", component };
}

/** Entities for which `test` holds. */
export function where(name: string, test: (index: number) => boolean): FilterTerm {
  return { term: "filter", name, test };
}

/** Entities for which `resolve` finds another one; the callback gets that one's view of `component`. */
export function related<C extends AnyComponent>(
  name: string,
  component: C,
  resolve: (index: number) => number,
): RelatedTerm<C> {
  return { term: "related", name, component, resolve };
}

type HasFields<S> = keyof S extends never ? false : true;

type ViewOfTerm<T> =
  T extends Component<infer S>
    ? HasFields<S> extends true
      ? [ValueOf<S>]
      : []
    : T extends RelatedTerm<Component<infer S>>
      ? HasFields<S> extends true
        ? [ValueOf<S>]
        : []
      : T extends OptionalTerm<infer Inner>
        ? Inner extends Component<infer S>
          ? HasFields<S> extends true
            ? [ValueOf<S> | undefined]
            : []
          : []
        : T extends ComputedTerm<infer Values>
          ? [Readonly<Omit<Values, "index$">>]
          : [];

/** The callback arguments a list of terms gives: one view for every component with fields, in order. */
export type ViewsOf<T extends readonly unknown[]> = T extends readonly [infer Head, ...infer Rest]
  ? [...ViewOfTerm<Head>, ...ViewsOf<Rest>]
  : [];

type ColumnsOfTerm<T> = T extends Component<infer S> ? (HasFields<S> extends true ? [ColumnsOf<S>] : []) : [];

/** The column sets a list of terms gives to `run`: required components with fields, in order. */
export type ColumnListOf<T extends readonly unknown[]> = T extends readonly [infer Head, ...infer Rest]
  ? [...ColumnsOfTerm<Head>, ...ColumnListOf<Rest>]
  : [];

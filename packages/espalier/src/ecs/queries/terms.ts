/**
 * What a query asks for: components that must be there, must not be there, may be there, and free filters. Terms that narrow
 * a query can be negated, be alternatives of each other, and be inside each other: `not(parentHas(tree, Panel))`.
 */
import { type AnyComponent, type Component, isComponent } from "../components/component.ts";
import { type ColumnsOf, describeValue, type ValueOf } from "../components/fields.ts";

/** What `not` and `any` take. */
export type NarrowingTerm = AnyComponent | NotTerm | AnyTerm | FilterTerm | RelatedTerm;

export interface NotTerm {
  /** The kind of term. */
  readonly term: "not";
  /** The components among its terms. */
  readonly components: readonly AnyComponent[];
  /** Those that are not components. */
  readonly others: readonly Exclude<NarrowingTerm, AnyComponent>[];
}

export interface AnyTerm {
  /** The kind of term. */
  readonly term: "any";
  /** The components among its terms. */
  readonly components: readonly AnyComponent[];
  /** Those that are not components. */
  readonly others: readonly Exclude<NarrowingTerm, AnyComponent>[];
}

export interface OptionalTerm<C extends AnyComponent | RelatedTerm = AnyComponent | RelatedTerm> {
  /** The kind of term. */
  readonly term: "optional";
  /** The component, or the term of a related entity, that may be missing. */
  readonly component: C;
}

/**
 * A test per entity, for what is not a component: "is a root", "is on screen". Asked while iterating, so it must be
 * cheap and must not change the world.
 */
export interface FilterTerm {
  /** The kind of term. */
  readonly term: "filter";
  /** Its name in messages. */
  readonly name: string;
  /** Gets the entity's index, not its handle. */
  readonly test: (index: number) => boolean;
  /** The world it answers for; left out if for any. */
  readonly world?: object;
  /** Makes the term that answers for a world, where this one belongs to none: called once for each query. @internal */
  readonly bind?: (world: object) => FilterTerm;
  /** Notified when a pass of the query begins and ends. @internal */
  readonly reader?: { begin(): void; end(): void };
}

/**
 * The component of another entity that stands in some relation to the match: of its parent, of what it follows.
 * `resolve` gets the match's index and gives the other's, which must have the component, or 0 for none.
 */
export interface RelatedTerm<C extends AnyComponent = AnyComponent> {
  /** The kind of term. */
  readonly term: "related";
  /** Its name in messages. */
  readonly name: string;
  /** The component of the other entity that is read. */
  readonly component: C;
  /** For the index of a match, the index of the other entity; 0 for none. */
  readonly resolve: (index: number) => number;
  /** The world it answers for; left out if for any. */
  readonly world?: object;
  /** As for filters. @internal */
  readonly bind?: (world: object) => RelatedTerm<C>;
}

/** Where computed numbers are: `name` of the entity at `index` is `values[slots[index] * width + fields[name]]`. */
export interface ComputedMemory {
  /** The numbers of all entities. */
  readonly values: Float32Array | Float64Array;
  /** For the index of an entity, its slot in `values`. */
  readonly slots: Int32Array;
  /** Numbers per slot. */
  readonly width: number;
  /** By name, the position of a number in its slot. */
  readonly fields: { readonly [name: string]: number };
}

/**
 * A value that is computed for every entity, such as its world transform: does not narrow the query; the callback gets a
 * read-only view. Rooms make these: `space.world`.
 */
export interface ComputedTerm<Values extends object = object> {
  /** The kind of term. */
  readonly term: "computed";
  /** Its name in messages. */
  readonly name: string;
  /** Brings the values up to date; called before each pass. */
  readonly refresh: () => void;
  /** A cursor: `index$` is moved along, its properties read the values of the entity at that index. */
  readonly createView: () => Values & { index$: number };
  /** Where the numbers among the values are, for faster loops: the same object as long as the arrays are the same. */
  readonly memory?: () => ComputedMemory;
  /** The world it answers for; left out if for any. */
  readonly world?: object;
}

/** What a query can ask for. */
export type Term = AnyComponent | NotTerm | AnyTerm | OptionalTerm | FilterTerm | RelatedTerm | ComputedTerm;

/** Entities that have none of these components, and for which none of the other terms holds. */
export function not(...terms: NarrowingTerm[]): NotTerm {
  return { term: "not", ...sorted(terms) };
}

/**
 * Entities that have at least one of these components, or for which one of the other terms holds. Values are not passed on; add
 * `optional` terms to read them.
 */
export function any(...terms: NarrowingTerm[]): AnyTerm {
  return { term: "any", ...sorted(terms) };
}

/**
 * Does not narrow the query; the callback gets the view of the component, or of the entity that a term such as `parentHas` finds,
 * and `undefined` where there is none.
 */
export function optional<C extends AnyComponent | RelatedTerm>(component: C): OptionalTerm<C> {
  return { term: "optional", component };
}

/**
 * Entities for which `test` holds. `name` is for messages. One that answers for one world says which: others refuse it then.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const weak = world.spawn(Health({ hp: 5 }));
 * world.spawn(Health);
 * world.query(Health, where("weak", (index) => world.columns(Health).hp[index]! < 10)).ids(); // → [weak]
 * ```
 */
export function where(name: string, test: (index: number) => boolean, world?: object): FilterTerm {
  return world === undefined ? { term: "filter", name, test } : { term: "filter", name, test, world };
}

/** Entities for which `resolve` finds a second entity; the callback gets that entity's view of `component`. */
export function related<C extends AnyComponent>(
  name: string,
  component: C,
  resolve: (index: number) => number,
  world?: object,
): RelatedTerm<C> {
  return world === undefined
    ? { term: "related", name, component, resolve }
    : { term: "related", name, component, resolve, world };
}

function sorted(terms: readonly NarrowingTerm[]): Pick<NotTerm, "components" | "others"> {
  const components: AnyComponent[] = [];
  const others: Exclude<NarrowingTerm, AnyComponent>[] = [];
  for (const term of terms) {
    // What is no term is refused like everywhere else: when the world is asked for its store.
    if (isComponent(term) || typeof term?.term !== "string") components.push(term as AnyComponent);
    else others.push(term);
  }
  return { components, others };
}

/** A term as a text: `not(parentHas(Panel))`. */
export function nameOfTerm(term: Term): string {
  if (isComponent(term)) return term.name;
  switch (term?.term) {
    case "filter":
    case "related":
    case "computed":
      return typeof term.name === "string" ? term.name : describeValue(term.name);
    case "optional":
      return `optional(${nameOfTerm(term.component)})`;
    case "not":
    case "any":
      return `${term.term}(${[...term.components, ...term.others].map(nameOfTerm).join(", ")})`;
    default:
      return describeValue(term);
  }
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
          : Inner extends RelatedTerm<Component<infer S>>
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

/** Whether it is a term whose values a room computes. */
export function isComputed(value: unknown): value is ComputedTerm {
  return typeof value === "object" && value !== null && "term" in value && value.term === "computed";
}

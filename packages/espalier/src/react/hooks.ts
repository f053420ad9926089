/**
 * Hooks that read a world. Each renders its component again exactly when its result changed.
 */
import {
  type AnyComponent,
  type Component,
  type Entity,
  type EntityLike,
  handleOf,
  isComponent,
  type Resource,
  type Schema,
  type Term,
  type ValueOf,
} from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { UndoHistory } from "../history/index.ts";
import type { Inherited } from "../inherit/index.ts";
import {
  childrenSignal,
  componentSignal,
  type HistoryState,
  hasSignal,
  historySignal,
  inheritedSignal,
  type LiveList,
  liveListSignal,
  parentSignal,
  querySignal,
  resourceSignal,
  type Signal,
  worldTransformSignal,
} from "../signals/index.ts";
import type { Affine2D, Transforms2D, Transforms3D } from "../transform/index.ts";
import { useSignalOf } from "./use-signal.ts";
import { requirePart, useWorldContext } from "./world-provider.ts";

/**
 * The entities that match, in the order of the query. Terms may be written inline: equal terms give the same query. Terms
 * with a function (`where`) must keep the same function.
 */
export function useQuery(...terms: readonly Term[]): readonly Entity[] {
  const { signals } = useWorldContext();
  return useSignalOf(() => querySignal(signals, ...terms), [signals, ...partsOf(terms)]);
}

/**
 * The entities that match as a live list, which is read from the query itself: for long lists of which only a part is shown. Renders again when
 * entities are added or removed, at a cost that does not depend on the length; `useQuery` builds and compares an array. Not for terms that are
 * evaluated per entity (`where`, `parentHas`).
 */
export function useLiveList(...terms: readonly Term[]): LiveList {
  const { signals } = useWorldContext();
  return useSignalOf(() => liveListSignal(signals, ...terms), [signals, "live", ...partsOf(terms)]);
}

/** The first entity that matches, or `null`. */
export function useQueryFirst(...terms: readonly Term[]): Entity | null {
  const { signals } = useWorldContext();
  const create = (): Signal<Entity | null> => {
    const all = querySignal(signals, ...terms);
    // React calls `get` when it is notified of a change, and renders when the result differs.
    const get = () => all.get()[0] ?? null;
    return { get, subscribe: (listener) => all.subscribe(() => listener(get())) };
  };
  return useSignalOf(create, [signals, "first", ...partsOf(terms)]);
}

/** The values of a component, a copy; `undefined` while the entity lacks it, is dead, or is `null`. */
export function useComponent<S extends Schema>(
  entity: EntityLike | null | undefined,
  component: Component<S>,
): ValueOf<S> | undefined {
  const { signals } = useWorldContext();
  // No entity has the number 0, so it is never alive.
  const of = handleOf(signals.world, entity ?? noEntity);
  return useSignalOf(() => componentSignal(signals, of, component), [signals, of, component]);
}

/** Whether the entity is alive and has all of these components; `false` for `null`. */
export function useHas(
  entity: EntityLike | null | undefined,
  ...components: readonly AnyComponent[]
): boolean {
  const { signals } = useWorldContext();
  const of = handleOf(signals.world, entity ?? noEntity);
  return useSignalOf(() => hasSignal(signals, of, ...components), [signals, of, ...components]);
}

/** The children in order, or with `null` the roots; empty once the entity is dead. */
export function useChildren(entity: EntityLike | null, tree?: Hierarchy): readonly Entity[] {
  const context = useWorldContext();
  const of = requirePart("useChildren", "tree", tree ?? context.tree);
  const parent = handleOf(context.signals.world, entity);
  return useSignalOf(() => childrenSignal(context.signals, of, parent), [context.signals, of, parent]);
}

/** The parent; `null` for a root and once the entity is dead. */
export function useParent(entity: EntityLike, tree?: Hierarchy): Entity | null {
  const context = useWorldContext();
  const of = requirePart("useParent", "tree", tree ?? context.tree);
  const child = handleOf(context.signals.world, entity);
  return useSignalOf(() => parentSignal(context.signals, of, child), [context.signals, of, child]);
}

/**
 * The world transform in 2D, as a matrix; `undefined` once the entity is dead. Read once a frame. For things that move every
 * frame, write to the object directly instead of rendering again.
 */
export function useWorldTransform(entity: EntityLike, space: Transforms2D): Affine2D | undefined;
/** The world transform in 3D, as 12 numbers: three columns and the position. */
export function useWorldTransform(entity: EntityLike, space: Transforms3D): Float64Array | undefined;
/** The world transform in the space of the nearest provider. */
export function useWorldTransform(entity: EntityLike): Affine2D | Float64Array | undefined;
export function useWorldTransform(
  entity: EntityLike,
  space?: Transforms2D | Transforms3D,
): Affine2D | Float64Array | undefined {
  const context = useWorldContext();
  const of = requirePart("useWorldTransform", "space", space ?? context.space);
  const moving = handleOf(context.signals.world, entity);
  return useSignalOf(() => worldTransformSignal(context.signals, of, moving), [context.signals, of, moving]);
}

/** An inherited value: visibility, z or a custom one; `undefined` once the entity is dead. Read once a frame. */
export function useInherited<S extends Schema, Value>(
  entity: EntityLike,
  inherited: Inherited<S, Value>,
): Value | undefined {
  const { signals } = useWorldContext();
  const of = handleOf(signals.world, entity);
  return useSignalOf(() => inheritedSignal(signals, inherited, of), [signals, inherited, of]);
}

/** The value of a resource, compared by identity. Read once a frame. */
export function useResource<Value>(resource: Resource<Value>): Value {
  const { signals } = useWorldContext();
  return useSignalOf(() => resourceSignal(signals, resource), [signals, resource]);
}

/** What can be undone and redone, with calls that do so and flush at once. */
export function useHistory(history?: UndoHistory): HistoryState & {
  readonly undo: () => boolean;
  readonly redo: () => boolean;
} {
  const context = useWorldContext();
  const of = requirePart("useHistory", "history", history ?? context.history);
  const { signals } = context;
  const state = useSignalOf(() => historySignal(signals, of), [signals, of]);
  const shown = (work: () => boolean) => () => {
    const isDone = work();
    signals.flush();
    return isDone;
  };
  return { ...state, undo: shown(() => of.undo()), redo: shown(() => of.redo()) };
}

const noEntity = 0 as Entity;

/** The key of a list of terms: equal lists have the same key. */
function partsOf(terms: readonly Term[]): unknown[] {
  return terms.flatMap((term): unknown[] => {
    // Anything else is refused when the query is made.
    if (isComponent(term) || typeof Object(term).term !== "string") return [term];
    if (term.term === "not" || term.term === "any")
      return [term.term, ...term.components, ...partsOf(term.others), "end"];
    if (term.term === "optional") return [term.term, ...partsOf([term.component])];
    if (term.term === "filter") return [term.term, term.test];
    return term.term === "computed" ? [term] : [term.term, term.resolve, term.component];
  });
}

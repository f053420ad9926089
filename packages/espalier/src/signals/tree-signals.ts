/**
 * Signals of other rooms: trees, transforms, inherited values, histories.
 */
import { type Entity, type EntityLike, handleOf, type Schema } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { UndoHistory } from "../history/index.ts";
import type { Inherited } from "../inherit/index.ts";
import type { Affine2D, Transforms2D, Transforms3D } from "../transform/index.ts";
import { aHistory, anInherited, aSpace, aTree, expectSignals } from "./arguments.ts";
import type { Signal } from "./signal.ts";
import type { Signals } from "./signals.ts";
import { sameFields, sameList } from "./world-signals.ts";

const noChildren: readonly Entity[] = [];

/** The children of an entity (`null`: the roots) in order; empty once it is dead. */
export function childrenSignal(
  signals: Signals,
  tree: Hierarchy,
  entity: EntityLike | null,
): Signal<readonly Entity[]> {
  expectSignals(signals, ["the tree", tree, aTree]);
  const { world, watchers } = signals;
  const of = handleOf(world, entity);
  const isThere = () => (of === null ? !world.isDisposed : world.isAlive(of));
  return signals.create({
    read: () => (isThere() ? tree.childrenOf(of) : noChildren),
    equals: sameList,
    watch: (signal) => {
      const endChildren = watchers.children(tree, of, signal);
      if (of === null) return endChildren;
      const endLife = watchers.life(of, signal);
      return () => {
        endChildren();
        endLife();
      };
    },
  });
}

/** The parent of an entity; `null` for a root and once it is dead. */
export function parentSignal(signals: Signals, tree: Hierarchy, entity: EntityLike): Signal<Entity | null> {
  expectSignals(signals, ["the tree", tree, aTree]);
  const { world, watchers } = signals;
  const of = handleOf(world, entity);
  return signals.create({
    read: () => (world.isAlive(of) ? tree.parentOf(of) : null),
    isRead: true,
    watch: (signal) => {
      const endParents = watchers.parents(tree, signal);
      const endLife = watchers.life(of, signal);
      return () => {
        endParents();
        endLife();
      };
    },
  });
}

/**
 * The world transform of an entity in 2D, as a matrix; `undefined` once it is dead. Read again at every flush and once a
 * frame, because any ancestor may move the entity.
 */
export function worldTransformSignal(
  signals: Signals,
  space: Transforms2D,
  entity: EntityLike,
): Signal<Affine2D | undefined>;
/** The same in 3D, as 12 numbers: three columns and the position. */
export function worldTransformSignal(
  signals: Signals,
  space: Transforms3D,
  entity: EntityLike,
): Signal<Float64Array | undefined>;
/** The same for code that does not know which kind of space it has. */
export function worldTransformSignal(
  signals: Signals,
  space: Transforms2D | Transforms3D,
  entity: EntityLike,
): Signal<Affine2D | Float64Array | undefined>;
export function worldTransformSignal(
  signals: Signals,
  space: Transforms2D | Transforms3D,
  entity: EntityLike,
): Signal<Affine2D | Float64Array | undefined> {
  expectSignals(signals, ["the space", space, aSpace]);
  const { world } = signals;
  const of = handleOf(world, entity);
  return signals.create<Affine2D | Float64Array | undefined>({
    read: () => (world.isAlive(of) ? space.worldOf(of) : undefined),
    equals: sameTransform,
  });
}

function sameTransform(
  a: Affine2D | Float64Array | undefined,
  b: Affine2D | Float64Array | undefined,
): boolean {
  return a instanceof Float64Array && b instanceof Float64Array
    ? a.every((value, k) => value === b[k])
    : sameFields(a, b);
}

/** An inherited value of an entity (visibility, z or a custom one); `undefined` once it is dead. Read like transforms. */
export function inheritedSignal<S extends Schema, Value>(
  signals: Signals,
  inherited: Inherited<S, Value>,
  entity: EntityLike,
): Signal<Value | undefined> {
  expectSignals(signals, ["it", inherited, anInherited]);
  const { world } = signals;
  const of = handleOf(world, entity);
  return signals.create({ read: () => (world.isAlive(of) ? inherited.of(of) : undefined) });
}

/** What a history can currently undo and redo. */
export interface HistoryState {
  /** Whether there is a step to undo. */
  readonly canUndo: boolean;
  /** Whether there is a step to redo. */
  readonly canRedo: boolean;
  /** The next step first. */
  readonly undoLabels: readonly string[];
  /** The next step first. */
  readonly redoLabels: readonly string[];
}

/** What a history can undo and redo; read again at every flush and once a frame. */
export function historySignal(signals: Signals, history: UndoHistory): Signal<HistoryState> {
  expectSignals(signals, ["the history", history, aHistory]);
  return signals.create<HistoryState>({
    read: () => ({
      canUndo: history.canUndo,
      canRedo: history.canRedo,
      undoLabels: history.undoLabels,
      redoLabels: history.redoLabels,
    }),
    equals: (a, b) =>
      a.canUndo === b.canUndo &&
      a.canRedo === b.canRedo &&
      sameList(a.undoLabels, b.undoLabels) &&
      sameList(a.redoLabels, b.redoLabels),
  });
}

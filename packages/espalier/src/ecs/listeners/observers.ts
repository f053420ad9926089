/**
 * Guards, which may refuse a change before it happens, and observers, which are notified of it.
 *
 * Guards are asked before anything changes and may not change the world. Observers run when the whole call has finished, in `order` and
 * then in the order they were registered. They may change the world; what they change is observed after the present notices. One that
 * throws is reported to the world's `onError` and the others still run. `removing` and `destroying` run before the edit has begun.
 */
import type { ComponentInit } from "../components/component.ts";
import type { Schema, ValueOf } from "../components/fields.ts";
import type { Entity } from "../entities/entity.ts";
import { messageOf, ObserverError } from "../errors.ts";

/**
 * Throws to refuse that the entity at `index` gets the component; 0 while the entity is still to be created. `together` are all
 * components that it gets in the same call, this one included.
 */
export type Guard = (index: number, values: object | undefined, together: readonly ComponentInit[]) => void;

/**
 * Throws to refuse that these values are written into the component of a living entity; the others stay as they are. It
 * may bring the component up to date first, by writing its raw columns.
 */
export type WriteGuard = (entity: Entity, values: { readonly [field: string]: unknown }) => void;

/** What observers of components and of entities have in common. */
export interface ObserverOptions {
  /** Shown when the observer throws. */
  readonly name?: string;
  /** Lower runs earlier; 0 if left out. */
  readonly order?: number;
}

/** What `observe` calls. */
export interface Observer<S extends Schema = Schema> extends ObserverOptions {
  /** After the entity got the component; its values are set. */
  readonly add?: (entity: Entity) => void;
  /** After a value really changed. */
  readonly set?: (entity: Entity) => void;
  /**
   * Before the component goes, by `remove` or because its entity is destroyed: nothing has changed yet, and trees and world values can
   * be read. May change the world; the call is checked again after it. Of a subtree, children first; what is moved out before its turn
   * lives on.
   */
  readonly removing?: (entity: Entity) => void;
  /** After the component went, with its last values. Also when the entity is destroyed. */
  readonly remove?: (entity: Entity, values: ValueOf<S>) => void;
}

/** What `observeEntities` calls. */
export interface EntityObserver extends ObserverOptions {
  /** After the entity was created with its first components. */
  readonly spawn?: (entity: Entity) => void;
  /** Before the entity goes, in the way of `removing`. */
  readonly destroying?: (entity: Entity) => void;
  /** After the entity went. `world.get` and `world.has` still answer for it until all observers of the call have run. */
  readonly destroy?: (entity: Entity) => void;
}

/** Called before values are read or replaced as a whole; see `observeCapture`. */
export interface CaptureObserver extends Pick<ObserverOptions, "name"> {
  /**
   * Before the values of the world are read or replaced as a whole: a scene or snapshot is written, states are compared,
   * entities are cloned, a snapshot is restored, something is undone. May write raw columns, and nothing else.
   */
  readonly before?: () => void;
  /** After a snapshot was restored. */
  readonly restored?: () => void;
}

export interface Entry {
  readonly fn: (entity: Entity, values?: object) => void;
  readonly name: string;
  readonly order: number;
  readonly isEnded: () => boolean;
}

export class ObserverList {
  onAdd: readonly Entry[] = [];
  onSet: readonly Entry[] = [];
  onRemoving: readonly Entry[] = [];
  onRemove: readonly Entry[] = [];
  /** The entities whose removing observers are running. */
  readonly leaving = new Set<Entity>();
}

/** The report of an observer that threw. */
export function thrownBy(name: string, when: string, entities: Entity[], cause: unknown): ObserverError {
  return new ObserverError(`Observer ${name} threw ${when}: ${messageOf(cause)}`, {
    entities,
    observer: name,
    cause,
  });
}

/** What a function is called in messages. */
export function nameOf(fn: { readonly name: string }): string {
  return fn.name || "(anonymous)";
}

/** The list with `item` behind those of its order. Lists are replaced, not changed, so one that is being walked stays as it is. */
export function inserted<Item extends { readonly order: number }>(
  list: readonly Item[],
  item: Item,
): readonly Item[] {
  const at = list.findIndex((other) => other.order > item.order);
  return at < 0 ? [...list, item] : [...list.slice(0, at), item, ...list.slice(at)];
}

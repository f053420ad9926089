/**
 * The component that each value is computed from.
 */
import type { Component, Schema, ValueOf } from "../ecs/index.ts";
import { createLastingView, type Store, type View, type WorldState } from "../ecs/internal.ts";
import { Ghost } from "../hierarchy/index.ts";

/** Reads the component of one node at a time. */
export class OwnValues<S extends Schema> {
  private readonly state: WorldState;
  private readonly store: Store;
  private readonly ghostId: number;
  /** Made when it is first needed: it takes the columns of the component, which no entity of the world may have. */
  private view: (View & Readonly<ValueOf<S>>) | undefined = undefined;

  constructor(state: WorldState, component: Component<S>) {
    this.state = state;
    this.store = state.store(component);
    this.ghostId = state.store(Ghost).id;
  }

  /** A view of the component of a node, for use at once; nothing where it has none, or is a ghost, which contributes nothing. */
  at(node: number): Readonly<ValueOf<S>> | undefined {
    const has = this.state.archetypeAt(node)?.has;
    if (has === undefined || has[this.store.id] !== 1 || has[this.ghostId] === 1) return undefined;
    this.view ??= createLastingView(this.state, this.store) as View & Readonly<ValueOf<S>>;
    this.view.index$ = node;
    return this.view;
  }
}

/**
 * The component that each value is computed from.
 */
import type { Component, Schema, ValueOf } from "../ecs/index.ts";
import { createLastingView, type View, type WorldState } from "../ecs/internal.ts";
import { Ghost } from "../hierarchy/index.ts";

/** Reads the component of one node at a time. */
export class OwnValues<S extends Schema> {
  private readonly state: WorldState;
  private readonly id: number;
  private readonly ghostId: number;
  private readonly view: View & Readonly<ValueOf<S>>;

  constructor(state: WorldState, component: Component<S>) {
    const store = state.store(component);
    this.state = state;
    this.id = store.id;
    this.ghostId = state.store(Ghost).id;
    this.view = createLastingView(state, store) as View & Readonly<ValueOf<S>>;
  }

  /** A view of the component of a node, for use at once; nothing where it has none, or is a ghost, which contributes nothing. */
  at(node: number): Readonly<ValueOf<S>> | undefined {
    const has = this.state.archetypeAt(node)?.has;
    if (has === undefined || has[this.id] !== 1 || has[this.ghostId] === 1) return undefined;
    this.view.index$ = node;
    return this.view;
  }
}

/**
 * Lists in a component, by entity: read again each time, because handlers change them in the middle of a step.
 */
import type { Entity, World } from "../../ecs/index.ts";
import type { ListOf } from "./components.ts";

/** The lists of one component. An entity without the component has an empty list, and vice versa. */
export class EntityLists<Entry extends object> {
  private readonly world: World;
  private readonly component: ListOf<Entry>;
  // Created once: a step in which nothing waits costs almost nothing.
  private readonly query: Iterable<Entity> & { isEmpty(): boolean };

  constructor(world: World, component: ListOf<Entry>) {
    this.world = world;
    this.component = component;
    this.query = world.query(component);
  }

  /** Entities that have a list, in an order that does not depend on earlier events. */
  holders(): readonly Entity[] {
    if (this.query.isEmpty()) return [];
    return [...this.query].sort((a, b) => a - b);
  }

  /** Also empty for a dead entity. */
  of(entity: Entity): readonly Entry[] {
    const { world, component } = this;
    if (!world.isAlive(entity)) return [];
    return (world.get(entity, component) as { list: readonly Entry[] } | undefined)?.list ?? [];
  }

  has(entity: Entity, entry: Entry): boolean {
    return this.of(entity).includes(entry);
  }

  append(entity: Entity, entry: Entry): void {
    this.replace(entity, [...this.of(entity), entry]);
  }

  /** Replaces an entry by others, or removes it. */
  swap(entity: Entity, entry: Entry, ...others: readonly Entry[]): void {
    const list = this.of(entity);
    const at = list.indexOf(entry);
    if (at >= 0) this.replace(entity, [...list.slice(0, at), ...others, ...list.slice(at + 1)]);
  }

  replace(entity: Entity, list: readonly Entry[]): void {
    const { world, component } = this;
    if (list.length === 0) world.remove(entity, component);
    else if (world.has(entity, component)) world.set(entity, component, { list } as never);
    else world.add(entity, component({ list } as never));
  }
}

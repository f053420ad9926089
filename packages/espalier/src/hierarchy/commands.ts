/**
 * Editing calls for later: everything `Hierarchy` offers, recorded on a command buffer and applied at its flush.
 */
import type { Commands, ComponentInit, Entity } from "../ecs/index.ts";
import type { Hierarchy, PlaceOptions } from "./hierarchy.ts";
import type { DestroyPolicy } from "./options.ts";

/** Records the editing calls of `tree` on `buffer`. Commands on entities that die before the flush are skipped. */
export function hierarchyCommands(tree: Hierarchy, buffer: Commands): HierarchyCommands {
  return new HierarchyCommands(tree, buffer);
}

export class HierarchyCommands {
  private readonly tree: Hierarchy;
  private readonly buffer: Commands;

  constructor(tree: Hierarchy, buffer: Commands) {
    this.tree = tree;
    this.buffer = buffer;
  }

  attach(child: Entity, parent: Entity | null, options?: PlaceOptions): void {
    const beside = [options?.before, options?.after].filter((entity) => entity !== undefined);
    this.record("attach", [child, parent, ...beside], () => this.tree.attach(child, parent, options));
  }

  setParent(child: Entity, parent: Entity | null): void {
    this.attach(child, parent);
  }

  /** Creates an entity under `parent` at the flush; its handle can be used in further commands at once. */
  attachNew(parent: Entity | null, ...inits: ComponentInit[]): Entity {
    const entity = this.buffer.spawn(...inits);
    this.attach(entity, parent);
    return entity;
  }

  attachMany(children: readonly Entity[], parent: Entity | null, options?: PlaceOptions): void {
    const list = [...children];
    this.record("attachMany", [...list, parent], () => this.tree.attachMany(list, parent, options));
  }

  insertChildren(parent: Entity | null, index: number, children: readonly Entity[]): void {
    this.attachMany(children, parent, { at: index });
  }

  attachAll(pairs: readonly (readonly [child: Entity, parent: Entity | null])[]): void {
    const list = pairs.map(([child, parent]) => [child, parent] as const);
    this.record("attachAll", list.flat(), () => this.tree.attachAll(list));
  }

  detach(child: Entity): void {
    this.record("detach", [child], () => this.tree.detach(child));
  }

  detachMany(children: readonly Entity[]): void {
    const list = [...children];
    this.record("detachMany", list, () => this.tree.detachMany(list));
  }

  detachChildren(parent: Entity): void {
    this.record("detachChildren", [parent], () => this.tree.detachChildren(parent));
  }

  replaceChildren(parent: Entity, children: readonly Entity[]): void {
    const list = [...children];
    this.record("replaceChildren", [parent, ...list], () => this.tree.replaceChildren(parent, list));
  }

  moveChild(child: Entity, to: Parameters<Hierarchy["moveChild"]>[1]): void {
    this.record("moveChild", [child], () => this.tree.moveChild(child, to));
  }

  swap(a: Entity, b: Entity): void {
    this.record("swap", [a, b], () => this.tree.swap(a, b));
  }

  isolate(entity: Entity): void {
    this.record("isolate", [entity], () => this.tree.isolate(entity));
  }

  dissolve(entity: Entity): void {
    this.record("dissolve", [entity], () => this.tree.dissolve(entity));
  }

  sortChildren(parent: Entity | null, compare: (a: Entity, b: Entity) => number): void {
    this.record("sortChildren", [parent], () => this.tree.sortChildren(parent, compare));
  }

  setName(entity: Entity, name: string | undefined): void {
    this.record("setName", [entity], () => this.tree.setName(entity, name));
  }

  destroy(entity: Entity, options: { readonly children?: DestroyPolicy } = {}): void {
    this.record("destroy", [entity], () => this.tree.destroy(entity, options));
  }

  private record(label: string, entities: readonly (Entity | null)[], apply: () => unknown): void {
    this.buffer.record({
      label: `${this.tree.name}.${label}`,
      entities: entities.filter((entity): entity is Entity => entity !== null),
      apply: () => {
        apply();
      },
    });
  }
}

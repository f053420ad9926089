/**
 * Replays the events of a hierarchy on a plain copy of it, and reports every event that is wrong
 * or nothing at all.
 */
import type { Entity } from "espalier";
import type { Hierarchy, HierarchyEvent } from "espalier/hierarchy";
import { onLinked, treeOf } from "espalier/internal/hierarchy";

export class Replay {
  private readonly reader;
  private readonly end: () => void;
  readonly children = new Map<Entity | null, Entity[]>();
  private readonly parents = new Map<Entity, Entity | null>();
  readonly complaints: string[] = [];
  count = 0;

  constructor(tree: Hierarchy) {
    this.children.set(null, []);
    const visit = (parent: Entity | null) => {
      const list = tree.childrenOf(parent);
      this.children.set(parent, list);
      for (const child of list) {
        this.parents.set(child, parent);
        visit(child);
      }
    };
    visit(null);
    this.reader = tree.events.reader();
    // Roots come and go without an event: they are no children.
    this.end = onLinked(treeOf(tree), (node, from, to) => {
      if (from !== -1 && to !== -1) return;
      this.read();
      const entity = tree.world.handleAt(node);
      if (to === 0) this.put(entity, null, tree.childrenOf(null).indexOf(entity));
      // What the events never called a child is a root.
      if (to !== -1 || this.parents.get(entity) !== null) return;
      this.list(null).splice(this.list(null).indexOf(entity), 1);
      this.parents.delete(entity);
    });
  }

  close(): void {
    this.reader.close();
    this.end();
  }

  read(): HierarchyEvent[] {
    const events = this.reader.read();
    for (const event of events) {
      this.count++;
      this.apply(event);
    }
    return events;
  }

  /** The replayed forest as nested lists, in the form of `shape(tree)`. */
  state(): unknown {
    this.read();
    const show = (entity: Entity): unknown => [entity, this.list(entity).map(show)];
    return this.list(null).map(show);
  }

  private list(parent: Entity | null): Entity[] {
    let list = this.children.get(parent);
    if (list === undefined) this.children.set(parent, (list = []));
    return list;
  }

  private put(child: Entity, parent: Entity | null, index: number): void {
    this.list(parent).splice(index, 0, child);
    this.parents.set(child, parent);
  }

  /** Takes a child out, and checks where it was. */
  private take(event: HierarchyEvent, child: Entity, parent: Entity | null, index: number): void {
    const list = this.list(parent);
    if (this.parents.get(child) !== parent || (index >= 0 && list[index] !== child))
      this.complaints.push(`was not there before: ${JSON.stringify(event)}`);
    const at = list.indexOf(child);
    if (at >= 0) list.splice(at, 1);
  }

  private apply(event: HierarchyEvent): void {
    switch (event.type) {
      case "added":
        if (this.parents.has(event.child)) this.take(event, event.child, null, -1);
        this.put(event.child, event.parent, event.index);
        break;
      case "removed":
        this.take(event, event.child, event.parent, event.index);
        if ((event.cause === "destroy") !== (event.rootIndex === -1))
          this.complaints.push(`contradicts itself: ${JSON.stringify(event)}`);
        if (event.cause === "destroy") this.parents.delete(event.child);
        else this.put(event.child, null, event.rootIndex);
        break;
      case "moved":
        if (event.previousParent === event.newParent)
          this.complaints.push(`moves nothing: ${JSON.stringify(event)}`);
        this.take(event, event.child, event.previousParent, event.previousIndex);
        this.put(event.child, event.newParent, event.index);
        break;
      case "reordered":
        if (event.child !== null) {
          if (event.previousIndex === event.index)
            this.complaints.push(`moves nothing: ${JSON.stringify(event)}`);
          this.take(event, event.child, event.parent, event.previousIndex);
          this.put(event.child, event.parent, event.index);
        } else {
          const list = this.list(event.parent);
          const order = event.order ?? [];
          const isSame = order.every((entity, k) => entity === list[k]);
          if (isSame || [...order].sort().join() !== [...list].sort().join())
            this.complaints.push(`is no new order: ${JSON.stringify(event)}`);
          this.children.set(event.parent, [...order]);
        }
    }
  }
}

/** The forest as nested lists. */
export function shape(tree: Hierarchy): unknown {
  const show = (entity: Entity): unknown => [entity, tree.childrenOf(entity).map(show)];
  return tree.childrenOf(null).map(show);
}

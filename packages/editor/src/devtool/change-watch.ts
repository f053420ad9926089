/**
 * What changed in the last frame: components and parents of entities, read with change readers, which exist only while the
 * watch is open.
 */
import {
  type AnyComponent,
  type ChangeReader,
  type Component,
  changesOf,
  type Entity,
  listComponents,
  type Schema,
  type World,
} from "espalier";
import type { ChangeEntry, Watch } from "./watch.ts";

/** At most this many entries are kept per frame: a list of ten thousand is of no use. */
const MOST = 200;

export class ChangeWatch implements Watch {
  private readonly world: World;
  private readonly readers = new Map<string, { component: AnyComponent; reader: ChangeReader }>();
  private changedIn = new Map<Entity, Set<string>>();
  private readonly names = new Set<string>();
  /** The changes of the last frame, at most 200. */
  entries: readonly ChangeEntry[] = [];
  /** How many changes there were. */
  count = 0;

  constructor(world: World) {
    this.world = world;
    this.follow();
  }

  /** Reads what changed since the last call. */
  update(): void {
    const met = this.follow();
    const changedIn = new Map<Entity, Set<string>>();
    const entries: ChangeEntry[] = [];
    let count = 0;
    this.names.clear();
    for (const [name, { component, reader }] of this.readers) {
      const changes = reader.read();
      for (const kind of ["added", "changed", "removed"] as const) {
        // Before the world knew the component, no entity had it.
        const isNew = kind === "added" && met.has(name);
        const list = isNew ? this.world.query(component as Component<Schema>).ids() : changes[kind];
        count += list.length;
        if (list.length > 0) this.names.add(name);
        for (let k = 0; k < list.length && entries.length < MOST; k++) {
          const entity = list[k] as Entity;
          entries.push({ entity, component: name, kind });
        }
        // Visible rows ask by entity; no more than a few thousand rows are visible.
        for (let k = 0; k < list.length && changedIn.size < 5000; k++) {
          const entity = list[k] as Entity;
          const names = changedIn.get(entity);
          if (names === undefined) changedIn.set(entity, new Set([name]));
          else names.add(name);
        }
      }
    }
    this.entries = entries;
    this.count = count;
    this.changedIn = changedIn;
  }

  wasChanged(entity: Entity): boolean {
    return this.changedIn.has(entity);
  }

  /** Readers report components, not fields, so all fields of one are marked. */
  wasFieldChanged(entities: readonly Entity[], component: AnyComponent): boolean {
    return entities.some((entity) => this.changedIn.get(entity)?.has(component.name) === true);
  }

  /** Whether any entity's component of that name changed in the last frame. */
  hasChanged(component: string): boolean {
    return this.names.has(component);
  }

  close(): void {
    for (const { reader } of this.readers.values()) reader.close();
    this.readers.clear();
  }

  /** Also follows components that the world has met since the last call, and returns their names. */
  private follow(): ReadonlySet<string> {
    const met = new Set<string>();
    const known = listComponents(this.world);
    if (known.length === this.readers.size) return met;
    for (const { name } of known) {
      if (this.readers.has(name)) continue;
      const component = this.world.componentNamed(name);
      if (component === undefined) continue;
      this.readers.set(name, { component, reader: changesOf(this.world, component) });
      met.add(name);
    }
    return met;
  }
}

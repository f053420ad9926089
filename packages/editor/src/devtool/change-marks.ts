/**
 * Which of a few entities have changed since the last look, found by comparing their values. Only those on the screen are
 * looked at, and the world is not made to keep a log: one reader of changes would cost a game something with every write.
 */
import type { AnyComponent, Component, Entity, Schema } from "espalier";
import type { EditorDocument } from "../document/document.ts";

type Values = { readonly [field: string]: unknown };

export class ChangeMarks {
  private readonly document: EditorDocument;
  private seen = new Map<Entity, Map<AnyComponent, Values>>();
  private marked = new Map<Entity, Set<AnyComponent>>();

  constructor(document: EditorDocument) {
    this.document = document;
  }

  /** Looks at these and forgets all others. Returns whether a mark came or went. */
  look(entities: Iterable<Entity>): boolean {
    const { world, components } = this.document;
    const seen = new Map<Entity, Map<AnyComponent, Values>>();
    const marked = new Map<Entity, Set<AnyComponent>>();
    for (const entity of entities) {
      if (seen.has(entity) || !world.isAlive(entity)) continue;
      const before = this.seen.get(entity);
      const now = new Map<AnyComponent, Values>();
      for (const component of components) {
        if (!world.has(entity, component)) {
          if (before?.has(component) === true) mark(marked, entity, component);
          continue;
        }
        const values = world.get(entity, component as Component<Schema>) as Values;
        now.set(component, values);
        if (before === undefined) continue;
        const old = before.get(component);
        if (old === undefined || !isSame(old, values)) mark(marked, entity, component);
      }
      seen.set(entity, now);
    }
    const isOther = !isSameMarks(this.marked, marked);
    this.seen = seen;
    this.marked = marked;
    return isOther;
  }

  wasChanged(entity: Entity): boolean {
    return this.marked.has(entity);
  }

  wasFieldChanged(entities: readonly Entity[], component: AnyComponent): boolean {
    return entities.some((entity) => this.marked.get(entity)?.has(component) === true);
  }
}

function mark(marked: Map<Entity, Set<AnyComponent>>, entity: Entity, component: AnyComponent): void {
  const components = marked.get(entity);
  if (components === undefined) marked.set(entity, new Set([component]));
  else components.add(component);
}

function isSame(a: Values, b: Values): boolean {
  for (const field in b) if (!Object.is(a[field], b[field])) return false;
  return true;
}

function isSameMarks(
  a: ReadonlyMap<Entity, ReadonlySet<AnyComponent>>,
  b: ReadonlyMap<Entity, ReadonlySet<AnyComponent>>,
): boolean {
  if (a.size !== b.size) return false;
  for (const [entity, components] of b) {
    const others = a.get(entity);
    if (others === undefined || others.size !== components.size) return false;
    for (const component of components) if (!others.has(component)) return false;
  }
  return true;
}

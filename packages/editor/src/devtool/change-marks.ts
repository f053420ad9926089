/**
 * Which of a few entities have changed since the last look, found by comparing their values. Only those on the screen are
 * compared, and the world need not keep a log: a change reader would slow down every write of the game.
 */
import type { AnyComponent, Component, Entity, Schema } from "espalier";
import type { EditorDocument } from "../document/document.ts";

type Values = { readonly [field: string]: unknown };
/** The fields that changed, by entity and component; all fields of a component that was added or removed. */
type Marks = Map<Entity, Map<AnyComponent, ReadonlySet<string>>>;

export class ChangeMarks {
  private readonly document: EditorDocument;
  private seen = new Map<Entity, Map<AnyComponent, Values>>();
  private marked: Marks = new Map();

  constructor(document: EditorDocument) {
    this.document = document;
  }

  /** Compares these entities and forgets all others. Returns whether a mark was added or removed. */
  look(entities: Iterable<Entity>): boolean {
    const { world, components } = this.document;
    const seen = new Map<Entity, Map<AnyComponent, Values>>();
    const marked: Marks = new Map();
    for (const entity of entities) {
      if (seen.has(entity) || !world.isAlive(entity)) continue;
      const before = this.seen.get(entity);
      const now = new Map<AnyComponent, Values>();
      for (const component of components) {
        if (!world.has(entity, component)) {
          const gone = before?.get(component);
          if (gone !== undefined) mark(marked, entity, component, Object.keys(gone));
          continue;
        }
        const values = world.get(entity, component as Component<Schema>) as Values;
        now.set(component, values);
        if (before === undefined) continue;
        mark(marked, entity, component, changedFields(before.get(component), values));
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

  wasFieldChanged(entities: readonly Entity[], component: AnyComponent, field: string): boolean {
    return entities.some((entity) => this.marked.get(entity)?.get(component)?.has(field) === true);
  }
}

function mark(marked: Marks, entity: Entity, component: AnyComponent, fields: readonly string[]): void {
  if (fields.length === 0) return;
  const components = marked.get(entity) ?? new Map<AnyComponent, ReadonlySet<string>>();
  components.set(component, new Set(fields));
  marked.set(entity, components);
}

function changedFields(old: Values | undefined, values: Values): string[] {
  return Object.keys(values).filter((field) => old === undefined || !Object.is(old[field], values[field]));
}

/** Whether the same entities are marked. Their fields are not compared: they are shown elsewhere. */
function isSameMarks(a: Marks, b: Marks): boolean {
  if (a.size !== b.size) return false;
  for (const entity of b.keys()) if (!a.has(entity)) return false;
  return true;
}

/**
 * A query as a table for people to read.
 */
import { refuseArgument } from "../checks/arguments.ts";
import { type AnyComponent, isComponent, isTag } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import { type Entity, formatEntity, indexOf } from "../entities/entity.ts";
import { Query } from "../queries/query.ts";
import type { Term } from "../queries/terms.ts";
import type { WorldState } from "../state.ts";

/** One entity, for `console.table`. */
export interface TableRow {
  /** The handle as text: `#7`, or `#7v2` where its index was used before. */
  readonly Entity: string;
  readonly [column: string]: unknown;
}

/**
 * The matches of a query as rows for `console.table`: a column `Entity`, one for each field that the query's terms
 * give, and `true` or `false` for tags. Fields that an entity does not have are left out of its row.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * world.spawn(Health);
 * toTable(world.query(Health)); // → [{ Entity: "#1", "Health.hp": 100 }]
 * ```
 */
export function toTable(query: Query<readonly Term[]>): TableRow[] {
  if (!(query instanceof Query)) refuseArgument(query, "list a query", "it", "a query");
  const world = query.state;
  world.requireUsable("list a query");
  return query.ids().map((entity) => {
    const row: { [column: string]: unknown; Entity: string } = { Entity: formatEntity(entity) };
    for (const term of query.terms) fillRow(world, row, query, term, entity);
    return row;
  });
}

function fillRow(
  world: WorldState,
  row: { [column: string]: unknown },
  query: Query<readonly Term[]>,
  term: Term,
  entity: Entity,
): void {
  if (isComponent(term)) fillComponent(world, row, term, term.name, indexOf(entity));
  else if (term.term === "optional") {
    fillRow(world, row, query, term.component, entity);
  } else if (term.term === "related") {
    fillComponent(
      world,
      row,
      term.component,
      term.name,
      indexOf(query.sourceOf(entity, term) ?? (0 as Entity)),
    );
  }
}

function fillComponent(
  world: WorldState,
  row: { [column: string]: unknown },
  component: AnyComponent,
  title: string,
  index: number,
): void {
  const store = world.store(component);
  const isThere = world.archetypeAt(index)?.has[store.id] === 1;
  if (isTag(component)) row[title] = isThere;
  if (!isThere) return;
  const values = store.access.read(store.rowOf(index), world) as { [field: string]: unknown };
  store.names.forEach((name, k) => {
    const value = values[name];
    const { valueKind } = store.types[k];
    const isReference = valueKind === "entity" && value !== null;
    const shown =
      valueKind === "entities" && Array.isArray(value) ? value.map(shownTarget).join(", ") : value;
    row[`${title}.${name}`] = isReference ? formatEntity(value) : shown;
  });
}

function shownTarget(item: unknown): string {
  if (typeof item !== "object" || item === null) return formatEntity(item);
  const { target, ...data } = item as { target: Entity };
  const values = Object.entries(data).map(([name, value]) => `${name}: ${describeValue(value)}`);
  return `${formatEntity(target)} (${values.join(", ")})`;
}

/** Relations with every policy, and what a plain program would make of them. */
import {
  type Component,
  component,
  type Entity,
  entityRefs,
  indexedRef,
  indexOf,
  referrersOf,
  type Schema,
  targetsOf,
  u32,
  type World,
} from "espalier";

export const singles = {
  Null: component("Null", { at: indexedRef() }),
  Strip: component(
    "Strip",
    { at: indexedRef({ onTargetDestroyed: "removeComponent" }) },
    { storage: "sparse" },
  ),
  Die: component("Die", { at: indexedRef({ onTargetDestroyed: "destroyOwner" }) }),
  Hold: component("Hold", { at: indexedRef({ onTargetDestroyed: "refuse" }) }),
};
const data = { amount: u32(1) };
export const lists = {
  Items: component("Items", { at: entityRefs({ data }) }),
  StripAll: component("StripAll", { at: entityRefs({ onTargetDestroyed: "removeComponent" }) }),
  DieAll: component(
    "DieAll",
    { at: entityRefs({ data, onTargetDestroyed: "destroyOwner" }) },
    { storage: "sparse" },
  ),
  HoldAll: component("HoldAll", { at: entityRefs({ onTargetDestroyed: "refuse" }) }),
};
export type SingleName = keyof typeof singles;
export type ListName = keyof typeof lists;
export const singleNames = Object.keys(singles) as SingleName[];
export const listNames = Object.keys(lists) as ListName[];
export const all = { ...singles, ...lists } as { [name: string]: Component<Schema> };

/** What one entity refers to, by component: pairs of target and amount, `null` for a single reference that leads nowhere. */
export type Row = { [name: string]: readonly (readonly [Entity, number])[] };
/** Every entity that lives. */
export type Model = Map<Entity, Row>;

export function copyOf(model: Model): Model {
  return new Map([...model].map(([entity, row]) => [entity, { ...row }]));
}

/** What destroying these comes to; `undefined` when it is refused. */
export function destroyed(model: Model, entities: readonly Entity[]): Model | undefined {
  const going = new Set(entities.filter((entity) => model.has(entity)));
  const refers = (row: Row, name: string) => (row[name] ?? []).some(([target]) => going.has(target));
  for (let before = -1; before !== going.size; ) {
    before = going.size;
    for (const [entity, row] of model) if (refers(row, "Die") || refers(row, "DieAll")) going.add(entity);
  }
  const rest: Model = new Map();
  for (const [entity, row] of model) {
    if (going.has(entity)) continue;
    if (refers(row, "Hold") || refers(row, "HoldAll")) return undefined;
    const left: Row = {};
    for (const [name, pairs] of Object.entries(row)) {
      if ((name === "Strip" || name === "StripAll") && refers(row, name)) continue;
      left[name] = pairs.filter(([target]) => !going.has(target));
    }
    rest.set(entity, left);
  }
  return rest;
}

/** A model as plain data, entities in the order of their handles. */
export function shown(model: Model): unknown {
  return [...model]
    .sort(([a], [b]) => a - b)
    .map(([entity, row]) => [entity, Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** The same of a world. */
export function rowsOf(world: World): Model {
  const model: Model = new Map();
  for (const entity of world.entities()) {
    const row: Row = {};
    for (const [name, component] of Object.entries(all)) {
      const values = world.get(entity, component);
      if (values === undefined) continue;
      const { at } = values as { at: unknown };
      if (!Array.isArray(at)) row[name] = at === null ? [] : [[at as Entity, 1]];
      else row[name] = at.map((item) => (typeof item === "object" ? [item.target, item.amount] : [item, 1]));
    }
    model.set(entity, row);
  }
  return model;
}

/** Which entities refer to each, asked of the index; and what a look at everything says. */
export function backwards(world: World, model: Model): [unknown, unknown] {
  const asked: unknown[] = [];
  const looked: unknown[] = [];
  for (const target of [...model.keys()].sort((a, b) => a - b)) {
    for (const [name, component] of Object.entries(all)) {
      const found = [...model]
        .filter(([, row]) => (row[name] ?? []).some(([other]) => other === target))
        .map(([owner]) => owner);
      looked.push([target, name, found.sort((a, b) => indexOf(a) - indexOf(b))]);
      asked.push([target, name, [...referrersOf(world, target, component, "at" as never)]]);
    }
    for (const name of listNames) {
      asked.push([...targetsOf(world, target, lists[name] as typeof lists.StripAll, "at")]);
      looked.push((model.get(target)?.[name] ?? []).map(([other]) => other));
    }
  }
  return [asked, looked];
}

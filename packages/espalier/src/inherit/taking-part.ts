/**
 * Which entities take part: effective activity as a tag, so that queries pass over whole archetypes.
 *
 * The tag is on those that do not take part. Most entities do, so creating them costs nothing. It is derived: reserved, in no scene
 * file, no undo step, no difference and no change stream, and brought up to date by `propagate()`.
 */
import { type Entity, not, type Resource, resource, type Tag, tag } from "../ecs/index.ts";
import {
  type Archetype,
  addOne,
  addRows,
  asOneCall,
  type ChangeReader,
  claim,
  DEVELOPMENT,
  INDEX_MASK,
  provideCheck,
  ROW,
  recordsOf,
  removeOne,
  removeRows,
  type Store,
  stateOf,
  Tape,
  type WorldState,
} from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { orderOf, treeOf } from "../hierarchy/internal.ts";
import { createInherited, type Inherited } from "./inherited.ts";
import { activity } from "./presets.ts";
import { requireTree } from "./require-tree.ts";

/** On entities that do not take part, because they or an ancestor are off. Derived from `Active`: read-only and never saved. */
export const Inactive: Tag = /* @__PURE__ */ tag("Inactive", { reserved: "Active" });

/**
 * A query term: entities that take part, as of the last `propagate()` of `activityOf(tree)`, which a game runs in every step. Costs nothing
 * in the loop.
 *
 * @example
 * ```ts
 * const Enemy = tag("Enemy");
 * const activities = activityOf(tree);
 * const wave = world.spawn(Active({ on: false }));
 * const early = tree.attachNew(wave, Enemy);
 * const late = world.spawn(Enemy);
 * activities.propagate();
 * world.query(Enemy, active).ids(); // → [late]
 * ```
 */
export const active: ReturnType<typeof not> = /* @__PURE__ */ not(Inactive);

/** Effective activity. */
export type Activity = Inherited<(typeof activity)["component"]["schema"], boolean>;

const Shared: Resource<Map<Hierarchy, Activity>> = /* @__PURE__ */ resource(
  "espalier/inherit activity",
  () => new Map(),
);

/**
 * The effective activity of a tree, made when first asked for and shared by all rooms. Of the first tree of a world that is asked for it,
 * its `propagate()` also keeps the query term `active` up to date.
 */
export function activityOf(tree: Hierarchy): Activity {
  const { world } = requireTree(tree);
  const all = world.resource(Shared);
  let found = all.get(tree);
  if (found === undefined) {
    found = createInherited(tree, activity);
    if (all.size === 0) keepTag(found);
    all.set(tree, found);
  }
  return found;
}

function keepTag(values: Activity): void {
  const s = stateOf(values.tree.world);
  claim(s, Inactive);
  const store = s.store(Inactive);
  values.propagate();
  const keeper = new TagKeeper(s, store, values);
  for (const entity of values.tree.world.query()) keeper.look(entity);
  values.afterPass = () => keeper.update();
  keeper.update();
  if (!DEVELOPMENT) return;
  provideCheck(s, {
    name: "active",
    *check() {
      values.propagate();
      // While something iterates, entities cannot change their archetype.
      if (keeper.waits) return;
      for (const entity of values.tree.world.query()) {
        if (values.of(entity) !== s.hasAt(entity & INDEX_MASK, store)) continue;
        yield {
          code: "inherit/inconsistent",
          entity,
          message: `${values.tree.label(entity)} is ${values.of(entity) ? "" : "not "}active, and its tag Inactive says otherwise`,
        };
      }
    },
  });
}

class TagKeeper {
  private readonly s: WorldState;
  private readonly store: Store;
  private readonly values: Activity;
  private readonly reader: ChangeReader;
  /** Those whose value changed, or that came, since the tag was right. */
  private waiting: Entity[] = [];

  constructor(s: WorldState, store: Store, values: Activity) {
    this.s = s;
    this.store = store;
    this.values = values;
    this.reader = values.changes();
  }

  /** Whether entities were not looked at yet, because something iterates. */
  get waits(): boolean {
    return this.waiting.length > 0;
  }

  look(entity: Entity): void {
    if (this.isWrong(entity)) this.waiting.push(entity);
  }

  /** Gives the tag to those that stopped taking part, and takes it from the others. */
  update(): void {
    if (this.reader.pending > 0) this.reader.forEach(this.changed);
    const { s } = this;
    if (this.waiting.length === 0 || s.locked !== 0) return;
    const entities = this.waiting;
    this.waiting = [];
    if (this.store.observers === undefined) {
      this.moveRanges(entities);
      return;
    }
    const change = () => asOneCall(s, () => this.change(entities));
    const records = recordsOf(s);
    // No undo takes the tag back: the next pass does.
    if (records.wanted) records.divert(new Tape(), change);
    else change();
  }

  private readonly changed = (entity: Entity, kind: "added" | "changed" | "removed"): void => {
    if (kind !== "removed") this.waiting.push(entity);
  };

  /** The same as `change` where nothing observes the tag. Entities of a branch that were created together move together. */
  private moveRanges(entities: readonly Entity[]): void {
    const { s, store } = this;
    const { info } = s.table;
    for (let k = 0; k < entities.length; k++) {
      const entity = entities[k];
      if (!this.isWrong(entity)) continue;
      const isOn = this.isOn(entity);
      const from = s.archetypeAt(entity & INDEX_MASK) as Archetype;
      const { ids, count } = from;
      const first = info[((entity & INDEX_MASK) << 2) | ROW];
      let last = first + 1;
      // Those of one archetype have the tag, or have it not, like the first.
      while (last < count && k + 1 < entities.length) {
        const next = entities[k + 1];
        if ((next & INDEX_MASK) !== ids[last] || !s.table.isAlive(next) || this.isOn(next) !== isOn) break;
        last++;
        k++;
      }
      if (isOn) removeRows(s, from, first, last, store);
      else addRows(s, from, first, last, store, undefined);
    }
  }

  private change(entities: readonly Entity[]): void {
    const { s, store } = this;
    for (let k = 0; k < entities.length; k++) {
      const entity = entities[k];
      // An observer of an earlier one may have changed anything, and so may what happened since this one was listed.
      if (!this.isWrong(entity)) continue;
      if (this.isOn(entity)) removeOne(s, entity, store);
      else addOne(s, entity, store, undefined);
    }
  }

  private isWrong(entity: Entity): boolean {
    const { s, store } = this;
    return s.table.isAlive(entity) && s.hasAt(entity & INDEX_MASK, store) === this.isOn(entity);
  }

  /** As of the last pass: a read of its own for each entity takes as long as the change of its archetype. */
  private isOn(entity: Entity): boolean {
    const { values } = this;
    return values.column[orderOf(treeOf(values.tree)).slotOf[entity & INDEX_MASK]];
  }
}

/**
 * Which entities take part: effective activity as a tag, so that queries pass over whole archetypes.
 *
 * The tag is on those that do not take part. Most entities do, so creating them costs nothing. It is derived: reserved, in no scene
 * file, no undo step, no difference and no change stream, and brought up to date by `propagate()`.
 */
import { type Entity, not, type Resource, resource, type Tag, tag } from "../ecs/index.ts";
import {
  ARCHETYPE,
  type Archetype,
  addOne,
  addRows,
  asOneCall,
  claim,
  DEVELOPMENT,
  INDEX_MASK,
  provideCheck,
  ROW,
  removeOne,
  removeRows,
  type Store,
  stateOf,
  type WorldState,
} from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { orderOf, treeOf } from "../hierarchy/internal.ts";
import { ComputedRuns } from "./computed-runs.ts";
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
  /** What passes computed since the tag was right: only there it can be wrong. */
  private readonly runs = new ComputedRuns();

  constructor(s: WorldState, store: Store, values: Activity) {
    this.s = s;
    this.store = store;
    this.values = values;
    values.watchers.push(this.runs);
    // What was computed before is not known.
    this.runs.isLost = true;
  }

  /** Whether slots were not looked at yet, because something iterates. */
  get waits(): boolean {
    return this.runs.isLost || this.runs.length > 0;
  }

  /** Gives the tag to those that stopped taking part, and takes it from the others. */
  update(): void {
    const { s, runs } = this;
    if (!this.waits || s.locked !== 0) return;
    const { bounds, length, isLost } = runs;
    const { tail } = orderOf(treeOf(this.values.tree));
    const entities: Entity[] | undefined = this.store.observers === undefined ? undefined : [];
    if (isLost) this.updateRun(1, tail, entities);
    else for (let k = 0; k < length; k += 2) this.updateRun(bounds[k], bounds[k + 1], entities);
    runs.clear();
    if (entities !== undefined && entities.length > 0) this.change(entities);
  }

  /**
   * Puts the tag right in slots from..to - 1, or only lists the entities where it is wrong. Entities that stand beside each other in the tree
   * and in their archetype move together.
   */
  private updateRun(from: number, to: number, listed: Entity[] | undefined): void {
    const { s, store } = this;
    const { nodeAt } = orderOf(treeOf(this.values.tree));
    const isOn = this.values.column;
    const { info } = s.table;
    for (let slot = from; slot < to; slot++) {
      const node = nodeAt[slot];
      if (node === 0) continue;
      const archetype = s.graph.all[info[(node << 2) | ARCHETYPE]] as Archetype;
      if ((archetype.has[store.id] === 1) !== isOn[slot]) continue;
      if (listed !== undefined) {
        listed.push(s.handleAt(node));
        continue;
      }
      const { ids, count } = archetype;
      const first = info[(node << 2) | ROW];
      let last = first + 1;
      const wanted = isOn[slot];
      // Those of one archetype have the tag, or have it not, like the first.
      const end = Math.min(to, slot + count - first);
      while (++slot < end && nodeAt[slot] === ids[last] && isOn[slot] === wanted) last++;
      slot--;
      if (wanted) removeRows(s, archetype, first, last, store);
      else addRows(s, archetype, first, last, store, undefined);
    }
  }

  /** One by one, because the tag is observed. */
  private change(entities: readonly Entity[]): void {
    const { s } = this;
    const change = () => asOneCall(s, () => entities.forEach((entity) => void this.changeOne(entity)));
    // No undo takes the tag back: the next pass does.
    if (s.recorder.wanted) s.recorder.unrecorded(change);
    else change();
  }

  private changeOne(entity: Entity): void {
    const { s, store, values } = this;
    if (!s.table.isAlive(entity)) return;
    const isOn = values.column[orderOf(treeOf(values.tree)).slotOf[entity & INDEX_MASK]];
    if (isOn) removeOne(s, entity, store);
    else if (!s.hasAt(entity & INDEX_MASK, store)) addOne(s, entity, store, undefined);
  }
}

import {
  addTarget,
  component,
  type Entity,
  entityRef,
  entityRefs,
  f32,
  indexedRef,
  pairOf,
  pairsOf,
  referrersOf,
  refersTo,
  setPair,
  setTarget,
  targetsOf,
  u32,
  type World,
} from "espalier";
import { expectTypeOf } from "vitest";

declare const world: World;
declare const e: Entity;

const Health = component("Health", { hp: f32() });
const Targets = component("Targets", { enemy: indexedRef(), range: f32() });
const Likes = component("Likes", { people: entityRefs() });
const Items = component("Items", { all: entityRefs({ data: { amount: u32(1) } }) });

expectTypeOf(world.get(e, Likes)?.people).toEqualTypeOf<readonly Entity[] | undefined>();
expectTypeOf(pairOf(world, e, Items, "all", e)?.amount).toEqualTypeOf<number | undefined>();
expectTypeOf(pairsOf(world, e, Items, "all").at(0)?.target).toEqualTypeOf<Entity | undefined>();
expectTypeOf(targetsOf(world, e, Likes, "people")).toEqualTypeOf<readonly Entity[]>();
world.spawn(Items({ all: [{ target: e, amount: 2 }] }));
addTarget(world, e, Items, "all", e, { amount: 2 });
setTarget(world, e, Targets, "enemy", null);

// @ts-expect-error: range is not a reference
referrersOf(world, e, Targets, "range");
// @ts-expect-error: one reference, not several
targetsOf(world, e, Targets, "enemy");
// @ts-expect-error: several references, not one
setTarget(world, e, Likes, "people", e);
// @ts-expect-error: no such data
setPair(world, e, Items, "all", e, { weight: 2 });
// @ts-expect-error: options are of indexedRef
entityRef({ onTargetDestroyed: "refuse" });
// @ts-expect-error: a policy of several references
indexedRef({ onTargetDestroyed: "removePair" });

world.query(Targets, refersTo(Targets, "enemy", Health)).update((targets, health) => {
  expectTypeOf(targets.enemy).toEqualTypeOf<Entity | null>();
  expectTypeOf(health.hp).toEqualTypeOf<number>();
});

import { checkWorld, component, createWorld, type Entity, f32, observe, tag } from "espalier";
import { createHierarchy, Ghost } from "espalier/hierarchy";
import { createHistory, diff, takeSnapshot } from "espalier/history";
import {
  Active,
  active,
  activityOf,
  createInherited,
  Inactive,
  inheritComponents,
  paceOf,
  TimeScale,
  visibility,
} from "espalier/inherit";
import { createSceneFormat } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../random.ts";
import { property } from "../testing.ts";

const Enemy = tag("Enemy");
const Health = component("Health", { hp: f32(100) });

function plant() {
  const world = createWorld();
  const tree = createHierarchy(world);
  return { world, tree, activities: activityOf(tree) };
}

describe("the query term active", () => {
  it("leaves out what is below an entity that is off", () => {
    const { world, tree, activities } = plant();
    const wave = world.spawn(Active);
    const enemies = [1, 2, 3].map(() => tree.attachNew(wave, Enemy));
    const boss = world.spawn(Enemy);
    const query = world.query(Enemy, active);
    world.set(wave, Active, { on: false });
    activities.propagate();
    expect(query.ids()).toEqual([boss]);
    expect(world.query(Enemy).ids()).toHaveLength(4);
    expect(world.has(enemies[0]!, Inactive)).toBe(true);
    world.set(wave, Active, { on: true });
    activities.propagate();
    expect(query.ids().sort()).toEqual([...enemies, boss].sort());
    expect(checkWorld(world)).toEqual([]);
  });

  it("is kept for entities that were there before, and for those that come or move later", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const off = world.spawn(Active({ on: false }));
    const [before, moved] = [tree.attachNew(off, Enemy), world.spawn(Enemy)];
    const activities = activityOf(tree);
    expect(activityOf(tree)).toBe(activities);
    const ids = () => {
      activities.propagate();
      return world.query(Enemy, active).ids();
    };
    expect(ids()).toEqual([moved]);
    tree.attach(moved, off);
    tree.attachNew(off, Enemy);
    expect(ids()).toEqual([]);
    world.add(off, Ghost);
    expect(ids()).toHaveLength(3);
    expect(ids()).toContain(before);
  });

  it("waits with its tag until nothing iterates", () => {
    const { world, tree, activities } = plant();
    const top = world.spawn(Active);
    tree.attachNew(top, Enemy);
    world.query(Active).each(() => {
      world.set(top, Active, { on: false });
      activities.propagate();
    });
    activities.propagate();
    expect(world.query(Enemy, active).ids()).toEqual([]);
  });

  it("cannot be written, and is in no file, undo step and difference", () => {
    const { world, tree, activities } = plant();
    const history = createHistory(world);
    const top = world.spawn(Active);
    const child = tree.attachNew(top, Health);
    history.clear();
    const before = takeSnapshot(world, { trees: [tree] });
    history.step("off", () => world.set(top, Active, { on: false }));
    activities.propagate();
    expect(() => world.add(child, Inactive)).toThrow("only its owner writes it. Use Active.");
    expect(() => world.remove(child, Inactive)).toThrow("ecs/reserved-component");
    const format = createSceneFormat({ components: [Active, Health] });
    expect(format.save(tree, [top])).not.toContain("Inactive");
    expect(JSON.stringify(diff(before, takeSnapshot(world, { trees: [tree] })))).not.toContain("Inactive");
    expect(history.undo()).toBe(true);
    activities.propagate();
    expect(world.query(Health, active).ids()).toEqual([child]);
    expect(history.canRedo).toBe(true);
    history.redo();
    activities.propagate();
    expect(world.query(Health, active).ids()).toEqual([]);
    expect(history.canUndo).toBe(true);
    expect(checkWorld(world)).toEqual([]);
  });

  it("agrees with asking each entity, whatever is done and undone", () => {
    const act = fc.tuple(
      fc.constantFrom("spawn", "on", "off", "move", "destroy", "undo", "redo", "look"),
      fc.nat(),
      fc.nat(),
    );
    property(fc.tuple(fc.array(act, { maxLength: 60 }), fc.boolean()), ([acts, isObserved]) => {
      const { world, tree, activities } = plant();
      // Where the tag is observed entities get it one by one, otherwise in ranges.
      let tagged = 0;
      if (isObserved) {
        observe(world, Inactive, { add: () => void tagged++, remove: () => void tagged-- });
      }
      const history = createHistory(world);
      const query = world.query(Enemy, active);
      for (const [what, a, b] of acts) {
        const all = [...world.query(Enemy)].sort((x, y) => x - y);
        const pick = (k: number): Entity | null => all[k % (all.length + 1)] ?? null;
        const [one, other] = [pick(a), pick(b)];
        if (what === "spawn") {
          if (one === null) world.spawn(Enemy);
          else tree.attachNew(one, Enemy);
        } else if (what === "undo") history.undo();
        else if (what === "redo") history.redo();
        else if (what === "look") activities.propagate();
        else if (one !== null) {
          if (what === "destroy") world.destroy(one);
          else if (what === "move") {
            if (other === null || (other !== one && !tree.isAncestor(one, other))) tree.attach(one, other);
          } else if (world.has(one, Active)) world.set(one, Active, { on: what === "on" });
          else world.add(one, Active({ on: what === "on" }));
        }
      }
      activities.propagate();
      const slow = [...world.query(Enemy)].filter((entity) => {
        for (let up: Entity | null = entity; up !== null; up = tree.parentOf(up))
          if (world.get(up, Active)?.on === false) return false;
        return true;
      });
      expect(query.ids().sort()).toEqual(slow.sort());
      if (isObserved) expect(tagged).toBe(world.query(Inactive).count());
      expect(checkWorld(world)).toEqual([]);
    });
  });
});

describe("the tag of those that do not take part", () => {
  it("finds its entities when slots move between a pass inside a loop and the end of the loop", () => {
    const { world, tree, activities } = plant();
    const others = createInherited(tree, visibility);
    const roots = Array.from({ length: 600 }, () => world.spawn(Active));
    const one = roots[550]!;
    activities.propagate();
    world.set(one, Active, { on: false });
    world.query(Active).update(() => void activities.propagate());
    expect(world.query(Inactive).ids()).toEqual([]);
    for (const root of roots.slice(0, 400)) world.destroy(root);
    others.propagate();
    activities.propagate();
    expect(world.query(Inactive).ids()).toEqual([one]);
  });

  it.each([false, true])(
    "is right in a tree of hundreds, whatever comes, goes, moves and is switched (observed: %s)",
    (isObserved) => {
      const frame = fc.record({
        seed: fc.nat(),
        switched: fc.constantFrom(0, 1, 5, 40, 90),
        destroyed: fc.constantFrom(0, 0, 3, 300),
        created: fc.constantFrom(0, 4, 200),
        moved: fc.nat(4),
        isInLoop: fc.boolean(),
      });
      property(
        fc.array(frame, { minLength: 2, maxLength: 8 }),
        (frames) => {
          const { world, tree, activities } = plant();
          const others = createInherited(tree, visibility);
          const tagged = new Set<Entity>();
          if (isObserved) {
            const name = "tagged";
            observe(world, Inactive, {
              name,
              add: (e) => void tagged.add(e),
              remove: (e) => void tagged.delete(e),
            });
          }
          for (const { seed, switched, destroyed, created, moved, isInLoop } of [
            { seed: 7, switched: 0, destroyed: 0, created: 450, moved: 0, isInLoop: false },
            ...frames,
          ]) {
            const random = createRandom(seed);
            const one = () => world.entities()[Math.floor(random() * world.count)]!;
            if (isInLoop) {
              // The tag waits for the end of the loop, and meanwhile slots move.
              for (let k = 0; k < switched; k++) world.add(one(), Active({ on: random() < 0.7 }));
              world.query(Enemy).update(() => void activities.propagate());
            }
            for (let k = 0; k < destroyed && world.count > 60; k++) world.destroy(one());
            others.propagate();
            for (let k = 0; k < created; k++) {
              const parts = [Enemy, Health, Active({ on: random() < 0.8 })].filter(() => random() < 0.5);
              tree.attachNew(world.count === 0 || random() < 0.1 ? null : one(), ...parts);
            }
            for (let k = 0; k < moved; k++) {
              const [child, parent] = [one(), one()];
              if (tree.canAttach(child, parent)) tree.attach(child, parent);
            }
            for (let k = 0; k < switched; k++) world.add(one(), Active({ on: random() < 0.7 }));
            activities.propagate();
            const off = new Set<Entity>();
            for (const root of tree.roots()) {
              for (const entity of tree.descendants(root, { includeSelf: true })) {
                const parent = tree.parentOf(entity);
                if (world.get(entity, Active)?.on === false || (parent !== null && off.has(parent)))
                  off.add(entity);
              }
            }
            expect(new Set(world.query(Inactive).ids())).toEqual(off);
            if (isObserved) expect(tagged).toEqual(off);
            expect(
              world
                .query(Enemy, active)
                .ids()
                .some((entity) => off.has(entity)),
            ).toBe(false);
          }
          expect(checkWorld(world)).toEqual([]);
        },
        10,
      );
    },
  );
});

describe("the pace of time", () => {
  it("is multiplied down the tree, and 0 for what does not take part", () => {
    const { world, tree } = plant();
    const pace = paceOf(tree);
    const level = world.spawn(TimeScale({ value: 0.5 }));
    const enemy = tree.attachNew(level, TimeScale({ value: 4 }));
    expect([pace.of(level), pace.of(enemy)]).toEqual([0.5, 2]);
    world.set(level, TimeScale, { value: 0 });
    expect(pace.of(enemy)).toBe(0);
    world.set(level, TimeScale, { value: 1 });
    world.add(level, Active({ on: false }));
    expect(pace.of(enemy)).toBe(0);
  });

  it.each([true, false])(
    "refuses what is below 0 or not a number, in a world that checks values: %s",
    (checks) => {
      const world = createWorld({ checks });
      const tree = createHierarchy(world);
      const level = world.spawn(TimeScale({ value: 0.5 }));
      const query = world.query(TimeScale);
      for (const value of [-3, Number.NaN, Number.POSITIVE_INFINITY]) {
        for (const write of [
          () => world.set(level, TimeScale, { value }),
          () => world.add(level, TimeScale({ value })),
          () => world.spawn(TimeScale({ value })),
          () => tree.attachNew(level, TimeScale({ value })),
          () => query.update((scale) => void (scale.value = value)),
        ])
          expect(write).toThrow("ecs/invalid-value");
      }
      expect(paceOf(tree).of(level)).toBe(0.5);
      expect(query.count()).toBe(1);
    },
  );

  it("refuses a scene file with a pace below 0, and says so in its schema", () => {
    const format = createSceneFormat({ components: [inheritComponents] });
    const text = JSON.stringify({ entities: [{ id: "a", components: { TimeScale: { value: -1 } } }] });
    expect(() => format.load(plant().tree, text)).toThrow("TimeScale.value holds from 0 to");
    expect(JSON.stringify(format.jsonSchema())).toContain('"minimum":0');
  });
});

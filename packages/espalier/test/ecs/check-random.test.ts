import {
  type AnyComponent,
  addAll,
  bool,
  changesOf,
  checkWorld,
  component,
  createWorld,
  destroyAll,
  type Entity,
  entityRef,
  f32,
  i8,
  not,
  object,
  observe,
  removeAll,
  string,
  tag,
} from "espalier";
import { destroyAlone, releaseReserved, reserveHandle, revive, stateOf } from "espalier/internal";
import fc from "fast-check";
import { describe, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Label = component("Label", { text: string("?") });
const Bag = component("Bag", { items: object((): string[] => []) }, { storage: "sparse" });
const Flags = component("Flags", { on: bool(), target: entityRef() });
const Rare = component("Rare", { n: i8() }, { storage: "sparse" });
const Frozen = tag("Frozen");
const all = [Position, Label, Bag, Flags, Rare, Frozen] as const;

describe("a world after random operations", () => {
  it("passes its own check", () => {
    const who = fc.nat(20);
    const what = fc.nat(all.length - 1);
    const operation = fc.oneof(
      fc.record({
        do: fc.constantFrom("spawn", "spawnMany", "addAll", "removeAll", "destroyAll"),
        who,
        what,
      }),
      fc.record({ do: fc.constantFrom("add", "remove", "destroy", "unspawn", "revive"), who, what }),
      fc.record({ do: fc.constantFrom("destroy in each", "add in each", "reserve", "release"), who, what }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), fc.boolean(), (operations, observed) => {
        const world = createWorld({ capacity: 2 });
        if (observed) {
          changesOf(world, Position);
          observe(world, Label, { remove: () => {} });
        }
        const known: Entity[] = [];
        const reserved: Entity[] = [];
        for (const { do: it, who, what } of operations) {
          const which = all[what] as AnyComponent;
          const other = all[(what + 1) % all.length] as AnyComponent;
          const entity = known[who % Math.max(1, known.length)];
          const alive = entity !== undefined && world.isAlive(entity) ? entity : undefined;
          if (it === "spawn") known.push(world.spawn(which, other));
          if (it === "spawnMany") known.push(...world.spawnMany(who % 5, which));
          if (it === "addAll") addAll(world.query(which), other, which);
          if (it === "removeAll") removeAll(world.query(which), which, other, which);
          if (it === "destroyAll") destroyAll(world.query(which, not(other)));
          if (it === "add" && alive) world.add(alive, which);
          if (it === "remove" && alive) world.remove(alive, which, other);
          if (it === "destroy" && entity) world.destroy(entity);
          if (it === "unspawn" && alive) destroyAlone(stateOf(world), alive, true);
          if (
            it === "revive" &&
            entity &&
            !alive &&
            !reserved.some((p) => (p & 0xfff) === (entity & 0xfff))
          ) {
            const taken = world.entities().some((e) => (e & 0xfff) === (entity & 0xfff));
            if (!taken) revive(stateOf(world), entity, [which]);
          }
          if (it === "destroy in each") world.query(which).each((e) => void world.destroy(e));
          if (it === "add in each") {
            world.query(which).each((e) => {
              world.add(e, other);
              if (known.length < 100) known.push(world.spawn(which));
            });
          }
          if (it === "reserve") reserved.push(reserveHandle(stateOf(world)));
          if (it === "release" && reserved.length > 0)
            releaseReserved(stateOf(world), reserved.pop() as Entity);
          const violations = checkWorld(world);
          if (violations.length > 0)
            throw new Error(`after ${it}: ${violations.map(({ message }) => message).join(" ")}`);
        }
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

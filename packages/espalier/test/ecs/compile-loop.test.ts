import {
  compileLoop,
  component,
  createCommands,
  createWorld,
  type Entity,
  f32,
  i32,
  not,
  optional,
  string,
  tag,
  where,
} from "espalier";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { modes, refusal } from "../testing.ts";

const Position = component("Position", { x: i32(), y: i32() });
const Velocity = component("Velocity", { x: i32(1), y: i32() });
const Rare = component("Rare", { n: i32() }, { storage: "sparse" });
const Label = component("Label", { text: string("?") });
const Frozen = tag("Frozen");

describe.each(modes)("compileLoop ($mode)", ({ generate }) => {
  it("does what update does, in worlds that grow and change, with filters and several worlds", () => {
    const step = fc.record({
      it: fc.constantFrom("spawn", "destroy", "freeze", "thaw", "run"),
      who: fc.nat(50),
      by: fc.integer({ min: -5, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.boolean(), (steps, filtered) => {
        const [one, other] = [0, 1].map(() => {
          const world = createWorld({ generate, capacity: 2 });
          const few = where("odd", (index) => index % 2 === 1);
          const terms = [Position, Velocity, not(Frozen), optional(Rare)] as const;
          const query = filtered ? world.query(...terms, few) : world.query(...terms);
          return { world, query, entities: [] as Entity[] };
        }) as [Mirrored, Mirrored];
        const move = compileLoop(one.query, ([ids, position, velocity]) => {
          const { x, y } = position;
          const { x: vx, y: vy } = velocity;
          return (count, by: number) => {
            for (let k = 0; k < count; k++) {
              const i = ids[k]!;
              x[i]! += vx[i]! * by;
              y[i]! += vy[i]! + 1;
            }
          };
        });
        for (const { it: kind, who, by } of steps) {
          for (const { world, entities } of [one, other]) {
            const entity = entities[who % Math.max(1, entities.length)];
            if (kind === "spawn")
              entities.push(world.spawn(Position({ x: who }), Velocity({ x: by, y: who })));
            else if (entity === undefined || !world.isAlive(entity)) continue;
            else if (kind === "destroy") world.destroy(entity);
            else if (kind === "freeze") world.add(entity, Frozen);
            else if (kind === "thaw") world.remove(entity, Frozen);
          }
          if (kind !== "run") continue;
          move(by);
          other.query.update((position, velocity) => {
            position.x += velocity.x * by;
            position.y += velocity.y + 1;
          });
        }
        const values = ({ world }: Mirrored) => world.entities().map((e) => [e, world.get(e, Position)]);
        expect(values(one)).toEqual(values(other));
      }),
      { numRuns: 100 },
    );
  });

  it("calls a factory that captures variables as an ordinary closure", () => {
    const world = createWorld({ generate });
    const e = world.spawn(Position);
    const step = 3;
    // Also the name of a global in browsers, which it must not be taken for.
    const status = 4;
    let runs = 0;
    const move = compileLoop(world.query(Position), ([ids, { x, y }]) => (count) => {
      runs++;
      for (let k = 0; k < count; k++) {
        x[ids[k]!]! += step;
        y[ids[k]!]! += status;
      }
    });
    expect(runs).toBe(0);
    move();
    move();
    expect([world.get(e, Position), runs]).toEqual([{ x: 6, y: 8 }, 2]);
  });

  it("follows the columns when the world grew while they could not", () => {
    const world = createWorld({ generate, capacity: 2 });
    const e = world.spawn(Position);
    const commands = createCommands(world);
    const add = compileLoop(world.query(Position), ([ids, { x }]) => (count) => {
      for (let k = 0; k < count; k++) x[ids[k]!]! += 1;
    });
    add();
    // A reserved entity makes the table grow at once, the columns only after the loop.
    world.query(Position).update(() => {
      for (let k = 0; k < 10; k++) commands.spawn();
      add();
    });
    add();
    expect(world.get(e, Position)).toEqual({ x: 3, y: 0 });
  });

  it("locks structural changes and unlocks them again", () => {
    const world = createWorld({ generate });
    world.spawn(Position);
    const bad = compileLoop(world.query(Position), () => (_, spawn: () => void) => spawn());
    expect(refusal(world, () => bad(() => world.spawn()))).toContain("[ecs/structure-locked]");
    world.spawn();
    expect(world.count).toBe(2);
  });

  it("passes on what the loop throws", () => {
    const world = createWorld({ generate });
    const loop = compileLoop(world.query(Position), () => (count) => {
      throw new TypeError(`never: ${count}`);
    });
    expect(() => loop()).toThrow(new TypeError("never: 0"));
    expect(() => world.spawn()).not.toThrow();
  });

  it("gives strings and leaves out components without columns", () => {
    const world = createWorld({ generate });
    world.spawn(Label({ text: "a" }), Frozen);
    const read = compileLoop(world.query(Label, Frozen), ([ids, { text }]) => (count, into: string[]) => {
      for (let k = 0; k < count; k++) into.push(text[ids[k]!]!);
    });
    const texts: string[] = [];
    read(texts);
    expect(texts).toEqual(["a"]);
  });

  it("refuses what it cannot loop over", () => {
    const world = createWorld({ generate });
    expect(refusal(world, () => compileLoop(world.query(Position), 3 as never))).toBe(
      "QueryError: Cannot compile a loop: expected a function that gets the arrays, got 3. [ecs/query]",
    );
    expect(refusal(world, () => compileLoop(world.query(Rare), () => () => {})())).toContain(
      "its values are not kept by entity index",
    );
    world.dispose();
    expect(() => compileLoop(world.query(Position), () => () => {})).toThrow("[ecs/disposed-world]");
  });
});

interface Mirrored {
  readonly world: ReturnType<typeof createWorld>;
  readonly query: ReturnType<typeof mirrored>;
  readonly entities: Entity[];
}
const mirrored = () => createWorld().query(Position, Velocity, not(Frozen), optional(Rare));

describe("compileLoop", () => {
  it("says what to do where a name is missing on a way that was not tried", () => {
    const world = createWorld();
    world.spawn(Position({ x: 1 }));
    const hidden = 2;
    const loop = compileLoop(world.query(Position), ([ids, { x }]) => (count) => {
      for (let k = 0; k < count; k++) if (x[ids[k]!] !== 0) x[ids[k]!] = hidden;
    });
    expect(refusal(world, loop)).toBe(
      "QueryError: Cannot run the loop of query(Position): hidden is not defined. A compiled loop sees only its parameters and what is global. Give it the rest as arguments. [ecs/query]",
    );
    world.spawn();
  });

  it("knows the types of its arrays and arguments", () => {
    const query = createWorld().query(Position, Frozen, optional(Velocity), Label);
    const run = compileLoop(query, ([ids, position, label]) => {
      expectTypeOf(ids).toEqualTypeOf<Int32Array>();
      expectTypeOf(position.x).toEqualTypeOf<Int32Array>();
      expectTypeOf(label.text).toExtend<string[]>();
      return (_count, _seconds: number, _name?: string) => {};
    });
    expectTypeOf(run).parameters.toEqualTypeOf<[number, (string | undefined)?]>();
    run(1);
  });

  it("is for numbers of any kind", () => {
    const Heat = component("Heat", { degrees: f32(20) });
    const world = createWorld();
    const e = world.spawn(Heat);
    compileLoop(world.query(Heat), ([ids, { degrees }]) => (count) => {
      for (let k = 0; k < count; k++) degrees[ids[k]!] = Math.sqrt(degrees[ids[k]!]! + 5);
    })();
    expect(world.get(e, Heat)).toEqual({ degrees: 5 });
  });
});

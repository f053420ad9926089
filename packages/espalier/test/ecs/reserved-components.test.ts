import { addAll, component, f32, guard, i32, removeAll } from "espalier";
import { claim, stateOf } from "espalier/internal";
import { describe, expect, it } from "vitest";
import { refusal, strictWorld } from "../testing.ts";

describe("a reserved component", () => {
  const Link = component("Link", { to: i32() }, { reserved: "links.join()" });
  const P = component("P", { x: f32() });

  it("is written by its owner only", () => {
    for (const generate of [true, false]) {
      const world = strictWorld({ generate });
      const e = world.spawn(P);
      const owner = claim(stateOf(world), Link);
      owner.add(e, { to: 3 });
      const query = world.query(P, Link);
      const calls: [string, () => unknown][] = [
        ["write Link", () => world.spawn(Link)],
        ["write Link", () => world.spawn(P, Link({ to: 1 }))],
        ["write Link", () => world.spawnMany(2, Link)],
        ["write Link of #1", () => world.add(e, Link)],
        ["write Link of #1", () => world.add(e, P({ x: 5 }), Link)],
        ["write Link of #1", () => world.set(e, Link, { to: 4 })],
        ["remove Link of #1", () => world.remove(e, Link)],
        ["remove Link of #1", () => world.remove(e, P, Link)],
        ["write Link", () => addAll(world.query(P), Link)],
        ["remove Link", () => removeAll(world.query(P), Link)],
        ["set Link of #1", () => query.each((_, _p, link) => void (link.to = 9))],
        ["set Link of #1", () => query.update((_p, link) => void (link.to = 9))],
      ];
      for (let k = 0; k < 6; k++) {
        for (const [what, call] of calls) {
          expect(refusal(world, call)).toBe(
            `ReservedComponentError: Cannot ${what}: only its owner writes it. Use links.join(). [ecs/reserved-component]`,
          );
        }
      }
      owner.set(e, { to: 8 });
      expect([world.get(e, Link), query.count()]).toEqual([{ to: 8 }, 1]);
      expect([owner.remove(e), owner.remove(e), world.has(e, Link)]).toEqual([true, false, false]);
      expect(refusal(world, () => owner.set(e, { to: 1 }))).toBe(
        "MissingComponentError: Cannot set Link of #1: the entity has no Link. Use add() to give it one. [ecs/missing-component]",
      );
      world.destroy(e);
      expect(refusal(world, () => owner.add(e))).toContain("DeadEntityError");
    }
  });

  it("is claimed once in each world", () => {
    const world = strictWorld();
    claim(stateOf(world), Link);
    expect(refusal(world, () => claim(stateOf(world), Link))).toBe(
      "ReservedComponentError: Cannot claim Link: it has an owner already. [ecs/reserved-component]",
    );
    expect(claim(stateOf(strictWorld()), Link)).toBeDefined();
  });
});

describe("a guard", () => {
  const Weapon = component("Weapon", { damage: i32() });
  const P = component("P", { x: f32() });

  it("refuses by throwing, and nothing has changed", () => {
    const world = strictWorld();
    const [a, b] = world.spawnMany(2, P);
    const asked: unknown[] = [];
    const end = guard(world, Weapon, (index, values) => {
      asked.push([index, values]);
      if (index === 2) throw new Error("no weapons here");
      if ((values as { damage?: number } | undefined)?.damage === 13) throw new Error("no bad luck");
    });
    world.add(a!, Weapon({ damage: 1 }));
    world.spawn(Weapon);
    expect(refusal(world, () => world.add(b!, Weapon))).toBe("Error: no weapons here");
    expect(refusal(world, () => world.add(b!, P({ x: 5 }), Weapon))).toBe("Error: no weapons here");
    expect(refusal(world, () => world.spawn(P, Weapon({ damage: 13 })))).toBe("Error: no bad luck");
    expect(refusal(world, () => world.spawnMany(3, Weapon({ damage: 13 })))).toBe("Error: no bad luck");
    expect(refusal(world, () => addAll(world.query(P), Weapon({ damage: 2 })))).toBe(
      "Error: no weapons here",
    );
    expect(asked.slice(0, 3)).toEqual([
      [1, { damage: 1 }],
      [0, undefined],
      [2, undefined],
    ]);
    end();
    addAll(world.query(P), Weapon);
    expect(world.query(P, Weapon).count()).toBe(2);
  });

  it("is called when the component is added, not for later writes", () => {
    const world = strictWorld();
    const e = world.spawn(Weapon);
    guard(world, Weapon, () => {
      throw new Error("never");
    });
    world.set(e, Weapon, { damage: 3 });
    world.query(Weapon).update((weapon) => void weapon.damage++);
    expect(world.get(e, Weapon)).toEqual({ damage: 4 });
  });

  it("is one of several, all of which are called until one refuses", () => {
    const world = strictWorld();
    const asked: string[] = [];
    const ends = ["a", "b", "c"].map((name) =>
      guard(world, Weapon, () => {
        asked.push(name);
        if (name === "b") throw new Error(name);
      }),
    );
    expect(() => world.spawn(Weapon)).toThrow("b");
    ends[1]!();
    ends[1]!();
    world.spawn(Weapon);
    expect(asked).toEqual(["a", "b", "a", "c"]);
  });
});

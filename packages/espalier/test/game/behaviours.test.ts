import { component, f32, type Schema, tag } from "espalier";
import {
  type Behaviour,
  type BehaviourHooks,
  behaviour,
  bindBehaviour,
  createGame,
  type Self,
  sceneFiles,
} from "espalier/game";
import { descendantCount } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { describe, expect, it } from "vitest";

/** A behaviour that writes down every hook. */
function diary(said: string[], name = "Diary"): Behaviour<Record<string, never>> {
  const say = (hook: string) => (self: Self<Schema>) => void said.push(`${hook} ${self.entity.name}`);
  const hooks: BehaviourHooks<Schema> = {
    awake: say("awake"),
    start: say("start"),
    update: say("update"),
    lateUpdate: say("late"),
    enable: say("enable"),
    disable: say("disable"),
    shutdown: say("shutdown"),
  };
  return behaviour(name, {}, hooks as never) as never;
}

function plant(options: Parameters<typeof createGame>[0] = {}) {
  const said: string[] = [];
  const Diary = diary(said);
  const errors: Error[] = [];
  const game = createGame({ behaviours: [Diary], onError: (error) => errors.push(error), ...options });
  const child = (parent: ReturnType<typeof game.spawn> | null, name: string) => {
    const made = parent === null ? game.spawn() : parent.spawn();
    made.name = name;
    return made.add(Diary);
  };
  const take = () => said.splice(0);
  return { game, Diary, child, take, errors };
}

describe("behaviours", () => {
  it("are awoken and updated parents first, and shut down children first", () => {
    const { game, child, take } = plant();
    const tank = child(null, "tank");
    const turret = child(tank, "turret");
    child(turret, "gun");
    child(tank, "flag");
    game.step();
    expect(take()).toEqual([
      ...["tank", "turret", "gun", "flag"].flatMap((name) => [`awake ${name}`, `enable ${name}`]),
      ...["tank", "turret", "gun", "flag"].map((name) => `start ${name}`),
      ...["tank", "turret", "gun", "flag"].map((name) => `update ${name}`),
      ...["tank", "turret", "gun", "flag"].map((name) => `late ${name}`),
    ]);
    game.stop();
    expect(take()).toEqual(
      ["flag", "gun", "turret", "tank"].flatMap((name) => [`disable ${name}`, `shutdown ${name}`]),
    );
  });

  it("follow the tree, not the order of creation", () => {
    const { game, child, take } = plant();
    const last = child(null, "child");
    const first = child(null, "parent");
    last.parent = first;
    game.step();
    take();
    game.step();
    expect(take()).toEqual(["update parent", "update child", "late parent", "late child"]);
    last.parent = null;
    game.tree.moveChild(last.id, "first");
    game.step();
    expect(take().slice(0, 2)).toEqual(["update child", "update parent"]);
  });

  it.each(["tree", "level"] as const)(
    "are awoken in the order %s, whether few or many are added at once",
    (updateOrder) => {
      const awoken = (others: number) => {
        const { game, Diary, take } = plant({ updateOrder });
        for (let k = 0; k < others; k++) game.spawn();
        const made = ["r", "r0", "r1", "r00", "s", "s0"];
        const entities = new Map<string, ReturnType<typeof game.spawn>>();
        for (const name of made) entities.set(name, game.spawn());
        for (const name of ["r1", "r0", "r00", "s0"]) {
          const entity = entities.get(name);
          if (entity !== undefined) entity.parent = entities.get(name.slice(0, -1)) ?? null;
        }
        for (const [name, entity] of [...entities].reverse()) {
          entity.name = name;
          entity.add(Diary);
        }
        game.step();
        return take().filter((text) => text.startsWith("awake"));
      };
      const expected =
        updateOrder === "tree" ? ["r", "r1", "r0", "r00", "s", "s0"] : ["r", "s", "r1", "r0", "s0", "r00"];
      expect(awoken(0)).toEqual(expected.map((name) => `awake ${name}`));
      expect(awoken(1000)).toEqual(awoken(0));
    },
  );

  it("are awakened again when an undo restores their entity", () => {
    const { game, child, take } = plant({ history: ({ world }) => createHistory(world) });
    const tank = child(null, "tank");
    child(tank, "turret");
    game.step();
    game.history?.step("destroy", () => tank.destroy());
    expect(take().slice(-4)).toEqual(["disable turret", "shutdown turret", "disable tank", "shutdown tank"]);
    game.history?.undo();
    game.step();
    expect(take().slice(0, 2)).toEqual(["awake tank", "enable tank"]);
    expect(game.tree.childrenOf(tank.id)).toHaveLength(1);
  });

  it("run level by level on request", () => {
    const { game, child, take } = plant({ updateOrder: "level" });
    const a = child(null, "a");
    child(child(a, "a1"), "a11");
    child(null, "b");
    child(a, "a2");
    game.step();
    expect(take().filter((text) => text.startsWith("update"))).toEqual(
      ["a", "b", "a1", "a2", "a11"].map((name) => `update ${name}`),
    );
  });

  it("awake late-comers when the game runs, with a start before their first update", () => {
    const { game, child, take } = plant();
    const tank = child(null, "tank");
    game.start();
    expect(take()).toEqual(["awake tank", "enable tank", "start tank"]);
    game.step();
    take();
    child(tank, "shell");
    expect(take()).toEqual([]);
    game.step();
    expect(take()).toEqual([
      "awake shell",
      "enable shell",
      "start shell",
      "update tank",
      "update shell",
      "late tank",
      "late shell",
    ]);
  });

  it("stop while they or an ancestor are not active", () => {
    const { game, child, take } = plant();
    const tank = child(null, "tank");
    const turret = child(tank, "turret");
    game.step();
    take();
    tank.isActive = false;
    game.step();
    expect(take()).toEqual(["disable tank", "disable turret"]);
    game.step();
    expect(take()).toEqual([]);
    turret.parent = null;
    game.step();
    expect(take()).toEqual(["enable turret", "update turret", "late turret"]);
    tank.isActive = true;
    game.step();
    expect(take().slice(0, 1)).toEqual(["enable tank"]);
  });

  it("are disabled when they were turned off by another one that awoke in the same step", () => {
    const said: string[] = [];
    const Diary = diary(said);
    const Pool = behaviour(
      "Pool",
      {},
      {
        awake({ entity }) {
          for (const child of entity.parent?.children ?? []) if (child.has(Diary)) child.isActive = false;
        },
      },
    );
    const game = createGame({ behaviours: [Diary, Pool] });
    const top = game.spawn();
    top.spawn(Diary).name = "bullet";
    top.spawn(Pool);
    game.step(3);
    expect(said).toEqual(["awake bullet", "enable bullet", "disable bullet"]);
  });

  it("start only once they are active", () => {
    const { game, child, take } = plant();
    const tank = child(null, "tank");
    tank.isActive = false;
    game.step();
    expect(take()).toEqual(["awake tank"]);
    tank.isActive = true;
    game.step();
    expect(take()).toEqual(["enable tank", "start tank", "update tank", "late tank"]);
  });

  it("are shut down when the component or the entity is removed, and never called again, even in the current pass", () => {
    const { game, Diary, child, take } = plant();
    const Killer = behaviour(
      "Killer",
      {},
      { update: ({ entity }) => void entity.parent?.children[1]?.destroy() },
    );
    game.stop();
    const said: string[] = [];
    const Other = diary(said, "Other");
    const next = createGame({ behaviours: [Killer, Other] });
    const top = next.spawn();
    const killer = top.spawn(Killer);
    const victim = top.spawn(Other);
    victim.name = "victim";
    next.step();
    expect([killer.isAlive, victim.isAlive]).toEqual([true, false]);
    expect(said).toEqual([
      "awake victim",
      "enable victim",
      "start victim",
      "disable victim",
      "shutdown victim",
    ]);
    void [Diary, child, take];
  });

  it("come back when their component does", () => {
    const { game, Diary, child, take } = plant();
    const tank = child(null, "tank");
    game.step();
    tank.remove(Diary as never);
    expect(take().slice(-2)).toEqual(["disable tank", "shutdown tank"]);
    tank.add(Diary);
    game.step();
    expect(take().slice(0, 3)).toEqual(["awake tank", "enable tank", "start tank"]);
  });

  it("have fields that are read and written live", () => {
    const Spinner = behaviour(
      "Spinner",
      { speed: f32(1), turns: f32() },
      {
        update({ entity, values }, dt) {
          entity.rotation += values.speed * dt;
          values.turns += 1;
        },
      },
    );
    const game = createGame({ behaviours: [Spinner], step: 0.5 });
    const wheel = game.spawn(Spinner({ speed: 2 }));
    game.step(2);
    expect([wheel.rotation, wheel.get(Spinner).turns]).toEqual([2, 2]);
    wheel.set(Spinner, { speed: 0 });
    game.step();
    expect(wheel.rotation).toBe(2);
  });

  it("may be classes, one object per entity", () => {
    const Counter = behaviour(
      "Counter",
      { by: f32(1) },
      class {
        readonly self: Self<{ by: ReturnType<typeof f32> }>;
        private count = 0;
        constructor(self: Self<{ by: ReturnType<typeof f32> }>) {
          this.self = self;
        }
        update(): void {
          this.count += this.self.values.by;
          this.self.entity.props.count = this.count;
        }
      },
    );
    const game = createGame({ behaviours: [Counter] });
    const [one, ten] = [game.spawn(Counter), game.spawn(Counter({ by: 10 }))];
    game.step(3);
    expect([one.props.count, ten.props.count]).toEqual([3, 30]);
  });

  it("may be bound to a component that exists", () => {
    const Health = component("Health", { hp: f32(3) });
    const game = createGame({
      behaviours: [bindBehaviour(Health, { update: ({ values }) => void (values.hp -= 1) })],
    });
    const tank = game.spawn(Health);
    game.step(2);
    expect(tank.get(Health)).toEqual({ hp: 1 });
  });

  it("get their fields from scene files", async () => {
    const Spinner = behaviour(
      "Spinner",
      { speed: f32(1) },
      {
        update: ({ entity, values }, dt) => void (entity.rotation += values.speed * dt),
      },
    );
    const game = createGame({
      behaviours: [Spinner],
      step: 0.5,
      scenes: sceneFiles({
        level: `{ "entities": [{ "id": "wheel", "components": { "Spinner": { "speed": 4 } } }] }`,
      }),
    });
    const scene = await game.load("level");
    game.step();
    expect(game.entity(scene.entity("wheel")).rotation).toBe(2);
  });

  it("run in the order in which the game lists them on one entity", () => {
    const said: string[] = [];
    const A = behaviour("A", {}, { update: () => void said.push("A") });
    const B = behaviour("B", {}, { update: () => void said.push("B") });
    const game = createGame({ behaviours: [A, B] });
    game.spawn(B).add(A);
    game.step();
    expect(said).toEqual(["A", "B"]);
  });

  it("are awoken when awake itself creates more, and an endless chain is found", () => {
    const Plain = tag("Plain");
    const Nest = behaviour(
      "Nest",
      { depth: f32(2) },
      {
        awake({ entity, values }) {
          if (values.depth > 0) entity.spawn(Nest({ depth: values.depth - 1 }));
        },
      },
    );
    const game = createGame({ behaviours: [Nest], components: [Plain] });
    const top = game.spawn(Nest);
    game.step();
    expect(descendantCount(game.tree, top.id)).toBe(2);
    const Endless = behaviour("Endless", {}, { awake: ({ game: inner }) => void inner.spawn(Endless) });
    const other = createGame({ behaviours: [Endless], errors: "throw" });
    other.spawn(Endless);
    expect(() => other.step()).toThrow(
      "Stopped awaking behaviours: awake() of Endless created new ones 100 times over.",
    );
  });
});

describe("a behaviour that throws", () => {
  const Bad = behaviour(
    "Bad",
    {},
    {
      update: ({ entity }) => {
        if (entity.name === "bad") throw new Error("broken");
      },
    },
  );

  function badGame(errors: "report" | "disable" | "throw") {
    const reported: Error[] = [];
    const said: string[] = [];
    const Diary = diary(said);
    const game = createGame({ behaviours: [Bad, Diary], errors, onError: (error) => reported.push(error) });
    const level = game.spawn();
    level.name = "level";
    const bad = level.spawn(Bad);
    bad.name = "bad";
    const good = level.spawn(Diary);
    good.name = "good";
    return { game, reported, said };
  }

  it("is reported with path and hook, and the others still run", () => {
    const { game, reported, said } = badGame("report");
    game.step(2);
    expect(reported.map(String)).toEqual([
      "BehaviourError: Bad.update of /level/bad threw: broken [game/behaviour]",
      "BehaviourError: Bad.update of /level/bad threw: broken [game/behaviour]",
    ]);
    expect(reported[0]).toMatchObject({ behaviour: "Bad", hook: "update", path: "/level/bad" });
    expect(said.filter((text) => text === "update good")).toHaveLength(2);
  });

  it("is left alone from then on with the policy disable", () => {
    const { game, reported, said } = badGame("disable");
    game.step(3);
    expect(reported).toHaveLength(1);
    expect(said.filter((text) => text === "update good")).toHaveLength(3);
  });

  it("ends the step with the policy throw", () => {
    const { game } = badGame("throw");
    expect(() => game.step()).toThrow("Bad.update of /level/bad threw: broken");
  });

  it.each(["awake", "enable", "start", "disable", "shutdown"] as const)(
    "in %s does not prevent any other hook, even with the policy throw",
    (hook) => {
      const said: string[] = [];
      const Diary = diary(said);
      const Bomb = behaviour(
        "Bomb",
        {},
        {
          [hook]({ entity }: Self<Schema>) {
            if (entity.name === "a") throw new Error("bang");
          },
        },
      );
      const reported: string[] = [];
      const game = createGame({
        behaviours: [Bomb, Diary],
        errors: "throw",
        onError: (error) => reported.push(error.message),
      });
      for (const name of ["a", "b", "c"]) game.spawn(Bomb, Diary).name = name;
      const thrown: string[] = [];
      for (const act of [() => game.step(), () => game.step(), () => game.stop()]) {
        try {
          act();
        } catch (error) {
          thrown.push((error as Error).message);
        }
      }
      expect(thrown).toEqual([expect.stringContaining(`Bomb.${hook} of /a threw: bang`)]);
      expect(reported).toEqual([]);
      expect(game.isStopped).toBe(true);
      for (const name of ["a", "b", "c"]) {
        const hooks = said.filter((line) => line.endsWith(` ${name}`)).map((line) => line.split(" ")[0]);
        expect(hooks.filter((each) => each !== "update" && each !== "late")).toEqual([
          "awake",
          "enable",
          "start",
          "disable",
          "shutdown",
        ]);
        expect(hooks).toContain("update");
      }
    },
  );

  it("may throw in any hook, even in its constructor", () => {
    const reported: string[] = [];
    const fail = () => {
      throw new Error("no");
    };
    const All = behaviour(
      "All",
      {},
      { awake: fail, start: fail, lateUpdate: fail, enable: fail, disable: fail, shutdown: fail },
    );
    const Unborn = behaviour(
      "Unborn",
      {},
      class {
        constructor() {
          fail();
        }
        update(): void {}
      },
    );
    const game = createGame({ behaviours: [All, Unborn], onError: (error) => reported.push(error.message) });
    game.spawn(All);
    game.spawn(Unborn);
    game.step();
    game.stop();
    expect(reported.map((text) => text.split(" ")[0])).toEqual([
      "All.awake",
      "All.enable",
      "Unborn.awake",
      "All.start",
      "All.lateUpdate",
      "All.disable",
      "All.shutdown",
    ]);
  });
});

describe("invalid behaviours", () => {
  it("are refused", () => {
    expect(() => behaviour("", {}, { update() {} })).toThrow('Cannot define a behaviour named ""');
    expect(() => behaviour("Idle", {}, {})).toThrow("Cannot make a behaviour of Idle: it has no hook.");
    expect(() => bindBehaviour("Health" as never, {})).toThrow("it is not a component");
    const Twice = behaviour("Twice", {}, { update() {} });
    expect(() => createGame({ behaviours: [Twice, Twice] })).toThrow(
      "Cannot use the behaviour Twice twice in one game.",
    );
    expect(() => createGame({ behaviours: [component("Plain", {}) as never] })).toThrow("as a behaviour");
  });
});

describe("a behaviour that is not listed", () => {
  const Stray = behaviour("Stray", {}, { update: () => undefined });
  const Other = behaviour("Other", {}, { update: () => undefined });
  const Listed = behaviour("Listed", {}, { update: () => undefined });
  const Bound = component("Bound", { x: f32() });

  function warned(options: Parameters<typeof createGame>[0] = {}) {
    const warnings: string[] = [];
    const behaviours = [Listed, bindBehaviour(Bound, { update: () => undefined })];
    const game = createGame({ behaviours, onWarn: (message) => warnings.push(message), ...options });
    return { game, warnings };
  }

  it("is warned of once, with an entity that has it, wherever it comes from", () => {
    const { game, warnings } = warned();
    game.spawn(Listed, Bound).name = "tank";
    game.step();
    expect(warnings).toEqual([]);
    game.tree.setName(game.world.spawn(Stray), "stray");
    game.step(3);
    expect(warnings).toEqual([
      "stray#2 has the behaviour Stray, which does not run: the game does not know it. List it: createGame({ behaviours: [Stray] }).",
    ]);
    game.spawn(Stray);
    game.step(200);
    expect(warnings).toHaveLength(1);
    game.spawn(Other);
    game.step(60);
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toContain("#4 has the behaviour Other");
  });

  it("is not warned of while no entity has it, nor in a world without checks", () => {
    const { game, warnings } = warned();
    game.spawn(Stray).destroy();
    game.world.query(Stray).count();
    game.step(100);
    const production = warned({ world: { checks: false } });
    production.game.spawn(Stray);
    production.game.step(100);
    expect([warnings, production.warnings]).toEqual([[], []]);
  });
});

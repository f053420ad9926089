/** The life of behaviours, whatever happens in the middle of hooks: each call in its order, none twice, none left out. */
import type { Schema } from "espalier";
import { behaviour, createGame, type EntityObject, type HookName, type Self } from "espalier/game";
import { createHistory } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const deeds = [
  "destroy",
  "orphan",
  "off",
  "on",
  "attach",
  "root",
  "strip",
  "dress",
  "spawn",
  "child",
  "throw",
  "undo",
  "redo",
  "nothing",
] as const;

const deed = fc.record({ what: fc.constantFrom(...deeds), a: fc.nat(20), b: fc.nat(20) });
const plan = fc.record({
  between: fc.array(fc.array(deed, { maxLength: 4 }), { minLength: 2, maxLength: 12 }),
  /** What the n-th hook does. */
  inHooks: fc.array(deed, { maxLength: 40 }),
  errors: fc.constantFrom("report", "throw"),
  order: fc.constantFrom("tree", "level"),
});

/** What one behaviour of one entity has been through. */
interface Life {
  readonly said: HookName[];
}

/** What is wrong with a life: the first call that had no business there. */
function firstWrong(said: readonly HookName[]): string | undefined {
  let isActive = false;
  let isStarted = false;
  for (const [k, hook] of said.entries()) {
    const fits = {
      awake: k === 0,
      enable: k > 0 && !isActive,
      start: isActive && !isStarted,
      update: isActive && isStarted,
      lateUpdate: isActive && isStarted,
      disable: isActive,
      shutdown: k > 0 && !isActive && k === said.length - 1,
    }[hook];
    if (!fits) return `${hook} after ${said.slice(0, k).join(" ")}`;
    if (hook === "enable") isActive = true;
    if (hook === "disable") isActive = false;
    if (hook === "start") isStarted = true;
  }
  return said.at(-1) === "shutdown" ? undefined : `no end after ${said.join(" ")}`;
}

describe("the life of behaviours", () => {
  it("is complete and in order, whatever hooks do and throw", () => {
    property(
      plan,
      ({ between, inHooks, errors, order }) => {
        const lives = new Map<object, Life>();
        const ended: Life[] = [];
        let calls = 0;
        let isPassing: HookName | undefined;
        let passed: number[] = [];
        const hook = (name: HookName) => (self: Self<Schema>) => {
          const life = lives.get(self) ?? { said: [] };
          lives.set(self, life);
          life.said.push(name);
          expect(self.entity.isAlive).toBe(true);
          if (name === "shutdown") ended.push(life);
          if (name === "update" || name === "lateUpdate") {
            if (isPassing !== name) passed = [];
            isPassing = name;
            passed.push(self.entity.id);
          }
          // Undo inside of an end is refused by the world: it is in the middle of something.
          const next = inHooks[calls++];
          if (next !== undefined && !(name === "shutdown" || name === "disable")) act(next, self.entity);
        };
        const Diary = behaviour(
          "Diary",
          {},
          {
            awake: hook("awake"),
            enable: hook("enable"),
            start: hook("start"),
            update: hook("update"),
            lateUpdate: hook("lateUpdate"),
            disable: hook("disable"),
            shutdown: hook("shutdown"),
          },
        );
        const wrong: string[] = [];
        const game = createGame({
          behaviours: [Diary],
          errors: errors as "report" | "throw",
          updateOrder: order as "tree" | "level",
          history: ({ world }) => createHistory(world),
          onError: (error) => {
            if (!error.message.includes("bang")) wrong.push(error.message);
          },
        });
        const some = (k: number): EntityObject | undefined => {
          const all = game.world.entities();
          const id = all[k % Math.max(1, all.length)];
          return id === undefined ? undefined : game.entity(id);
        };
        function act(
          { what, a, b }: { what: (typeof deeds)[number]; a: number; b: number },
          self?: EntityObject,
        ) {
          const one = self !== undefined && b % 2 === 0 && self.isAlive ? self : some(a);
          const other = some(b);
          if (what === "throw") {
            if (self !== undefined) throw new Error("bang");
          } else if (what === "undo" || what === "redo") {
            if (self === undefined) game.history?.[what]();
          } else if (one === undefined || other === undefined || what === "spawn") game.spawn(Diary);
          else if (what === "child") one.spawn(...(a % 3 === 0 ? [] : [Diary]));
          else if (what === "destroy") one.destroy();
          else if (what === "orphan") game.destroyEntity(one, { children: "orphan" });
          else if (what === "off" || what === "on") one.isActive = what === "on";
          else if (what === "root") one.parent = null;
          else if (what === "attach") {
            if (game.tree.canAttach(one.id, other.id)) one.parent = other;
          } else if (what === "strip") one.remove(Diary);
          else if (what === "dress" && !one.has(Diary)) one.add(Diary);
        }
        const attempt = (work: () => unknown) => {
          try {
            work();
          } catch (error) {
            if (!(error as Error).message.includes("bang")) throw error;
          }
        };
        for (const list of between) {
          for (const each of list) act(each);
          isPassing = undefined;
          attempt(() => game.step());
        }
        // Undisturbed steps: exactly the active ones, each once, in order.
        calls = inHooks.length;
        attempt(() => game.step());
        isPassing = undefined;
        passed = [];
        game.step();
        const active = game.world
          .query(Diary)
          .ids()
          .filter((id) => game.active.of(id));
        const roots = [...game.tree.roots()].flatMap((root) => [
          ...game.tree.descendants(root, { includeSelf: true }),
        ]);
        const expected = roots.filter((id) => active.includes(id));
        if (order === "level") expected.sort((a, b) => game.tree.depthOf(a) - game.tree.depthOf(b));
        expect(passed).toEqual(expected);
        const living = [...lives.values()].filter((life) => !ended.includes(life));
        expect(living).toHaveLength(game.world.query(Diary).ids().length);
        game.stop();
        expect(wrong).toEqual([]);
        for (const { said } of lives.values()) expect(firstWrong(said)).toBeUndefined();
      },
      100,
    );
  });
});

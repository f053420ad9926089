/** Timers beside a plain list of what is due when. */
import { createGame, createTimers } from "espalier/game";
import { entityEvent } from "espalier/hierarchy";
import { Transform2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const Said = entityEvent<string>("said");
const SECONDS = 0.1;

const ask = fc.record({
  what: fc.constantFrom("after", "every", "later", "cancel", "clear", "destroy"),
  steps: fc.integer({ min: 1, max: 5 }),
  who: fc.nat(2),
  which: fc.nat(10),
});
const plan = fc.record({
  between: fc.array(fc.array(ask, { maxLength: 3 }), { minLength: 3, maxLength: 25 }),
  /** What the n-th handler does. */
  inHandlers: fc.array(ask, { maxLength: 8 }),
});

/** What is to come, in the plain list. */
interface Due {
  readonly text: string;
  readonly who: number | undefined;
  at: number;
  readonly every: number;
}

describe("timers", () => {
  it("agree with a plain clock, whatever their handlers do", () => {
    property(
      plan,
      ({ between, inHandlers }) => {
        const errors: string[] = [];
        const game = createGame({
          timers: createTimers,
          step: SECONDS,
          onError: (e) => errors.push(e.message),
        });
        const owners = [0, 1, 2].map(() => game.spawn());
        const said: string[] = [];
        let wanted: Due[] = [];
        const expected: string[] = [];
        const cancels: { readonly end: () => void; readonly due: Due }[] = [];
        let count = 0;
        let handled = 0;
        const heard = (text: string) => {
          said.push(`${game.tick} ${text}`);
          // Due now, and no more; or again later.
          const due = wanted.find((other) => other.text === text && other.at === game.tick);
          if (due === undefined) expected.push(`${game.tick} unexpected ${text}`);
          else {
            expected.push(`${game.tick} ${text}`);
            if (due.every > 0) due.at += due.every;
            else wanted = wanted.filter((other) => other !== due);
          }
          const next = inHandlers[handled++];
          if (next !== undefined) act(next);
        };
        for (const owner of owners) owner.on(Said, ({ payload }) => heard(payload));
        function act({ what, steps, who, which }: (typeof inHandlers)[number]): void {
          const owner = owners[who] as (typeof owners)[number];
          const seconds = steps * SECONDS;
          const text = `${what} ${count++}`;
          const at = game.tick + steps;
          if (what === "later") {
            const due = { text, who: undefined, at, every: 0 };
            wanted.push(due);
            cancels.push({ due, end: game.timers.later(seconds, () => heard(text)) });
          } else if (what === "cancel") {
            const found = cancels[which % Math.max(1, cancels.length)];
            found?.end();
            wanted = wanted.filter((other) => other !== found?.due);
          } else if (!owner.isAlive) return;
          else if (what === "after" || what === "every") {
            const due = { text, who, at, every: what === "every" ? steps : 0 };
            wanted.push(due);
            cancels.push({ due, end: game.timers[what](owner, seconds, Said, text) });
          } else if (what === "clear" || what === "destroy") {
            if (what === "clear") game.timers.clear(owner);
            else if (which === 0) owner.destroy();
            else return;
            wanted = wanted.filter((other) => other.who !== who);
          }
        }
        for (const list of between) {
          for (const each of list) act(each);
          game.step();
          const missed = wanted.filter(({ at }) => at < game.tick).map(({ text }) => text);
          expect(missed).toEqual([]);
        }
        expect(said).toEqual(expected);
        expect(errors).toEqual([]);
      },
      200,
    );
  });
});

const names = ["x", "y", "rotation"] as const;
const way = fc.record({
  to: fc.dictionary(fc.constantFrom(...names), fc.integer({ min: -20, max: 20 }), { maxKeys: 3 }),
  steps: fc.integer({ min: 1, max: 6 }),
});

describe("tweens", () => {
  it("move each field as the newest tween that names it says", () => {
    property(fc.array(fc.option(way), { minLength: 1, maxLength: 25 }), (plan) => {
      const game = createGame({ timers: createTimers, step: SECONDS });
      const tank = game.spawn(game.space.at(0, 0));
      const model = new Map<string, { from: number; to: number; start: number; steps: number }>();
      for (const asked of plan) {
        if (asked !== null) {
          for (const [name, to] of Object.entries(asked.to)) {
            const from = tank[name as (typeof names)[number]];
            model.set(name, { from, to, start: game.tick, steps: asked.steps });
          }
          game.timers.tween(tank, Transform2D, asked.to, { seconds: asked.steps * SECONDS });
        }
        game.step();
        for (const name of names) {
          const { from, to, start, steps } = model.get(name) ?? { from: 0, to: 0, start: 0, steps: 1 };
          const expected = from + (to - from) * Math.min(1, (game.tick - start) / steps);
          expect(tank[name]).toBeCloseTo(expected, 4);
        }
      }
    });
  });
});

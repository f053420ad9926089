/** Random edits in the worker: after each tick that arrived, the mirror is what the host is, whatever the page has of its own. */

import type { Entity } from "espalier";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connect, Health, Key, type Memory, type Pair, settled, Target, textOf } from "./pair.ts";

const edit = fc.record({
  what: fc.integer({ min: 0, max: 13 }),
  one: fc.nat(1000),
  other: fc.nat(1000),
  x: fc.integer({ min: -100, max: 100 }),
});
type Edit = { readonly what: number; readonly one: number; readonly other: number; readonly x: number };

/** Ticks of edits; a tick may be published several times before the page has a turn. */
const life = fc.array(fc.record({ edits: fc.array(edit, { maxLength: 12 }), waits: fc.boolean() }), {
  minLength: 1,
  maxLength: 25,
});

let keys = 0;
function change({ worker: { world, tree, space } }: Pair, { what, one, other, x }: Edit): void {
  const all = [...world.query(Key)];
  const [a, b] = [all[one % Math.max(1, all.length)], all[other % Math.max(1, all.length)]];
  if (a === undefined || b === undefined || what < 2) {
    const born = world.spawn(Key({ value: ++keys }), space.at(x, 0));
    if (a !== undefined && x > 0) tree.attach(born, a);
    return;
  }
  const moved = (list: readonly Entity[]) => list.filter((entity) => world.has(entity, space.component));
  if (what === 2) world.spawn(Key({ value: ++keys }));
  else if (what === 3) world.destroy(a);
  else if (what === 4 && tree.canAttach(a, b)) tree.attach(a, b, { at: 0 });
  else if (what === 5) tree.detach(a);
  else if (what === 6) world.add(a, Health({ hp: x, note: `n${x}` }));
  else if (what === 7) world.remove(a, Health);
  else if (what === 8) world.add(a, Target({ at: b }));
  else if (what === 9) tree.setName(a, `n${keys++}`);
  else if (what === 10) {
    if (world.has(a, space.component)) world.remove(a, space.component);
    else space.setLocal(a, { x, scaleX: 2, skew: 0.5 });
  } else if (what === 11) for (const entity of moved(all)) space.setTransform(entity, x, one, 0.1, 2, 3, 0.5);
  else if (what === 12)
    for (const [k, entity] of moved(all).entries()) space.setPosition(entity, x + k, other);
  else if (what === 13)
    for (const [k, entity] of moved(all).entries()) if (k % 2 === 0) space.setRotation(entity, x / 7);
}

describe.each<Memory>(["shared", "transferred"])("a mirror of a random world with %s memory", (memory) => {
  it("equals the host after every tick, and keeps the entities of the page", async () => {
    const runs = process.env.ESPALIER_LONG === "1" ? 500 : 40;
    await fc.assert(
      fc.asyncProperty(life, async (ticks) => {
        const pair = connect(memory);
        const { worker, page, host, mirror, errors } = pair;
        await mirror.ready;
        const own: Entity[] = [];
        for (const { edits, waits } of ticks) {
          for (const each of edits) change(pair, each);
          host.publish();
          if (waits) continue;
          await settled();
          expect(textOf(page)).toBe(textOf(worker));
          own.push(page.world.spawn(page.space.at(own.length, 0)));
        }
        await settled();
        expect(textOf(page)).toBe(textOf(worker));
        expect(own.every((entity) => page.world.isAlive(entity))).toBe(true);
        expect(page.world.count).toBe(worker.world.count + own.length);
        expect(errors).toEqual([]);
        pair.close();
      }),
      { numRuns: runs },
    );
  });
});

/**
 * The short ways that are taken without listeners, against the long ones: two worlds get the same calls, one of them
 * with a reader, an observer or a recorder, and must be the same world afterwards, down to the indices given out next.
 */

import {
  checkWorld,
  component,
  createWorld,
  type Entity,
  f32,
  object,
  observe,
  observeEntities,
  tag,
  type World,
} from "espalier";
import {
  checkTree,
  createHierarchy,
  flatOrder,
  type Hierarchy,
  type HierarchyOptions,
  inlineLinks,
} from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { stateOf } from "espalier/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modes, property, snapshot } from "../testing.ts";

const Spot = component("Spot", { x: f32(0) });
const Bag = component("Bag", { items: object<number[]>(() => []) });
const Mark = tag("Mark");

type Step =
  | { do: "spawn"; under: number; what: number }
  | { do: "attach"; who: number; under: number }
  | { do: "detach" | "destroy" | "mark"; who: number };

const pick = fc.nat({ max: 1000 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant("spawn" as const), under: pick, what: fc.nat({ max: 5 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("attach" as const), who: pick, under: pick }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom("detach" as const, "destroy" as const, "mark" as const),
        who: pick,
      }),
    },
  ),
  { maxLength: 120 },
);

interface Planted {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly entities: Entity[];
}

function planted(generate: boolean, options: HierarchyOptions, ordered: boolean): Planted {
  // Small, so that indices run out and the world grows on the way.
  const world = createWorld({ capacity: 4, generate });
  const tree = createHierarchy(world, options);
  if (ordered) flatOrder(tree);
  for (const component of [Spot, Bag, Mark]) stateOf(world).store(component);
  return { world, tree, entities: [] };
}

function apply({ world, tree, entities }: Planted, step: Step): void {
  const living = entities.filter((entity) => world.isAlive(entity));
  const one = (number: number) => living[number % living.length] as Entity;
  if (step.do === "spawn") {
    const parent =
      living.length === 0 || step.under % 7 === 0 || tree.childCount(one(step.under)) === 64
        ? null
        : one(step.under);
    const inits =
      [[], [], [], [Spot({ x: step.under })], [Bag({ items: [step.under] })], [Spot, Mark]][step.what] ?? [];
    entities.push(tree.attachNew(parent, ...inits));
  } else if (living.length > 0) {
    const who = one(step.who);
    if (step.do === "attach") {
      if (tree.canAttach(who, one(step.under))) tree.attach(who, one(step.under));
    } else if (step.do === "detach") tree.detach(who);
    else if (step.do === "mark") world.add(who, Mark);
    else world.destroy(who);
  }
}

function shape(tree: Hierarchy): unknown {
  return tree.world.entities().map((entity) => [entity, tree.parentOf(entity), tree.childrenOf(entity)]);
}

const listeners: { [name: string]: (planted: Planted) => void } = {
  "a reader of events": ({ tree }) => void tree.events.reader(),
  "an observer of destroy": ({ world }) => void observeEntities(world, { name: "watch", destroy: () => {} }),
  "an observer of one component": ({ world }) =>
    void observe(world, Mark, { name: "watch", remove: () => {} }),
  "a history": ({ world }) => void createHistory(world),
  "a second hierarchy": ({ world }) => void createHierarchy(world, { name: "other" }),
};

const forms: { [name: string]: HierarchyOptions } = {
  "the usual form": {},
  "the inline form": { links: inlineLinks(64) },
  orphaning: { onDestroy: "orphan" },
};

describe.each(modes)("fast paths ($mode)", ({ generate }) => {
  for (const [form, options] of Object.entries(forms)) {
    for (const [listener, listen] of Object.entries(listeners)) {
      it(`agree with the slow paths: ${form}, ${listener}`, () => {
        property(
          fc.tuple(steps, fc.boolean()),
          ([list, ordered]) => {
            const quiet = planted(generate, options, ordered);
            const loud = planted(generate, options, ordered);
            listen(loud);
            for (const step of list) {
              apply(quiet, step);
              apply(loud, step);
            }
            expect(quiet.entities).toEqual(loud.entities);
            expect(snapshot(quiet.world)).toEqual(snapshot(loud.world));
            expect(shape(quiet.tree)).toEqual(shape(loud.tree));
            expect([...checkWorld(quiet.world), ...checkTree(quiet.tree)]).toEqual([]);
          },
          40,
        );
      });
    }
  }

  it("destroy large subtrees of several archetypes, even while something iterates", () => {
    const quiet = planted(generate, {}, true);
    const loud = planted(generate, {}, true);
    loud.tree.events.reader();
    for (const it of [quiet, loud]) {
      const { world, tree } = it;
      for (let round = 0; round < 3; round++) {
        const root = world.spawn();
        for (let k = 0; k < 3000; k++) {
          const parent = k % 10 === 0 ? root : (it.entities.at(-1) as Entity);
          const init = k % 50 < 40 ? [] : k % 2 === 0 ? [Spot({ x: k })] : [Bag];
          it.entities.push(tree.attachNew(parent, ...init));
        }
        if (round === 1) for (const _ of world.query(Spot)) world.destroy(root);
        else world.destroy(root);
      }
    }
    expect(quiet.entities).toEqual(loud.entities);
    expect(snapshot(quiet.world)).toEqual(snapshot(loud.world));
    expect(checkWorld(quiet.world)).toEqual([]);
  });
});

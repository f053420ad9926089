import {
  type AnyInit,
  type Commands,
  checkWorld,
  component,
  createCommands,
  createWorld,
  type Entity,
  entityRef,
  f32,
  flush,
  i8,
  object,
  resource,
  string,
  tag,
  type World,
} from "espalier";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Label = component("Label", { text: string("none") });
const Target = component("Target", { it: entityRef() }, { storage: "sparse" });
const Bag = component("Bag", { items: object((): number[] => []) });
const Health = component("Health", { hp: i8(10) }, { storage: "sparse" });
const Frozen = tag("Frozen");
const components = [Position, Label, Target, Bag, Health, Frozen] as const;
const Score = resource("Score", () => 0);

/** Entities are named by how manieth they are, so that both worlds can mean the same with different handles. */
type Step =
  | { do: "spawn"; with: number[]; n: number }
  | { do: "destroy"; who: number }
  | { do: "add" | "set"; who: number; what: number[]; n: number }
  | { do: "remove"; who: number; what: number[] }
  | { do: "score"; n: number };

const who = fc.nat(30);
const what = fc.uniqueArray(fc.nat(components.length - 1), { minLength: 1, maxLength: 3 });
const n = fc.integer({ min: -128, max: 127 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("spawn" as const), with: fc.uniqueArray(fc.nat(5), { maxLength: 4 }), n }),
  fc.record({ do: fc.constant("destroy" as const), who }),
  fc.record({ do: fc.constantFrom("add" as const, "set" as const), who, what, n }),
  fc.record({ do: fc.constant("remove" as const), who, what }),
  fc.record({ do: fc.constant("score" as const), n }),
);

function init(which: number, value: number, entities: readonly Entity[]): AnyInit {
  switch (which) {
    case 0:
      return Position({ x: value });
    case 1:
      return Label({ text: `n${value}` });
    case 2:
      return Target({ it: entities[Math.abs(value) % entities.length] ?? null });
    case 3:
      return Bag({ items: [value] });
    case 4:
      return Health({ hp: value });
    default:
      return Frozen();
  }
}

type Changes = World | Commands;

/** A step with the number of the entity it is about, and how many entities it may refer to. */
interface Recorded {
  readonly step: Step;
  readonly number: number;
  readonly known: number;
}

function apply(target: Changes, { step, number, known }: Recorded, entities: Entity[]): void {
  const inits = (which: readonly number[], value: number) =>
    which.map((it) => init(it, value, entities.slice(0, known)));
  if (step.do === "spawn") entities[number] = target.spawn(...inits(step.with, step.n));
  if (step.do === "score") target.setResource(Score, step.n);
  const entity = entities[number];
  // Not created yet: its buffer comes later in the merge.
  if (entity === undefined) return;
  if (step.do === "destroy") target.destroy(entity);
  if (step.do === "add") target.add(entity, ...inits(step.what, step.n));
  if (step.do === "set") target.set(entity, ...(inits(step.what, step.n) as never[]));
  if (step.do === "remove")
    target.remove(entity, ...step.what.map((which) => components[which] as (typeof components)[number]));
}

/** Everything the world knows, with entities by their number. */
function stateOf(world: World, entities: readonly Entity[]): unknown {
  const numberOf = (entity: Entity | null) => (entity === null ? null : entities.indexOf(entity));
  return {
    score: world.resource(Score),
    count: world.count,
    entities: entities.map((entity) => {
      if (!world.isAlive(entity)) return "dead";
      const target = world.get(entity, Target);
      return [
        world.get(entity, Position),
        world.get(entity, Label),
        target === undefined ? undefined : numberOf(target.it),
        world.get(entity, Bag),
        world.get(entity, Health),
        world.has(entity, Frozen),
      ];
    }),
  };
}

describe("commands and direct calls", () => {
  it("give equal worlds when they do the same in the same order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ buffer: fc.nat(2), step }), { maxLength: 60 }),
        fc.array(fc.nat(60), { maxLength: 4 }),
        (steps, flushes) => {
          const buffered = createWorld({ capacity: 4, onError: () => {} });
          const direct = createWorld({ capacity: 4, onError: () => {} });
          const orders = [5, -5, 5];
          const buffers = orders.map((order) => createCommands(buffered, { order }));
          const [bufferedEntities, directEntities]: Entity[][] = [[], []];
          let waiting: (Recorded & { buffer: number })[] = [];
          let known = 0;
          const flushBoth = () => {
            const { applied, skipped, refused } = flush(buffered);
            expect(applied + skipped.length + refused.length).toBe(waiting.length);
            // The slow twin: sort as the merge is documented, and do it.
            for (const next of [1, 0, 2].flatMap((k) => waiting.filter(({ buffer }) => buffer === k))) {
              try {
                apply(direct, next, directEntities);
              } catch {
                // The same calls are refused or skipped by the buffers.
              }
            }
            waiting = [];
            known = bufferedEntities.length;
            expect(stateOf(buffered, bufferedEntities)).toEqual(stateOf(direct, directEntities));
            expect(checkWorld(buffered)).toEqual([]);
          };
          steps.forEach(({ buffer, step }, k) => {
            const count = bufferedEntities.length;
            if ("who" in step && count === 0) return;
            const recorded = { step, known, number: "who" in step ? step.who % count : count };
            apply(buffers[buffer] as Commands, recorded, bufferedEntities);
            waiting.push({ ...recorded, buffer });
            if (flushes.includes(k)) flushBoth();
          });
          flushBoth();
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });
});

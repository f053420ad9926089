/**
 * Forged snapshots of random worlds: several fields of the directory and several numbers are changed at once, the checksum is right.
 * A restore is refused with a typed error and changes nothing, or leaves a world that is sound, can be edited and saved again.
 */
import { EspalierError } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import { diff, restoreSnapshot, takeSnapshot } from "espalier/history";
import { createInherited, Visibility, visibility } from "espalier/inherit";
import { createTransforms2D, Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { dice } from "../hierarchy/planting.ts";
import { locations } from "../json-locations.ts";
import { forge, openSnapshot } from "./forge.ts";
import {
  components,
  type Forest,
  type Operation,
  perform,
  plant,
  Score,
  stateOf,
  violations,
} from "./random-world.ts";

/** Rounds by default; more of them by `FUZZ_ROUNDS`. */
const rounds = Number(process.env.FUZZ_ROUNDS ?? 60);
const first = Number(process.env.FUZZ_FROM ?? 0);

const all = [...components, Transform2D, Visibility];

const optionsOf = (forest: Forest) => ({ trees: [...forest.trees, forest.up], resources: [Score] });

function restored(forest: Forest, buffer: ArrayBuffer): boolean {
  const before = stateOf(forest);
  try {
    restoreSnapshot(forest.world, buffer, { ...optionsOf(forest), components: all });
    return true;
  } catch (error) {
    if (!(error instanceof EspalierError) || error.code === "ecs/internal") throw error;
    expect(stateOf(forest)).toEqual(before);
    return false;
  }
}

/** A forest whose entities also have transforms and values that flow down, which rooms keep in memory of their own. */
function placed(): Forest {
  const forest = plant();
  const [tree] = forest.trees as [Hierarchy];
  createTransforms2D(tree);
  createInherited(tree, visibility);
  return forest;
}

function randomForest(roll: (below: number) => number, count: number): Forest {
  const forest = placed();
  const { world } = forest;
  const operation = (): Operation => [roll(1000), roll(0x10000), roll(0x10000), roll(0x10000)];
  for (let k = 0; k < count; k++) {
    perform(forest, operation());
    const [entity] = [world.entities()[roll(20)]];
    if (entity === undefined) continue;
    if (roll(2) === 0) world.add(entity, Transform2D({ x: roll(9), rotation: roll(3) }));
    if (roll(4) === 0) world.add(entity, Visibility({ mode: roll(3) }));
  }
  return forest;
}

describe("a forged snapshot of a random world", () => {
  it("is refused or leaves a sound world", () => {
    let taken = 0;
    for (let round = first; round < first + rounds; round++) {
      const roll = dice(round);
      const forest = randomForest(roll, 10 + roll(50));
      const entities = forest.world.entities();
      const root = entities.length > 0 && roll(4) === 0 ? { root: entities[roll(entities.length)]! } : {};
      const { text, arrays } = openSnapshot(takeSnapshot(forest.world, { ...optionsOf(forest), ...root }));
      const forged = forgedFrom(text, arrays, roll);
      const operation = (): Operation => [roll(1000), roll(0x10000), roll(0x10000), roll(0x10000)];
      for (const target of [forest, placed(), randomForest(roll, 20)]) {
        try {
          if (!restored(target, forged)) continue;
          taken++;
          expect(violations(target)).toEqual([]);
          for (let k = 0; k < 8; k++) perform(target, operation());
          expect(violations(target)).toEqual([]);
          const again = takeSnapshot(target.world, optionsOf(target));
          const other = placed();
          restoreSnapshot(other.world, again, { ...optionsOf(other), components: all });
          expect(violations(other)).toEqual([]);
          try {
            diff(again, forged);
          } catch (error) {
            if (!(error instanceof EspalierError)) throw error;
          }
        } catch (error) {
          throw new Error(`round ${round}: ${(error as Error).stack}`);
        }
      }
    }
    // Some changes do no harm, such as another number of a field.
    expect(taken).toBeGreaterThan(0);
  });
});

const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1,
  2,
  3,
  1.5,
  4194305,
  2 ** 31,
  1e308,
  "",
  "f64",
  "x",
  [],
  {},
  [0],
  "__proto__",
];
const oddNumbers = [
  0,
  1,
  2,
  3,
  4,
  5,
  255,
  -1,
  4194304,
  4194305,
  4194306,
  2 ** 31 - 1,
  2 ** 52 + 1,
  Number.NaN,
];

function forgedFrom(text: string, bytes: Uint8Array, roll: (below: number) => number): ArrayBuffer {
  const directory: unknown = JSON.parse(text);
  const arrays = bytes.slice();
  const changes = 1 + roll(3);
  for (let k = 0; k < changes; k++) {
    const kind = roll(8);
    const all = locations(directory);
    if (kind === 0) all[roll(all.length)]?.(oddValues[roll(oddValues.length)]);
    else if (kind === 1) all[roll(all.length)]?.(undefined);
    else if (kind === 2) {
      // A number a little off, which is nearly right.
      const [at, value] = numbersIn(directory)[roll(numbersIn(directory).length)] ?? [];
      at?.((value as number) + roll(5) - 2);
    } else if (arrays.length >= 8) changeNumbers(arrays, roll);
  }
  return forge(JSON.stringify(directory), arrays);
}

/** The numbers of a JSON value, each with a function that puts another there. */
function numbersIn(value: unknown): (readonly [(other: unknown) => void, number])[] {
  const found: (readonly [(other: unknown) => void, number])[] = [];
  const stack = [value];
  while (stack.length > 0) {
    const at = stack.pop();
    if (typeof at !== "object" || at === null) continue;
    for (const [key, inner] of Object.entries(at)) {
      if (typeof inner === "number") found.push([(other) => Object.assign(at, { [key]: other }), inner]);
      else stack.push(inner);
    }
  }
  return found;
}

/** Sets one, exchanges two, repeats one, or moves one by a little: what handles, rows and counts are damaged by. */
function changeNumbers(arrays: Uint8Array, roll: (below: number) => number): void {
  const view = new DataView(arrays.buffer);
  const isWide = roll(3) === 0;
  const size = isWide ? 8 : 4;
  const count = Math.floor(arrays.length / size);
  const [a, b] = [roll(count) * size, roll(count) * size];
  const get = (at: number) => (isWide ? view.getFloat64(at, true) : view.getInt32(at, true));
  const set = (at: number, value: number) =>
    isWide ? view.setFloat64(at, value, true) : view.setInt32(at, value, true);
  const [first, second] = [get(a), get(b)];
  const kind = roll(5);
  if (kind === 0) set(a, oddNumbers[roll(oddNumbers.length)]!);
  else if (kind === 1) set(a, second);
  else if (kind === 2) {
    set(a, second);
    set(b, first);
  } else if (kind === 3) set(a, first + roll(5) - 2);
  else arrays[a] = roll(256);
}

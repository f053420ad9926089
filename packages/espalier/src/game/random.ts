/**
 * Random numbers that are the same in every run: games that replay must not use `Math.random`.
 */
import { expectArguments } from "../ecs/index.ts";

/** Returns numbers from 0 up to 1. `state` is its whole state: save and restore it to get the same numbers. */
export interface Random {
  (): number;
  /** Its whole state. Restore it to get the same numbers again. */
  state: number;
}

/**
 * Creates a generator (mulberry32).
 *
 * @example
 * ```ts
 * const dice = createRandom(7);
 * const again = createRandom(7);
 * dice() === again(); // → true
 * ```
 */
export function createRandom(seed: number): Random {
  expectArguments("make random numbers", ["the seed", seed, "finite number"]);
  const random = (): number => {
    random.state = (random.state + 0x6d2b79f5) | 0;
    let t = Math.imul(random.state ^ (random.state >>> 15), 1 | random.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  random.state = seed | 0;
  return random;
}

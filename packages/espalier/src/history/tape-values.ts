/**
 * Values of entities that stand on a tape, one component after the other.
 */
import { exactOf, type RawValues, type Store, type World } from "../ecs/index.ts";
import type { Tape } from "./tape.ts";

/** Gives them out. */
export class TapeValues implements RawValues {
  private readonly world: World;
  private readonly tape: Tape;
  private number = 0;
  private reference = 0;

  constructor(world: World, tape: Tape) {
    this.world = world;
    this.tape = tape;
  }

  from(number: number, reference: number): void {
    this.number = number;
    this.reference = reference;
  }

  load(store: Store, row: number): void {
    const exact = exactOf(this.world, store);
    exact.load(row, this.tape.numbers, this.number);
    exact.loadReferences(row, this.tape.references, this.reference);
    this.number += store.packed;
    this.reference += store.fields.length - store.packed;
  }
}

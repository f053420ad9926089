import type { Entity } from "espalier";
import { describe, expect, it } from "vitest";
import { assignSlots } from "../src/document/row-slots.ts";

const rows = (...entities: number[]) => entities as Entity[];

describe("the elements of rows", () => {
  it("stay with their entities, and those that come take the slots of those that left", () => {
    const first = assignSlots(new Map(), rows(10, 11, 12, 13));
    expect([...first.values()]).toEqual([0, 1, 2, 3]);
    const scrolled = assignSlots(first, rows(12, 13, 14, 15));
    expect([...scrolled]).toEqual([
      [12, 2],
      [13, 3],
      [14, 0],
      [15, 1],
    ]);
    const turned = assignSlots(scrolled, rows(15, 14, 13, 12));
    expect([...turned.values()]).toEqual([1, 0, 3, 2]);
  });

  it("are never more than there were rows at once", () => {
    let slots = new Map<Entity, number>();
    for (let from = 0; from < 500; from += 7) {
      slots = assignSlots(
        slots,
        Array.from({ length: 20 }, (_, k) => (from + k) as Entity),
      );
      expect(new Set(slots.values()).size).toBe(20);
      expect(Math.max(...slots.values())).toBe(19);
    }
  });
});

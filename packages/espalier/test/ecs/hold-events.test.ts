import {
  createChannel,
  createPackedChannel,
  createWorld,
  holdEvents,
  lastSequence,
  readInOrder,
} from "espalier";
import { describe, expect, it } from "vitest";

describe("holdEvents", () => {
  it("keeps events of all channels from their readers until they are released, in order", () => {
    const world = createWorld();
    const news = createChannel<string>(world, "news");
    const hits = createPackedChannel(world, "hits", {
      width: 1,
      decode: (numbers, at) => `hit ${numbers[at]}`,
    });
    const readers = [news.reader(), hits.reader()];
    news.emit("before");
    const hold = holdEvents(world);
    expect(news.emit("a")).toBe(2);
    expect(hits.emit(7)).toBe(3);
    expect(news.emit("b")).toBe(4);
    expect(readers.map((reader) => reader.pending)).toEqual([1, 0]);
    expect(lastSequence(world)).toBe(1);
    hold.release();
    const seen: unknown[] = [];
    readInOrder(readers, (event, sequence) => seen.push(`${sequence} ${event}`));
    expect(seen).toEqual(["1 before", "2 a", "3 hit 7", "4 b"]);
  });

  it("drops what is discarded, and gives its numbers to the next events", () => {
    const world = createWorld();
    const news = createChannel<string>(world, "news", { capacity: 2 });
    const reader = news.reader();
    news.emit("kept");
    const hold = holdEvents(world);
    for (const text of ["x", "y", "z"]) news.emit(text);
    hold.discard();
    expect(news.emit("next")).toBe(2);
    expect(reader.read()).toEqual(["kept", "next"]);
    expect(reader.missed).toBe(0);
  });

  it("can be nested: an inner release waits for the outer one", () => {
    const world = createWorld();
    const news = createChannel<string>(world, "news");
    const reader = news.reader();
    const outer = holdEvents(world);
    news.emit("a");
    const dropped = holdEvents(world);
    news.emit("b");
    dropped.discard();
    const inner = holdEvents(world);
    expect(news.emit("c")).toBe(2);
    inner.release();
    expect(reader.read()).toEqual([]);
    outer.release();
    expect(reader.read()).toEqual(["a", "c"]);
  });
});

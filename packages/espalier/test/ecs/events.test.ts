import {
  ClosedReaderError,
  createChannel,
  createPackedChannel,
  createWorld,
  DisposedWorldError,
  type Entity,
  type EventReader,
  InvalidValueError,
  lastSequence,
  MissedEventsError,
  readInOrder,
} from "espalier";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";

const world = () => createWorld({ onError: (error) => expect.unreachable(error.message) });

describe("a channel", () => {
  it("gives every reader every event once, in order", () => {
    const channel = createChannel<string>(world(), "news");
    const [a, b] = [channel.reader(), channel.reader()];
    channel.emit("one");
    channel.emit("two");
    expect(a.pending).toBe(2);
    expect(a.read()).toEqual(["one", "two"]);
    channel.emit("three");
    expect(a.read()).toEqual(["three"]);
    expect(a.read()).toEqual([]);
    expect(b.read()).toEqual(["one", "two", "three"]);
  });

  it("shows a reader only what comes after it, or everything kept", () => {
    const channel = createChannel<number>(world(), "numbers", { capacity: 3 });
    for (let k = 0; k < 5; k++) channel.emit(k);
    const late = channel.reader();
    const oldest = channel.reader({ from: "oldest" });
    expect(late.read()).toEqual([]);
    expect(oldest.read()).toEqual([2, 3, 4]);
    expect(oldest.missed).toBe(0);
  });

  it("reads with forEach, which also gives the sequence number, and with for…of", () => {
    const channel = createChannel<string>(world(), "news");
    const reader = channel.reader();
    expect(channel.emit("a")).toBe(1);
    expect(channel.emit("b")).toBe(2);
    const seen: unknown[] = [];
    reader.forEach((payload, sequence) => {
      seen.push([payload, sequence]);
    });
    expect(seen).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
    for (const text of ["c", "d", "e"]) channel.emit(text);
    for (const text of reader) if (text === "d") break;
    expect(reader.read()).toEqual(["e"]);
  });

  it("keeps the rest for the next read when a callback throws", () => {
    const channel = createChannel<number>(world(), "numbers");
    const reader = channel.reader();
    for (let k = 0; k < 4; k++) channel.emit(k);
    expect(() =>
      reader.forEach((k) => {
        if (k === 1) throw new Error("one too many");
      }),
    ).toThrow("one too many");
    expect(reader.read()).toEqual([2, 3]);
  });

  it("leaves what is emitted during a read for the next one", () => {
    const channel = createChannel<number>(world(), "numbers");
    const reader = channel.reader();
    channel.emit(1);
    reader.forEach((k) => {
      channel.emit(k + 1);
    });
    expect(reader.read()).toEqual([2]);
  });

  it("knows whether it has readers", () => {
    const channel = createChannel<number>(world(), "numbers");
    expect(channel.hasReaders).toBe(false);
    const reader = channel.reader();
    expect(channel.hasReaders).toBe(true);
    reader.close();
    reader.close();
    expect(channel.hasReaders).toBe(false);
  });
});

describe("a reader that is too slow", () => {
  it("reports how many events it missed, once per loss, through onError", () => {
    const errors: Error[] = [];
    const noisy = createWorld({ onError: (error) => errors.push(error) });
    const channel = createChannel<number>(noisy, "hits", { capacity: 4 });
    const reader = channel.reader({ name: "sound" });
    for (let k = 0; k < 10; k++) channel.emit(k);
    expect(reader.missed).toBe(6);
    expect(errors).toEqual([]);
    expect(reader.pending).toBe(4);
    expect(reader.read()).toEqual([6, 7, 8, 9]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(MissedEventsError);
    expect(errors[0]).toMatchObject({ channel: "hits", missed: 6, code: "ecs/missed-events" });
    expect(errors[0]?.message).toBe(
      "Reader sound of channel hits missed 6 events: the channel keeps 4, and more were emitted since the last read. Read it more often, or give createChannel() a larger capacity. [ecs/missed-events]",
    );
    reader.read();
    expect(errors).toHaveLength(1);
    for (let k = 0; k < 5; k++) channel.emit(k);
    expect(reader.read()).toEqual([1, 2, 3, 4]);
    expect(errors).toHaveLength(2);
    expect(reader.missed).toBe(7);
  });

  it("may handle the loss itself", () => {
    const channel = createChannel<number>(world(), "hits", { capacity: 2 });
    const onMissed = vi.fn();
    const reader = channel.reader({ onMissed });
    for (let k = 0; k < 5; k++) channel.emit(k);
    reader.read();
    expect(onMissed.mock.calls).toEqual([[3]]);
  });

  it("reports it even when the loss happens during its own read", () => {
    const channel = createChannel<number>(world(), "hits", { capacity: 4 });
    const onMissed = vi.fn();
    const reader = channel.reader({ onMissed });
    for (let k = 0; k < 4; k++) channel.emit(k);
    const seen: number[] = [];
    reader.forEach((k) => {
      seen.push(k);
      if (k === 0) for (let more = 10; more < 13; more++) channel.emit(more);
    });
    expect(seen).toEqual([0, 3]);
    expect(onMissed.mock.calls).toEqual([[2]]);
    expect(reader.read()).toEqual([10, 11, 12]);
  });
});

describe("sequence numbers", () => {
  it("count over all channels of one world, read or not", () => {
    const [one, two] = [world(), world()];
    const a = createChannel<string>(one, "a");
    const b = createPackedChannel(one, "b", { width: 1, decode: (numbers, at) => numbers[at] });
    expect(lastSequence(one)).toBe(0);
    a.emit("x");
    b.emit(1);
    a.emit("y");
    expect(lastSequence(one)).toBe(3);
    expect(lastSequence(two)).toBe(0);
    expect(createChannel<string>(two, "a").emit("z")).toBe(1);
  });

  it("put the events of several channels in order", () => {
    const one = world();
    const [words, numbers] = [createChannel<string>(one, "words"), createChannel<number>(one, "numbers")];
    const readers: EventReader<string | number>[] = [words.reader(), numbers.reader()];
    words.emit("a");
    numbers.emit(1);
    numbers.emit(2);
    words.emit("b");
    const seen: unknown[] = [];
    readInOrder(readers, (event, sequence, reader) => {
      seen.push([event, sequence, readers.indexOf(reader)]);
      numbers.emit(99);
    });
    expect(seen).toEqual([
      ["a", 1, 0],
      [1, 2, 1],
      [2, 3, 1],
      ["b", 4, 0],
    ]);
    expect(readers[1]?.read()).toEqual([99, 99, 99, 99]);
    readInOrder([], () => expect.unreachable());
  });

  it("leave out what is overwritten while another reader reports what it missed", () => {
    const one = world();
    const words = createChannel<string>(one, "words", { capacity: 2 });
    const numbers = createChannel<number>(one, "numbers", { capacity: 2 });
    const onMissed = () => {
      for (const word of ["x", "y"]) words.emit(word);
    };
    const readers = [words.reader({ onMissed: () => {} }), numbers.reader({ onMissed })];
    words.emit("a");
    for (const number of [1, 2, 3]) numbers.emit(number);
    const seen: unknown[] = [];
    readInOrder<string | number>(readers, (event, sequence) => seen.push([event, sequence]));
    expect(seen).toEqual([
      [2, 3],
      [3, 4],
    ]);
    expect(readers.map((reader) => [reader.missed, reader.pending])).toEqual([
      [1, 2],
      [1, 0],
    ]);
  });

  it("cannot be compared between worlds", () => {
    const readers = [world(), world()].map((it) => createChannel<string>(it, "news").reader());
    expect(() => readInOrder(readers, () => {})).toThrow(InvalidValueError);
    expect(() => readInOrder(readers, () => {})).toThrow("Cannot read events of different worlds in order");
  });
});

describe("a packed channel", () => {
  it("keeps numbers and makes payloads when they are read", () => {
    const one = world();
    const decode = vi.fn((numbers: Float64Array, at: number) => ({
      target: numbers[at] as Entity,
      amount: numbers[at + 1],
      rest: [...numbers.subarray(at + 2, at + 6)],
    }));
    const hits = createPackedChannel(one, "hits", { width: 6, decode });
    const reader = hits.reader();
    const e = one.spawn();
    hits.emit(e, 0.1);
    hits.emit(e, 2 ** 40, 3, 4, 5, 6);
    expect(decode).not.toHaveBeenCalled();
    expect(reader.read()).toEqual([
      { target: e, amount: 0.1, rest: [0, 0, 0, 0] },
      { target: e, amount: 2 ** 40, rest: [3, 4, 5, 6] },
    ]);
  });

  it("ignores numbers beyond its width and overwrites the oldest", () => {
    const pairs = createPackedChannel(world(), "pairs", {
      width: 2,
      capacity: 20,
      decode: (numbers, at) => [numbers[at], numbers[at + 1]],
    });
    const reader = pairs.reader({ onMissed: () => {} });
    for (let k = 0; k < 33; k++) pairs.emit(k, -k, 77);
    expect(reader.read()).toEqual(Array.from({ length: 20 }, (_, k) => [13 + k, -13 - k]));
    expect(reader.missed).toBe(13);
  });
});

describe("events that are overwritten while they are read", () => {
  it.each(["read", "forEach", "iterator"] as const)("are left out, and all others are given: %s", (way) => {
    let numbers: ReturnType<typeof createPackedChannel<number>>;
    let more = 0;
    const again = () => {
      for (; more > 0; more--) numbers.emit(100 + more);
    };
    numbers = createPackedChannel<number>(world(), "numbers", {
      width: 1,
      capacity: 8,
      decode: (kept, at) => {
        const number = kept[at] as number;
        again();
        return number;
      },
    });
    const seen: number[] = [];
    const reader = numbers.reader({ onMissed: again });
    const readAll = () => {
      seen.length = 0;
      if (way === "read") seen.push(...reader.read());
      else if (way === "forEach") reader.forEach((number) => void seen.push(number));
      else for (const number of reader) seen.push(number);
      return seen;
    };
    for (let k = 0; k < 8; k++) numbers.emit(k);
    more = 5;
    // Decoding the first one overwrites four that wait.
    expect(readAll()).toEqual([0, 5, 6, 7]);
    expect([reader.missed, reader.pending]).toEqual([4, 5]);
    expect(readAll()).toEqual([105, 104, 103, 102, 101]);
    for (let k = 0; k < 12; k++) numbers.emit(k);
    more = 3;
    // Hearing of the first four overwrites three more.
    expect(readAll()).toEqual([7, 8, 9, 10, 11]);
    expect(reader.missed).toBe(11);
  });
});

describe("bad input to events", () => {
  it("is refused with a typed error", () => {
    const one = world();
    const decode = () => 0;
    for (const capacity of [0, -1, 1.5, Number.NaN, 2 ** 30, "8" as never]) {
      expect(() => createChannel(one, "hits", { capacity })).toThrow(InvalidValueError);
    }
    expect(() => createChannel(one, "hits", { capacity: 0 })).toThrow(
      "Cannot create channel hits with capacity 0. Give an integer from 1 to 16777216.",
    );
    expect(() => createPackedChannel(one, "hits", { width: 7, decode })).toThrow(
      "Cannot create channel hits with width 7. Give an integer from 1 to 6.",
    );
  });

  it("is a closed reader or a disposed world", () => {
    const one = world();
    const channel = createChannel<number>(one, "hits");
    const closed = channel.reader();
    const open = channel.reader();
    closed.close();
    for (const use of [
      () => closed.read(),
      () => closed.forEach(() => {}),
      () => [...closed],
      () => readInOrder([closed], () => {}),
    ]) {
      expect(use).toThrow(ClosedReaderError);
      expect(use).toThrow(
        "Cannot read events of channel hits: this reader was closed. Make another with channel.reader().",
      );
    }
    one.dispose();
    for (const use of [
      () => channel.emit(1),
      () => channel.reader(),
      () => open.read(),
      () => createChannel(one, "more"),
    ]) {
      expect(use).toThrow(DisposedWorldError);
    }
    open.close();
  });
});

describe("channels and a plain list", () => {
  it("agree on what each reader sees and misses", () => {
    const action = fc.oneof(
      { weight: 4, arbitrary: fc.record({ emit: fc.integer({ min: 1, max: 12 }) }) },
      { weight: 2, arbitrary: fc.record({ read: fc.nat(5) }) },
      { weight: 1, arbitrary: fc.record({ open: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ close: fc.nat(5) }) },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(action, { maxLength: 80 }),
        (capacity, actions) => {
          const channel = createChannel<number>(world(), "numbers", { capacity });
          const log: number[] = [];
          const readers: { reader: EventReader<number>; next: number; missed: number }[] = [];
          for (const it of actions) {
            const oldest = Math.max(0, log.length - capacity);
            if ("emit" in it) for (let k = 0; k < it.emit; k++) log.push(channel.emit(log.length) - 1);
            if ("open" in it) {
              const reader = channel.reader({ from: it.open ? "oldest" : "now", onMissed: () => {} });
              readers.push({ reader, next: it.open ? oldest : log.length, missed: 0 });
            }
            if ("close" in it) readers.splice(it.close, 1)[0]?.reader.close();
            const slow = "read" in it ? readers[it.read] : undefined;
            if (slow === undefined) continue;
            slow.missed += Math.max(0, oldest - slow.next);
            expect(slow.reader.missed).toBe(slow.missed);
            expect(slow.reader.read()).toEqual(log.slice(Math.max(slow.next, oldest)));
            slow.next = log.length;
            expect(slow.reader.missed).toBe(slow.missed);
            expect(slow.reader.pending).toBe(0);
          }
          expect(channel.hasReaders).toBe(readers.length > 0);
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });

  it("agree in rings that grow for bursts and shrink again", () => {
    const action = fc.oneof(
      { weight: 3, arbitrary: fc.record({ emit: fc.integer({ min: 1, max: 9000 }) }) },
      { weight: 3, arbitrary: fc.record({ read: fc.nat(3) }) },
      { weight: 1, arbitrary: fc.record({ open: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ close: fc.nat(3) }) },
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const channel = createPackedChannel(world(), "numbers", {
          width: 1,
          decode: (numbers, at) => numbers[at],
        });
        let end = 0;
        const readers: { reader: EventReader<number>; next: number }[] = [];
        for (const it of actions) {
          if ("emit" in it) for (let k = 0; k < it.emit; k++) channel.emit(end++);
          if ("open" in it && readers.length < 4) {
            const reader = channel.reader({ from: it.open ? "oldest" : "now" });
            readers.push({ reader, next: end - reader.pending });
          }
          if ("close" in it) readers.splice(it.close, 1)[0]?.reader.close();
          const one = "read" in it ? readers[it.read] : undefined;
          if (one === undefined) continue;
          const read = one.reader.read();
          expect([read.length, one.reader.missed]).toEqual([end - one.next, 0]);
          expect(read.every((value, k) => value === one.next + k)).toBe(true);
          one.next = end;
        }
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it("lose nothing when a ring shrinks after a long calm, and grows again", () => {
    const channel = createPackedChannel(world(), "numbers", {
      width: 1,
      decode: (numbers, at) => numbers[at],
    });
    const reader = channel.reader();
    let end = 0;
    const emitAndRead = (count: number) => {
      const from = end;
      for (let k = 0; k < count; k++) channel.emit(end++);
      const read = reader.read();
      expect([read.length, read.findIndex((value, k) => value !== from + k)]).toEqual([count, -1]);
    };
    emitAndRead(10_000);
    for (let k = 0; k < 500; k++) emitAndRead(1000);
    emitAndRead(20_000);
    expect(reader.missed).toBe(0);
  });
});

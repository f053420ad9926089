import { bool, component, createWorld, enumOf, f32, f64, i16, string, tag } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  type ChangeBatch,
  createChangeFormat,
  DamagedBatchError,
  expandColumns,
  FormatMismatchError,
  followChanges,
  HistoryError,
} from "espalier/history";
import { createTransforms2D, Transform2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const Many = component("Many", {
  a: f32(),
  b: f64(),
  c: i16(),
  d: bool(),
  e: string(""),
  f: enumOf("x", "y"),
});
const Frozen = tag("Frozen");
const format = createChangeFormat({ components: [Many, Frozen], trees: ["tree", "groups"] });

const key = fc.oneof(fc.integer(), fc.string(), fc.double({ noNaN: true }), fc.maxSafeInteger());
const keyOrNull = fc.option(key);
const float = fc.oneof(
  fc.constantFrom("NaN", "Infinity", "-Infinity", "-0"),
  fc.constantFrom(0.1, 0.25, 1e-40, 3, 123456.7),
);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("\ud800", "\u0000", '\u0000"a"', "\ufeff"),
);
const values = fc.record(
  {
    a: float,
    b: fc.oneof(
      float,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
    ),
    c: fc.integer({ min: -32768, max: 32767 }),
    d: fc.boolean(),
    e: text,
    f: fc.constantFrom("x", "y", null),
  },
  { requiredKeys: [] },
);
const tree = fc.constantFrom("tree", "groups");
const position = fc.record({ parent: keyOrNull, after: keyOrNull, name: text }, { requiredKeys: ["parent"] });
const entry = fc.oneof(
  fc.record({
    op: fc.constant("add"),
    id: key,
    components: fc.record({ Many: values, Frozen: fc.constant({}) }, { requiredKeys: [] }),
    positions: fc.record({ tree: position, groups: position }, { requiredKeys: [] }),
  }),
  fc.record({ op: fc.constant("remove"), id: key, tree }, { requiredKeys: ["op", "id"] }),
  fc.record({ op: fc.constant("move"), id: key, tree, parent: keyOrNull, after: keyOrNull }),
  fc.record({ op: fc.constant("reorder"), id: key, tree, after: keyOrNull }),
  fc.record({ op: fc.constant("set"), id: key, component: fc.constant("Many"), values: fc.option(values) }),
  fc.record({ op: fc.constant("set"), id: key, tree, name: fc.option(text) }),
);
const batch = fc
  .record(
    {
      epoch: text,
      from: fc.nat(),
      length: fc.nat(),
      patch: fc.array(entry, { maxLength: 20 }),
      snapshot: fc.subarray(["Many", "Frozen"]),
    },
    { requiredKeys: ["epoch", "from", "length", "patch"] },
  )
  .map(({ length, ...rest }) => ({ ...rest, to: rest.from + length }) as unknown as ChangeBatch);

describe("a format", () => {
  it("decodes every batch that it encoded", () => {
    property(
      batch,
      (each) => {
        const bytes = format.encode(each);
        expect(format.decode(bytes)).toEqual(each);
        // A part of a larger Buffer, as sockets and files of Node give it.
        expect(format.decode(Buffer.concat([Buffer.from("header"), bytes]).subarray(6))).toEqual(each);
      },
      500,
    );
  });

  it("gives a batch or a typed error for damaged bytes, whatever they are", () => {
    property(
      fc.tuple(batch, fc.nat(), fc.nat(255), fc.boolean()),
      ([each, at, value, isCut]) => {
        const bytes = format.encode(each);
        const damaged = isCut ? bytes.slice(0, at % bytes.length) : bytes.slice();
        if (!isCut) damaged[at % bytes.length] = value;
        try {
          expect(Array.isArray(format.decode(damaged).patch)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(HistoryError);
        }
      },
      1000,
    );
    expect(() => format.decode(new Uint8Array())).toThrow(DamagedBatchError);
    expect(() => format.decode("bytes" as never)).toThrow(
      'Cannot decode a batch: expected bytes, got "bytes". Pass what encode() gave. [history/damaged-batch]',
    );
  });

  it("takes at most 16 bytes for a moved transform, in a column and alone", () => {
    const world = createWorld();
    const trees = createHierarchy(world);
    createTransforms2D(trees);
    const moving = createChangeFormat({ components: [Transform2D] });
    const entities = world.spawnMany(1000, Transform2D);
    const stream = followChanges(world, { trees: [trees] });
    const sizeOf = (change: () => void) => {
      const empty = moving.encode(stream.read()).length;
      change();
      return moving.encode(stream.read()).length - empty;
    };
    const query = world.query(Transform2D);
    const move = () =>
      query.update((each) => {
        each.x += 0.1;
        each.y -= 0.2;
      });
    expect(sizeOf(move) / 1000).toBeLessThan(10);
    const turn = () =>
      query.update((each) => {
        each.x += 0.1;
        each.y -= 0.2;
        each.rotation = 1;
      });
    expect(sizeOf(turn) / 1000).toBeLessThan(14);
    expect(sizeOf(() => world.set(entities[700]!, Transform2D, { x: 5, y: 6 }))).toBeLessThanOrEqual(16);
  });

  it("is written to JSON with the intended digits", () => {
    const world = createWorld();
    const [one] = world.spawnMany(20, Many({ a: 0.1 }));
    const stream = followChanges(world);
    expect(JSON.stringify(stream.snapshot())).not.toContain("0.10000000149011612");
    world.query(Many).update((each) => void (each.a = 0.7));
    world.spawn(Many({ a: 0.3 }));
    const sent = stream.read();
    expect(JSON.stringify(sent)).toContain("0.7,0.7");
    expect(JSON.stringify(sent)).not.toMatch(/0\.\d{9}/);
    expect(JSON.stringify(format.decode(format.encode(sent)))).toBe(JSON.stringify(sent));
    world.set(one!, Many, { a: 0.1 });
    expect(expandColumns(stream.read().patch)).toEqual([
      { op: "set", id: one, component: "Many", values: { a: 0.1 } },
    ]);
  });

  it("refuses batches of another schema, and unknown names", () => {
    const other = createChangeFormat({ components: [Frozen] });
    expect(createChangeFormat({ components: [Frozen, Many], trees: ["tree", "groups"] }).hash).toBe(
      format.hash,
    );
    expect(other.hash).not.toBe(format.hash);
    const sent: ChangeBatch = {
      epoch: "a",
      from: 0,
      to: 1,
      patch: [{ op: "set", id: 1, component: "Many", values: { a: 1 } }],
    };
    expect(() => other.decode(format.encode(sent))).toThrow(FormatMismatchError);
    expect(() => other.encode(sent)).toThrow(
      'Cannot encode a batch: this format does not know "component Many". List it when creating the format, or follow less. [history/format-mismatch]',
    );
    expect(() => createChangeFormat({ components: [1] } as never)).toThrow(HistoryError);
    expect(() => createChangeFormat(undefined as never)).toThrow(HistoryError);
  });
});

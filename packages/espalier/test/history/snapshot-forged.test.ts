import {
  bool,
  checkWorld,
  component,
  createWorld,
  type Entity,
  EspalierError,
  entityRef,
  f32,
  finite,
  named,
  object,
  resource,
  string,
  u8,
} from "espalier";
import { checkTree, createHierarchy, createUpHierarchy } from "espalier/hierarchy";
import { DamagedSnapshotError, diff, restoreSnapshot, takeSnapshot } from "espalier/history";
import { describe, expect, it } from "vitest";
import { locations } from "../json-locations.ts";
import { forge, openSnapshot } from "./forge.ts";

const Position = component("Position", { x: finite(f32()), y: f32() });
const Aim = component("Aim", { at: entityRef(), on: bool() });
const Label = component("Label", { text: string("none"), state: named(u8(), ["a", "b"]) });
const Bag = component("Bag", { items: object((): unknown => null) });
const Score = resource<number>("Score");
const components = [Position, Aim, Label, Bag];

function prepared(root = false) {
  const world = createWorld();
  const tree = createHierarchy(world, { uniqueNames: true });
  const up = createUpHierarchy(world, { name: "up" });
  const top = world.spawn(Position({ x: 1 }), Bag({ items: ["a", { b: new Set([1]) }] }));
  const below = tree.attachNew(top, Aim({ at: top, on: true }), Label({ text: "hé" }));
  const last = tree.attachNew(below, Aim({ at: below }), Position);
  tree.setName(below, "below");
  tree.setName(last, "last");
  up.attach(last, top);
  world.destroy(world.spawn());
  world.setResource(Score, 5);
  const trees = [tree, up];
  const options = { trees, components, resources: [Score] };
  const parts = { trees, resources: [Score] };
  const snapshot = takeSnapshot(world, root ? { ...parts, root: top } : parts);
  return { world, tree, up, top, options, snapshot };
}

function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Restores what may be anything: it works and leaves a sound world, or throws an error with a code and changes nothing. */
function createTrier(): (buffer: ArrayBuffer, what: string) => void {
  const { world, tree, options, snapshot: before } = prepared();
  let tries = 0;
  return (buffer, what) => {
    const { version } = world;
    try {
      restoreSnapshot(world, buffer, options);
      restoreSnapshot(world, before, options);
    } catch (error) {
      if (!(error instanceof EspalierError)) expect.unreachable(`${what}: ${String((error as Error).stack)}`);
      expect(world.version, what).toBe(version);
    }
    if (tries++ % 8 === 0 || world.version !== version) {
      expect([...checkWorld(world), ...checkTree(tree)], what).toEqual([]);
      const { trees, resources } = options;
      expect(new Uint8Array(takeSnapshot(world, { trees, resources })), what).toEqual(new Uint8Array(before));
    }
    try {
      diff(before, buffer);
    } catch (error) {
      if (!(error instanceof EspalierError))
        expect.unreachable(`diff, ${what}: ${String((error as Error).stack)}`);
    }
  };
}

const odd = [
  null,
  true,
  -1,
  0,
  1,
  2,
  1.5,
  7,
  4194303,
  4194305,
  2 ** 31,
  2 ** 53,
  1e308,
  "",
  "f64",
  "x",
  [],
  {},
  [0],
  [[]],
  { a: 1 },
  "__proto__",
];

describe("a snapshot", () => {
  it("with two flipped bits is refused, wherever they are", () => {
    const { snapshot, options, world } = prepared();
    const bytes = new Uint8Array(snapshot);
    const next = random(1);
    for (let k = 0; k < 2_000; k++) {
      const flipped = [next(bytes.length * 8), next(bytes.length * 8)] as const;
      if (flipped[0] === flipped[1]) continue;
      const damaged = snapshot.slice(0);
      const other = new Uint8Array(damaged);
      for (const bit of flipped) other[bit >> 3] = (other[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(() => restoreSnapshot(world, damaged, options)).toThrow(EspalierError);
    }
  });

  it("of the first format, with its checksum, is read", () => {
    const { snapshot, options, world, top } = prepared();
    const former = snapshot.slice(0);
    const view = new DataView(former);
    view.setUint16(4, 1, true);
    const words = new Uint32Array(former);
    let sum = 0x811c9dc5;
    for (let k = 0; k < words.length; k++)
      sum = Math.imul(sum ^ (k === 3 ? 0 : (words[k] as number)), 0x01000193);
    view.setUint32(12, sum >>> 0, true);
    world.set(top, Position, { x: 9 });
    restoreSnapshot(world, former, options);
    expect(world.get(top, Position)?.x).toBe(1);
  });
});

describe.each([
  ["of a world", false],
  ["of a subtree", true],
])("a forged snapshot %s with a right checksum", (_, root) => {
  it("is the same when nothing is forged", () => {
    const { snapshot } = prepared(root);
    const { text, arrays } = openSnapshot(snapshot);
    expect(new Uint8Array(forge(text, arrays))).toEqual(new Uint8Array(snapshot));
  });

  it("is refused or harmless, whatever its directory says", () => {
    const { text, arrays } = openSnapshot(prepared(root).snapshot);
    const count = locations(JSON.parse(text)).length;
    const tryRestore = createTrier();
    const values = [...odd, undefined];
    for (let at = 0; at < count; at++) {
      // A few for each location, others for the next one.
      for (let k = 0; k < 5; k++) {
        const other = values[(at * 5 + k * 3) % values.length];
        const changed = JSON.parse(text);
        locations(changed)[at]?.(other);
        tryRestore(forge(JSON.stringify(changed), arrays), `${at} = ${JSON.stringify(other)}`);
      }
    }
  });

  it("is refused or harmless, whatever its numbers say", () => {
    const { text, arrays } = openSnapshot(prepared(root).snapshot);
    const next = random(2);
    const tryRestore = createTrier();
    const numbers = [
      0,
      1,
      2,
      3,
      255,
      -1,
      4194304,
      4194305,
      2 ** 31 - 1,
      2 ** 52 + 1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ];
    for (let k = 0; k < 700; k++) {
      const changed = arrays.slice();
      const view = new DataView(changed.buffer);
      const at = next(changed.length - 7);
      const kind = next(3);
      if (kind === 0) changed[at] = next(256);
      else if (kind === 1) view.setInt32(at & ~3, numbers[next(numbers.length)] as number, true);
      else view.setFloat64(at & ~7, numbers[next(numbers.length)] as number, true);
      tryRestore(forge(text, changed), `change ${k} at ${at}`);
    }
  });

  it("is refused when it is cut or filled up", () => {
    const { text, arrays } = openSnapshot(prepared(root).snapshot);
    const tryRestore = createTrier();
    for (let length = 0; length < arrays.length; length += 8)
      tryRestore(forge(text, arrays.slice(0, length)), `${length}`);
    const longer = new Uint8Array(arrays.length + 8);
    longer.set(arrays);
    const { world, options } = prepared();
    expect(() => restoreSnapshot(world, forge(text, longer), options)).toThrow(DamagedSnapshotError);
    for (const directory of ["", "{", "null", "7", "[]", `{"arrays":[]}`, "[".repeat(100_000)]) {
      expect(() => restoreSnapshot(world, forge(directory, arrays), options)).toThrow(DamagedSnapshotError);
    }
  });
});

describe("a snapshot of a subtree", () => {
  it("restores no references to entities that were destroyed since", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const [friend, tank] = [world.spawn(), world.spawn()] as [Entity, Entity];
    world.add(tank, Aim({ at: friend }));
    const snapshot = takeSnapshot(world, { trees: [tree], root: tank });
    world.destroy(friend);
    world.destroy(tank);
    restoreSnapshot(world, snapshot, { trees: [tree] });
    expect(world.get(tank, Aim)).toEqual({ at: null, on: false });
    expect(checkWorld(world)).toEqual([]);
  });
});

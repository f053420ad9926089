import { component, createWorld, DEVELOPMENT, EntityLimitError, f32, object, observe, tag } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import {
  applyPatch,
  DamagedSnapshotError,
  diff,
  followChanges,
  HistoryBusyError,
  isReplaying,
  restoreSnapshot,
  SnapshotMismatchError,
  SnapshotVersionError,
  takeSnapshot,
} from "espalier/history";
import { describe, expect, it } from "vitest";

const Position = component("Position", { x: f32(), y: f32() });
const Bag = component("Bag", { items: object((): unknown => null) });
const Frozen = tag("Frozen");

describe("a snapshot buffer", () => {
  function prepared() {
    const world = createWorld();
    const tree = createHierarchy(world);
    const e = world.spawn(Position({ x: 1 }), Bag({ items: ["a"] }));
    tree.setName(tree.attachNew(e, Frozen), "child");
    const snapshot = takeSnapshot(world, { trees: [tree] });
    world.set(e, Position, { x: 2 });
    const restore = (buffer: ArrayBuffer | ArrayBufferView) =>
      restoreSnapshot(world, buffer, { trees: [tree] });
    return { world, e, snapshot, restore };
  }

  it("is refused whichever bit is wrong, and changes nothing", () => {
    const { world, e, snapshot, restore } = prepared();
    for (let byte = 0; byte < snapshot.byteLength; byte++) {
      for (let bit = 0; bit < 8; bit++) {
        const damaged = snapshot.slice(0);
        const bytes = new Uint8Array(damaged);
        bytes[byte] = (bytes[byte] as number) ^ (1 << bit);
        let error: unknown;
        try {
          restore(damaged);
        } catch (thrown) {
          error = thrown;
        }
        const isRight = error instanceof DamagedSnapshotError || error instanceof SnapshotVersionError;
        if (!isRight) expect.unreachable(`bit ${bit} of byte ${byte}: ${String(error)}`);
      }
    }
    expect(world.get(e, Position)).toEqual({ x: 2, y: 0 });
    restore(snapshot);
    expect(world.get(e, Position)).toEqual({ x: 1, y: 0 });
  });

  it("is refused when it is cut, foreign, or from the future", () => {
    const { snapshot, restore } = prepared();
    for (const length of [0, 8, 40, snapshot.byteLength - 8]) {
      expect(() => restore(snapshot.slice(0, length))).toThrow(DamagedSnapshotError);
    }
    expect(() => restore(new ArrayBuffer(64))).toThrow(
      "Cannot read a snapshot: the 64 bytes do not begin like one. Pass what takeSnapshot() returned. [history/damaged-snapshot]",
    );
    expect(() => restore(snapshot.slice(0, -8))).toThrow(
      /it says that it has \d+ bytes, but there are \d+\./,
    );
    expect(() => restore("text" as never)).toThrow("expected an ArrayBuffer");
    const future = snapshot.slice(0);
    new DataView(future).setUint16(4, 3, true);
    expect(() => restore(future)).toThrow(SnapshotVersionError);
    expect(() => restore(future)).toThrow(
      "Cannot read a snapshot of format 3: this version of Espalier reads up to 2. Update Espalier, or take the snapshot with this version. [history/snapshot-version]",
    );
  });

  it("may stand inside a larger one", () => {
    const { world, e, snapshot, restore } = prepared();
    const larger = new Uint8Array(snapshot.byteLength + 13);
    larger.set(new Uint8Array(snapshot), 5);
    restore(larger.subarray(5, 5 + snapshot.byteLength));
    expect(world.get(e, Position)).toEqual({ x: 1, y: 0 });
  });
});

describe("restoring into a world that does not fit", () => {
  const refused = (
    world: ReturnType<typeof createWorld>,
    snapshot: ArrayBuffer,
    text: string,
    options = {},
  ) => {
    expect(() => restoreSnapshot(world, snapshot, options)).toThrow(SnapshotMismatchError);
    expect(() => restoreSnapshot(world, snapshot, options)).toThrow(text);
    expect(world.count).toBe(0);
  };

  it("is refused with what is missing", () => {
    const world = createWorld();
    const tree = createHierarchy(world, { name: "scene" });
    world.spawn(Position);
    const plain = takeSnapshot(world);
    refused(
      createWorld(),
      plain,
      "Cannot use component Position: this world does not know it. Give it in components, or use it in the world first. [history/snapshot-mismatch]",
    );
    refused(
      createWorld(),
      plain,
      "Cannot use component Position: it was written with x: f32, y: f32 and has x: f32 now. Use the same definition, or take a new snapshot.",
      { components: [component("Position", { x: f32() })] },
    );
    const withTree = takeSnapshot(world, { trees: [tree] });
    const other = createWorld();
    const components = [Position];
    refused(
      other,
      withTree,
      "Cannot restore hierarchy scene: the snapshot has a hierarchy with children of that name, and none was given. Give it in trees.",
      { components },
    );
    refused(other, withTree, "Cannot restore hierarchy scene: it belongs to another world.", {
      components,
      trees: [tree],
    });
    const wrong = createHierarchy(other, { name: "folders" });
    refused(other, withTree, "Cannot restore hierarchy folders: it is not in the snapshot.", {
      components,
      trees: [wrong],
    });
    const scene = createHierarchy(other, { name: "scene" });
    const twins = [scene, scene];
    expect(() => takeSnapshot(other, { trees: twins })).toThrow(
      "Cannot use two hierarchies named scene: they are distinguished by their names. Give createHierarchy() different ones.",
    );
    expect(() => takeSnapshot(other, { trees: [tree] })).toThrow("it belongs to another world");
  });

  it("is refused when it is too small, or busy", () => {
    const world = createWorld();
    world.spawnMany(20, Frozen);
    const snapshot = takeSnapshot(world);
    const small = createWorld({ capacity: 5, fixed: true });
    expect(() => restoreSnapshot(small, snapshot, { components: [Frozen] })).toThrow(EntityLimitError);
    expect(small.count).toBe(0);
    world.query(Frozen).each(() => {
      expect(() => restoreSnapshot(world, snapshot)).toThrow(HistoryBusyError);
    });
    expect(() => world.query(Frozen).update(() => restoreSnapshot(world, snapshot))).toThrow(
      "inside query.update()",
    );
  });

  it("notifies observers", () => {
    const world = createWorld();
    const e = world.spawn(Frozen);
    const snapshot = takeSnapshot(world);
    world.destroy(e);
    const seen: boolean[] = [];
    observe(world, Frozen, { add: () => seen.push(isReplaying(world)) });
    restoreSnapshot(world, snapshot);
    expect([seen, isReplaying(world)]).toEqual([[true], false]);
  });
});

describe("options of history", () => {
  const world = createWorld();
  const tree = createHierarchy(world);
  const stream = () => followChanges(world, { resources: [] } as never);

  it.runIf(DEVELOPMENT).each([
    ["take a snapshot", () => takeSnapshot(world, { components: [] } as never), "components"],
    ["restore a snapshot", () => restoreSnapshot(world, takeSnapshot(world), { root: 1 } as never), "root"],
    ["apply a patch", () => applyPatch(world, [], { maxBytes: 5 } as never), "maxBytes"],
    [
      "compare states",
      () => diff({ world, trees: [tree] }, { world, trees: [tree] }, { root: 1 } as never),
      "root",
    ],
    ["follow changes", stream, "resources"],
  ])("that belong to another call are refused: %s", (doing, call, option) => {
    expect(call).toThrow(`Cannot ${doing} with ${option}: there is no such option.`);
  });
});

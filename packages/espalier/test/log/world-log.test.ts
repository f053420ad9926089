import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkWorld, component, createWorld, entityRef, f32, type World } from "espalier";
import { checkTree, createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { FormatMismatchError, followChanges } from "espalier/history";
import {
  DamagedLogError,
  InvalidLogError,
  LockedLogError,
  openWorldLog,
  readWorldLog,
  WorldInUseError,
  type WorldLogOptions,
} from "espalier/log";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const Health = component("Health", { hp: f32(100) });
const Position = component("Position", { x: f32(), y: f32() });
const Target = component("Target", { at: entityRef() });
const components = [Health, Position, Target];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(options: Partial<WorldLogOptions> = {}) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const log = openWorldLog(folder, world, { components, trees: [tree], sync: "never", ...options });
  return { world, tree, log };
}

/** The locks in the folder. */
const locks = () => readdirSync(folder).filter((name) => /^lock-\d/.test(name));

/** Everything there is, as text. */
function stateOf(world: World, tree: Hierarchy): string {
  const stream = followChanges(world, { trees: [tree] });
  const { patch } = stream.snapshot();
  stream.close();
  return JSON.stringify(patch);
}

/** A log of three batches; gives the state after each of them, the empty one first. */
async function threeBatches(): Promise<string[]> {
  const { world, tree, log } = open();
  const states = [stateOf(world, tree)];
  const tank = world.spawn(Health, Position({ x: 1 }));
  log.append();
  states.push(stateOf(world, tree));
  const gun = tree.attachNew(tank, Health({ hp: 5 }), Target({ at: tank }));
  tree.setName(gun, "gun");
  log.append();
  states.push(stateOf(world, tree));
  world.set(gun, Health, { hp: 4 });
  log.append();
  states.push(stateOf(world, tree));
  await log.close();
  return states;
}

const onlyLog = () => join(folder, "000000000000.log");

describe("a log of a world", () => {
  it("restores the world with handles, values, order, names and references", async () => {
    const states = await threeBatches();
    const { world, tree, log } = open();
    expect(log.recovered).toEqual({
      snapshot: undefined,
      batches: 3,
      cutOff: undefined,
      damagedSnapshots: [],
      violations: [],
    });
    expect(log.sequence).toBe(3);
    expect(stateOf(world, tree)).toBe(states[3]);
    expect([...checkWorld(world), ...checkTree(tree)]).toEqual([]);
    await log.close();
  });

  it("continues where it was, over many openings", async () => {
    for (let k = 0; k < 5; k++) {
      const { world, log } = open();
      expect(world.count).toBe(k);
      world.spawn(Health({ hp: k }));
      expect(log.append()?.sequence).toBe(k + 1);
      expect(log.append()).toBeUndefined();
      await log.close();
    }
  });

  it("writes what is left when it is closed", async () => {
    const { world, log } = open();
    world.spawn(Health);
    await log.close();
    expect(open().world.count).toBe(1);
  });

  it("begins with a snapshot when the world has entities already", async () => {
    const world = createWorld();
    world.spawn(Health({ hp: 7 }));
    await openWorldLog(folder, world, { components }).close();
    const copy = createWorld();
    const log = openWorldLog(folder, copy, { components });
    expect(log.recovered.snapshot).toBe(0);
    expect(copy.count).toBe(1);
    await log.close();
  });

  it("drops a torn entry at its end, wherever it is torn, and reports how much", async () => {
    const states = await threeBatches();
    const whole = readFileSync(onlyLog());
    const ends: number[] = [];
    for (let length = whole.length - 1; length >= 0; length--) {
      writeFileSync(onlyLog(), whole.subarray(0, length));
      const { world, tree, log } = open();
      expect(stateOf(world, tree)).toBe(states[log.sequence]);
      const rest = length - (log.recovered.cutOff?.bytes ?? 0);
      if (rest === length) ends.push(length);
      else expect(log.recovered.cutOff).toEqual({ file: onlyLog(), bytes: length - rest });
      // What comes next stands behind what is whole.
      world.spawn(Health);
      log.append();
      const next = stateOf(world, tree);
      await log.close();
      const again = open();
      expect(again.log.recovered.cutOff).toBeUndefined();
      expect(stateOf(again.world, again.tree)).toBe(next);
      await again.log.close();
    }
    // The empty file, the header alone, and the first two batches are whole.
    expect(ends).toHaveLength(4);
  });

  it("treats zeros at its end as torn", async () => {
    await threeBatches();
    appendFileSync(onlyLog(), new Uint8Array(4096));
    const { log } = open();
    expect(log.recovered.cutOff?.bytes).toBe(4096);
    expect(log.sequence).toBe(3);
    await log.close();
  });

  it("refuses damage in its middle, wherever it is, and drops it on request", async () => {
    const states = await threeBatches();
    const whole = readFileSync(onlyLog());
    const third = 8 + 16 + whole.readUInt32LE(8);
    for (let at = 8; at < third; at++) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ 0x10;
      writeFileSync(onlyLog(), bytes);
      expect(() => open(), `byte ${at}`).toThrow(DamagedLogError);
      expect(readFileSync(onlyLog()).equals(bytes)).toBe(true);
    }
    const { world, tree, log } = open({ damaged: "cut" });
    expect(log.sequence).toBe(0);
    expect(stateOf(world, tree)).toBe(states[0]);
    world.spawn(Health);
    log.append();
    await log.close();
    expect(existsSync(`${onlyLog()}.damaged`)).toBe(true);
    expect(open().world.count).toBe(1);
  });

  it("says which file is missing", async () => {
    const { world, log } = open();
    for (let k = 0; k < 3; k++) {
      world.spawn(Health);
      await log.snapshot();
    }
    world.spawn(Health);
    await log.close();
    for (const name of readdirSync(folder)) if (name.endsWith(".snapshot")) rmSync(join(folder, name));
    expect(() => open()).toThrow(/continues after batch 2, and the files before it end with batch 0/);
  });

  it("keeps two snapshots and the log files behind the older one", async () => {
    const { world, log } = open();
    for (let k = 0; k < 4; k++) {
      world.spawn(Health);
      await log.snapshot();
    }
    world.spawn(Health);
    await log.close();
    expect(readdirSync(folder).sort()).toEqual([
      "000000000003.log",
      "000000000003.snapshot",
      "000000000004.log",
      "000000000004.snapshot",
    ]);
    const again = open();
    expect(again.log.recovered).toMatchObject({ snapshot: 4, batches: 1 });
    expect(again.world.count).toBe(5);
    await again.log.close();
  });

  it("uses the older snapshot when the newer one is damaged", async () => {
    const { world, log } = open();
    for (let k = 0; k < 2; k++) {
      world.spawn(Health);
      await log.snapshot();
    }
    await log.close();
    const path = join(folder, "000000000002.snapshot");
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1;
    writeFileSync(path, bytes);
    const again = open();
    expect(again.log.recovered).toMatchObject({ snapshot: 1, batches: 1, damagedSnapshots: [path] });
    expect(again.world.count).toBe(2);
    await again.log.close();
  });

  it("does not count a damaged snapshot as the older one that is kept", async () => {
    const { world, log } = open();
    for (let k = 0; k < 3; k++) {
      world.spawn(Health({ hp: k }));
      await log.snapshot();
    }
    await log.close();
    const path = join(folder, "000000000003.snapshot");
    writeFileSync(path, readFileSync(path).subarray(0, 20));
    const again = open();
    expect(readdirSync(folder)).toContain("000000000003.snapshot.damaged");
    again.world.spawn(Health);
    await again.log.snapshot();
    await again.log.close();
    const whole = readdirSync(folder).filter((name) => name.endsWith(".snapshot"));
    expect(whole).toEqual(["000000000002.snapshot", "000000000004.snapshot"]);
    // The last one is damaged too: the other still serves.
    writeFileSync(join(folder, "000000000004.snapshot"), "");
    const last = open();
    expect([last.world.count, last.log.recovered.snapshot]).toEqual([4, 2]);
    await last.log.close();
  });

  it("refuses batches whose beginning was in a damaged snapshot", async () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    world.spawn(Health);
    const log = openWorldLog(folder, world, { components, trees: [tree], sync: "never" });
    world.spawn(Position);
    await log.close();
    writeFileSync(join(folder, "000000000000.snapshot"), "");
    for (const damaged of ["refuse", "cut"] as const)
      expect(() => open({ damaged })).toThrow(DamagedLogError);
    rmSync(join(folder, "000000000000.log"));
    expect(() => open()).toThrow(DamagedLogError);
    expect(readdirSync(folder)).toEqual(["000000000000.snapshot"]);
  });

  it("keeps the batches before the damage in a snapshot when it drops the damaged file", async () => {
    const states = await threeBatches();
    const path = join(folder, "000000000000.log");
    const bytes = readFileSync(path);
    // In the second record.
    const second = 8 + 16 + bytes.readUInt32LE(8);
    bytes[second + 20]! ^= 255;
    writeFileSync(path, bytes);
    const { world, tree, log } = open({ damaged: "cut" });
    expect(stateOf(world, tree)).toBe(states[1]);
    await log.close();
    // As if the process had ended between the snapshot and the new name of the file.
    renameSync(`${path}.damaged`, path);
    const again = open();
    expect(stateOf(again.world, again.tree)).toBe(states[1]);
    await again.log.close();
  });

  it("releases a lock that was deleted by hand", async () => {
    const { log } = open();
    for (const name of locks()) rmSync(join(folder, name));
    await log.close();
  });

  it("rotates by itself when a file has grown", async () => {
    const { world, log } = open({ rotateBytes: 500 });
    for (let k = 0; k < 40; k++) {
      world.spawn(Health);
      log.append();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await log.close();
    expect(readdirSync(folder).filter((name) => name.endsWith(".snapshot")).length).toBeGreaterThan(0);
    expect(open().world.count).toBe(40);
  });

  it("takes snapshots that overlap, one after the other", async () => {
    const { world, log } = open();
    const done: Promise<void>[] = [];
    for (let k = 0; k < 5; k++) {
      world.spawn(Health);
      done.push(log.snapshot());
    }
    await Promise.all(done);
    await log.close();
    expect(open().world.count).toBe(5);
  });

  it("is opened by one process at a time", async () => {
    const { log } = open();
    expect(() => open()).toThrow(LockedLogError);
    await log.close();
    await open().log.close();
  });

  it("takes the lock of a process that has ended, whether it held the log or was about to", async () => {
    for (const name of ["lock-999999999-1", `lock-${process.pid}-1`]) {
      for (const text of ["held", ""]) {
        writeFileSync(join(folder, name), text);
        await open().log.close();
        expect(locks()).toEqual([]);
      }
    }
  });

  it("is not read from a missing folder or without its components", () => {
    const read = (...given: unknown[]) => [
      ...(readWorldLog as (...given: unknown[]) => Iterable<unknown>)(...given),
    ];
    const invalid = expect.objectContaining({ code: "log/invalid-use" });
    expect(() => read(join(folder, "nowhere"), { components })).toThrow(invalid);
    expect(() => read(5, { components })).toThrow(invalid);
    expect(() => read(folder)).toThrow(invalid);
    expect(read(folder, { components })).toEqual([]);
  });

  it("ignores files that are not its own locks", async () => {
    writeFileSync(join(folder, "lock-file.txt"), "");
    await open().log.close();
    expect(readdirSync(folder)).toContain("lock-file.txt");
  });

  it("refuses a world that has entities when the folder holds one too", async () => {
    await threeBatches();
    const world = createWorld();
    world.spawn();
    expect(() => openWorldLog(folder, world, { components })).toThrow(WorldInUseError);
    expect(world.count).toBe(1);
    await open().log.close();
  });

  it("keeps changes that it cannot write for the next batch", async () => {
    const Other = component("Other", { value: f32() });
    const { world, log } = open();
    const e = world.spawn(Health, Other);
    expect(() => log.append()).toThrow(FormatMismatchError);
    expect(log.sequence).toBe(0);
    world.remove(e, Other);
    expect(log.append()?.sequence).toBe(1);
    await log.close();
    expect(open().world.count).toBe(1);
  });

  it("reads batches behind a number, even without opening", async () => {
    await threeBatches();
    const trees = [createHierarchy(createWorld())];
    const numbers = [...readWorldLog(folder, { components, trees, from: 1 })].map(({ sequence }) => sequence);
    expect(numbers).toEqual([2, 3]);
    const { log } = open();
    expect([...log.read(2)].map(({ batch }) => batch.patch.length)).toEqual([1]);
    await log.close();
  });

  it("forces batches onto the disk as its policy says", async () => {
    for (const sync of ["always", { every: 1 }, "never"] as const) {
      const { world, log } = open({ sync });
      world.spawn(Health);
      log.append();
      await new Promise((resolve) => setTimeout(resolve, 5));
      world.spawn(Health);
      log.append();
      await log.close();
    }
    expect(open().world.count).toBe(6);
  });

  it("refuses what is not an option, a folder or a number, and a closed log", async () => {
    const world = createWorld();
    const wrong = (options: object) => () => openWorldLog(folder, world, { components, ...options } as never);
    expect(() => openWorldLog("", world, { components })).toThrow(InvalidLogError);
    expect(wrong({ rotateBytes: 0 })).toThrow(InvalidLogError);
    expect(wrong({ sync: "often" })).toThrow(InvalidLogError);
    expect(wrong({ sync: { every: -1 } })).toThrow(InvalidLogError);
    const log = openWorldLog(folder, world, { components });
    await log.close();
    await log.close();
    expect(() => log.append()).toThrow(InvalidLogError);
    await expect(log.snapshot()).rejects.toThrow(InvalidLogError);
  });
});

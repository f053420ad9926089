/**
 * The relations suite: references between ordinary entities, beside the two libraries whose relations are components too.
 *
 * `targets` has one target per entity, `likes` several, `inventory` several with a number for each pair. Entities are named by their
 * number in the order of creation; checks are here, so that no subject checks itself.
 *
 * - `referrers(target)`, `targets(owner)`: numbers of entities, in any order.
 * - `amount(owner, target)`: the number of a pair.
 * - `round()`, `written()`: how often targets were changed, and the number that was written last.
 * - `result()`: the sum that the last run read.
 */
import { expectEqual } from "../harness/expect.mjs";

const peer = (file) => ({ file, role: "peer" });

export const subjects = {
  espalier: { file: "espalier.mjs", role: "own" },
  koota: peer("koota.mjs"),
  bitecs: peer("bitecs.mjs"),
};

/** Owners 0..999 and targets 1000..1009: owner i begins with target i mod 10, or with the five from there on. */
export const OWNERS = 1000;
export const TARGETS = 10;
export const EACH = 5;

export const cases = {
  /** Every owner is given the next target. */
  targets_write: { size: OWNERS, unitCount: OWNERS, unit: "write", verify: verifyTargetsWrite },
  /** Which entities refer to each of the targets. */
  targets_read: { size: OWNERS, unitCount: OWNERS, unit: "answer", verify: verifyTargetsRead },
  /** Every owner gets a sixth target and loses it again. */
  likes_write: { size: OWNERS, unitCount: OWNERS, unit: "add + remove", verify: verifyLikes },
  /** The targets of every owner. */
  likes_read: { size: OWNERS, unitCount: OWNERS * EACH, unit: "answer", verify: verifyLikesRead },
  /** The number of every pair is written. */
  inventory_write: { size: OWNERS, unitCount: OWNERS * EACH, unit: "pair", verify: verifyInventoryWrite },
  /** The number of every pair is read. */
  inventory_read: { size: OWNERS, unitCount: OWNERS * EACH, unit: "pair", verify: verifyInventoryRead },
  /** A target is created, 1,000 entities come to refer to it, and it is destroyed. */
  destroy_target: { size: OWNERS, unitCount: OWNERS, unit: "link + destroy", verify: verifyDestroy },
};

const sorted = (numbers) => Array.from(numbers).sort((a, b) => a - b);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const targetsFrom = (owner) => Array.from({ length: EACH }, (_, k) => OWNERS + ((owner + k) % TARGETS));

async function verifyTargetsWrite(it) {
  for (let times = 0; times < 3; times++) {
    const before = it.round();
    await it.run();
    const round = it.round();
    expectEqual(round, before + 1, "rounds of writing");
    for (let k = 0; k < TARGETS; k++) {
      const wanted = [];
      for (let i = 0; i < OWNERS; i++) if ((i + round) % TARGETS === k) wanted.push(i);
      expectEqual(sorted(it.referrers(OWNERS + k)).join(), wanted.join(), `referrers of target ${k}`);
    }
  }
}

async function verifyTargetsRead(it) {
  await it.run();
  expectEqual(
    it.result(),
    sum(Array.from({ length: OWNERS }, (_, i) => i)),
    "sum of the owners that were read",
  );
}

async function verifyLikes(it, _, probe) {
  let calls = 0;
  probe.middle = () => {
    calls++;
    for (let i = 0; i < OWNERS; i++) {
      const wanted = sorted([...targetsFrom(i), OWNERS + ((i + EACH) % TARGETS)]);
      expectEqual(sorted(it.targets(i)).join(), wanted.join(), `targets of owner ${i} in between`);
    }
  };
  await it.run();
  await it.run();
  probe.middle = undefined;
  expectEqual(calls, 2, "rounds of adding");
  for (let i = 0; i < OWNERS; i++)
    expectEqual(sorted(it.targets(i)).join(), sorted(targetsFrom(i)).join(), `targets of owner ${i}`);
}

async function verifyLikesRead(it) {
  await it.run();
  const wanted = sum(Array.from({ length: OWNERS }, (_, i) => sum(targetsFrom(i))));
  expectEqual(it.result(), wanted, "sum of the targets that were read");
}

async function verifyInventoryWrite(it) {
  const before = it.written();
  await it.run();
  await it.run();
  const wanted = before + 2;
  for (let i = 0; i < OWNERS; i++)
    for (const target of targetsFrom(i))
      expectEqual(it.amount(i, target), wanted, `amount of ${i} and ${target}`);
}

async function verifyInventoryRead(it) {
  await it.run();
  expectEqual(it.result(), OWNERS * EACH, "sum of the amounts that were read");
}

async function verifyDestroy(it, _, probe) {
  let calls = 0;
  probe.middle = (count) => {
    calls++;
    expectEqual(count, OWNERS, "referrers before the target is destroyed");
  };
  await it.run();
  await it.run();
  probe.middle = undefined;
  expectEqual(calls, 2, "rounds of destroying");
  for (let i = 0; i < OWNERS; i++) expectEqual(it.targets(i).length, 0, `targets of owner ${i}`);
}

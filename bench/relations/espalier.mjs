/** Espalier: one target is a field of `entityRef`, several are one of `entityRefs`. */
import {
  addTarget,
  component,
  createWorld,
  entityRefs,
  indexedRef,
  pairOf,
  pairsOf,
  referrerCount,
  referrersOf,
  removeTarget,
  setPair,
  setTarget,
  targetsOf,
  u32,
} from "espalier";
import { EACH, OWNERS, TARGETS } from "./suite.mjs";

export const subjects = {
  espalier: {
    cases: {
      targets_write,
      targets_read,
      likes_write,
      likes_read,
      inventory_write,
      inventory_read,
      destroy_target,
    },
  },
};

function entities(...components) {
  const world = createWorld({ capacity: 4096, fixed: true });
  const owners = world.spawnMany(OWNERS, ...components);
  const targets = world.spawnMany(TARGETS);
  const all = [...owners, ...targets];
  const numberOf = new Map(all.map((entity, k) => [entity, k]));
  return { world, owners, targets, all, numberOf };
}

function withTargets() {
  const Aim = component("Aim", { at: indexedRef() });
  const it = entities(Aim);
  it.owners.forEach((owner, i) => {
    it.world.set(owner, Aim, { at: it.targets[i % TARGETS] });
  });
  const referrers = (target) =>
    referrersOf(it.world, it.all[target], Aim, "at").map((e) => it.numberOf.get(e));
  return { ...it, Aim, referrers };
}

function targets_write() {
  const { world, owners, targets, Aim, referrers } = withTargets();
  let round = 0;
  return {
    round: () => round,
    run() {
      round++;
      for (let i = 0; i < OWNERS; i++) setTarget(world, owners[i], Aim, "at", targets[(i + round) % TARGETS]);
    },
    referrers,
  };
}

function targets_read() {
  const { world, targets, Aim, owners } = withTargets();
  const first = owners[0];
  let total = 0;
  return {
    run() {
      total = 0;
      for (let k = 0; k < TARGETS; k++) {
        const found = referrersOf(world, targets[k], Aim, "at");
        for (let i = 0; i < found.length; i++) total += found[i] - first;
      }
    },
    result: () => total,
  };
}

function withLists(data) {
  const Has = component("Has", { things: entityRefs(data ? { data: { amount: u32(1) } } : {}) });
  const it = entities(Has);
  it.owners.forEach((owner, i) => {
    for (let k = 0; k < EACH; k++) addTarget(it.world, owner, Has, "things", it.targets[(i + k) % TARGETS]);
  });
  const targets = (owner) => targetsOf(it.world, it.all[owner], Has, "things").map((e) => it.numberOf.get(e));
  return { ...it, Has, read: targets };
}

function likes_write(_, probe) {
  const { world, owners, targets, Has, read } = withLists(false);
  return {
    run() {
      for (let i = 0; i < OWNERS; i++)
        addTarget(world, owners[i], Has, "things", targets[(i + EACH) % TARGETS]);
      probe.middle?.();
      for (let i = 0; i < OWNERS; i++)
        removeTarget(world, owners[i], Has, "things", targets[(i + EACH) % TARGETS]);
    },
    targets: read,
  };
}

function likes_read() {
  const { world, owners, Has } = withLists(false);
  const first = owners[0];
  let total = 0;
  return {
    run() {
      total = 0;
      for (let i = 0; i < OWNERS; i++) {
        const found = targetsOf(world, owners[i], Has, "things");
        for (let k = 0; k < found.length; k++) total += found[k] - first;
      }
    },
    result: () => total,
  };
}

function inventory_write() {
  const { world, owners, targets, Has, all } = withLists(true);
  let amount = 1;
  return {
    written: () => amount,
    run() {
      amount++;
      for (let i = 0; i < OWNERS; i++)
        for (let k = 0; k < EACH; k++)
          setPair(world, owners[i], Has, "things", targets[(i + k) % TARGETS], { amount });
    },
    amount: (owner, target) => pairOf(world, all[owner], Has, "things", all[target]).amount,
  };
}

function inventory_read() {
  const { world, owners, Has } = withLists(true);
  let total = 0;
  return {
    run() {
      total = 0;
      for (let i = 0; i < OWNERS; i++)
        for (const { amount } of pairsOf(world, owners[i], Has, "things")) total += amount;
    },
    result: () => total,
  };
}

function destroy_target(_, probe) {
  const Aim = component("Aim", { at: indexedRef() });
  const { world, owners } = entities(Aim);
  return {
    run() {
      const target = world.spawn();
      for (let i = 0; i < OWNERS; i++) setTarget(world, owners[i], Aim, "at", target);
      probe.middle?.(referrerCount(world, target, Aim, "at"));
      world.destroy(target);
    },
    targets: (owner) => (world.get(owners[owner], Aim).at === null ? [] : [0]),
  };
}

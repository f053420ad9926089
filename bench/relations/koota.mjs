/** koota: relations as its README shows them, exclusive where there is one target, with a store where pairs have data. */
import { createWorld, relation } from "koota";
import { EACH, OWNERS, TARGETS } from "./suite.mjs";

export const subjects = {
  koota: {
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

function entities() {
  const world = createWorld();
  const owners = Array.from({ length: OWNERS }, () => world.spawn());
  const targets = Array.from({ length: TARGETS }, () => world.spawn());
  const all = [...owners, ...targets];
  const numberOf = new Map(all.map((entity, k) => [entity, k]));
  return { world, owners, targets, all, numberOf };
}

function withTargets() {
  const Aim = relation({ exclusive: true });
  const it = entities();
  for (const [i, owner] of it.owners.entries()) owner.add(Aim(it.targets[i % TARGETS]));
  const referrers = (target) => Array.from(it.world.query(Aim(it.all[target])), (e) => it.numberOf.get(e));
  return { ...it, Aim, referrers };
}

function targets_write() {
  const { owners, targets, Aim, referrers } = withTargets();
  let round = 0;
  return {
    round: () => round,
    run() {
      round++;
      for (let i = 0; i < OWNERS; i++) owners[i].add(Aim(targets[(i + round) % TARGETS]));
    },
    referrers,
  };
}

function targets_read() {
  const { world, targets, Aim, owners } = withTargets();
  const first = owners[0].id();
  let total = 0;
  return {
    run() {
      total = 0;
      for (let k = 0; k < TARGETS; k++) {
        const found = world.query(Aim(targets[k]));
        for (let i = 0; i < found.length; i++) total += found[i].id() - first;
      }
    },
    result: () => total,
  };
}

function withLists(data) {
  const Has = data ? relation({ store: { amount: 1 } }) : relation();
  const it = entities();
  it.owners.forEach((owner, i) => {
    for (let k = 0; k < EACH; k++) owner.add(Has(it.targets[(i + k) % TARGETS]));
  });
  const read = (owner) => it.all[owner].targetsFor(Has).map((e) => it.numberOf.get(e));
  return { ...it, Has, read };
}

function likes_write(_, probe) {
  const { owners, targets, Has, read } = withLists(false);
  return {
    run() {
      for (let i = 0; i < OWNERS; i++) owners[i].add(Has(targets[(i + EACH) % TARGETS]));
      probe.middle?.();
      for (let i = 0; i < OWNERS; i++) owners[i].remove(Has(targets[(i + EACH) % TARGETS]));
    },
    targets: read,
  };
}

function likes_read() {
  const { owners, Has } = withLists(false);
  const first = owners[0].id();
  let total = 0;
  return {
    run() {
      total = 0;
      for (let i = 0; i < OWNERS; i++) {
        const found = owners[i].targetsFor(Has);
        for (let k = 0; k < found.length; k++) total += found[k].id() - first;
      }
    },
    result: () => total,
  };
}

function inventory_write() {
  const { owners, targets, Has, all } = withLists(true);
  let amount = 1;
  return {
    written: () => amount,
    run() {
      amount++;
      for (let i = 0; i < OWNERS; i++)
        for (let k = 0; k < EACH; k++) owners[i].set(Has(targets[(i + k) % TARGETS]), { amount });
    },
    amount: (owner, target) => all[owner].get(Has(all[target])).amount,
  };
}

function inventory_read() {
  const { owners, targets, Has } = withLists(true);
  let total = 0;
  return {
    run() {
      total = 0;
      for (let i = 0; i < OWNERS; i++)
        for (let k = 0; k < EACH; k++) total += owners[i].get(Has(targets[(i + k) % TARGETS])).amount;
    },
    result: () => total,
  };
}

function destroy_target(_, probe) {
  const Aim = relation({ exclusive: true });
  const { world, owners } = entities();
  return {
    run() {
      const target = world.spawn();
      for (let i = 0; i < OWNERS; i++) owners[i].add(Aim(target));
      probe.middle?.(world.query(Aim(target)).length);
      target.destroy();
    },
    targets: (owner) => owners[owner].targetsFor(Aim),
  };
}

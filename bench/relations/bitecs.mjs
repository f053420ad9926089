/** bitecs 0.4: relations as its documents show them; the data of a pair is an array in the store of its target. */
import {
  addComponent,
  addEntity,
  createRelation,
  createWorld,
  getRelationTargets,
  makeExclusive,
  query,
  removeComponent,
  removeEntity,
  withStore,
} from "bitecs";
import { EACH, OWNERS, TARGETS } from "./suite.mjs";

export const subjects = {
  bitecs: {
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
  const owners = Array.from({ length: OWNERS }, () => addEntity(world));
  const targets = Array.from({ length: TARGETS }, () => addEntity(world));
  const all = [...owners, ...targets];
  const numberOf = new Map(all.map((entity, k) => [entity, k]));
  return { world, owners, targets, all, numberOf };
}

function withTargets() {
  const Aim = createRelation(makeExclusive);
  const it = entities();
  for (const [i, owner] of it.owners.entries()) addComponent(it.world, owner, Aim(it.targets[i % TARGETS]));
  const referrers = (target) => Array.from(query(it.world, [Aim(it.all[target])]), (e) => it.numberOf.get(e));
  return { ...it, Aim, referrers };
}

function targets_write() {
  const { world, owners, targets, Aim, referrers } = withTargets();
  let round = 0;
  return {
    round: () => round,
    run() {
      round++;
      for (let i = 0; i < OWNERS; i++) addComponent(world, owners[i], Aim(targets[(i + round) % TARGETS]));
    },
    referrers,
  };
}

function targets_read() {
  const { world, targets, Aim, owners } = withTargets();
  const first = owners[0];
  const terms = targets.map((target) => [Aim(target)]);
  let total = 0;
  return {
    run() {
      total = 0;
      for (let k = 0; k < TARGETS; k++) {
        const found = query(world, terms[k]);
        for (let i = 0; i < found.length; i++) total += found[i] - first;
      }
    },
    result: () => total,
  };
}

function withLists(data) {
  const Has = data ? createRelation(withStore(() => ({ amount: [] }))) : createRelation();
  const it = entities();
  it.owners.forEach((owner, i) => {
    for (let k = 0; k < EACH; k++) {
      const target = it.targets[(i + k) % TARGETS];
      addComponent(it.world, owner, Has(target));
      if (data) Has(target).amount[owner] = 1;
    }
  });
  const read = (owner) => getRelationTargets(it.world, it.all[owner], Has).map((e) => it.numberOf.get(e));
  return { ...it, Has, read };
}

function likes_write(_, probe) {
  const { world, owners, targets, Has, read } = withLists(false);
  return {
    run() {
      for (let i = 0; i < OWNERS; i++) addComponent(world, owners[i], Has(targets[(i + EACH) % TARGETS]));
      probe.middle?.();
      for (let i = 0; i < OWNERS; i++) removeComponent(world, owners[i], Has(targets[(i + EACH) % TARGETS]));
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
        const found = getRelationTargets(world, owners[i], Has);
        for (let k = 0; k < found.length; k++) total += found[k] - first;
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
        for (let k = 0; k < EACH; k++) Has(targets[(i + k) % TARGETS]).amount[owners[i]] = amount;
    },
    amount: (owner, target) => Has(all[target]).amount[all[owner]],
  };
}

function inventory_read() {
  const { owners, targets, Has } = withLists(true);
  let total = 0;
  return {
    run() {
      total = 0;
      for (let i = 0; i < OWNERS; i++)
        for (let k = 0; k < EACH; k++) total += Has(targets[(i + k) % TARGETS]).amount[owners[i]];
    },
    result: () => total,
  };
}

function destroy_target(_, probe) {
  const Aim = createRelation(makeExclusive);
  const { world, owners } = entities();
  return {
    run() {
      const target = addEntity(world);
      for (let i = 0; i < OWNERS; i++) addComponent(world, owners[i], Aim(target));
      probe.middle?.(query(world, [Aim(target)]).length);
      removeEntity(world, target);
    },
    targets: (owner) => getRelationTargets(world, owners[owner], Aim),
  };
}

import {
  addTarget,
  checkWorld,
  createCommands,
  type Entity,
  ReferencedEntityError,
  removeTarget,
  setPair,
  setTarget,
} from "espalier";
import { attachMany, createHierarchy } from "espalier/hierarchy";
import {
  applyPatch,
  createHistory,
  diff,
  restoreSnapshot,
  takeSnapshot,
  transaction,
} from "espalier/history";
import { clone, createSceneFormat } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../random.ts";
import { strictWorld } from "../../testing.ts";
import {
  all,
  backwards,
  copyOf,
  destroyed,
  type ListName,
  listNames,
  lists,
  type Model,
  type Row,
  rowsOf,
  type SingleName,
  shown,
  singleNames,
  singles,
} from "./model.ts";

type Items = typeof lists.Items;

function start(seed: number) {
  const random = createRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const world = strictWorld({ generate: seed % 2 === 0, capacity: 8 });
  const history = createHistory(world);
  let model: Model = new Map();
  /** The models behind the steps that can be undone, and those that can be redone. */
  const past: Model[] = [];
  let future: Model[] = [];
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const anyone = (): Entity => pick([...model.keys()]);

  /** Makes a change of both as one step; `undefined` says that the world must refuse it. */
  function step(change: () => void, next: Model | undefined): void {
    if (next === undefined) {
      expect(() => history.step("refused", change)).toThrow(ReferencedEntityError);
      return;
    }
    const steps = history.undoLabels.length;
    history.step("random", change);
    if (history.undoLabels.length > steps) {
      past.push(model);
      future = [];
    }
    model = next;
  }

  function withRow(entity: Entity, change: (row: Row) => void): Model {
    const next = copyOf(model);
    change(next.get(entity) as Row);
    return next;
  }

  function spawn(): void {
    const row: Row = {};
    const inits = [...singleNames, ...listNames].flatMap((name) => {
      if (random() < 0.6) return [];
      const targets = [...model.keys()].filter(() => random() < 3 / (model.size + 1));
      if (name in singles) {
        row[name] = targets.slice(0, 1).map((target) => [target, 1]);
        return [all[name]?.({ at: targets[0] ?? null }) as never];
      }
      const hasData = name === "Items" || name === "DieAll";
      const pairs = targets.map((target) => [target, hasData ? below(9) : 1] as const);
      row[name] = pairs;
      const at = hasData ? pairs.map(([target, amount]) => ({ target, amount })) : targets;
      return [all[name]?.({ at }) as never];
    });
    let made: Entity[] = [];
    const count = 1 + below(2);
    const next = copyOf(model);
    history.step("spawn", () => {
      made = world.spawnMany(count, ...inits);
    });
    for (const entity of made) next.set(entity, { ...row });
    past.push(model);
    future = [];
    model = next;
  }

  function setSingle(): void {
    const owner = anyone();
    const name: SingleName = pick(singleNames);
    const target = random() < 0.2 ? null : anyone();
    const next = withRow(owner, (row) => {
      row[name] = target === null ? [] : [[target, 1]];
    });
    const Of = singles[name];
    step(() => {
      if (!world.has(owner, Of)) world.add(owner, Of({ at: target }));
      else if (random() < 0.2) setTarget(world, owner, Of, "at", target);
      else if (random() < 0.3) world.set(owner, Of, { at: target });
      else if (random() < 0.5) {
        world.query(Of).each((entity, view) => {
          if (entity === owner) view.at = target;
        });
      } else {
        const commands = createCommands(world);
        commands.set(owner, Of, { at: target });
        commands.flush();
        commands.close();
      }
    }, next);
  }

  function editList(): void {
    const owner = anyone();
    const name: ListName = pick(listNames);
    const Of = lists[name] as Items;
    const hasData = name === "Items" || name === "DieAll";
    const target = anyone();
    const amount = hasData ? below(9) : 1;
    const pairs = model.get(owner)?.[name];
    if (pairs === undefined) {
      step(
        () => world.add(owner, Of),
        withRow(owner, (row) => {
          row[name] = [];
        }),
      );
    } else if (random() < 0.55) {
      const isThere = pairs.some(([other]) => other === target);
      step(
        () => addTarget(world, owner, Of, "at", target, hasData ? { amount } : undefined),
        withRow(owner, (row) => {
          row[name] = isThere
            ? pairs.map(([other, was]) => [other, other === target ? amount : was])
            : [...pairs, [target, amount]];
        }),
      );
    } else if (pairs.length > 0) {
      const [other] = pick(pairs);
      if (hasData && random() < 0.4) {
        step(
          () => setPair(world, owner, Of, "at", other, { amount }),
          withRow(owner, (row) => {
            row[name] = pairs.map((pair) => (pair[0] === other ? [other, amount] : pair));
          }),
        );
      } else {
        step(
          () => removeTarget(world, owner, Of, "at", other),
          withRow(owner, (row) => {
            row[name] = pairs.filter((pair) => pair[0] !== other);
          }),
        );
      }
    }
  }

  function removeComponent(): void {
    const owner = anyone();
    const name = pick([...singleNames, ...listNames]);
    step(
      () => world.remove(owner, all[name] as never),
      withRow(owner, (row) => {
        delete row[name];
      }),
    );
  }

  function destroy(): void {
    const entities = random() < 0.7 ? [anyone()] : [anyone(), anyone()];
    step(() => world.destroy(...entities), destroyed(model, entities));
  }

  function undo(): void {
    if (past.length === 0) return;
    history.undo();
    future.push(model);
    model = past.pop() as Model;
  }

  function redo(): void {
    if (future.length === 0) return;
    history.redo();
    past.push(model);
    model = future.pop() as Model;
  }

  /** Edits that are taken back at once. */
  function rolledBack(): void {
    const before = model;
    const steps = [...past];
    const forth = [...future];
    const stop = new Error("taken back");
    try {
      transaction(world, () => {
        const victims = [anyone(), anyone()];
        for (const victim of victims) if (destroyed(rowsOf(world), [victim])) world.destroy(victim);
        world.spawn(singles.Null({ at: world.entities()[0] ?? null }));
        throw stop;
      });
    } catch (error) {
      if (error !== stop) throw error;
    }
    model = before;
    past.splice(0, past.length, ...steps);
    future = forth;
  }

  /** To a snapshot and, by a patch, back to the present. */
  function restored(): void {
    const then = copyOf(model);
    const before = takeSnapshot(world);
    const bytes = random() < 0.5;
    for (let k = 0; k < 5; k++) any();
    const now = copyOf(model);
    const after = takeSnapshot(world);
    const patch = diff(before, after);
    restoreSnapshot(world, bytes ? before.slice(0) : before);
    expect(shown(rowsOf(world))).toEqual(shown(then));
    expect(checkWorld(world)).toEqual([]);
    applyPatch(world, JSON.parse(JSON.stringify(patch)));
    expect(shown(rowsOf(world))).toEqual(shown(now));
    restoreSnapshot(world, after);
    model = now;
    history.clear();
    past.length = 0;
    future = [];
  }

  function any(): void {
    const chance = random();
    if (model.size < 3) spawn();
    else if (chance < (model.size < 25 ? 0.25 : 0.05)) spawn();
    else if (chance < 0.45) setSingle();
    else if (chance < 0.65) editList();
    else if (chance < 0.7) removeComponent();
    else if (chance < 0.8) destroy();
    else if (chance < 0.88) undo();
    else if (chance < 0.93) redo();
    else if (chance < 0.95) rolledBack();
    else if (chance < 0.96) restored();
  }

  return { world, any, model: () => model };
}

describe("relations under random edits", () => {
  it.each(Array.from({ length: 24 }, (_, k) => k + 1))(
    "agree with a naive model through edits, undo, snapshots and patches (seed %i)",
    (seed) => {
      const { world, any, model } = start(seed);
      for (let k = 0; k < 250; k++) {
        any();
        expect(shown(rowsOf(world))).toEqual(shown(model()));
        if (k % 5 !== 0) continue;
        const [asked, looked] = backwards(world, model());
        expect(asked).toEqual(looked);
        expect(checkWorld(world)).toEqual([]);
      }
    },
  );

  it.each([1, 2, 3, 4, 5, 6])(
    "are the same in a scene that is saved, loaded and cloned (seed %i)",
    (seed) => {
      const { world, any } = start(seed);
      for (let k = 0; k < 120; k++) any();
      const tree = createHierarchy(world);
      const root = world.spawn();
      attachMany(
        tree,
        world.entities().filter((entity) => entity !== root),
        root,
      );
      tree.setName(root, "root");
      for (const child of tree.childrenOf(root)) tree.setName(child, `e${child}`);
      const named = (of: typeof tree, top: Entity) =>
        of
          .childrenOf(top)
          .map((owner) => [
            of.nameOf(owner),
            Object.entries(rowsOf(of.world).get(owner) as Row).map(([name, pairs]) => [
              name,
              pairs.map(([target, amount]) => [of.parentOf(target) === top, of.nameOf(target), amount]),
            ]),
          ]);
      const before = named(tree, root);
      const format = createSceneFormat({ components: Object.values(all) });
      const text = format.save(tree, [root]);
      const other = createHierarchy(strictWorld());
      const loaded = format.load(other, text);
      expect(named(other, loaded.roots()[0] as Entity)).toEqual(before);
      expect(checkWorld(other.world)).toEqual([]);
      expect(named(tree, clone(tree, root))).toEqual(before);
      expect(checkWorld(world)).toEqual([]);
    },
  );
});

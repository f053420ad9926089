import { checkWorld, type Entity } from "espalier";
import { createHistory } from "espalier/history";
import type { ReloadSummary, Scene } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";
import {
  expand,
  fileOf,
  type Random,
  randomFile,
  randomFiles,
  randomFrom,
  worldLines,
} from "./prefab-twin.ts";
import { isSound, SlowScene, variant, type World } from "./reload-twin.ts";
import { Aim, createFormat, emptyTree, Position } from "./scenes.ts";

const format = createFormat();

function randomWorld(random: Random): World {
  const files = randomFiles(random, 1 + random(5));
  return { files, scene: randomFile(random, files, Object.keys(files).reverse(), 1 + random(3)) };
}

function sortedLists(summary: ReloadSummary): unknown {
  return Object.fromEntries(Object.entries(summary).map(([key, ids]) => [key, [...ids].sort()]));
}

/** Two worlds in which the same is done, one of them by the slow twin. */
class Pair {
  readonly scene: Scene;
  readonly slow: SlowScene;
  prefabs: World;
  private readonly histories;
  /** Entities that the game made, in both. */
  private readonly strangers: [Entity, Entity][] = [];

  constructor(first: World) {
    this.prefabs = first;
    const load = () =>
      format.load(emptyTree(), fileOf(first.scene), {
        prefabs: (name) => fileOf(this.prefabs.files[name] as World["scene"]),
      });
    this.scene = load();
    const other = load();
    const expanded = expand(first.files, first.scene);
    const ids = new Map([...expanded.byId.keys()].map((id) => [id, other.entity(id)]));
    this.slow = new SlowScene(other.tree, ids, expanded);
    this.histories = [createHistory(this.scene.tree.world), createHistory(other.tree.world)] as const;
  }

  private pick(random: Random): [Entity, Entity] | undefined {
    const { scene, slow } = this;
    const all = [...slow.ids.keys()]
      .filter((id) => slow.find(id) !== undefined)
      .map((id) => [scene.entity(id), slow.find(id)] as [Entity, Entity]);
    all.push(...this.strangers.filter(([entity]) => scene.tree.world.isAlive(entity)));
    return all[random(all.length)];
  }

  /** What a game does. */
  edit(random: Random): void {
    const what = random(6);
    const [chosen, other] = [this.pick(random), this.pick(random)];
    if (chosen === undefined || other === undefined) return;
    const made: Entity[] = [];
    [this.scene.tree, this.slow.tree].forEach((tree, k) => {
      const entity = chosen[k] as Entity;
      const to = other[k] as Entity;
      if (what === 0) tree.destroy(entity);
      else if (what < 3) {
        if (tree.canAttach(entity, to)) tree.attach(entity, to, what === 1 ? { at: 0 } : {});
      } else if (what === 3) tree.world.add(entity, Position({ x: 9 }), Aim({ at: to }));
      else if (what === 4) tree.world.remove(entity, Aim, Position);
      else made.push(tree.attachNew(entity));
    });
    if (made.length === 2) this.strangers.push(made as [Entity, Entity]);
  }

  reload(world: World, mode: "changes" | "reset"): void {
    const { scene, slow } = this;
    const after = expand(world.files, world.scene);
    this.prefabs = world;
    const summary = this.histories[0].step("reload", () =>
      scene.reload(fileOf(world.scene), { mode }),
    ) as ReloadSummary;
    const wanted = this.histories[1].step("reload", () => slow.reload(after, mode)) as ReloadSummary;
    expect(sortedLists(summary)).toEqual(sortedLists(wanted));
  }

  /** Goes back to where the slow twin had these ids. */
  undo(ids: Map<string, Entity>): void {
    for (const history of this.histories) history.undo();
    this.slow.ids = ids;
  }

  lines(): string[] {
    const { scene } = this;
    return worldLines(scene.tree, scene.tree.childrenOf(null), (entity) => scene.idOf(entity) ?? "?");
  }

  expectSame(): void {
    const { scene, slow } = this;
    expect(this.lines()).toEqual(
      worldLines(slow.tree, slow.tree.childrenOf(null), (entity) => slow.idOf(entity) ?? "?"),
    );
    for (const id of slow.ids.keys())
      expect([id, scene.find(id) === undefined]).toEqual([id, slow.find(id) === undefined]);
    expect(checkWorld(scene.tree.world)).toEqual([]);
  }
}

describe("reloading prefabs inside prefabs", () => {
  it("does what looking everything up by its whole id does, whatever the game did", () => {
    property(
      fc.integer(),
      (seed) => {
        const random = randomFrom(seed);
        let world = randomWorld(random);
        const pair = new Pair(world);
        for (let round = 0; round < 4; round++) {
          for (let k = random(5); k > 0; k--) pair.edit(random);
          pair.expectSame();
          const before = pair.lines();
          const ids = new Map(pair.slow.ids);
          world = variant(random, world);
          pair.reload(world, random(3) === 0 ? "reset" : "changes");
          pair.expectSame();
          // What changes nothing is no step.
          if (random(3) > 0 || pair.lines().join() === before.join()) continue;
          pair.undo(ids);
          expect(pair.lines()).toEqual(before);
          pair.expectSame();
        }
      },
      100,
    );
  });

  it("saves what loading the new files gives, and after an undo what was there, byte by byte", () => {
    property(
      fc.integer(),
      (seed) => {
        const random = randomFrom(seed);
        const first = randomWorld(random);
        const second = variant(random, first);
        let files = first.files;
        const prefabs = (name: string) => fileOf(files[name] as World["scene"]);
        const scene = format.load(emptyTree(), fileOf(first.scene), { prefabs });
        const history = createHistory(scene.tree.world);
        const text = scene.save();
        const other = { files, scene: second.scene };
        history.step("reload", () => scene.reload(fileOf(isSound(other) ? other.scene : first.scene)));
        history.undo();
        expect(scene.save()).toBe(text);
        history.redo();
        scene.save();
        files = second.files;
        scene.reload(fileOf(second.scene), { mode: random(2) === 0 ? "changes" : "reset" });
        expect(scene.save()).toBe(format.load(emptyTree(), fileOf(second.scene), { prefabs }).save());
      },
      100,
    );
  });
});

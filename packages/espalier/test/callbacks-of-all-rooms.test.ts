/**
 * Callbacks of every kind that edit and throw, in a world with several trees, commands and a history. What must hold whatever they do:
 * the world passes its own checks, no call leaves something open behind, and a follower of the notices knows exactly what is there.
 *
 * `ESPALIER_OPERATIONS=1000000 npx vitest run --project unit callbacks` runs that many top-level edits.
 */
import {
  type AnyComponent,
  checkWorld,
  component,
  createCommands,
  createWorld,
  type Entity,
  EspalierError,
  f32,
  flush,
  guard,
  object,
  observe,
  observeEntities,
  removeAll,
  tag,
  type World,
} from "espalier";
import {
  addKeeper,
  attachMany,
  checkTree,
  constrain,
  createHierarchy,
  createUpHierarchy,
  type DestroyPolicy,
  depthLimit,
  type Hierarchy,
  type HierarchyOptions,
  onChildrenChanged,
  onDestroying,
  sortChildren,
  spawnTree,
  swap,
} from "espalier/hierarchy";
import { createHistory, isReplaying, restoreSnapshot, takeSnapshot, transaction } from "espalier/history";
import { stateOf } from "espalier/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const OPERATIONS = Number(process.env.ESPALIER_OPERATIONS ?? 4000);
const PER_RUN = 100;
/** How many edits callbacks make during one call. */
const FUEL = 12;
const MOST_ENTITIES = 60;
const POLICIES: readonly DestroyPolicy[] = ["cascade", "orphan", "adopt"];

describe("callbacks that edit and throw", () => {
  it("leave everything whole, and are notified of everything once", {
    timeout: Math.max(60_000, OPERATIONS * 10),
  }, () => {
    fc.assert(
      // Named by a seed: what a step does depends on too much to be made smaller.
      fc.property(fc.integer(), (seed) => {
        const play = new Play(randomFrom(seed));
        for (let step = 0; step < PER_RUN; step++) {
          play.step();
          expect(play.problems(), `after step ${step}: ${play.trace.join(", ")}`).toEqual([]);
        }
      }),
      { numRuns: Math.ceil(OPERATIONS / PER_RUN), endOnFailure: true },
    );
  });
});

/** Numbers from 0 to 1 that a seed gives, evenly spread. */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An error that the callbacks of this test throw. */
class Thrown extends Error {}

class Play {
  /** The edits of the present step, those of callbacks included. */
  readonly trace: string[] = [];
  private readonly random: () => number;
  private readonly world: World;
  private readonly trees: Hierarchy[] = [];
  private readonly components: readonly AnyComponent[];
  private readonly followed: Followed;
  private readonly edits: readonly (readonly [name: string, edit: () => unknown])[];
  private readonly wrong: string[] = [];
  private fuel = 0;

  constructor(random: () => number) {
    this.random = random;
    this.world = createWorld({
      capacity: 4,
      generate: this.happens(0.5),
      onError: () => {
        this.callback(0.1);
        if (this.happens(0.1)) throw new Thrown("onError");
      },
    });
    const made = () => {
      this.callback(0.05);
      return [];
    };
    const A = tag("A");
    const B = component("B", { x: f32(), list: object(made) });
    const C = component("C", { y: f32() });
    this.components = [A, B, C];
    this.followed = new Followed(this.world, this.components, (problem) => this.wrong.push(problem));
    // Rules are not asked again when something is undone, and so only hold if nothing else happens meanwhile.
    const editsReplays = this.happens(0.3);
    for (let k = 0; k < 2; k++) this.addTree(k, editsReplays ? {} : this.rules());
    this.addObservers(editsReplays);
    if (this.happens(0.4)) guard(this.world, A, () => this.ask());
    this.edits = this.allEdits(B, C);
  }

  /** Makes one edit from outside. */
  step(): void {
    this.trace.length = 0;
    this.fuel = FUEL;
    this.edit(true);
  }

  problems(): unknown[] {
    const { notices, asking, locked, doomed, observerDepth, table } = stateOf(this.world);
    const open = { held: notices.held, asking, locked, doomed: doomed.size, observerDepth };
    const left = Object.entries({ ...open, waiting: notices.count, iterating: table.iterating });
    return [
      ...checkWorld(this.world),
      ...this.trees.flatMap((tree) => checkTree(tree)),
      ...left.filter(([, count]) => count !== 0),
      ...this.wrong,
      ...this.followed.differences(),
    ];
  }

  // What happens by chance -------------------------------------------------------------------------------------------------

  private happens(chance: number): boolean {
    return this.random() < chance;
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  private some(): AnyComponent[] {
    return this.components.filter(() => this.happens(0.3));
  }

  /** Some entity that lives; 0, which none is, where none does. */
  private entity(): Entity {
    return this.pick(this.world.entities()) ?? (0 as Entity);
  }

  private rules(): Partial<HierarchyOptions> {
    return {
      ...(this.happens(0.3) && { uniqueNames: true }),
      ...(this.happens(0.2) && { maxChildren: 3 }),
      ...(this.happens(0.2) && { limits: depthLimit({ max: 4 }) }),
    };
  }

  /** What a callback does that may edit. */
  private callback(chance: number): void {
    if (this.fuel <= 0 || !this.happens(chance)) return;
    this.edit();
    if (this.happens(0.05)) throw new Thrown("callback");
  }

  /** What a callback does that may not edit: mostly nothing. */
  private ask(): void {
    if (this.happens(0.05)) this.edit();
    if (this.happens(0.05)) throw new Thrown("asked");
  }

  private edit(isTop = false): void {
    if (!isTop && this.fuel-- <= 0) return;
    const [name, edit] = this.pick(this.edits);
    this.trace.push(name);
    try {
      edit();
    } catch (error) {
      if (!(error instanceof Thrown || error instanceof EspalierError)) this.wrong.push(String(error));
      if (!isTop && this.happens(0.1)) throw error;
    }
  }

  // Listeners ----------------------------------------------------------------------------------------------------------------

  private addTree(k: number, options: Partial<HierarchyOptions>): void {
    const tree = createHierarchy(this.world, {
      name: `tree${k}`,
      onDestroy: this.pick(POLICIES),
      ...(this.happens(0.3) && { keep: "own" }),
      ...options,
    });
    this.trees.push(tree);
    addKeeper(tree, "own", () => {
      this.ask();
      return () => this.callback(0.2);
    });
    if (this.happens(0.4)) {
      onDestroying(tree, (entity) => {
        if (!this.world.isAlive(entity)) this.wrong.push(`onDestroying of ${entity}, which is dead`);
        this.callback(0.2);
      });
    }
    if (this.happens(0.4)) onChildrenChanged(tree, () => this.callback(0.1));
    if (this.happens(0.4)) {
      constrain(tree, {
        name: "now and then",
        attach: () => {
          this.ask();
          return this.happens(0.1) ? "not now" : undefined;
        },
      });
    }
    if (this.happens(0.3)) tree.events.reader({ onMissed: () => {} });
  }

  private addObservers(editsReplays: boolean): void {
    const { world } = this;
    const act = (chance: number) => {
      if (editsReplays || !isReplaying(world)) this.callback(chance);
    };
    observeEntities(world, { spawn: () => act(0.1), destroy: () => act(0.1) });
    if (this.happens(0.5)) {
      observeEntities(world, {
        destroying: (entity) => {
          if (!world.isAlive(entity)) this.wrong.push(`destroying of ${entity}, which is dead`);
          act(0.2);
        },
      });
    }
    for (const each of this.components) {
      observe(world, each, { add: () => act(0.1), set: () => act(0.1), remove: () => act(0.1) });
      if (this.happens(0.6)) continue;
      observe(world, each, {
        removing: (entity) => {
          if (!world.isAlive(entity) || !world.has(entity, each))
            this.wrong.push(`removing ${each.name} of ${entity}, which does not have it`);
          act(0.2);
        },
      });
    }
  }

  // What can be done ---------------------------------------------------------------------------------------------------------

  private allEdits(B: AnyComponent, C: AnyComponent): readonly (readonly [string, () => unknown])[] {
    const { world, trees, components } = this;
    const one = () => this.entity();
    const tree = () => this.pick(trees);
    const orRoot = () => (this.happens(0.2) ? null : one());
    const up = createUpHierarchy(world, { name: "up" });
    const all = [...trees, up];
    const commands = createCommands(world);
    const history = this.happens(0.5) ? createHistory(world) : undefined;
    const saved: ArrayBuffer[] = [];
    const grow = <T>(edit: () => T) => (world.count < MOST_ENTITIES ? edit() : undefined);
    return [
      ["spawn", () => grow(() => world.spawn(...this.some()))],
      ["spawnMany", () => grow(() => world.spawnMany(Math.floor(this.random() * 10), ...this.some()))],
      ["destroy", () => world.destroy(one())],
      ["destroy", () => world.destroy(one())],
      ["destroy two", () => world.destroy(one(), one())],
      ["tree.destroy", () => tree().destroy(one(), { children: this.pick(POLICIES) })],
      ["add", () => world.add(one(), this.pick(components))],
      ["remove", () => world.remove(one(), ...this.some())],
      ["removeAll", () => removeAll(world.query(C), C)],
      ["touch", () => world.touch(one(), ...components)],
      ["update", () => world.query(C).update(() => void (this.happens(0.05) && this.edit()))],
      ["each", () => world.query(B).each(() => this.callback(0.1))],
      ["attach", () => tree().attach(one(), orRoot())],
      ["attach", () => tree().attach(one(), orRoot())],
      ["attach and keep", () => tree().attach(one(), orRoot(), { keep: "own" })],
      ["attachNew", () => grow(() => tree().attachNew(orRoot(), ...this.some()))],
      ["attachMany", () => attachMany(tree(), [...new Set([one(), one()])], orRoot())],
      ["detach", () => tree().detach(one())],
      ["swap", () => swap(tree(), one(), one())],
      [
        "sortChildren",
        () =>
          sortChildren(tree(), orRoot(), (a, b) => {
            if (this.happens(0.02)) this.edit();
            return a - b;
          }),
      ],
      [
        "spawnTree",
        () =>
          grow(() => {
            const below = { name: "c", with: this.some(), children: [{ with: this.some() }] };
            const top = { name: "a", with: this.some(), children: [{ name: "b" }, below] };
            return spawnTree(tree(), top, orRoot());
          }),
      ],
      ["up.attach", () => up.attach(one(), orRoot())],
      [
        "commands",
        () => {
          commands.spawn(...this.some());
          commands.add(one(), this.pick(components));
          commands.remove(one(), this.pick(components));
          commands.destroy(one());
        },
      ],
      ["flush", () => flush(world)],
      ["undo", () => history?.undo()],
      ["redo", () => history?.redo()],
      [
        "transaction",
        () =>
          transaction(world, () => {
            this.edit();
            this.edit();
            if (this.happens(0.5)) throw new Thrown("transaction");
          }),
      ],
      ["takeSnapshot", () => saved.push(takeSnapshot(world, { trees: all }))],
      ["restoreSnapshot", () => saved.length > 0 && restoreSnapshot(world, this.pick(saved), { trees: all })],
    ];
  }
}

/** What is there, according to the notices. */
class Followed {
  private readonly world: World;
  private readonly lists = new Map<string, { readonly known: Set<Entity>; readonly now: () => Entity[] }>();

  constructor(world: World, components: readonly AnyComponent[], report: (problem: string) => void) {
    this.world = world;
    const follow = (name: string, now: () => Entity[]) => {
      const known = new Set<Entity>();
      this.lists.set(name, { known, now });
      return {
        came: (entity: Entity) => {
          if (known.has(entity)) report(`${name} of ${entity} came twice`);
          known.add(entity);
        },
        left: (entity: Entity) => {
          if (!known.delete(entity)) report(`${name} of ${entity} left twice`);
        },
      };
    };
    const life = follow("life", () => world.entities());
    observeEntities(world, { spawn: life.came, destroy: life.left });
    for (const each of components) {
      const { came, left } = follow(each.name, () => world.query(each).ids());
      observe(world, each, { add: came, remove: left });
    }
  }

  differences(): string[] {
    return Array.from(this.lists, ([name, { known, now }]) => {
      const missing = now().filter((entity) => !known.has(entity));
      return missing.length === 0 && known.size === now().length
        ? ""
        : `${name}: ${[...known]} is not ${now()}`;
    }).filter((problem) => problem !== "" && !this.world.isDisposed);
  }
}

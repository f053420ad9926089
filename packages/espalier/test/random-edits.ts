/**
 * A world with a tree that is edited at random: what the tests of renderers, three.js and signals compare with slow and obvious
 * answers.
 */
import { createCommands, type Entity, flush, type World } from "espalier";
import { createHierarchy, type Hierarchy } from "espalier/hierarchy";
import {
  createHistory,
  restoreSnapshot,
  takeSnapshot,
  transaction,
  type UndoHistory,
} from "espalier/history";
import { Active, HIDDEN, INHERIT, VISIBLE, Visibility, ZIndex } from "espalier/inherit";
import { clone } from "espalier/scene";
import fc from "fast-check";
import { strictWorld } from "./testing.ts";

const kinds = [
  "spawn",
  "spawn",
  "child",
  "child",
  "child",
  "destroy",
  "orphan",
  "adopt",
  "attach",
  "attach",
  "keep",
  "detach",
  "reorder",
  "move",
  "move",
  "turn",
  "scale",
  "visibility",
  "z",
  "active",
  "dress",
  "strip",
  "undo",
  "undo",
  "redo",
  "cancel",
  "snapshot",
  "restore",
  "commands",
  "clone",
] as const;

/** One edit: what, of which entity, and how. */
export interface Edit {
  readonly kind: (typeof kinds)[number];
  readonly a: number;
  readonly b: number;
  readonly x: number;
  readonly y: number;
}

/** One edit of any kind, or of one of yours. */
export function someEdit<Other extends string = never>(
  ...others: readonly Other[]
): fc.Arbitrary<Omit<Edit, "kind"> & { readonly kind: Edit["kind"] | Other }> {
  const number = fc.integer({ min: -60, max: 60 });
  return fc.record({
    kind: fc.constantFrom<Edit["kind"] | Other>(...kinds, ...others, ...others, ...others),
    a: fc.nat(40),
    b: fc.nat(40),
    x: number,
    y: number,
  });
}

/** What the space of the world does; the tests have plane and space. */
export interface EditedSpace {
  place(entity: Entity, x: number, y: number): void;
  turn(entity: Entity, angle: number): void;
  scale(entity: Entity, factor: number): void;
  /** Creates one, under a parent or as a root. */
  spawn(parent: Entity | null, x: number, y: number): Entity;
  /** Gives it what is drawn, or takes it away. */
  dress(entity: Entity, isDressed: boolean): void;
}

export interface Edited {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly history: UndoHistory;
  /** Living ones, by a number. */
  some(k: number): Entity | undefined;
  apply(edit: Edit): void;
}

/** Makes a world that can be edited. Everything that it holds is undone, and brought back by snapshots. */
export function createEdited(makeSpace: (tree: Hierarchy) => EditedSpace): Edited {
  const world = strictWorld();
  const tree = createHierarchy(world);
  const space = makeSpace(tree);
  const history = createHistory(world);
  const commands = createCommands(world);
  let kept: ReturnType<typeof takeSnapshot> | undefined;

  const some = (k: number): Entity | undefined => {
    const all = world.entities();
    return all[k % Math.max(all.length, 1)];
  };

  function edit({ kind, a, b, x, y }: Edit): void {
    const one = some(a);
    const other = some(b);
    if (one === undefined || other === undefined || kind === "spawn") space.spawn(null, x, y);
    else if (kind === "child") space.spawn(one, x, y);
    else if (kind === "destroy") tree.destroy(one);
    else if (kind === "orphan" || kind === "adopt") tree.destroy(one, { children: kind });
    else if (kind === "attach" || kind === "keep") {
      if (tree.canAttach(one, other))
        tree.attach(one, other, { ...(kind === "keep" ? { keep: "world" } : {}), at: x % 3 });
    } else if (kind === "detach") tree.detach(one, x > 0 ? { keep: "world" } : {});
    else if (kind === "reorder") tree.attach(one, tree.parentOf(one), { at: b % 3 });
    else if (kind === "move") space.place(one, x, y);
    else if (kind === "turn") space.turn(one, x / 10);
    else if (kind === "scale") space.scale(one, x > 0 ? 2 : 0.5);
    else if (kind === "visibility")
      world.add(one, Visibility({ mode: [HIDDEN, VISIBLE, INHERIT][b % 3] as number }));
    else if (kind === "z") world.add(one, ZIndex({ z: x % 3, zRelative: y > 0 }));
    else if (kind === "active") world.add(one, Active({ on: x > 0 }));
    else if (kind === "dress" || kind === "strip") space.dress(one, kind === "dress");
    else if (kind === "clone") clone(tree, one, { parent: tree.canAttach(one, other) ? null : other });
    else if (kind === "commands") {
      commands.destroy(one);
      commands.spawn(Visibility({ mode: b % 2 === 0 ? HIDDEN : INHERIT }));
      flush(world);
    }
  }

  function apply(each: Edit): void {
    const { kind } = each;
    if (kind === "undo") history.undo();
    else if (kind === "redo") history.redo();
    else if (kind === "snapshot") kept = takeSnapshot(world, { trees: [tree] });
    else if (kind === "restore") {
      if (kept !== undefined) restoreSnapshot(world, kept, { trees: [tree] });
    } else if (kind === "cancel") {
      // Taken back as a whole: a renderer hears of it all and must end where it was.
      try {
        transaction(world, () => {
          for (const part of ["destroy", "child", "attach", "move", "strip"] as const)
            edit({ ...each, kind: part });
          throw new Error("taken back");
        });
      } catch (error) {
        if ((error as Error).message !== "taken back") throw error;
      }
    } else history.step(kind, () => edit(each));
  }

  return { world, tree, history, some, apply };
}

/**
 * Whatever happens in a step, undoing it leads to the state before and redoing it to the state after. The states are read from
 * the world itself, so that this needs no second implementation.
 */
import { type ComponentInit, checkWorld } from "espalier";
import { StepDroppedError, type UndoHistory } from "espalier/history";
import fc from "fast-check";
import { expect, it } from "vitest";
import { property } from "../testing.ts";
import { act, attempt, create, type Kind, kinds, perform, type Scene, stateOf } from "./acts.ts";

interface Done {
  readonly label: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Takes one step back, or forth, and compares. */
function go(history: UndoHistory, scene: Scene, way: "undo" | "redo", from: Done[], to: Done[]): boolean {
  try {
    if (!history[way]()) return false;
  } catch (error) {
    // Where memory is short, steps that were undone may be gone.
    if (!(error instanceof StepDroppedError)) throw error;
    expect([way, history.canRedo]).toEqual(["redo", false]);
    return false;
  }
  const step = from.pop() as Done;
  expect(stateOf(scene)).toEqual(way === "undo" ? step.before : step.after);
  to.push(step);
  // What was given up is the oldest of what can be undone, and then what is farthest away of what can be redone.
  const [done, undone] = way === "undo" ? [from, to] : [to, from];
  done.splice(0, done.length - history.undoLabels.length);
  undone.splice(0, undone.length - history.redoLabels.length);
  return true;
}

it.each(Object.keys(kinds))("every step can be undone and redone: %s", (name) => {
  property(
    fc.tuple(fc.array(act, { minLength: 5, maxLength: 50 }), fc.boolean()),
    ([acts, isWarm]) => {
      const { scene, history } = create(kinds[name] as Kind);
      const { world, components } = scene;
      if (isWarm) {
        // Until destroying is done by generated code.
        for (const bits of [1, 3, 2, 128, 129, 256]) {
          const own = components.filter((_, k) => (bits >> k) & 1) as ComponentInit[];
          for (const entity of world.spawnMany(110, ...own)) world.destroy(entity);
        }
      }
      history.clear();
      let done: Done[] = [];
      let undone: Done[] = [];
      acts.forEach((each, k) => {
        const way = each[3] % 11;
        if (way === 0) go(history, scene, "undo", done, undone);
        else if (way === 1) go(history, scene, "redo", undone, done);
        else {
          const before = stateOf(scene);
          const label = `step ${k}`;
          const { version } = history;
          attempt(() => history.step(label, () => perform(scene, each), way < 6 ? { key: "joined" } : {}));
          const after = stateOf(scene);
          const [last] = history.undoLabels;
          if (history.version === version) expect(after).toEqual(before);
          else {
            undone = [];
            const joined = done.at(-1);
            if (last === label) done.push({ label, before, after });
            else if (joined !== undefined && last === joined.label)
              done[done.length - 1] = { ...joined, after };
            // The oldest are given up where memory is short.
            done = done.slice(done.length - history.undoLabels.length);
          }
        }
        expect(history.undoLabels).toEqual(done.map(({ label }) => label).reverse());
        expect(checkWorld(world)).toEqual([]);
      });
      for (let round = 0; round < 2; round++) {
        while (go(history, scene, "undo", done, undone));
        while (go(history, scene, "redo", undone, done));
        expect(checkWorld(world)).toEqual([]);
      }
    },
    40,
  );
});

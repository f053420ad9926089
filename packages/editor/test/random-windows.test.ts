import { checkWorld } from "espalier";
import { checkTree } from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { tankPrefab } from "./open.ts";
import { random } from "./random-session.ts";
import { RandomWindows } from "./random-windows.ts";

/** `ESPALIER_LONG=1` makes 500 gestures from each of 20 seeds. */
const isLong = process.env.ESPALIER_LONG === "1";
const seeds = Array.from({ length: isLong ? 20 : 4 }, (_, k) => k + 1);
const gestures = isLong ? 500 : 150;

describe("random editing in several windows", () => {
  it.each(seeds)(
    "with cut, apply, revert, unpack, replace, make prefab, reload, merge and kept play, undone to the start, gives the start files (seed %i)",
    async (seed) => {
      const windows = new RandomWindows(random(seed), 2);
      const starts = windows.apps.map(({ document }) => document.save());
      let refused = 0;
      for (let k = 0; k < gestures; k++) {
        try {
          await windows.gesture();
        } catch (error) {
          const { code } = error as { code?: string };
          if (code === undefined || code.includes("dead") || code === "history/conflict") throw error;
          refused++;
        }
      }
      expect(refused).toBeLessThan(gestures / 4);
      for (const [k, app] of windows.apps.entries()) {
        const { document, notes } = app;
        expect(checkTree(document.tree)).toEqual([]);
        expect(checkWorld(document.world)).toEqual([]);
        const end = document.save();
        // Some steps may have been undone already.
        let steps = 0;
        while (document.undo()) steps++;
        expect(document.save()).toBe(starts[k]);
        for (; steps > 0; steps--) document.redo();
        expect(document.save()).toBe(end);
        while (document.undo());
        expect(document.save()).toBe(starts[k]);
        expect(app.project.prefabs["tank.prefab.json"]).toBe(tankPrefab);
        expect(notes.messages.filter(({ text }) => text.includes("[history/"))).toEqual([]);
      }
    },
  );
});

import { checkTree } from "espalier/hierarchy";
import { type MergeConflict, mergeScenes, type SceneFile } from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { givesIds, loadMerge, mergeFormat, mergePrefabs, RandomEdits, randomBase } from "./merge-edits.ts";

/** `ESPALIER_LONG=1` runs ten thousand triples, a quarter of them in each of the four tests. */
const isLong = process.env.ESPALIER_LONG === "1";
const runs = isLong ? 2_500 : 100;
/** In milliseconds. Ten thousand triples take minutes. */
const timeout = isLong ? 1_200_000 : 60_000;
const options = { prefabs: mergePrefabs };

/** Numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function edited(base: SceneFile, random: () => number, prefix: string, count: number, region?: string) {
  const scene = loadMerge(base);
  const edits = new RandomEdits(random, prefix, region);
  for (let k = 0; k < count; k++) edits.make(scene);
  edits.note(scene);
  return { file: scene.toFile(), done: edits.done, given: edits.given };
}

function expectLoads(file: SceneFile): void {
  expect(mergeFormat.check(file, options)).toEqual([]);
  expect(checkTree(loadMerge(file).tree)).toEqual([]);
}

const keysOf = (conflicts: readonly MergeConflict[]) => conflicts.map(({ key }) => key).sort();

/** Lets go of the scenes of each run: what a WeakRef was made for stays until the task ends. */
async function property(run: (random: () => number) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.noShrink(fc.integer()), async (seed) => {
      run(randomOf(seed));
      await new Promise((done) => setTimeout(done));
    }),
    { numRuns: runs },
  );
}

describe("a merge of random scenes", { timeout }, () => {
  it("gives the changed scene when only one side changed, or both in the same way", async () => {
    await property((random) => {
      const base = randomBase(random, 8);
      const { file } = edited(base, random, "o", 12);
      for (const [ours, theirs] of [
        [file, base],
        [base, file],
        [file, file],
      ] as const) {
        const merged = mergeScenes(mergeFormat, base, ours, theirs, options);
        expect(merged.conflicts).toEqual([]);
        expect(merged.file).toEqual(file);
      }
    });
  });

  it("always loads, and does not depend on which side merges when every conflict goes to the same side", async () => {
    await property((random) => {
      const base = randomBase(random, 8);
      // The same ids are given out by both sides now and then.
      const ours = edited(base, random, "n", 8).file;
      const theirs = edited(base, random, random() < 0.5 ? "n" : "m", 8).file;
      expectLoads(mergeScenes(mergeFormat, base, ours, theirs, options).file);
      const left = mergeScenes(mergeFormat, base, ours, theirs, { ...options, resolve: "ours" });
      const right = mergeScenes(mergeFormat, base, theirs, ours, { ...options, resolve: "theirs" });
      expectLoads(left.file);
      expect(keysOf(right.conflicts)).toEqual(keysOf(left.conflicts));
      expect(right.file).toEqual(left.file);
    });
  });

  it("loads however its conflicts are resolved", async () => {
    await property((random) => {
      const base = randomBase(random, 6);
      const ours = edited(base, random, "n", 10).file;
      const theirs = edited(base, random, "n", 10).file;
      const resolve = ({ kind }: MergeConflict) => {
        const draw = random();
        if (kind === "added" && draw < 0.3) return "both";
        return draw < 0.6 ? "ours" : "theirs";
      };
      expectLoads(mergeScenes(mergeFormat, base, ours, theirs, { ...options, resolve }).file);
    });
  });

  it("of edits in different subtrees equals making both", async () => {
    await property((random) => {
      const base = randomRegions(random);
      const ours = edited(base, random, "o", 12, "left");
      const theirs = edited(base, random, "t", 12, "right");
      const merged = mergeScenes(mergeFormat, base, ours.file, theirs.file, options);
      // Parts that outlive their instance get ids when they are saved, which may be the same on both sides: two entities of which no
      // side knows the other's. Both stay, that of theirs under another id, and nothing else is in conflict.
      expect(merged.conflicts.map(({ kind, choice }) => [kind, choice])).toEqual(
        merged.conflicts.map(() => ["added", "both"]),
      );
      expectLoads(merged.file);
      // Edits name entities by id. Made one after the other in one scene, those of theirs would meet entities of ours.
      const known = new Set(base.entities.map(({ id }) => id));
      if ([...ours.given].some((id) => !known.has(id) && theirs.given.has(id))) return;
      const both = loadMerge(base);
      for (const { edit, kind } of [...ours.done, ...theirs.done]) {
        edit(both);
        if (givesIds(kind)) both.toFile();
      }
      expect(merged.conflicts).toEqual([]);
      expect(merged.file).toEqual(both.toFile());
    });
  });
});

function randomRegions(random: () => number): SceneFile {
  const scene = loadMerge({ entities: [{ id: "left" }, { id: "right" }] });
  for (const region of ["left", "right"]) {
    const edits = new RandomEdits(random, region, region);
    for (let k = 0; k < 5; k++) edits.make(scene, k % 2 === 0 ? "instance" : "create");
  }
  return scene.toFile();
}

/**
 * Merges two scenes that were derived from a third, by ids; conflicts are data.
 */
import { createWorld } from "../../ecs/index.ts";
import { createHierarchy } from "../../hierarchy/index.ts";
import { requireInstanceOf } from "../arguments.ts";
import { fileOf, readingOf, type SceneSource } from "../compare/diff-scenes.ts";
import type { SceneProblem } from "../errors.ts";
import type { SceneFile } from "../file.ts";
import { SceneFormat } from "../format.ts";
import type { Json } from "../json/json.ts";
import { parseJson } from "../json/parse.ts";
import { isComposedSource } from "../read/composition.ts";
import { type ReadOptions, readOptions, readScene, requireDraft, requireReading } from "../read/load.ts";
import { Scene } from "../scene.ts";
import { separateAdded } from "./added-twice.ts";
import { Conflicts, type MergeConflict, type MergeResolution } from "./conflicts.ts";
import { mergeAllRecords } from "./merge-all-records.ts";
import { mergeChildren } from "./merge-children.ts";
import { mergeComposed } from "./merge-composed.ts";
import { mergeParents } from "./merge-parents.ts";
import { mergeKeys } from "./merge-record.ts";
import { entryOf } from "./merged-entry.ts";
import { decidePrefabs } from "./prefab-units.ts";
import { instanceIdOf, sideOf } from "./side.ts";
import { survivorsOf } from "./survivors.ts";
import { otherSide, type Triple } from "./triple.ts";
import { writeMerged } from "./write-merged.ts";

/** Options of `mergeScenes`. */
export interface MergeOptions extends ReadOptions {
  /** How conflicts are resolved; each has a default. */
  readonly resolve?: MergeResolution;
}

/** The result of a merge. */
export interface SceneMerge {
  /** The merged scene, as saving would write it; `printScene` returns its text. It always loads. */
  readonly file: SceneFile;
  /** The disagreements, each with the side that `file` follows. Empty when the sides agree. */
  readonly conflicts: readonly MergeConflict[];
}

/** How many times incompatible entities are taken from one side before the whole file is. */
const MOST_ATTEMPTS = 4;

/**
 * Merges the changes that two scenes made to a common `base`. Entities are the same when they have the same id: moves are
 * applied, components are merged field by field, deleted entities are removed unless the other side changed something in them,
 * and additions of both sides stay. Where they disagree the result follows a default, and `conflicts` lists both values; call
 * it again with `resolve` to decide otherwise. All three are migrated to the version of the format first. No world is touched.
 *
 * @param options - How all three are read. Prefabs of a loaded scene are known.
 * @throws SceneError when one of the files is broken. SceneUseError `scene/invalid-use` when a conflict is resolved by something else
 * than a side.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100), lives: u8(3) });
 * const format = createSceneFormat({ components: [Health] });
 * const scene = (hp: number, lives: number) => ({
 *   entities: [{ id: "tank", components: { Health: { hp, lives } } }],
 * });
 * const { file, conflicts } = mergeScenes(format, scene(50, 5), scene(60, 5), scene(50, 9));
 * file.entities; // → [{ id: "tank", components: { Health: { hp: 60, lives: 9 } } }]
 * conflicts; // → []
 *
 * const [conflict] = mergeScenes(format, scene(50, 5), scene(60, 5), scene(70, 5)).conflicts;
 * conflict.key; // → "value tank Health.hp"
 * [conflict.ours, conflict.theirs, conflict.choice]; // → [60, 70, "ours"]
 * const theirs = mergeScenes(format, scene(50, 5), scene(60, 5), scene(70, 5), { resolve: { [conflict.key]: "theirs" } });
 * theirs.file.entities[0].components; // → { Health: { hp: 70, lives: 5 } }
 * ```
 */
export function mergeScenes(
  format: SceneFormat,
  base: SceneSource,
  ours: SceneSource,
  theirs: SceneSource,
  options: MergeOptions = {},
): SceneMerge {
  requireInstanceOf(format, SceneFormat, "a scene format", "merge scenes");
  const kinds = { ...readOptions, resolve: "anything" } as const;
  const { resolve, ...reading } = requireReading(options, "merge scenes", kinds);
  const conflicts = new Conflicts(resolve);
  const composed = [base, ours, theirs].some(
    (source) => !(source instanceof Scene) && isComposedSource(source),
  )
    ? mergeComposed({ base: readValue(base), ours: readValue(ours), theirs: readValue(theirs) }, conflicts)
    : undefined;
  if (composed !== undefined) {
    const file = composed as unknown as SceneFile;
    const known = { ...readingOf(ours, reading), ...readingOf(theirs, reading) };
    requireDraft(readScene(format.registry, file, known), known, "merge");
    return { file, conflicts: conflicts.list };
  }
  /** Problems that lenient reading found in the files themselves. */
  const former = new Set<string>();
  const read = (source: SceneSource) => {
    const scene = load(format, fileOf(source), readingOf(source, reading));
    for (const problem of scene.problems) former.add(keyOf(problem));
    return sideOf(scene);
  };
  const triple: Triple = {
    registry: format.registry,
    conflicts,
    base: read(base),
    ours: read(ours),
    theirs: read(theirs),
    forced: new Map(),
  };
  const known = { ...readingOf(ours, reading), ...readingOf(theirs, reading), lenient: true };
  for (let attempt = 1; ; attempt++) {
    const merged = load(format, mergeOnce(triple), known);
    const problems = merged.problems.filter((problem) => !former.has(keyOf(problem)));
    if (problems.length === 0) return { file: merged.toFile(), conflicts: conflicts.list };
    if (attempt === MOST_ATTEMPTS) break;
    forceUnsound(triple, problems);
  }
  const side = conflicts.side({
    kind: "unsound",
    entity: null,
    base: undefined,
    ours: undefined,
    theirs: undefined,
  });
  const source = side === "ours" ? ours : theirs;
  const whole = load(format, fileOf(source), readingOf(source, reading));
  return { file: whole.toFile(), conflicts: conflicts.list };
}

/** The content of a file, as far as it can be read; reading it as a scene reports its problems. */
function readValue(source: SceneSource): Json {
  if (source instanceof Scene) return null;
  return typeof source === "string" ? parseJson(source).value : (source as unknown as Json);
}

function keyOf({ code, entity }: SceneProblem): string {
  return `${code} ${entity ?? ""}`;
}

function load(format: SceneFormat, file: string | SceneFile, options: ReadOptions): Scene {
  return format.load(createHierarchy(createWorld()), file, options);
}

function mergeOnce(given: Triple): SceneFile {
  const triple = separateAdded(given);
  const prefabs = decidePrefabs(triple);
  const alive = survivorsOf(triple, prefabs);
  const placements = mergeParents(triple, alive, prefabs);
  const records = mergeAllRecords(triple, alive, prefabs);
  const children = mergeChildren(triple, placements);
  const { base, ours, theirs } = triple;
  const header = mergeKeys(
    { base: base.header, ours: ours.header, theirs: theirs.header },
    triple.conflicts,
    null,
  );
  return writeMerged(triple, { header, placements, records, children });
}

/** Takes entities that are valid on each side but not together, for example by their validators, from one side. */
function forceUnsound(triple: Triple, problems: readonly SceneProblem[]): void {
  const { conflicts, forced } = triple;
  for (const { entity } of problems) {
    const id = entity === undefined ? undefined : (instanceIdOf(entity) ?? entity);
    if (id === undefined || forced.has(id)) continue;
    const side = conflicts.side({
      kind: "unsound",
      entity: id,
      base: entryOf(triple.base, id) as unknown as Json | undefined,
      ours: entryOf(triple.ours, id) as unknown as Json | undefined,
      theirs: entryOf(triple.theirs, id) as unknown as Json | undefined,
    });
    forced.set(id, triple[side].nodes.has(id) ? side : otherSide(side));
  }
}

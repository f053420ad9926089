/**
 * From text to a draft: the content of a scene, checked, in the order in which entities are made. No world is needed.
 */
import { describeValue, type Entity } from "../../ecs/index.ts";
import { reasonOf } from "../arguments.ts";
import type { SceneFile } from "../file.ts";
import type { Json } from "../json/json.ts";
import { parseJson } from "../json/parse.ts";
import { toJson } from "../json/to-json.ts";
import type { Registry } from "../registry.ts";
import { type Collected, collect, type PrefabHost } from "./collect.ts";
import { isComposed } from "./composition.ts";
import { readHeader } from "./header.ts";
import type { Level } from "./level.ts";
import { assignIds, type ChildLists, orderNodes, resolveParent } from "./link.ts";
import { migrate } from "./migrate.ts";
import { IdSuggestions } from "./nearest.ts";
import type { SceneNode } from "./node.ts";
import type { Reading } from "./reading.ts";
import { checkReferences } from "./references.ts";
import type { Source } from "./report.ts";

/** A scene before it is in a world. */
export interface Draft {
  readonly registry: Registry;
  readonly source: Source;
  /** In the order of the text. */
  readonly nodes: readonly SceneNode[];
  /** Indices of `nodes`, every parent before its children. */
  readonly order: Int32Array;
  readonly children: ChildLists;
  readonly byId: Level;
  /** Entities outside the scene that it refers to. */
  readonly externals: ReadonlyMap<string, Entity>;
  /** Keys of the file itself that saving writes again: its `$schema`, and what lenient reading keeps. */
  readonly keys: { readonly [key: string]: Json };
}

/** Parses and migrates a text, or takes a scene written in TypeScript. `undefined` on failure; the report says why. */
export function openScene(
  input: string | SceneFile,
  file: string | undefined,
  reading: Reading,
): Source | undefined {
  const { report } = reading;
  let opened: Source = { file, text: undefined, value: null };
  if (typeof input === "string") {
    const { value, faults } = parseJson(input, reading.thorough);
    opened = { file, text: input, value };
    report.addFaults(opened, faults);
    if (faults.length > 0) return undefined;
  } else {
    // Anything may have been passed: from here on it is plain data that no other code references.
    try {
      opened = { ...opened, value: toJson(input, "it holds") };
    } catch (error) {
      report.add(
        "scene/wrong-shape",
        { source: opened, path: [] },
        `A scene is plain data, as JSON has it: ${reasonOf(error)}.`,
      );
      return undefined;
    }
  }
  const migrated = migrate(opened, reading);
  if (migrated === undefined) return undefined;
  const source = migrated === opened.value ? opened : { ...opened, value: migrated, isMigrated: true };
  const { entities } = migrated;
  if (Array.isArray(entities)) return source;
  const found = entities === undefined ? "none" : describeValue(entities);
  const help = isComposed(migrated) ? " A composed prefab has an empty one." : "";
  report.add(
    "scene/wrong-shape",
    { source, path: ["entities"] },
    `A scene has an array of entities, found ${found}.${help}`,
  );
  return undefined;
}

/** Reads a scene that was opened. */
export function readDraft(source: Source, reading: Reading, prefabs: PrefabHost): Draft {
  const { registry, report, externals } = reading;
  const keys = readHeader(source, reading);
  const collected = collect(source, reading, prefabs);
  const { level, slots } = collected;
  assignIds(collected.nodes, level.ownSlots(collected.nodes.length), level, report);
  slots.isFinal = true;
  const { nodes, sequence } = finish(collected);
  const suggestions = new IdSuggestions(level);
  for (const node of nodes) resolveParent(node, level, suggestions, reading);
  const known = { byId: level, externals, suggestions };
  for (const node of nodes) checkReferences(node, known, undefined, reading);
  return {
    registry,
    source,
    nodes,
    byId: level,
    keys,
    externals,
    ...orderNodes(nodes, level, report, source, sequence),
  };
}

/** The nodes without empty slots, and the order of siblings, if it is not that of the nodes. */
function finish({ nodes, level, slots, siblings }: Collected): {
  readonly nodes: SceneNode[];
  readonly sequence: Int32Array | undefined;
} {
  const sequence = siblings.sequence();
  const there = nodes.filter((node) => node !== undefined);
  if (there.length === nodes.length) {
    return { nodes: there, sequence: sequence === undefined ? undefined : Int32Array.from(sequence) };
  }
  const index = new Int32Array(nodes.length).fill(-1);
  let count = 0;
  nodes.forEach((node, slot) => {
    if (node !== undefined) index[slot] = count++;
  });
  for (const node of there) if (node.parent >= 0) node.parent = index[node.parent];
  for (const { node } of level.inner) {
    const { instance } = node.rare;
    if (instance !== undefined) {
      instance.members = instance.members.map((slot) => (slot < 0 ? -1 : index[slot]));
    }
  }
  slots.renumber(index);
  return { nodes: there, sequence: sequence && Int32Array.from(sequence, (slot) => index[slot]) };
}

/**
 * Prefabs that are composed of others.
 */
import type { OptionKinds } from "../../ecs/internal.ts";
import { deepEqual } from "../../history/internal.ts";
import { refuseUse, requireInstanceOf, requireList, requireOptions } from "../arguments.ts";
import type { SceneFile } from "../file.ts";
import { SceneFormat } from "../format.ts";
import type { JsonObject } from "../json/json.ts";
import { partNames } from "../read/composition.ts";
import { readTemplate } from "../read/load.ts";
import type { Template } from "../read/node.ts";
import { answerOf, type PrefabSource } from "../read/prefab-source.ts";
import { Prefab } from "./prefab.ts";

/** Options of `composePrefabs`. */
export interface ComposePrefabsOptions {
  /** The name by which saved scenes refer to it. */
  readonly file: string;
}

const composeOptions: OptionKinds = { file: "string" };

/**
 * Creates a prefab from several: its root has the components of all their roots, with later fields winning, and the children of all. Its
 * entities have the ids that they have in their prefab, prefixed by the id of its root: `tank/turret`. It is a prefab like any
 * other, follows each of them with `format.reloadPrefab`, and its `save()` is a file that names them.
 *
 * @throws SceneError `scene/invalid-composition` when the roots of two have the same id, or one is named twice; `scene/unknown-prefab` when
 * two have different prefabs of one name inside.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const format = createSceneFormat({ components: [Health] });
 * const tank = format.prefab(`{ "entities": [{ "id": "tank", "components": { "Health": { "hp": 250 } } }] }`, { file: "tank" });
 * const burning = format.prefab(`{ "entities": [{ "id": "burning", "children": [{ "id": "flame" }] }] }`, { file: "burning" });
 * const wreck = composePrefabs(format, [tank, burning], { file: "wreck" });
 * const instance = wreck.instantiate(tree);
 * tree.world.get(instance.root, Health); // → { hp: 250 }
 * tree.childrenOf(instance.root); // → [instance.find("burning/flame")]
 * wreck.toFile(); // → { version: 1, compose: ["tank", "burning"], entities: [] }
 * ```
 */
export function composePrefabs(
  format: SceneFormat,
  prefabs: readonly Prefab[],
  options: ComposePrefabsOptions,
): Prefab {
  const doing = "compose prefabs";
  requireInstanceOf(format, SceneFormat, "a scene format", doing);
  // As they are now: what they follow later, the new prefab follows by itself.
  const parts = requireList(prefabs, "what is composed", doing).map((part): Part => {
    const { name, form } = requireInstanceOf(part as Prefab, Prefab, "a prefab", doing);
    return { name, form };
  });
  const { file } = requireOptions(options, doing, composeOptions, true);
  if (typeof file !== "string" || file === "") throw refuseUse(doing, "file is the name of the new prefab.");
  const inside = insideOf(parts);
  const named = (name: string, from: string | undefined): PrefabSource | undefined => {
    const part = from === file ? parts.find((one) => one.name === name) : undefined;
    return part === undefined ? inside(name, from) : answerFor(part);
  };
  const source = { version: format.version, compose: parts.map(({ name }) => name), entities: [] };
  return format.prefab(source, { file, prefabs: named, unknown: "keep" });
}

/** A prefab that another is composed of. */
type Part = Pick<Prefab, "name" | "form">;

/**
 * The prefabs inside of several others. A file gets those with which its own prefab was read: another one may have a different prefab of
 * the same name. Where several have the file inside, they must mean the same.
 */
function insideOf(
  parts: readonly Part[],
): (name: string, from: string | undefined) => PrefabAnswer | undefined {
  const users = new Map<string, readonly Part[]>();
  for (const part of parts)
    for (const file of filesIn(part.form)) users.set(file, [...(users.get(file) ?? []), part]);
  const known = new Map(parts.map((part) => [part.form.file, { part, answer: answerFor(part) }]));
  return (name, from) => {
    const asked = users.get(from ?? "") ?? parts;
    let found: { readonly part: Part; readonly answer: PrefabAnswer } | undefined;
    for (const part of asked) {
      const answer = answerOf(part.form.prefabs, name, from);
      if (answer === undefined) continue;
      found ??= known.get(answer.file) ?? { part, answer };
      if (!deepEqual(found.answer, answer)) {
        const why = `${found.part.name} and ${part.name} have different prefabs of that name inside. Give one of them another name.`;
        throw new Error(why);
      }
    }
    if (found === undefined) return undefined;
    const { file } = found.answer;
    known.set(file, found);
    if (!users.has(file)) users.set(file, asked);
    return found.answer;
  };
}

/** The names of all files that a prefab was read from. */
function filesIn(form: Template): Set<string> {
  const sources = [form.source];
  const found = new Set([form.file]);
  for (const source of sources) {
    for (const used of form.usedBy(source)) {
      if (used?.file === undefined || found.has(used.file)) continue;
      found.add(used.file);
      sources.push(used);
    }
  }
  return found;
}

function answerFor({ form: { file, source } }: Part): PrefabAnswer {
  return { file, source: source.text ?? (source.value as unknown as SceneFile) };
}

/**
 * The prefabs that a prefab is composed of, in their order; none for one with entities of its own. Those that lenient reading did not find
 * are left out.
 *
 * @throws SceneError for one whose text cannot be read.
 *
 * @example
 * ```ts
 * const prefabs = { tank: `{ "entities": [{ "id": "tank" }] }`, burning: `{ "entities": [{ "id": "burning" }] }` };
 * const format = createSceneFormat({ components: [] });
 * const wreck = format.prefab(`{ "compose": ["tank", "burning"], "entities": [] }`, { file: "wreck", prefabs });
 * composedOf(wreck).map(({ name }) => name); // → ["tank", "burning"]
 * ```
 */
export function composedOf(prefab: Prefab): Prefab[] {
  const { form, registry } = requireInstanceOf(
    prefab,
    Prefab,
    "a prefab",
    "list what a prefab is composed of",
  );
  const { file, prefabs, source } = form;
  return partNames(source.value as JsonObject).flatMap((name) => {
    const found = answerOf(prefabs, name, file);
    // Lenient reading goes on without it.
    if (found === undefined) return [];
    const options = { file: found.file, prefabs, unknown: "keep", lenient: true } as const;
    return [new Prefab(registry, readTemplate(registry, found.source, options), name)];
  });
}

type PrefabAnswer = NonNullable<ReturnType<typeof answerOf>>;

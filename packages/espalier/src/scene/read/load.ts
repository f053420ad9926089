/**
 * Reading a scene with its prefabs, strictly or leniently, for everybody who needs a draft.
 */
import { describeValue, type Entity, type OptionKinds } from "../../ecs/index.ts";
import { isRecord, refuseUse, requireOptions } from "../arguments.ts";
import { SceneError, type SceneProblem } from "../errors.ts";
import type { SceneFile } from "../file.ts";
import { isJsonObject } from "../json/json.ts";
import { parseJson } from "../json/parse.ts";
import type { Registry } from "../registry.ts";
import { TemplateLibrary } from "./library.ts";
import type { Template } from "./node.ts";
import { type Prefabs, remembered } from "./prefab-source.ts";
import { type Draft, openScene } from "./read.ts";
import { Report } from "./report.ts";

/** How a scene is read. */
export interface ReadOptions {
  /** The name of the file, for messages and for prefabs that are found relative to it. */
  readonly file?: string;
  /** Where prefabs come from. */
  readonly prefabs?: Prefabs;
  /** Read what is sound, keep the rest untouched for saving, and list the problems instead of throwing. */
  readonly lenient?: boolean;
  /** `"keep"` takes unknown components for sound: they are kept untouched without a word. */
  readonly unknown?: "refuse" | "keep";
}

export interface ReadResult {
  readonly draft: Draft | undefined;
  readonly problems: readonly SceneProblem[];
  /** The prefabs as they were found, so that the same scene can be read again later. */
  readonly prefabs: Prefabs;
}

export interface ReadDetails {
  /** Find what `JSON.parse` passes over: keys that stand twice. Ten times as slow. */
  readonly thorough?: boolean;
  /** Prefabs that have been read already, by the name that the scene uses. */
  readonly given?: ReadonlyMap<string, Template>;
  /** Entities outside the scene that it may refer to. */
  readonly externals?: ReadonlyMap<string, Entity>;
}

/** What all calls take that read a file. */
export const readOptions: OptionKinds = {
  file: "anything",
  prefabs: "anything",
  lenient: "anything",
  unknown: "anything",
};

/** The options of whoever reads, checked: they may come from anywhere. @throws SceneUseError */
export function requireReading<Options extends ReadOptions>(
  options: Options | undefined,
  doing: string,
  kinds: OptionKinds = readOptions,
  checks?: boolean,
): Options {
  const given = requireOptions(options, doing, kinds, checks);
  const { file, prefabs, lenient, unknown } = given;
  const wrong = (what: string, value: unknown) => refuseUse(doing, `${what}, got ${describeValue(value)}.`);
  if (file !== undefined && typeof file !== "string") throw wrong("file is the name of a file", file);
  if (prefabs !== undefined && !isRecord(prefabs) && typeof prefabs !== "function") {
    throw wrong("prefabs are an object by name, or a function", prefabs);
  }
  if (lenient !== undefined && typeof lenient !== "boolean") throw wrong("lenient is true or false", lenient);
  if (unknown !== undefined && unknown !== "keep" && unknown !== "refuse") {
    throw wrong('unknown is "keep" or "refuse"', unknown);
  }
  return given;
}

/** @param options - Checked by whoever is called from outside. */
export function readScene(
  registry: Registry,
  input: string | SceneFile,
  options: ReadOptions,
  details: ReadDetails = {},
): ReadResult {
  const report = new Report();
  const prefabs = remembered(options.prefabs ?? {});
  const source = openScene(input, options.file, registry, report, details.thorough === true);
  const draft =
    source === undefined ? undefined : library(registry, options, report, prefabs, details).read(source);
  return { draft, problems: report.isEmpty ? [] : report.problems(), prefabs };
}

/** @throws SceneError */
export function readTemplate(registry: Registry, input: string | SceneFile, options: ReadOptions): Template {
  const report = new Report();
  const source = openScene(input, options.file, registry, report, false);
  const template =
    source === undefined
      ? undefined
      : library(registry, options, report, remembered(options.prefabs ?? {}), {}).readTemplate(source);
  if (template === undefined || (!report.isEmpty && options.lenient !== true)) {
    throw new SceneError(`read ${options.file ?? "the prefab"}`, report.problems());
  }
  return template;
}

/**
 * The value of a scene's text, with comments and trailing commas accepted, as it stands there: nothing but its outermost
 * form is checked, nothing is migrated.
 * @throws SceneError `scene/syntax` or `scene/wrong-shape`
 */
export function parseScene(text: string, options: { readonly file?: string } = {}): SceneFile {
  requireOptions(options, "read a scene", { file: "string" });
  const report = new Report();
  if (typeof text !== "string")
    throw refuseUse("read a scene", `it takes a text, got ${describeValue(text)}.`);
  const { value, faults } = parseJson(text);
  const source = { file: options.file, text, value };
  report.addFaults(source, faults);
  if (report.isEmpty && !(isJsonObject(value) && Array.isArray(value.entities))) {
    report.add(
      "scene/wrong-shape",
      { source, path: ["entities"] },
      `A scene is an object with a list of entities. Write { "entities": [...] }.`,
    );
  }
  if (!report.isEmpty) throw new SceneError(`read ${options.file ?? "the scene"}`, report.problems());
  return value as unknown as SceneFile;
}

/** The draft of a scene that is known to be sound except for what is reported. @throws SceneError */
export function requireDraft(
  result: Pick<ReadResult, "draft" | "problems">,
  options: ReadOptions,
  doing: string,
): Draft {
  const { draft, problems } = result;
  if (draft === undefined || (problems.length > 0 && options.lenient !== true)) {
    throw new SceneError(`${doing} ${options.file ?? "the scene"}`, problems);
  }
  return draft;
}

function library(
  registry: Registry,
  options: ReadOptions,
  report: Report,
  prefabs: Prefabs,
  details: ReadDetails,
): TemplateLibrary {
  return new TemplateLibrary(registry, prefabs, report, {
    lenient: options.lenient === true,
    keepUnknown: options.unknown === "keep",
    thorough: details.thorough === true,
    given: details.given ?? new Map(),
    externals: details.externals ?? new Map(),
  });
}

/**
 * Reading a scene with its prefabs, strictly or leniently, for all code that needs a draft.
 */
import { describeValue, type OptionKinds } from "../../ecs/index.ts";
import { isRecord, refuseUse, requireOptions } from "../arguments.ts";
import { SceneError, type SceneProblem } from "../errors.ts";
import type { SceneFile } from "../file.ts";
import { isJsonObject } from "../json/json.ts";
import { parseJson } from "../json/parse.ts";
import type { Registry } from "../registry.ts";
import { isComposed } from "./composition.ts";
import { TemplateLibrary } from "./library.ts";
import type { Template } from "./node.ts";
import { type Prefabs, remembered } from "./prefab-source.ts";
import { type Draft, openScene } from "./read.ts";
import type { Reading } from "./reading.ts";
import { Report } from "./report.ts";

/** How a scene is read. */
export interface ReadOptions {
  /** The name of the file, for messages and for resolving prefabs relative to it. */
  readonly file?: string;
  /** Where prefabs come from. */
  readonly prefabs?: Prefabs;
  /** Reads what is valid, keeps the rest untouched for saving, and lists the problems instead of throwing. */
  readonly lenient?: boolean;
  /** `"keep"` accepts unknown components: they are kept untouched, without a problem. */
  readonly unknown?: "refuse" | "keep";
}

export interface ReadResult {
  readonly draft: Draft | undefined;
  readonly problems: readonly SceneProblem[];
  /** The prefabs as they were found, so that the same scene can be read again later. */
  readonly prefabs: Prefabs;
}

/** The options of all calls that read a file. */
export const readOptions: OptionKinds = {
  file: "anything",
  prefabs: "anything",
  lenient: "anything",
  unknown: "anything",
};

/** The reading options, checked: they may come from anywhere. @throws SceneUseError */
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

/** @param options - Already checked by the public caller. */
export function readScene(
  registry: Registry,
  input: string | SceneFile,
  options: ReadOptions,
  details?: Partial<Reading>,
): ReadResult {
  const reading = readingOf(registry, options, details);
  const { report, prefabs } = reading;
  const source = openScene(input, options.file, reading);
  const draft = source && new TemplateLibrary(reading).read(source);
  return { draft, problems: report.problems(), prefabs };
}

/** @throws SceneError */
export function readTemplate(registry: Registry, input: string | SceneFile, options: ReadOptions): Template {
  const reading = readingOf(registry, options);
  const source = openScene(input, options.file, reading);
  const template = source && new TemplateLibrary(reading).readTemplate(source);
  return requireSound(template, reading.report.problems(), options, `read ${options.file ?? "the prefab"}`);
}

function readingOf(registry: Registry, options: ReadOptions, details?: Partial<Reading>): Reading {
  return {
    registry,
    report: new Report(),
    prefabs: remembered(options.prefabs ?? {}),
    lenient: options.lenient === true,
    keepUnknown: options.unknown === "keep",
    thorough: false,
    given: new Map(),
    externals: new Map(),
    ...details,
  };
}

/**
 * The value of a scene's text as written, with comments and trailing commas accepted: only its outermost
 * form is checked, and nothing is migrated.
 * @throws SceneError `scene/syntax` or `scene/wrong-shape`
 */
export function parseScene(text: string, options: { readonly file?: string } = {}): SceneFile {
  requireOptions(options, "read a scene", { file: "string" });
  const report = new Report();
  if (typeof text !== "string")
    throw refuseUse("read a scene", `it takes a string, got ${describeValue(text)}.`);
  const { value, faults } = parseJson(text);
  const source = { file: options.file, text, value };
  report.addFaults(source, faults);
  if (report.isEmpty && !(isJsonObject(value) && Array.isArray(value.entities))) {
    report.add(
      "scene/wrong-shape",
      { source, path: ["entities"] },
      `A scene is an object with an array of entities. Write { "entities": [...] }.`,
    );
  }
  if (!report.isEmpty)
    throw new SceneError(`read ${options.file ?? "the scene"}`, { problems: report.problems() });
  return value as unknown as SceneFile;
}

/** The draft of a scene, or an error with its reported problems. @throws SceneError */
export function requireDraft({ draft, problems }: ReadResult, options: ReadOptions, doing: string): Draft {
  return requireSound(draft, problems, options, `${doing} ${options.file ?? "the scene"}`);
}

/** The draft of a scene that is loaded into a world. @throws SceneError when it is a composed prefab. */
export function requireScene(result: ReadResult, options: ReadOptions, doing: string): Draft {
  const draft = requireDraft(result, options, doing);
  const { source } = draft;
  if (!isComposed(source.value)) return draft;
  const report = new Report();
  const message =
    "A composed prefab is not a scene. Instantiate it, or open one of the prefabs that it is composed of.";
  report.add("scene/invalid-composition", { source, path: ["compose"] }, message);
  throw new SceneError(`${doing} ${options.file ?? "the scene"}`, { problems: report.problems() });
}

function requireSound<Read>(
  read: Read | undefined,
  problems: readonly SceneProblem[],
  { lenient }: ReadOptions,
  doing: string,
): Read {
  if (read === undefined || (problems.length > 0 && lenient !== true))
    throw new SceneError(doing, { problems });
  return read;
}

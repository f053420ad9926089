/**
 * Migrates files of older versions to the current one.
 */
import { describeValue } from "../../ecs/index.ts";
import { reasonOf } from "../arguments.ts";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { toJson } from "../json/to-json.ts";
import type { Registry } from "../registry.ts";
import type { Reading } from "./reading.ts";
import type { Report, Source } from "./report.ts";

/** The file in the registry's version. `undefined` if that is impossible; the report says why. */
export function migrate(source: Source, { registry, report }: Reading): JsonObject | undefined {
  const { value } = source;
  if (!isJsonObject(value)) {
    const found = `${describeValue(value)}`;
    report.add(
      "scene/wrong-shape",
      { source, path: [] },
      `A scene is an object with an array of entities, got ${found}. Write { "entities": [...] }.`,
    );
    return undefined;
  }
  const location = { source, path: ["version"] };
  const version = value.version ?? 1;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1) {
    report.add(
      "scene/wrong-shape",
      location,
      `version takes an integer of at least 1, got ${describeValue(version)}.`,
    );
    return undefined;
  }
  if (version === registry.version) return value;
  if (version > registry.version) {
    report.add(
      "scene/newer-version",
      location,
      `The file has version ${version}, and this program reads versions up to ${registry.version}. Update the program, or save the file with an older one.`,
    );
    return undefined;
  }
  return upgrade(source, value, version, registry, report);
}

function upgrade(
  source: Source,
  value: JsonObject,
  from: number,
  registry: Registry,
  report: Report,
): JsonObject | undefined {
  // Parsed from text, or a copy of what was passed in.
  let file: { [key: string]: Json } = value;
  const fail = (message: string) => {
    report.add("scene/migration", { source, path: ["version"] }, message);
    return undefined;
  };
  for (let version = from; version < registry.version; version++) {
    const migration = Object.hasOwn(registry.migrations, version) ? registry.migrations[version] : undefined;
    if (migration === undefined) {
      return fail(
        `The file has version ${from}, and there is no migration from ${version} to ${version + 1}. Give createSceneFormat() migrations[${version}].`,
      );
    }
    try {
      file = migration(file) ?? file;
    } catch (error) {
      const why = reasonOf(error);
      return fail(`The migration from version ${version} to ${version + 1} threw: ${why}`);
    }
    if (!isJsonObject(file)) {
      return fail(
        `The migration from version ${version} to ${version + 1} returned ${describeValue(file)}, not a file.`,
      );
    }
  }
  try {
    // Migrations may leave anything in it, such as keys without a value.
    return { ...(toJson(file, "holds") as JsonObject), version: registry.version };
  } catch (error) {
    return fail(
      `What the migrations to version ${registry.version} made is not plain data: it ${reasonOf(error)}.`,
    );
  }
}

/**
 * The keys of a file besides its entities.
 */
import { describeValue } from "../../ecs/index.ts";
import { setOwn } from "../../history/internal.ts";
import { fileKeys } from "../file.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { partNames } from "./composition.ts";
import { suggest } from "./nearest.ts";
import type { Reading } from "./reading.ts";
import type { Report, Source } from "./report.ts";

/** Checks the keys of a file besides its entities. Returns those that saving writes again. */
export function readHeader(source: Source, { report, lenient }: Reading): { readonly [key: string]: Json } {
  const file = source.value as JsonObject;
  const kept: { [key: string]: Json } = {};
  const known: readonly string[] = fileKeys;
  for (const key of Object.keys(file)) {
    if (known.includes(key)) continue;
    if (lenient) setOwn(kept, key, file[key]);
    report.add(
      "scene/unknown-key",
      { source, path: [key], key: true },
      `The file has an unknown key ${describeValue(key)}. ${suggest(key, known, "keys")}`,
    );
  }
  if (typeof file.$schema === "string") {
    kept.$schema = file.$schema;
  } else if (file.$schema !== undefined) {
    report.add(
      "scene/wrong-shape",
      { source, path: ["$schema"] },
      `$schema takes an address, got ${describeValue(file.$schema)}.`,
    );
  }
  if (file.order !== undefined && !Array.isArray(file.order)) {
    report.add(
      "scene/wrong-shape",
      { source, path: ["order"] },
      `order takes an array, got ${describeValue(file.order)}.`,
    );
  }
  if (file.compose !== undefined) checkComposition(source, report);
  return kept;
}

function checkComposition(source: Source, report: Report): void {
  const file = source.value as JsonObject;
  const { compose, entities, order } = file;
  const refuse = (key: string, why: string) => {
    report.add("scene/invalid-composition", { source, path: [key] }, why);
  };
  const names = partNames(file);
  if (!Array.isArray(compose) || names.length < compose.length || names.length < 2) {
    report.add(
      "scene/wrong-shape",
      { source, path: ["compose"] },
      `compose takes an array of at least two names of prefabs, got ${describeValue(compose)}.`,
    );
  }
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined)
    refuse("compose", `The prefab is composed of ${describeValue(twice)} twice. Name each prefab once.`);
  if ((Array.isArray(entities) && entities.length > 0) || order !== undefined) {
    refuse(
      order === undefined ? "entities" : "order",
      "A composed prefab has no entities of its own. Leave entities empty, and write what differs into a prefab whose root is an instance of this one.",
    );
  }
}

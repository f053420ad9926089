/**
 * What agents can read without calling a tool: scenes, their trees, entities, prefabs and problems, the schema, and the guides.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { exitCodes, Stop } from "../exit-codes.ts";
import { readText } from "../files.ts";
import { runOnFile } from "../scene-files/run-on-file.ts";
import { mayRead, type Project, sceneIn, scenesOf } from "./project.ts";

export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

export const templates = [
  {
    uriTemplate: "espalier://scene/{+file}",
    name: "The text of a scene or prefab",
    mimeType: "application/json",
  },
  { uriTemplate: "espalier://tree/{+file}", name: "The tree of a scene", mimeType: "application/json" },
  {
    uriTemplate: "espalier://entity/{+file}#{id}",
    name: "An entity of a scene",
    mimeType: "application/json",
  },
  {
    uriTemplate: "espalier://problems/{+file}",
    name: "What is wrong with a scene",
    mimeType: "application/json",
  },
];

export function listResources(project: Project): ResourceEntry[] {
  const scenes = scenesOf(project).map((file) => ({
    uri: `espalier://scene/${encodeURI(file).replace(/[#?]/g, encodeURIComponent)}`,
    name: file,
    mimeType: "application/json",
  }));
  const guides = Array.from(guideFiles().keys(), (name) => ({
    uri: `espalier://guide/${name}`,
    name: `Guide: ${name}`,
    mimeType: "text/markdown",
  }));
  return [
    { uri: "espalier://schema", name: "The JSON Schema of scenes", mimeType: "application/json" },
    { uri: "espalier://skill", name: "How to work on scenes", mimeType: "text/markdown" },
    ...scenes,
    ...guides,
  ];
}

export function readResource(project: Project, uri: string): ResourceText {
  const [, kind, rest] = /^espalier:\/\/([a-z]+)(?:\/(.*))?$/s.exec(uri) ?? [];
  const json = (value: unknown) => ({
    uri,
    mimeType: "application/json",
    text: JSON.stringify(value, null, 2),
  });
  const markdown = (text: string) => ({ uri, mimeType: "text/markdown", text });
  const [, file = "", id = ""] = /^([^#]*)(?:#(.*))?$/s.exec(rest ?? "")?.map(decoded) ?? [];
  const run = (verb: string, parameters: { readonly [name: string]: string }) =>
    runOnFile(sceneIn(project, file), { verb, parameters }, project.config, {
      mayRead: (path) => mayRead(project, path),
    }).output;
  switch (kind) {
    case "schema":
      return json(project.config.format.jsonSchema());
    case "skill":
      return markdown(readFileSync(skillFile(), "utf8"));
    case "scene":
      return { uri, mimeType: "application/json", text: readText(sceneIn(project, file)) };
    case "tree":
      return json(run("show", {}));
    case "entity":
      if (id === "")
        throw new Stop(exitCodes.usage, `Cannot read ${uri}: add the id of the entity, such as #tank.`);
      return json(run("show", { entity: id }));
    case "problems":
      return json(run("validate", {}));
    case "guide": {
      const path = guideFiles().get(file);
      if (path !== undefined) return markdown(readFileSync(path, "utf8"));
    }
  }
  throw new Stop(
    exitCodes.usage,
    `There is no resource ${JSON.stringify(uri)}. resources/list shows what there is.`,
  );
}

/** A decoded part of an address; unchanged if it is not encoded properly. */
function decoded(part: string | undefined): string {
  try {
    return decodeURIComponent(part ?? "");
  } catch {
    return part ?? "";
  }
}

/** What an assistant should know before it works on scenes; can also be copied to its own folder of skills. */
export function skillFile(): string {
  const near = dirname(fileURLToPath(import.meta.url));
  // Beside the build, or beside the sources.
  const found = [join(near, "../skill/SKILL.md"), join(near, "../../skill/SKILL.md")].find(existsSync);
  if (found !== undefined) return found;
  throw new Stop(exitCodes.fault, "The skill file of this package is missing. Install the package again.");
}

/** The guides that ship with the library, by name. */
function guideFiles(): Map<string, string> {
  const home = dirname(createRequire(import.meta.url).resolve("espalier/package.json"));
  const folder = join(home, "docs/guide");
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return new Map(names.map((name) => [basename(name, ".md"), join(folder, name)]));
}

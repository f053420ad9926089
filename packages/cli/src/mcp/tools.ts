/**
 * The tools of agents: every verb of the library, and what the command line has around them.
 */

import type { Json, JsonObject } from "espalier/scene";
import { type AnyVerb, compareScenes, printChanges, type VerbStep, verbSchema, verbs } from "espalier/verbs";
import { decisionsOf } from "../commands/merge.ts";
import { exitCodes, Stop } from "../exit-codes.ts";
import { findScenes, prefabsOnDisk, readText, shown } from "../files.ts";
import { acceptBranch, createBranch } from "../scene-files/branches.ts";
import { withSource } from "../scene-files/insert-source.ts";
import { runOnFile } from "../scene-files/run-on-file.ts";
import { mayRead, mayWrite, type Project, sceneIn, sourceIn } from "./project.ts";

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly isReadOnly: boolean;
  readonly call: (given: { readonly [name: string]: Json }) => Promise<unknown>;
}

const fileSchema = { type: "string", description: "The scene file, from the folder of the project." };
const editSchemas: JsonObject = {
  dryRun: { type: "boolean", description: "Show what would change, and write nothing." },
  reason: { type: "string", description: "Why, for the log that people read." },
};

export function toolsOf(project: Project): Tool[] {
  const all = [
    listScenes(project),
    ...(Object.values(verbs) as readonly AnyVerb[]).map((verb) => verbTool(project, verb)),
    batchTool(project),
    diffTool(project),
    branchTool(project),
    acceptTool(project),
  ];
  return all.filter(({ isReadOnly }) => isReadOnly || !project.isReadOnly);
}

/** Refuses what the schema does not have, so that a slip is not taken for a wish. */
export function requireKnown({ name, inputSchema }: Tool, given: { readonly [name: string]: Json }): void {
  const { properties, required } = inputSchema as unknown as {
    properties: JsonObject;
    required?: readonly string[];
  };
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(properties, key)) continue;
    throw new Stop(
      exitCodes.usage,
      `Cannot call ${name}: it has no parameter ${JSON.stringify(key)}. It has ${Object.keys(properties).join(", ")}.`,
    );
  }
  for (const key of required ?? []) {
    if (given[key] === undefined) throw new Stop(exitCodes.usage, `Cannot call ${name}: ${key} is missing.`);
  }
  const { file, dryRun, reason } = given;
  for (const [key, value, type] of [
    ["file", file, "string"],
    ["dryRun", dryRun, "boolean"],
    ["reason", reason, "string"],
  ] as const) {
    if (value !== undefined && Object.hasOwn(properties, key) && typeof value !== type) {
      throw new Stop(exitCodes.usage, `Cannot call ${name}: ${key} is a ${type}.`);
    }
  }
}

function objectSchema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}

function listScenes(project: Project): Tool {
  return {
    name: "scenes",
    description: "List the scenes and prefabs of the project.",
    inputSchema: objectSchema({}, []),
    isReadOnly: true,
    call: async () => ({
      scenes: findScenes([project.folder]).map((file) => file.slice(project.folder.length + 1)),
    }),
  };
}

function verbTool(project: Project, verb: AnyVerb): Tool {
  const own = verbSchema(project.config.format, verb) as unknown as {
    properties: JsonObject;
    required: readonly string[];
  };
  const edit = verb.isReadOnly ? {} : editSchemas;
  return {
    name: verb.name,
    description: `${verb.summary[0]?.toUpperCase()}${verb.summary.slice(1)}.`,
    inputSchema: objectSchema({ file: fileSchema, ...own.properties, ...edit }, ["file", ...own.required]),
    isReadOnly: verb.isReadOnly,
    call: async ({ file, dryRun, reason, ...parameters }) => {
      const step = await withSource({ verb: verb.name, parameters }, (name) => sourceIn(project, name));
      return runOn(project, file as string, step, { dryRun, reason }, verb.isReadOnly);
    },
  };
}

function batchTool(project: Project): Tool {
  const steps = {
    type: "array",
    items: {
      type: "object",
      properties: { verb: { enum: Object.keys(verbs) }, parameters: { type: "object" } },
      required: ["verb"],
      additionalProperties: false,
    },
    description: "The verbs with their parameters, in order. All of them are run, or none.",
  };
  return {
    name: "batch",
    description: "Run several verbs as one edit: all of them, or, when one is refused, none.",
    inputSchema: objectSchema({ file: fileSchema, steps, ...editSchemas }, ["file", "steps"]),
    isReadOnly: false,
    call: async ({ file, steps: given, dryRun, reason }) => {
      if (!Array.isArray(given)) throw new Stop(exitCodes.usage, "Cannot call batch: steps is an array.");
      const resolved: VerbStep[] = [];
      for (const step of given as unknown as VerbStep[]) {
        resolved.push(await withSource(Object(step) as VerbStep, (name) => sourceIn(project, name)));
      }
      return runOn(project, file as string, resolved, { dryRun, reason }, false);
    },
  };
}

function runOn(
  project: Project,
  file: string,
  steps: VerbStep | readonly VerbStep[],
  { dryRun, reason }: { readonly dryRun: Json | undefined; readonly reason: Json | undefined },
  isReadOnly: boolean,
) {
  return runOnFile(sceneIn(project, file), steps, project.config, {
    ...guardsOf(project),
    ...(isReadOnly ? {} : { author: project.author }),
    ...(dryRun === true ? { dryRun } : {}),
    ...(typeof reason === "string" ? { reason } : {}),
  });
}

/** Everything that an agent does is in a journal, and inside the folder. */
function guardsOf(project: Project) {
  return {
    journal: true,
    mayWrite: (path: string) => mayWrite(project, path),
    mayRead: (path: string) => mayRead(project, path),
  };
}

function diffTool(project: Project): Tool {
  return {
    name: "diff",
    description: "Show what differs between two scenes, by entity.",
    inputSchema: objectSchema({ a: fileSchema, b: fileSchema }, ["a", "b"]),
    isReadOnly: true,
    call: async ({ a, b }) => {
      const [from, to] = [sceneIn(project, String(a)), sceneIn(project, String(b))];
      const changes = compareScenes(project.config.format, readText(from), readText(to), {
        file: shown(to),
        prefabs: prefabsOnDisk(project.config.prefabs),
        unknown: project.config.file === undefined ? "keep" : "refuse",
      });
      return { changes, text: printChanges(changes) };
    },
  };
}

const nameSchema = { type: "string", description: "The name of the branch: letters, digits, - and _." };

function branchTool(project: Project): Tool {
  return {
    name: "branch",
    description:
      "Make a copy of a scene to work on; people look at the difference and accept it, whole or by entity.",
    inputSchema: objectSchema({ file: fileSchema, name: nameSchema }, ["file", "name"]),
    isReadOnly: false,
    call: async ({ file, name }) => {
      const made = createBranch(sceneIn(project, file as string), String(name), (path) =>
        mayWrite(project, path),
      );
      return { branch: made.slice(project.folder.length + 1) };
    },
  };
}

function acceptTool(project: Project): Tool {
  const entities = {
    type: "array",
    items: { type: "string" },
    description: "Ids of what is accepted; everything if left out.",
  };
  const side = {
    enum: ["ours", "theirs"],
    description: "Which side decides conflicts; they are refused if left out.",
  };
  return {
    name: "accept",
    description: "Take over what was done on a branch, whole or by entity, as one edit.",
    inputSchema: objectSchema({ file: fileSchema, name: nameSchema, entities, side, ...editSchemas }, [
      "file",
      "name",
    ]),
    isReadOnly: false,
    call: async ({ file, name, entities: ids = [], side: all, dryRun, reason }) =>
      acceptBranch(sceneIn(project, file as string), String(name), ids as string[], {
        config: project.config,
        decisions: decisionsOf({ ours: all === "ours", theirs: all === "theirs" }),
        ...guardsOf(project),
        author: project.author,
        ...(dryRun === true ? { dryRun } : {}),
        ...(typeof reason === "string" ? { reason } : {}),
      }),
  };
}

/**
 * The tools of agents: every verb of the library, and what the command line has around them.
 */

import type { Json, JsonObject } from "espalier/scene";
import { type AnyVerb, compareScenes, printChanges, type VerbStep, verbSchema, verbs } from "espalier/verbs";
import { decisionsOf } from "../commands/merge.ts";
import { exitCodes, Stop } from "../exit-codes.ts";
import { prefabsOnDisk, readText, shown } from "../files.ts";
import { acceptBranch, createBranch } from "../scene-files/branches.ts";
import { withSource } from "../scene-files/insert-source.ts";
import { runOnFile } from "../scene-files/run-on-file.ts";
import { drawScene } from "../screenshot/draw-scene.ts";
import { mayRead, mayWrite, type Project, sceneIn, scenesOf, sourceIn } from "./project.ts";

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The parameters that are checked here. Those of verbs the library checks. */
  readonly own: ToolParameters;
  readonly isReadOnly: boolean;
  readonly call: (given: { readonly [name: string]: Json }) => Promise<unknown>;
}

/** What a tool gives that draws: a picture, and what is to be said of it. */
export class PictureResult {
  readonly png: Uint8Array;
  readonly facts: object;
  constructor(png: Uint8Array, facts: object) {
    this.png = png;
    this.facts = facts;
  }
}

interface ToolParameter {
  readonly type: "string" | "boolean" | "integer" | "number" | "object" | "array";
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: "string" | "object"; readonly [key: string]: Json | undefined };
}

type ToolParameters = { readonly [name: string]: ToolParameter };

const fileSchema: ToolParameter = {
  type: "string",
  description: "The scene file, from the folder of the project.",
};
const editSchemas: ToolParameters = {
  dryRun: { type: "boolean", description: "Show what would change, and write nothing." },
  reason: { type: "string", description: "Why, for the log that people read." },
};

export function toolsOf(project: Project): Tool[] {
  const all = [
    listScenes(project),
    ...(Object.values(verbs) as readonly AnyVerb[]).map((verb) => verbTool(project, verb)),
    batchTool(project),
    screenshotTool(project),
    diffTool(project),
    branchTool(project),
    acceptTool(project),
  ];
  return all.filter(({ isReadOnly }) => isReadOnly || !project.isReadOnly);
}

/** Refuses what does not fit the schema, so that a slip is not taken for a wish. */
export function requireFitting(
  { name, inputSchema, own }: Tool,
  given: { readonly [name: string]: Json },
): void {
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
  for (const [key, schema] of Object.entries(own)) {
    const why = given[key] === undefined ? undefined : misfit(schema, given[key]);
    if (why !== undefined) throw new Stop(exitCodes.usage, `Cannot call ${name}: ${key} ${why}.`);
  }
}

function misfit({ type, enum: values, items }: ToolParameter, value: Json): string | undefined {
  if (values !== undefined)
    return values.includes(value as string) ? undefined : `is one of ${values.join(", ")}`;
  if (type === "integer") return Number.isInteger(value) ? undefined : "is an integer";
  if (type === "object") return isObject(value) ? undefined : "is an object";
  if (type !== "array") return typeof value === type ? undefined : `is a ${type}`;
  if (!Array.isArray(value)) return "is an array";
  const fits = items?.type === "object" ? isObject : (item: Json) => typeof item === "string";
  return value.every(fits) ? undefined : `is an array of ${items?.type === "object" ? "objects" : "strings"}`;
}

function isObject(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectSchema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}

/** A tool whose parameters are all its own. */
function ownTool(
  parameters: ToolParameters,
  required: readonly string[],
  tool: Omit<Tool, "inputSchema" | "own">,
): Tool {
  return { ...tool, own: parameters, inputSchema: objectSchema(parameters as never, required) };
}

function listScenes(project: Project): Tool {
  return ownTool({}, [], {
    name: "scenes",
    description: "List the scenes and prefabs of the project.",
    isReadOnly: true,
    call: async () => ({ scenes: scenesOf(project) }),
  });
}

function verbTool(project: Project, verb: AnyVerb): Tool {
  const own = verbSchema(project.config.format, verb) as unknown as {
    properties: JsonObject;
    required: readonly string[];
  };
  const checked: ToolParameters = { file: fileSchema, ...(verb.isReadOnly ? {} : editSchemas) };
  return {
    name: verb.name,
    description: `${verb.summary[0]?.toUpperCase()}${verb.summary.slice(1)}.`,
    inputSchema: objectSchema({ ...own.properties, ...(checked as never as JsonObject) }, [
      "file",
      ...own.required,
    ]),
    own: checked,
    isReadOnly: verb.isReadOnly,
    call: async ({ file, dryRun, reason, ...parameters }) => {
      const step = await withSource(
        { verb: verb.name, parameters },
        (name) => sourceIn(project, name),
        project.folder,
      );
      return runOn(project, file as string, step, { dryRun, reason }, verb.isReadOnly);
    },
  };
}

function batchTool(project: Project): Tool {
  const steps: ToolParameter = {
    type: "array",
    items: {
      type: "object",
      properties: { verb: { enum: Object.keys(verbs) }, parameters: { type: "object" } },
      required: ["verb"],
      additionalProperties: false,
    },
    description: "The verbs with their parameters, in order. All of them are run, or none.",
  };
  return ownTool({ file: fileSchema, steps, ...editSchemas }, ["file", "steps"], {
    name: "batch",
    description: "Run several verbs as one edit: all of them, or, when one is refused, none.",
    isReadOnly: false,
    call: async ({ file, steps: given, dryRun, reason }) => {
      const resolved: VerbStep[] = [];
      for (const step of given as unknown as VerbStep[]) {
        resolved.push(await withSource(step, (name) => sourceIn(project, name), project.folder));
      }
      return runOn(project, file as string, resolved, { dryRun, reason }, false);
    },
  });
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

function screenshotTool(project: Project): Tool {
  const parameters: ToolParameters = {
    file: fileSchema,
    entity: {
      type: "string",
      description:
        "The entity that is drawn with all below it: an id or a path. The whole scene if left out.",
    },
    width: { type: "integer", description: "Pixels; 800 if left out." },
    height: { type: "integer", description: "Pixels; 600 if left out." },
    all: { type: "boolean", description: "Frame everything, also where the scene has a camera." },
    yAxis: { type: "string", enum: ["up", "down"], description: "Which way y points; up if left out." },
    background: { type: "string", description: "The colour behind everything, as #rrggbb." },
  };
  return ownTool(parameters, ["file"], {
    name: "screenshot",
    description: "Draw a scene, or an entity with all below it, as a picture.",
    isReadOnly: true,
    call: async ({ file, ...options }) => {
      const path = sceneIn(project, file as string);
      const { png, ...facts } = await drawScene(path, project.config, {
        ...options,
        within: project.folder,
        mayRead: (each) => mayRead(project, each),
      });
      return new PictureResult(png, facts);
    },
  });
}

function diffTool(project: Project): Tool {
  return ownTool({ a: fileSchema, b: fileSchema }, ["a", "b"], {
    name: "diff",
    description: "Show what differs between two scenes, by entity.",
    isReadOnly: true,
    call: async ({ a, b }) => {
      const [from, to] = [sceneIn(project, a as string), sceneIn(project, b as string)];
      const changes = compareScenes(project.config.format, readText(from), readText(to), {
        file: shown(to),
        prefabs: prefabsOnDisk(project.config.prefabs, (path) => mayRead(project, path)),
        unknown: project.config.file === undefined ? "keep" : "refuse",
      });
      return { changes, text: printChanges(changes) };
    },
  });
}

const nameSchema: ToolParameter = {
  type: "string",
  description: "The name of the branch: letters, digits, - and _.",
};

function branchTool(project: Project): Tool {
  return ownTool({ file: fileSchema, name: nameSchema }, ["file", "name"], {
    name: "branch",
    description:
      "Make a copy of a scene to work on; people look at the difference and accept it, whole or by entity.",
    isReadOnly: false,
    call: async ({ file, name }) => {
      const made = createBranch(sceneIn(project, file as string), name as string, (path) =>
        mayWrite(project, path),
      );
      return { branch: made.slice(project.folder.length + 1) };
    },
  });
}

function acceptTool(project: Project): Tool {
  const entities: ToolParameter = {
    type: "array",
    items: { type: "string" },
    description: "Ids of what is accepted; everything if left out.",
  };
  const side: ToolParameter = {
    type: "string",
    enum: ["ours", "theirs"],
    description: "Which side decides conflicts; they are refused if left out.",
  };
  return ownTool({ file: fileSchema, name: nameSchema, entities, side, ...editSchemas }, ["file", "name"], {
    name: "accept",
    description: "Take over what was done on a branch, whole or by entity, as one edit.",
    isReadOnly: false,
    call: async ({ file, name, entities: ids = [], side: all, dryRun, reason }) =>
      acceptBranch(sceneIn(project, file as string), name as string, ids as string[], {
        config: project.config,
        decisions: decisionsOf({ ours: all === "ours", theirs: all === "theirs" }),
        ...guardsOf(project),
        author: project.author,
        ...(dryRun === true ? { dryRun } : {}),
        ...(typeof reason === "string" ? { reason } : {}),
      }),
  });
}

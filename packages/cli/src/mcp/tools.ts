/**
 * The tools of agents: every verb of the library, and related commands.
 */

import { type Json, type JsonObject, printScene } from "espalier/scene";
import { type AnyVerb, compareScenes, printChanges, type VerbStep, verbSchema, verbs } from "espalier/verbs";
import { decisionsOf } from "../commands/merge.ts";
import { exportScene } from "../export/index.ts";
import { prefabsOnDisk, readText, shown } from "../files.ts";
import { acceptBranch, createBranch } from "../scene-files/branches.ts";
import { withSource } from "../scene-files/insert-source.ts";
import { runOnFile } from "../scene-files/run-on-file.ts";
import { drawScene } from "../screenshot/draw-scene.ts";
import { writeFiles } from "../write-files.ts";
import { gameTools } from "./game-tools.ts";
import {
  exportIn,
  mayRead,
  mayWrite,
  type Project,
  requireFree,
  sceneIn,
  scenesOf,
  sourceIn,
} from "./project.ts";
import {
  objectSchema,
  ownTool,
  PictureResult,
  type Tool,
  type ToolParameter,
  type ToolParameters,
} from "./tool.ts";

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
    createScene(project),
    ...(Object.values(verbs) as readonly AnyVerb[]).map((verb) => verbTool(project, verb)),
    batchTool(project),
    screenshotTool(project),
    exportTool(project),
    diffTool(project),
    branchTool(project),
    acceptTool(project),
    ...gameTools(project.game),
  ];
  return all.filter(({ isReadOnly }) => isReadOnly || !project.isReadOnly);
}

function listScenes(project: Project): Tool {
  return ownTool({}, [], {
    name: "scenes",
    description: "List the scenes and prefabs of the project.",
    isReadOnly: true,
    call: async () => ({ scenes: scenesOf(project) }),
  });
}

function createScene(project: Project): Tool {
  const file: ToolParameter = { type: "string", description: "The new file: *.scene.json or *.prefab.json." };
  return ownTool({ file }, ["file"], {
    name: "create-scene",
    description: "Create a scene without entities, as a new file.",
    isReadOnly: false,
    call: async ({ file: name }) => {
      const path = sceneIn(project, name as string);
      mayWrite(project, path);
      requireFree(path);
      writeFiles(
        [{ file: path, text: printScene({ version: project.config.format.version, entities: [] }) }],
        false,
      );
      return { written: shown(path) };
    },
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
      const step = await withSource({ verb: verb.name, parameters }, sourceOf(project, file as string));
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
        resolved.push(await withSource(step, sourceOf(project, file as string)));
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

/** Edits of an agent are always written to a journal, and stay inside the folder. */
function guardsOf(project: Project) {
  return {
    journal: true,
    mayWrite: (path: string) => mayWrite(project, path),
    mayRead: (path: string) => mayRead(project, path),
  };
}

/** How scenes named by steps are read. */
function sourceOf(project: Project, file: string) {
  return {
    file: sceneIn(project, file),
    pathOf: (name: string) => sourceIn(project, name),
    within: project.folder,
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
    all: { type: "boolean", description: "Frame everything, even if the scene has a camera." },
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

function exportTool(project: Project): Tool {
  const to: ToolParameter = { type: "string", description: "The new file: .tscn, .gltf or .glb." };
  const yUp: ToolParameter = { type: "boolean", description: "Flip the y axis: Godot's points down." };
  return ownTool({ file: fileSchema, to, yUp }, ["file", "to"], {
    name: "export",
    description:
      "Write a scene for Godot or as glTF, as a new file, with a list of what the other format cannot hold.",
    isReadOnly: false,
    call: async ({ file, to: target, yUp: isTurned }) => {
      const out = exportIn(project, target as string);
      requireFree(out);
      const { content, lost, needs } = await exportScene(sceneIn(project, file as string), out, {
        prefabs: project.config.prefabs,
        yUp: isTurned === true,
        mayRead: (path) => mayRead(project, path),
      });
      writeFiles([{ file: out, text: content }], false);
      return { written: shown(out), lost, needs };
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

/**
 * The commands that edit, compare and merge scenes: one for every verb of the library, and those around them.
 */
import type { Command } from "commander";
import { type AnyVerb, type ParameterSchema, verbs } from "espalier/verbs";
import { accept, branch } from "./commands/branch.ts";
import { diff } from "./commands/diff.ts";
import { exportFile } from "./commands/export.ts";
import { gitInstall } from "./commands/git-install.ts";
import { mcp } from "./commands/mcp.ts";
import { merge } from "./commands/merge.ts";
import { resolve } from "./commands/resolve.ts";
import { screenshot } from "./commands/screenshot.ts";
import { batch, runVerbCommand, type VerbOptions } from "./commands/verb.ts";
import { isFlag, optionName, takesMany } from "./commands/verb-parameters.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { Output } from "./output.ts";

type Act = (output: Output, options: never, ...args: never[]) => Promise<ExitCode>;

/** Helpers that all commands of the program use. */
export interface CommandHelpers {
  readonly common: (command: Command) => Command;
  readonly reading: (command: Command) => Command;
  readonly action: (act: Act) => (...given: unknown[]) => Promise<void>;
}

export function addSceneCommands(program: Command, helpers: CommandHelpers): void {
  for (const verb of Object.values(verbs) as readonly AnyVerb[]) addVerb(program, helpers, verb);
  addBatch(program, helpers);
  addScreenshot(program, helpers);
  addExport(program, helpers);
  addDiff(program, helpers);
  addMerge(program, helpers);
  addResolve(program, helpers);
  addGitInstall(program, helpers);
  addBranches(program, helpers);
  addMcp(program, helpers);
}

/** Options of edits. */
function editing(command: Command, isAuthorTaken: boolean): Command {
  command
    .option("--dry-run", "show what would change, and write nothing")
    .option("--reason <text>", "why, for the log")
    .option("--journal", "begin a journal beside the file, which log and undo read");
  return isAuthorTaken ? command : command.option("--author <name>", "which person or program, for the log");
}

function addVerb(program: Command, { reading, action }: CommandHelpers, verb: AnyVerb): void {
  const command = reading(program.command(verb.name))
    .aliases([...verb.aliases])
    .summary(verb.summary)
    .description(`${verb.summary[0]?.toUpperCase()}${verb.summary.slice(1)}.`)
    .argument("<file>", "the scene file");
  for (const name of verb.operands) {
    const schema = verb.parameters[name] as ParameterSchema;
    const words = takesMany(schema) ? `${name}...` : name;
    // A parameter that may also be passed as an option cannot be required here.
    command.argument(verb.required.includes(name) ? `<${words}>` : `[${words}]`, textOf(schema));
  }
  for (const [name, schema] of Object.entries(verb.parameters)) {
    if (verb.operands.includes(name)) continue;
    const flags = `--${optionName(name)}`;
    const value = isFlag(schema) ? "" : takesMany(schema) ? ` <${name}...>` : ` <${name}>`;
    if (verb.required.includes(name)) command.requiredOption(`${flags}${value}`, textOf(schema));
    else command.option(`${flags}${value}`, textOf(schema));
  }
  if (!verb.isReadOnly) editing(command, "author" in verb.parameters);
  command.action(
    action(async (output: Output, options: VerbOptions, file: string, ...operands: never[]) =>
      runVerbCommand(verb, output, options, file, operands),
    ),
  );
}

/** Commander would read brackets as options of its own. */
function textOf({ description, enum: values }: ParameterSchema): string {
  const text = description.replace(/\.$/, "");
  const choice = values === undefined ? "" : ` (${values.join(", ")})`;
  return `${text[0]?.toLowerCase()}${text.slice(1)}${choice}`;
}

function addBatch(program: Command, { reading, action }: CommandHelpers): void {
  const command = reading(program.command("batch"))
    .summary("run several verbs as one edit, all or none")
    .description("Runs an array of steps as one edit: all of them, or, when one is refused, none.")
    .argument("<file>", "the scene file")
    .argument("[steps]", "a JSON file with the steps; stdin if left out, or -")
    .addHelpText(
      "after",
      '\nExample:\n  echo \'[{ "verb": "rename", "parameters": { "entity": "tank", "name": "Tiger" } }]\' | espalier batch level.scene.json',
    );
  editing(command, false).action(action(batch));
}

function addExport(program: Command, { reading, action }: CommandHelpers): void {
  reading(program.command("export"))
    .summary("write a scene for Godot (.tscn) or as glTF (.gltf, .glb)")
    .description(
      "Writes a scene as a scene of Godot or as the node tree of a glTF file: names, parents, order, transforms, and what an import " +
        "kept. What the other format cannot hold is listed.",
    )
    .argument("<file>", "the scene file")
    .requiredOption("-t, --to <file>", ".tscn, .gltf or .glb")
    .option("-f, --force", "replace an existing file")
    .option("--y-up", "flip the y axis (Godot's points down)")
    .addHelpText(
      "after",
      "\nExample:\n  espalier export level.scene.json --to level.tscn\n\n" +
        "glTF needs one more package: npm install --save-dev @gltf-transform/core",
    )
    .action(action(exportFile));
}

function addScreenshot(program: Command, { reading, action }: CommandHelpers): void {
  reading(program.command("screenshot"))
    .summary("draw a scene, or a part of it, as a picture")
    .description(
      "Draws a scene, or an entity with all below it, as a PNG: through its camera, or framed so that everything is in it.",
    )
    .argument("<file>", "the scene file")
    .argument(
      "[entity]",
      "the entity: an id, or a path of names that begins with /; the whole scene if left out",
    )
    .option("-o, --out <file>", "where to write; beside the scene, as .png, if left out")
    .option("-f, --force", "replace an existing file")
    .option("--width <pixels>", "the width of the picture", "800")
    .option("--height <pixels>", "the height of the picture", "600")
    .option("--all", "frame everything, even if the scene has a camera")
    .option("--y-axis <direction>", "which way y points, up or down; as the config says, or up")
    .option("--background <color>", "the colour behind everything, as #rrggbb; transparent if left out")
    .addHelpText(
      "after",
      "\nExample:\n  espalier screenshot level.scene.json /level/tank --out tank.png\n\n" +
        "It needs one more package: npm install --save-dev @napi-rs/canvas",
    )
    .action(action(screenshot));
}

function addDiff(program: Command, { reading, action }: CommandHelpers): void {
  reading(program.command("diff"))
    .summary("show what differs between two scenes, by entity")
    .description(
      "Shows what differs between two scenes, by entity. Ends with 0 when nothing does, with 1 when something does.",
    )
    .argument("<a>", "the scene before")
    .argument("<b>", "the scene after")
    .option("--path <file>", "the scene file that both are forms of, for prefabs beside it")
    .addHelpText("after", "\nExample:\n  espalier diff old.scene.json new.scene.json")
    .action(action(diff));
}

/** Options that decide conflicts. */
function deciding(command: Command): Command {
  return command
    .option("--ours", "decide every conflict for our side")
    .option("--theirs", "decide every conflict for their side")
    .option("--take <conflict=side...>", 'decide one conflict: "value tank Health.hp=theirs"');
}

function addMerge(program: Command, { reading, action }: CommandHelpers): void {
  deciding(reading(program.command("merge")))
    .summary("merge two versions of a scene with a common base")
    .description(
      "Merges the changes that two forms of a scene made to a common one, by entity and field. Ends with 1 when conflicts are " +
        "open; the result has them between the marks that git uses.",
    )
    .argument("<base>", "the scene that both come from")
    .argument("<ours>", "our scene")
    .argument("<theirs>", "their scene")
    .option("-o, --out <file>", "where to write; stdout if left out")
    .option("--path <file>", "the scene file that all three are forms of, for prefabs beside it")
    .option("--driver", "as a merge driver of git: write the result over our file")
    .addHelpText("after", "\nExample:\n  espalier merge base.json ours.json theirs.json -o level.scene.json")
    .action(action(merge));
}

function addResolve(program: Command, { reading, action }: CommandHelpers): void {
  deciding(reading(program.command("resolve")))
    .summary("resolve the conflicts of a scene that git could not merge")
    .description(
      "Decides conflicts of a scene during a merge, rebase or cherry-pick of git: all in favour of one side, or one by one. What was decided " +
        "before stays decided; what is still open stays between marks.",
    )
    .argument("<file>", "the scene file")
    .option("--list", "list the conflicts and write nothing")
    .option("--add", "git add the file when no conflict is left")
    .addHelpText(
      "after",
      '\nExample:\n  espalier resolve level.scene.json --take "value tank Health.hp=theirs" --add',
    )
    .action(action(resolve));
}

function addGitInstall(program: Command, { common, action }: CommandHelpers): void {
  common(program.command("git-install"))
    .summary("make git merge scenes by entity in this repository")
    .description(
      "Writes .gitattributes and the configuration of this clone, so that git merges scenes with espalier merge.",
    )
    .option("--command <command>", "how git starts this program; npx --no-install espalier if left out")
    .addHelpText("after", "\nExample:\n  espalier git-install")
    .action(action(gitInstall));
}

function addBranches(program: Command, { reading, common, action }: CommandHelpers): void {
  common(program.command("branch"))
    .summary("make a copy of a scene to work on")
    .description(
      "Makes a copy beside the scene, level@name.scene.json, to be edited separately and accepted later.",
    )
    .argument("<file>", "the scene file")
    .argument("<name>", "the name of the branch")
    .option("--delete", "delete the branch")
    .action(action(branch));
  const command = deciding(reading(program.command("accept")))
    .summary("accept the changes of a branch, all or by entity")
    .description("Merges a branch into its scene as one edit. With entities, only what was done to those.")
    .argument("<file>", "the scene file")
    .argument("<name>", "the name of the branch")
    .argument("[entities...]", "the ids of what is accepted; everything if left out");
  editing(command, false).action(action(accept));
}

function addMcp(program: Command, { reading, action }: CommandHelpers): void {
  reading(program.command("mcp"))
    .summary("serve the verbs to an agent (Model Context Protocol)")
    .description(
      "Serves the verbs as tools and the scenes as resources to an agent, on stdin and stdout or on a port of this machine. Files " +
        "only inside the folder, no code is run, and everything is written to a journal.",
    )
    .argument("[folder]", "the folder of the project; this one if left out")
    .option("--http", "serve on a port of this machine instead of stdin and stdout")
    .option("-p, --port <number>", "the port to use; a free one if left out")
    .option("--author <name>", "the author of edits in the journal; agent if left out")
    .option("--read-only", "offer only what changes nothing")
    .option("--game [port]", "let a running game connect, on a port of this machine; a free one if left out")
    .addHelpText("after", "\nIt needs one more package: npm install --save-dev @modelcontextprotocol/sdk")
    .action(action(mcp));
}

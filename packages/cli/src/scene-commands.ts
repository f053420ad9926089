/**
 * The commands that edit, compare and merge scenes: one for every verb of the library, and those around them.
 */
import type { Command } from "commander";
import { type AnyVerb, type ParameterSchema, verbs } from "espalier/verbs";
import { diff } from "./commands/diff.ts";
import { batch, runVerbCommand, type VerbOptions } from "./commands/verb.ts";
import { isFlag, optionName, takesMany } from "./commands/verb-parameters.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { Output } from "./output.ts";

type Act = (output: Output, options: never, ...args: never[]) => Promise<ExitCode>;

/** What all commands of the program have in common. */
export interface CommandHelpers {
  readonly common: (command: Command) => Command;
  readonly reading: (command: Command) => Command;
  readonly action: (act: Act) => (...given: unknown[]) => Promise<void>;
}

export function addSceneCommands(program: Command, helpers: CommandHelpers): void {
  for (const verb of Object.values(verbs) as readonly AnyVerb[]) addVerb(program, helpers, verb);
  addBatch(program, helpers);
  addDiff(program, helpers);
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
    // One that may also be given as an option cannot be asked for here.
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

/**
 * The commands, their options and their help.
 */
import { Command, Option } from "commander";
import { check } from "./commands/check.ts";
import { convert } from "./commands/convert.ts";
import { edit } from "./commands/edit.ts";
import { importFile } from "./commands/import.ts";
import { startProject } from "./commands/new.ts";
import { schema } from "./commands/schema.ts";
import { tree } from "./commands/tree.ts";
import type { ExitCode } from "./exit-codes.ts";
import { Output } from "./output.ts";
import { addSceneCommands } from "./scene-commands.ts";
import { versions } from "./versions.ts";

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly color?: boolean;
}

export function createProgram(onExit: (code: ExitCode) => void): Command {
  const program = new Command("espalier");
  program
    .description("Check, convert, draw and import scenes of Espalier, and start projects.")
    .version(versions(), "-V, --version", "show the versions of the command line and of the library")
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError("(espalier --help lists the commands)")
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .addHelpText("after", afterHelp);
  addCheck(program, onExit);
  addConvert(program, onExit);
  addTree(program, onExit);
  addImport(program, onExit);
  addSchema(program, onExit);
  addEdit(program, onExit);
  addNew(program, onExit);
  addSceneCommands(program, {
    common,
    reading,
    action: (act) => action(onExit, act as Action<unknown[], unknown>),
  });
  return program;
}

const afterHelp = `
Examples:
  espalier new my-game               a game that npm run dev shows
  espalier check scenes              everything that is wrong with the scenes of a folder
  espalier tree scenes/main.scene.json

Your own components are found through espalier.config.mjs (or .js, .ts) beside the scenes or above them:
  import { transformComponents } from "espalier/transform";
  import { Health, Speed } from "./dist/components.js";
  export default { components: [...transformComponents, Health, Speed] };

Exit codes: 0 success, 1 the files have problems, 2 wrong usage, 3 a package is missing, 4 internal error.
With --json a failure is a line too: { "error": "…", "problems": […] }`;

/** Adds what all commands have in common. */
function common(command: Command): Command {
  return command
    .showHelpAfterError(`(espalier ${command.name()} --help shows how)`)
    .option("--json", "write the result as one line of JSON")
    .addOption(new Option("--color", "use colours even when this is not a terminal"))
    .addOption(new Option("--no-color", "use no colours"));
}

/** Options of commands that read scenes. */
function reading(command: Command): Command {
  return common(command)
    .option("-c, --config <file>", "the file that lists your components, if it is not found automatically")
    .option("--prefabs <folder>", "the folder of prefabs that are not beside the scene");
}

type Action<Args extends unknown[], Options> = (
  output: Output,
  options: Options,
  ...args: Args
) => Promise<ExitCode>;

function action<Args extends unknown[], Options>(
  onExit: (code: ExitCode) => void,
  act: Action<Args, Options>,
) {
  return async (...given: unknown[]) => {
    // Commander passes the arguments, then the options, then the command.
    const options = given[given.length - 2] as Options & CommonOptions;
    const output = new Output({ json: options.json === true, color: colorChoice(options) });
    onExit(await act(output, options, ...(given.slice(0, -2) as Args)));
  };
}

function colorChoice({ color }: CommonOptions): boolean | undefined {
  // `--no-color` alone makes commander set true as the default.
  const asked = process.argv.some((arg) => arg === "--color");
  return color === false ? false : asked ? true : undefined;
}

function addCheck(program: Command, onExit: (code: ExitCode) => void): void {
  reading(program.command("check"))
    .summary("find everything that is wrong with scenes")
    .description(
      "Finds everything that is wrong with scene files and the prefabs they use: syntax, ids, parents, cycles, " +
        "references, components and their values. Of folders, all *.scene.json and *.prefab.json are checked.",
    )
    .argument("<files...>", "scene files, or folders with scene files")
    .option("--strict", "components that are not in the config are problems, even without a config")
    .addHelpText(
      "after",
      "\nExamples:\n  espalier check scenes\n  espalier check level.json --json | jq .files[].problems",
    )
    .action(action(onExit, check));
}

function addConvert(program: Command, onExit: (code: ExitCode) => void): void {
  common(program.command("convert"))
    .summary("turn a scene from nested to flat or back")
    .description(
      "Writes a scene in the other form: nested, for people (children inside their parents), or flat, as scenes are " +
        "saved (one list, parents first, every entity with an id). Components are left as they are; comments are lost.",
    )
    .argument("<file>", "the scene file")
    .option("--flat", "one list, parents first")
    .option("--nested", "children inside their parents")
    .option("-o, --out <file>", "where to write; stdout if left out")
    .option("-w, --write", "write into the file itself")
    .option("-f, --force", "replace an existing file")
    .option("--prefabs <folder>", "the folder of prefabs that are not beside the scene")
    .addHelpText(
      "after",
      "\nExamples:\n  espalier convert level.json --flat -w\n  espalier convert level.json --nested",
    )
    .action(action(onExit, convert));
}

function addTree(program: Command, onExit: (code: ExitCode) => void): void {
  reading(program.command("tree"))
    .summary("draw the tree of a scene")
    .description(
      "Draws the tree of a scene, prefabs included, with the local position of every entity and, where it differs, its " +
        "position in the world.",
    )
    .argument("<file>", "the scene file")
    .option("-d, --depth <levels>", "draw at most this many levels below the roots")
    .option("-n, --lines <count>", "draw at most this many lines", "1000")
    .option("--no-components", "do not show which components entities have")
    .addHelpText("after", "\nExample:\n  espalier tree scenes/main.scene.json --depth 2")
    .action(action(onExit, tree));
}

function addImport(program: Command, onExit: (code: ExitCode) => void): void {
  common(program.command("import"))
    .summary("make a scene from Godot (.tscn), glTF (.gltf, .glb), Tiled (.tmj) or LDtk (.ldtk)")
    .description(
      "Makes a scene from a 2D scene of Godot, from the node tree of a glTF file, or from a map of Tiled or LDtk: names, parents, order, " +
        "transforms, tiles and properties. What has no place in a scene is kept as Props where that is possible, and listed in any case.",
    )
    .argument("<file>", ".tscn, .gltf, .glb, .tmj or .ldtk")
    .option("-o, --out <file>", "where to write; beside the file, as .scene.json, if left out. - is stdout")
    .option("-r, --recursive", "import the scenes that it contains as well (Godot)")
    .option("-f, --force", "replace existing scenes")
    .option("--y-up", "flip the y axis (it points down in Godot, Tiled and LDtk)")
    .addHelpText(
      "after",
      "\nExamples:\n  espalier import level.tscn\n  espalier import model.glb -o - --json\n  espalier import cave.tmj --y-up\n\n" +
        "glTF needs one more package: npm install --save-dev @gltf-transform/core",
    )
    .action(action(onExit, importFile));
}

function addSchema(program: Command, onExit: (code: ExitCode) => void): void {
  reading(program.command("schema"))
    .summary("write the JSON Schema of your scenes, for completion in editors")
    .description(
      "Writes the JSON Schema of scenes with your components. Refer to it in a scene as $schema, and editors complete names " +
        "and mark mistakes while you type.",
    )
    .option("-o, --out <file>", "where to write; stdout if left out")
    .option("-f, --force", "replace an existing file")
    .addHelpText(
      "after",
      '\nExample:\n  espalier schema -o scenes/scene.schema.json\n  { "$schema": "./scene.schema.json", … }',
    )
    .action(action(onExit, schema));
}

function addEdit(program: Command, onExit: (code: ExitCode) => void): void {
  reading(program.command("edit"))
    .summary("open the editor in the browser")
    .description(
      "Opens the editor in the browser, on a scene or on all scenes of this folder. It serves this machine only, writes " +
        "inside the folder only, and runs until Ctrl+C.",
    )
    .argument("[file]", "the scene file, or a folder; this folder if left out")
    .option("-p, --port <number>", "the port to use; a free one if left out")
    .option("--no-open", "print the address and open no browser")
    .option("--share", "let everyone who opens the address edit the same scene; needs @espalier/collab")
    .addHelpText(
      "after",
      "\nExample:\n  espalier edit scenes/main.scene.json\n\nIt needs one more package: npm install --save-dev @espalier/editor",
    )
    .action(action(onExit, edit));
}

function addNew(program: Command, onExit: (code: ExitCode) => void): void {
  common(program.command("new"))
    .summary("start a project")
    .description(
      "Makes a folder with a small game in TypeScript and Vite: input, a scene, a prefab, a behaviour and a test. " +
        "npm run dev shows it.",
    )
    .argument("<name>", "the name of the project and of its folder")
    .option("--no-install", "do not install its packages")
    .option(
      "--template <name>",
      "what it starts from: canvas, pixi, three, physics, complete or react-three; asked in a terminal if left out, otherwise canvas",
    )
    .option("--espalier <version>", "the version or tarball of the library to use")
    .addHelpText("after", "\nExample:\n  espalier new my-game\n  cd my-game\n  npm run dev")
    .action(action(onExit, startProject));
}

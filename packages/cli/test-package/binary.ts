/** Running the real program in folders of its own. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../../../test/structure/source-files.ts";

/** The launcher, as `npx espalier` finds it. */
export const launcher = join(root, "packages/espalier/bin/espalier.mjs");

/** The folders of the packages that the command line depends on, by name. */
export function cliDependencies(): { readonly [name: string]: string } {
  const manifest = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
  const names = Object.keys(manifest.dependencies);
  return Object.fromEntries(names.map((name) => [name, dependencyFolder(name)]));
}

/** Where npm has put a package that the command line uses. */
export function dependencyFolder(name: string): string {
  const paths = ["packages/cli/node_modules", "node_modules"].map((folder) => `${folder}/${name}`);
  const found = paths.find((path) => existsSync(join(root, path)));
  if (found === undefined) throw new Error(`${name} is not installed.`);
  return found;
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Folder {
  readonly dir: string;
  write(name: string, text: string): string;
  read(name: string): string;
  /** Runs `espalier` in the folder. */
  espalier(...args: string[]): Ran;
  /** Runs it with these variables of the environment. */
  espalierWith(env: Record<string, string>, ...args: string[]): Ran;
  run(command: string, ...args: string[]): Ran;
  remove(): void;
}

/** An empty folder outside the repository. */
export function createFolder(): Folder {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "espalier-cli-")));
  const run = (command: string, args: readonly string[], env: Record<string, string> = {}): Ran => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: dir,
      encoding: "utf8",
      // Not the NODE_ENV of the tests: with it a build would be one for development.
      env: { ...process.env, NODE_ENV: undefined, FORCE_COLOR: "0", NO_COLOR: "1", ...env },
      shell: process.platform === "win32" && command === "npm",
    });
    return { status, stdout: stdout.replaceAll("\r\n", "\n"), stderr: stderr.replaceAll("\r\n", "\n") };
  };
  return {
    dir,
    write(name, text) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), text);
      return join(dir, name);
    },
    read: (name) => readFileSync(join(dir, name), "utf8"),
    espalier: (...args) => run(process.execPath, [launcher, ...args]),
    espalierWith: (env, ...args) => run(process.execPath, [launcher, ...args], env),
    run: (command, ...args) => run(command, args),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** A config with a component of the project's own. It finds the library because it is given its address. */
export function configText(): string {
  const url = new URL("../../espalier/dist/index.mjs", import.meta.url).href;
  return `import { component, f32, tag } from ${JSON.stringify(url)};
export default {
  components: [component("Health", { hp: f32(100) }), tag("Player")],
};
`;
}

/** Folders of their own for tests that need files. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, vi } from "vitest";

/** An empty folder that goes when the tests of the file have run. */
export function tempFolder(): {
  readonly dir: string;
  write(name: string, content: string | Uint8Array): string;
} {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "espalier-cli-")));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  return {
    dir,
    write(name, content) {
      const file = join(dir, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
  };
}

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process, with paths relative to the folder made absolute. */
export function runIn(dir: string, ...args: string[]): Promise<Ran> {
  const paths = args.map((arg) =>
    arg !== "-" && arg !== "" && existsSync(join(dir, arg)) ? join(dir, arg) : arg,
  );
  return runArgs(dir, paths);
}

/** Runs the command line in this process, with the arguments as they are. */
export async function runArgs(dir: string, args: readonly string[]): Promise<Ran> {
  const { run } = await import("../src/index.ts");
  const output = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += String(text);
      return true;
    }),
  );
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(dir);
  try {
    return { status: await run(args), ...output };
  } finally {
    for (const spy of [...spies, cwd]) spy.mockRestore();
  }
}

/** All files below a folder with their content, by path. */
export function filesIn(dir: string): { [file: string]: string } {
  const found = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(found.map((file) => [file.slice(dir.length + 1), readFileSync(file, "utf8")]));
}

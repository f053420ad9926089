/** Folders of their own for tests that need files. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";

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

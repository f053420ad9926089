/** The package as a user gets it: packed by npm and installed into an empty folder. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packInto } from "../../../test/install/tarballs.ts";

/** An empty project with the packed library as its only dependency. */
export interface Project {
  /** Its folder. */
  dir: string;
  /** The tarball it was installed from. */
  tarball: string;
  /** The names of the files in the tarball, sorted. */
  files: string[];
  write(name: string, text: string): string;
  /** Runs Node in the folder and returns what it prints. */
  node(...args: string[]): string;
  remove(): void;
}

/**
 * Packs what `npm run build` left in dist as it is published, or takes the tarball in the folder `ESPALIER_TARBALLS`, and installs it
 * without the network.
 */
export function installPacked(): Project {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "espalier-package-")));
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync("npm", args, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      shell: process.platform === "win32",
    });

  const packed = packInto(dir, "packages/espalier");
  writeFileSync(
    join(dir, "package.json"),
    JSON.stringify({ name: "a-user", private: true, version: "1.0.0" }),
  );
  // What npm happens to have cached of optional peers changes how it resolves them.
  npm(dir, "install", "--offline", "--cache", "npm-cache", "--no-audit", "--no-fund", `./${packed.filename}`);

  return {
    dir,
    tarball: join(dir, packed.filename),
    files: packed.files,
    write(name, text) {
      writeFileSync(join(dir, name), text);
      return join(dir, name);
    },
    node: (...args) => execFileSync(process.execPath, args, { cwd: dir, encoding: "utf8" }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** The package.json that was packed. */
export function manifestOf(project: Project): Record<string, unknown> {
  return JSON.parse(readFileSync(join(project.dir, "node_modules/espalier/package.json"), "utf8"));
}

/**
 * Our packages as they are published: packed from the build, or, with the folder `ESPALIER_TARBALLS`, the files that `npm run pack` put
 * there, byte by byte.
 */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { root } from "../../scripts/workspace.mjs";

export interface Tarball {
  readonly filename: string;
  /** The names of the files in it, sorted. */
  readonly files: string[];
}

/** What was packed already, by the folder of the package: packing ours takes seconds, and a file of tests installs them several times. */
const packed = new Map<string, Tarball & { readonly bytes: Buffer }>();

/**
 * Puts the tarball of a package into a folder.
 *
 * @param path - The folder of the package, such as `packages/espalier`.
 */
export function packInto(into: string, path: string): Tarball {
  const known = packed.get(path);
  if (known !== undefined) writeFileSync(join(into, known.filename), known.bytes);
  const { filename, files } = known ?? pack(into, path);
  if (known === undefined) packed.set(path, { filename, files, bytes: readFileSync(join(into, filename)) });
  return { filename, files: [...files] };
}

function pack(into: string, path: string): Tarball {
  const given = givenTarball(path);
  // A tarball by name is packed again, which lists what is in it.
  const source = given ?? join(root, path);
  const args = ["pack", source, "--json", "--ignore-scripts", "--pack-destination", into];
  const shell = process.platform === "win32";
  const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
  const [made] = JSON.parse(execFileSync("npm", args, { cwd: into, encoding: "utf8", stdio, shell }));
  if (given !== undefined) copyFileSync(given, join(into, made.filename));
  return { filename: made.filename, files: made.files.map((file: { path: string }) => file.path).sort() };
}

/** Unpacks a package of ours as the folder `target`, which must not be there. */
export function unpackAs(target: string, path: string): void {
  mkdirSync(dirname(target), { recursive: true });
  const work = mkdtempSync(join(dirname(target), ".unpack-"));
  try {
    execFileSync("tar", ["-xzf", packInto(work, path).filename], { cwd: work });
    renameSync(join(work, "package"), target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The tarball that the tests were given; nothing for packages of others. */
function givenTarball(path: string): string | undefined {
  const { ESPALIER_TARBALLS: folder } = process.env;
  if (folder === undefined || path.includes("node_modules")) return undefined;
  const { name, version } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
  return join(resolve(root, folder), `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`);
}

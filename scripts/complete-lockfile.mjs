/**
 * `npm run lockfile`: adds to the lockfiles the entries that npm left out.
 *
 * Tools with native code name one optional package per platform. A registry that mirrors only the packages of
 * its own platform makes npm leave the others out of the lockfile, and then `npm ci` refuses the lockfile on
 * every platform. An entry without a checksum is valid, and is used only where that platform is.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./workspace.mjs";

/**
 * @typedef {Record<string, any>} Entry An entry of a lockfile, as npm writes it.
 * @typedef {{ path: string, entry: Entry }} Missing
 */

const systems = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const processors = [
  "arm",
  "arm64",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "wasm32",
  "x64",
];

/**
 * The entries for optional dependencies that a lockfile lacks.
 *
 * @param {Record<string, Entry>} packages The `packages` of the lockfile.
 * @returns {Missing[]}
 */
export function missingEntries(packages) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev }]) => {
    // Next to those of the same group that npm found, where it would have put the others too.
    const sibling = Object.keys(optionalDependencies)
      .map((name) => ({ name, at: resolved(packages, path, name) }))
      .find(({ name, at }) => at !== undefined && packages[at]?.version === optionalDependencies[name]);
    return Object.entries(optionalDependencies).flatMap(([name, version]) => {
      const at = resolved(packages, path, name);
      const isExact = /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);
      if (at !== undefined && (!isExact || packages[at]?.version === version)) return [];
      if (!isExact)
        throw new Error(`${path} wants ${name} ${version}; only npm can tell which version that is.`);
      const folder = sibling?.at?.slice(0, -sibling.name.length) ?? `${path}/node_modules/`;
      const { cpu, os, libc } = platformOf(name);
      // In npm's order; what is undefined is not written.
      const entry = { version, cpu, dev, libc, optional: true, os };
      return [{ path: `${folder}${name}`, entry }];
    });
  });
}

/**
 * Where `name` is found from the package at `path`, as Node would look for it.
 *
 * @param {Record<string, Entry>} packages
 * @param {string} path
 * @param {string} name
 */
function resolved(packages, path, name) {
  const nested = path.split("/node_modules/");
  for (let depth = nested.length; depth > 0; depth--) {
    const candidate = [...nested.slice(0, depth), name].join("/node_modules/");
    if (packages[candidate] !== undefined) return candidate;
  }
  return packages[`node_modules/${name}`] === undefined ? undefined : `node_modules/${name}`;
}

/**
 * The platform a package is for, which by custom is in its name.
 *
 * @param {string} name
 */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  const libc = ["musl", "gnu"].filter((library) => words.includes(library) && os.includes("linux"));
  return {
    cpu: cpu.length > 0 ? cpu : undefined,
    os: os.length > 0 ? os : undefined,
    libc: libc.length > 0 ? [libc[0] === "gnu" ? "glibc" : "musl"] : undefined,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const name of ["package-lock.json", "bench/package-lock.json", "site/package-lock.json"]) {
    const file = join(root, name);
    if (!existsSync(file)) continue;
    const lockfile = JSON.parse(readFileSync(file, "utf8"));
    const missing = missingEntries(lockfile.packages);
    for (const { path, entry } of missing) lockfile.packages[path] = entry;
    const sorted = Object.entries(lockfile.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
    lockfile.packages = Object.fromEntries(sorted);
    if (missing.length > 0) writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
    console.log(`${name}: ${missing.length} entries added`);
  }
}

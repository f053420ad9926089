/**
 * The engines that run the subjects. Node 24 and Bun come from npm with the other peers, as packages that
 * hold the program itself; where there is none for a platform, asking for it is an error.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
const { platform, arch } = process;
const suffix = platform === "win32" ? ".exe" : "";

// Where install scripts may run, that of Bun moves the program into its own package, by this name on all platforms.
const bunPaths = [
  `${modules}/bun/bin/bun.exe`,
  `${modules}/@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}/bin/bun${suffix}`,
];

const engines = {
  node: { path: process.execPath, isV8: true },
  node24: { path: `${modules}/node24-${platform}-${arch}/bin/node${suffix}`, isV8: true },
  bun: { path: bunPaths.find((path) => existsSync(path)) ?? bunPaths[1], isV8: false },
};

export function engineOf(name) {
  const engine = engines[name];
  if (engine === undefined) {
    throw new Error(`No engine named ${name}. There are: ${Object.keys(engines).join(", ")}.`);
  }
  if (!existsSync(engine.path)) {
    throw new Error(
      `${name} is not installed for ${platform} ${arch} (npm ci in bench/; looked for ${engine.path}).`,
    );
  }
  return engine;
}

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The version of this package. */
export function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return version as string;
}

/** The version of the library that this program uses. */
export function libraryVersion(): string {
  return (require("espalier/package.json") as { version: string }).version;
}

export function versions(): string {
  return `@espalier/cli ${ownVersion()}, espalier ${libraryVersion()}, Node ${process.versions.node}`;
}

/**
 * Versions of the tools that build and test a new project.
 */

export interface ToolVersions {
  readonly vite: string;
  readonly vitest: string;
  /** The version of Node that these need. */
  readonly node: string;
}

/** @param node - The version of the Node that creates the project: vitest 5 runs on 22.12, 24, 26 and later. */
export function toolVersions(node: string): ToolVersions {
  const [major, minor] = node.split(".").map(Number) as [number, number];
  const isNew = (major === 22 && minor >= 12) || major === 24 || major >= 26;
  return isNew
    ? { vite: "^8.0.0", vitest: "^5.0.0", node: "^22.12.0 || ^24.0.0 || >=26.0.0" }
    : { vite: "^8.0.0", vitest: "^4.0.0", node: ">=20.19" };
}

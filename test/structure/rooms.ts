/**
 * The rooms of the library and who may import whom.
 *
 * docs/architecture.md shows the same table with the reasons. A new room is added here, there, and to the
 * exports of packages/espalier/package.json.
 */
import { importsOf } from "./imports.ts";
import type { SourceFile } from "./source-files.ts";

/** For each room, the rooms it may import, through their `index.ts` only. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  ecs: [],
  hierarchy: ["ecs"],
  inherit: ["ecs", "hierarchy"],
  transform: ["ecs", "hierarchy", "inherit"],
  history: ["ecs", "hierarchy", "inherit", "transform"],
  scene: ["ecs", "hierarchy", "history"],
};

const library = "packages/espalier/src/";

/**
 * What the imports of a library source file break, as one sentence each; empty when nothing.
 *
 * @param exists - Whether a path from the root of the repository is a file.
 */
export function brokenRules(file: SourceFile, exists: (path: string) => boolean): string[] {
  const room = roomOf(file.path);
  const problems: string[] = [];
  if (room === "" && file.path !== `${library}index.ts`) {
    problems.push(`${file.path}: only index.ts stands outside the rooms; move it into the room it serves.`);
  } else if (room !== "" && mayImport[room] === undefined) {
    problems.push(`${file.path}: the room ${room} is not in the table of test/structure/rooms.ts.`);
  }
  for (const { line, specifier, to } of importsOf(file)) {
    const why = to === undefined ? bareImport(specifier) : relativeImport(room, to, exists);
    if (why !== undefined) problems.push(`${file.path}:${line}: "${specifier}" ${why}`);
  }
  return problems;
}

function bareImport(specifier: string): string {
  if (specifier === "?") return "is not a plain string, so nobody can tell what it imports.";
  return "is not a relative path: the library has no dependencies, and rooms import each other by path.";
}

function relativeImport(room: string, to: string, exists: (path: string) => boolean): string | undefined {
  if (!exists(to)) return "is not a file; write the whole name with its .ts.";
  if (!to.startsWith(library)) return "leaves the library source.";
  const target = roomOf(to);
  if (target === room) return undefined;
  if (target === "") return "is above the rooms: a room imports other rooms, not the package entry.";
  if (to !== `${library}${target}/index.ts`) return `reaches inside ${target}; import ${target}/index.ts.`;
  if (room !== "" && !mayImport[room]?.includes(target)) {
    const allowed = mayImport[room]?.join(", ") || "no other room";
    return `points the wrong way: ${room} may import ${allowed}.`;
  }
  return undefined;
}

/** The room a library file is in; empty for files directly in `src`. */
function roomOf(path: string): string {
  const [first, ...rest] = path.slice(library.length).split("/");
  return rest.length === 0 ? "" : first!;
}

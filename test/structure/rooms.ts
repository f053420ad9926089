/**
 * The rooms of the library and which room may import which.
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
  log: ["ecs", "history"],
  worker: ["ecs", "hierarchy", "transform", "history"],
  scene: ["ecs", "hierarchy", "history"],
  verbs: ["ecs", "hierarchy", "inherit", "transform", "history", "scene"],
  render: ["ecs", "hierarchy", "inherit", "transform"],
  canvas: ["ecs", "hierarchy", "inherit", "transform", "render"],
  pixi: ["ecs", "hierarchy", "inherit", "transform", "render"],
  three: ["ecs", "hierarchy", "inherit", "transform", "scene", "render"],
  signals: ["ecs", "hierarchy", "inherit", "transform", "history"],
  react: ["ecs", "hierarchy", "inherit", "transform", "history", "signals"],
  physics: ["ecs", "hierarchy", "inherit", "transform"],
  animation: ["ecs", "hierarchy", "inherit", "transform", "render"],
  audio: ["ecs", "hierarchy", "inherit", "transform"],
  game: ["ecs", "hierarchy", "inherit", "transform", "history", "scene", "render", "canvas", "physics"],
  maps: ["ecs", "render", "scene"],
  vite: ["ecs", "maps"],
};

/**
 * The rooms that stand on a library made for the field, an optional peer dependency each. Only they import it; the
 * folder may be a part of a room.
 */
export const mayDepend: Readonly<Record<string, readonly string[]>> = {
  pixi: ["pixi.js"],
  three: ["three"],
  react: ["react"],
  "physics/box2d": ["box2d3-wasm"],
  // Web Audio, which is part of the browser.
  "audio/web": [],
  "game/gestures": ["@use-gesture/vanilla"],
  // `fetch`, which pages and Node have.
  "game/remote": [],
  // Maps name other files, which the bundler does not read for plugins.
  vite: ["vite", "node:fs/promises"],
  // Files, which are part of Node, Bun and Deno.
  log: ["node:fs", "node:path", "node:zlib"],
};

/** Rooms of the core know each other's internals, through `internal.ts`; all others use what users use. */
export const coreRooms = ["ecs", "hierarchy", "inherit", "transform", "history", "scene", "verbs"];

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
    const why = to === undefined ? bareImport(file.path, specifier) : relativeImport(room, to, exists);
    if (why !== undefined) problems.push(`${file.path}:${line}: "${specifier}" ${why}`);
  }
  return problems;
}

function bareImport(path: string, specifier: string): string | undefined {
  if (specifier === "?") return "is not a plain string, so nobody can tell what it imports.";
  const inside = path.slice(library.length);
  const allowed = Object.entries(mayDepend).some(
    ([folder, names]) =>
      (inside.startsWith(`${folder}/`) || inside === `${folder}.ts`) &&
      names.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
  );
  if (allowed) return undefined;
  return "is not a relative path: the library has no dependencies, and rooms import each other by path.";
}

function relativeImport(room: string, to: string, exists: (path: string) => boolean): string | undefined {
  if (!exists(to)) return "is not a file; write the whole name with its .ts.";
  if (!to.startsWith(library)) return "leaves the library source.";
  const target = roomOf(to);
  if (target === room) return undefined;
  if (target === "") return "is above the rooms: a room imports other rooms, not the package entry.";
  const doors =
    coreRooms.includes(room) && coreRooms.includes(target) ? ["index.ts", "internal.ts"] : ["index.ts"];
  if (!doors.some((door) => to === `${library}${target}/${door}`)) {
    return `reaches inside ${target}; import ${target}/index.ts.`;
  }
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

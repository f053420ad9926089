/**
 * The grammar of paths: segments separated by `/`; `.` and `..`; `#7` or `#7v2` for a child by number; `*`, `?` and `**`
 * as wildcards; `\` takes the meaning from the character behind it.
 */
import { describeValue, type Entity } from "../../ecs/index.ts";
import { InvalidPathError } from "../errors.ts";

export type PathStep =
  | { readonly kind: "self" }
  | { readonly kind: "up" }
  | { readonly kind: "any" }
  | { readonly kind: "id"; readonly entity: Entity }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "glob"; readonly pattern: RegExp };

export interface ParsedPath {
  readonly absolute: boolean;
  readonly steps: readonly PathStep[];
}

/** Whether every segment of a path is a name that stands for itself. */
export function isPlain(path: string): boolean {
  return typeof path === "string" && plainPath.test(path);
}

/** No wildcard or escape anywhere; no segment is empty or begins with a dot or a number sign. */
const plainPath = /^\/?[^\\*?/#.][^\\*?/]*(?:\/[^\\*?/#.][^\\*?/]*)*$/;

export function parsePath(path: string): ParsedPath {
  if (typeof path !== "string") refusePath(path, 'it is not a string. Give one like "tank/turret"');
  if (path === "") refusePath(path, 'it is empty. Use "." for the start itself');
  if (path === "/") return { absolute: true, steps: [] };
  const absolute = path.startsWith("/");
  const steps = splitSegments(path, absolute ? 1 : 0).map((segment) => parseSegment(segment, path));
  return { absolute, steps };
}

function refusePath(path: string, why: string): never {
  throw new InvalidPathError(`Cannot read path ${describeValue(path)}: ${why}.`, { path, value: path });
}

/** A name as a segment that reads back as that name. */
export function quoteSegment(name: string): string {
  const quoted = name.replace(/[\\/*?]/g, "\\$&");
  return quoted.startsWith("#") || quoted === "." || quoted === ".." ? `\\${quoted}` : quoted;
}

/** The segments as they stand in the path, escapes included. */
function splitSegments(path: string, start: number): string[] {
  if (!path.includes("\\")) return path.slice(start).split("/");
  const segments: string[] = [];
  let from = start;
  for (let at = start; at < path.length; at++) {
    if (path[at] === "/") {
      segments.push(path.slice(from, at));
      from = at + 1;
    } else if (path[at] === "\\" && ++at === path.length) {
      refusePath(path, "it ends in \\, which escapes nothing. Write \\\\ for the character itself");
    }
  }
  segments.push(path.slice(from));
  return segments;
}

const special = /[\\*?]/;
const number = /^#(\d+)(?:v(\d+))?$/;
/** An escaped character, or one that stands for itself or for others. */
const character = /\\(.)|./gsu;

function parseSegment(segment: string, path: string): PathStep {
  if (segment === "") refusePath(path, "it has an empty segment. Remove the extra /");
  if (segment === ".") return { kind: "self" };
  if (segment === "..") return { kind: "up" };
  if (segment === "**") return { kind: "any" };
  const id = segment.startsWith("#") ? number.exec(segment) : null;
  if (id !== null) {
    return { kind: "id", entity: (Number(id[1]) + Number(id[2] ?? 0) * 2 ** 22) as Entity };
  }
  if (!special.test(segment)) return { kind: "name", name: segment };
  let name = "";
  let pattern = "";
  let isGlob = false;
  for (const [whole, escaped] of segment.matchAll(character)) {
    const isWild = whole === "*" || whole === "?";
    const plain = escaped ?? whole;
    isGlob ||= isWild;
    name += plain;
    if (isWild) pattern += whole === "*" ? ".*" : ".";
    else pattern += plain.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  }
  if (!isGlob) return { kind: "name", name };
  return { kind: "glob", pattern: new RegExp(`^${pattern}$`, "su") };
}

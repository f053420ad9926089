/**
 * The grammar of paths: segments separated by `/`; `.` and `..`; `#7` or `#7v2` for a child by number; `*`, `?` and `**`
 * as wildcards; `\` takes the meaning from the character behind it.
 */
import type { Entity } from "../ecs/index.ts";
import { InvalidPathError } from "./errors.ts";

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
  if (typeof path !== "string" || path === "") {
    throw new InvalidPathError(
      `Cannot read path ${JSON.stringify(path)}: it is empty. Use "." for the start itself.`,
    );
  }
  const absolute = path.startsWith("/");
  const steps = splitSegments(path, absolute ? 1 : 0).map((segment) => parseSegment(segment, path));
  return { absolute, steps: absolute && path.length === 1 ? [] : steps };
}

/** A name as a segment that reads back as that name. */
export function quoteSegment(name: string): string {
  const quoted = name.replace(/[\\/*?]/g, "\\$&");
  return quoted.startsWith("#") ? `\\${quoted}` : quoted;
}

interface Segment {
  readonly raw: string;
  /** The characters, each with whether it was escaped. */
  readonly characters: readonly (readonly [string, boolean])[];
}

function splitSegments(path: string, start: number): Segment[] {
  const segments: Segment[] = [];
  let characters: [string, boolean][] = [];
  let from = start;
  for (let at = start; at <= path.length; at++) {
    if (at === path.length || path[at] === "/") {
      segments.push({ raw: path.slice(from, at), characters });
      characters = [];
      from = at + 1;
    } else if (path[at] === "\\") {
      if (at + 1 === path.length) {
        throw new InvalidPathError(
          `Cannot read path ${JSON.stringify(path)}: it ends in \\, which escapes nothing. Write \\\\ for the character itself.`,
        );
      }
      characters.push([path[++at], true]);
    } else {
      characters.push([path[at], false]);
    }
  }
  return segments;
}

function parseSegment({ raw, characters }: Segment, path: string): PathStep {
  if (raw === "") {
    throw new InvalidPathError(
      `Cannot read path ${JSON.stringify(path)}: it has an empty segment. Remove the extra /.`,
    );
  }
  if (raw === ".") return { kind: "self" };
  if (raw === "..") return { kind: "up" };
  if (raw === "**") return { kind: "any" };
  const id = /^#(\d+)(?:v(\d+))?$/.exec(raw);
  if (id !== null) {
    return { kind: "id", entity: (Number(id[1]) + Number(id[2] ?? 0) * 2 ** 22) as Entity };
  }
  if (!characters.some(([character, escaped]) => !escaped && (character === "*" || character === "?"))) {
    return { kind: "name", name: characters.map(([character]) => character).join("") };
  }
  const source = characters
    .map(([character, escaped]) => {
      if (!escaped && character === "*") return ".*";
      if (!escaped && character === "?") return ".";
      return character.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
  return { kind: "glob", pattern: new RegExp(`^${source}$`, "su") };
}

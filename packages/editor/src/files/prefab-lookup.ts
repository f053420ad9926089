/**
 * Prefabs of a project by the names that scenes use for them: paths from the scene or from the folder of prefabs, with
 * or without the extension.
 */
import type { Prefabs } from "espalier/scene";
import type { Project } from "./project.ts";

const endings = ["", ".prefab.json", ".prefab.jsonc", ".scene.json", ".json", ".jsonc"];

/** The path of a prefab in the project; `undefined` when there is none. */
export function prefabPath(project: Project, name: string, from: string | undefined): string | undefined {
  const bases = [
    folderOf(from ?? ""),
    ...(project.prefabFolder === undefined ? [] : [project.prefabFolder]),
    "",
  ];
  for (const base of bases) {
    for (const ending of endings) {
      const path = joined(base, `${name}${ending}`);
      if (project.prefabs[path] !== undefined) return path;
    }
  }
  return undefined;
}

/** How a file refers to a prefab of the project. */
export function referenceTo(path: string, from: string | undefined): string {
  const [a, b] = [
    folderOf(from ?? "")
      .split("/")
      .filter(Boolean),
    path.split("/"),
  ];
  let same = 0;
  while (same < a.length && same < b.length - 1 && a[same] === b[same]) same++;
  return [...a.slice(same).map(() => ".."), ...b.slice(same)].join("/");
}

/** The prefabs of a project for a scene format. Reads the current project on each lookup, because edits replace it. */
export function prefabsOf(project: () => Project): Prefabs {
  return (name, from) => {
    const path = prefabPath(project(), name, from);
    const source = path === undefined ? undefined : project().prefabs[path];
    return path === undefined || source === undefined ? undefined : { file: path, source };
  };
}

function folderOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}

function joined(folder: string, name: string): string {
  const parts: string[] = folder === "" ? [] : folder.split("/");
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

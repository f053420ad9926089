/**
 * The sources of the texts of prefabs.
 */
import type { SceneFile } from "../file.ts";

/** A scene as text or written in TypeScript; with the name of its file, if that differs from the requested name. */
export type PrefabSource =
  | string
  | SceneFile
  | {
      /** The name of its file, for messages. */
      readonly file: string;
      /** The scene itself. */
      readonly source: string | SceneFile;
    };

/**
 * Where prefabs come from: an object by name, or a function that receives the name as written and the file in which it
 * is written, and returns `undefined` when there is none.
 */
export type Prefabs =
  | { readonly [name: string]: string | SceneFile }
  | ((name: string, from: string | undefined) => PrefabSource | undefined);

/** The prefab of a name, with its file; `undefined` when there is none. Throws whatever the function throws. */
export function answerOf(
  prefabs: Prefabs,
  name: string,
  from: string | undefined,
): { readonly file: string; readonly source: string | SceneFile } | undefined {
  if (typeof prefabs !== "function") {
    return Object.hasOwn(prefabs, name) ? { file: name, source: prefabs[name] } : undefined;
  }
  // It may return anything.
  const found = prefabs(name, from) as PrefabSource | null | undefined;
  if (found === undefined || found === null) return undefined;
  if (typeof found !== "object" || !Object.hasOwn(found, "source")) {
    return { file: name, source: found as string | SceneFile };
  }
  const { file, source } = found as { readonly file: unknown; readonly source: string | SceneFile };
  return { file: typeof file === "string" ? file : name, source };
}

/** The same prefabs, with every result cached, so that a scene can be read again as it was. */
export function remembered(prefabs: Prefabs): Prefabs {
  if (typeof prefabs !== "function") return prefabs;
  const answers = new Map<string, PrefabSource | undefined>();
  return (name, from) => {
    const key = `${from ?? ""}\n${name}`;
    if (!answers.has(key)) answers.set(key, prefabs(name, from));
    return answers.get(key);
  };
}

/**
 * Where the texts of prefabs come from.
 */
import type { SceneFile } from "../file.ts";

/** A scene as text or written in TypeScript; with the name of its file, if that is not the name it was asked by. */
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
 * Where prefabs come from: an object by name, or a function that gets the name as it is written and the file in which it
 * is written, and answers nothing when there is none.
 */
export type Prefabs =
  | { readonly [name: string]: string | SceneFile }
  | ((name: string, from: string | undefined) => PrefabSource | undefined);

/** What is known by a name, with its file; nothing when there is none. What a function throws, this throws. */
export function answerOf(
  prefabs: Prefabs,
  name: string,
  from: string | undefined,
): { readonly file: string; readonly source: string | SceneFile } | undefined {
  if (typeof prefabs !== "function") {
    return Object.hasOwn(prefabs, name) ? { file: name, source: prefabs[name] } : undefined;
  }
  // It may answer anything.
  const found = prefabs(name, from) as PrefabSource | null | undefined;
  if (found === undefined || found === null) return undefined;
  if (typeof found !== "object" || !Object.hasOwn(found, "source")) {
    return { file: name, source: found as string | SceneFile };
  }
  const { file, source } = found as { readonly file: unknown; readonly source: string | SceneFile };
  return { file: typeof file === "string" ? file : name, source };
}

/** The same prefabs, with every answer remembered, so that a scene can be read again as it was. */
export function remembered(prefabs: Prefabs): Prefabs {
  if (typeof prefabs !== "function") return prefabs;
  const answers = new Map<string, PrefabSource | undefined>();
  return (name, from) => {
    const key = `${from ?? ""}\n${name}`;
    if (!answers.has(key)) answers.set(key, prefabs(name, from));
    return answers.get(key);
  };
}

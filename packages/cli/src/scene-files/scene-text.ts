/**
 * The text of a scene that is written back into its file: nested where it was nested.
 */
import { parseScene, printScene, type SceneFile, toNested } from "espalier/scene";

export interface SceneText {
  readonly text: string;
  readonly areCommentsLost: boolean;
}

/** @param before - The text of the file as it is. */
export function textFor(before: string, scene: SceneFile): SceneText {
  const former = parseScene(before);
  const isNested = former.entities.some(({ children }) => children !== undefined);
  const { version, ...rest } = isNested ? toNested(scene) : scene;
  // A file that says no version is of the first one.
  const keepsVersion = former.version !== undefined || (version ?? 1) !== 1;
  const text = printScene(keepsVersion && version !== undefined ? { version, ...rest } : rest);
  return { text: withSchema(former, text, rest), areCommentsLost: hasComments(before) };
}

/** What is printed has its keys in the order of the value. */
function withSchema(former: SceneFile, text: string, scene: Omit<SceneFile, "version">): string {
  if (former.$schema === undefined || scene.$schema !== undefined) return text;
  return printScene({ $schema: former.$schema, ...parseScene(text) });
}

function hasComments(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return /\/\/|\/\*/.test(text);
  }
}

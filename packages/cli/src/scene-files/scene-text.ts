/**
 * The text of a scene for its file: nested if the file was nested.
 */
import { parseScene, printScene, type SceneFile, toNested } from "espalier/scene";

export interface SceneText {
  readonly text: string;
  readonly areCommentsLost: boolean;
}

/** @param before - The current text of the file. */
export function textFor(before: string, scene: SceneFile): SceneText {
  const former = parseScene(before);
  const isNested = former.entities.some(({ children }) => children !== undefined);
  const { version, ...rest } = isNested ? toNested(scene) : scene;
  // A file without a version has the first one.
  const keepsVersion = former.version !== undefined || (version ?? 1) !== 1;
  const text = printScene(keepsVersion && version !== undefined ? { version, ...rest } : rest);
  return { text: withSchema(former, text, rest), areCommentsLost: hasComments(before) };
}

/** The printed text has its keys in the order of the value. */
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

/**
 * The next form of prefabs when the text of one file changes: of the prefab in the file, and of those that contain it.
 */
import type { SceneFile } from "../file.ts";
import { readTemplate } from "../read/load.ts";
import type { Template } from "../read/node.ts";
import { answerOf, type Prefabs } from "../read/prefab-source.ts";
import { isSameForm } from "../read/template.ts";
import type { Registry } from "../registry.ts";

/** A prefab file whose text changed. */
export interface ChangedFile {
  /** Whether this is the file. */
  is(file: string): boolean;
  readonly source: string | SceneFile;
  /** The source of prefabs that only the new text uses. */
  readonly prefabs?: Prefabs;
  /** What happens to components that the format does not know. */
  readonly unknown: "refuse" | "keep";
}

/** Returns the next form of a prefab; `undefined` if it does not change. Each is read once. */
export type NextForms = (template: Template, registry: Registry) => Template | undefined;

/** @throws SceneError, when it is called, if the new text cannot be used there. */
export function nextForms(changed: ChangedFile): NextForms {
  const known = new Map<Template, Template | undefined>();
  return (template, registry) => {
    if (!known.has(template)) known.set(template, nextForm(template, registry, changed));
    return known.get(template);
  };
}

function nextForm(template: Template, registry: Registry, changed: ChangedFile): Template | undefined {
  const { source, file, prefabs, nodes } = template;
  const isIt = changed.is(file);
  const keeps = changed.unknown === "keep" || nodes.some(({ rare }) => rare.kept !== undefined);
  let isUsed = isIt;
  const find = (name: string, from: string | undefined) => {
    const answer = answerOf(prefabs, name, from) ?? answerOf(changed.prefabs ?? {}, name, from);
    if (answer === undefined || !changed.is(answer.file)) return answer;
    isUsed = true;
    return { file: answer.file, source: changed.source };
  };
  try {
    const next = readTemplate(
      registry,
      isIt ? changed.source : (source.text ?? (source.value as unknown as SceneFile)),
      { file, unknown: keeps ? "keep" : "refuse", prefabs: find },
    );
    return !isUsed || isSameForm(template, next) ? undefined : next;
  } catch (error) {
    // It was broken before, and does not use the file.
    if (!isUsed) return undefined;
    throw error;
  }
}

/**
 * What prefabs come to when the text of one file changes: those that are in the file, and those that have them inside.
 */
import type { SceneFile } from "../file.ts";
import { readTemplate } from "../read/load.ts";
import type { Template } from "../read/node.ts";
import { answerOf, type Prefabs } from "../read/prefab-source.ts";
import { isSameForm } from "../read/template.ts";
import type { Registry } from "../registry.ts";

/** A file of a prefab that has another text now. */
export interface ChangedFile {
  /** Whether this is the file. */
  is(file: string): boolean;
  readonly source: string | SceneFile;
  /** Where prefabs come from that the new text uses and the former one did not. */
  readonly prefabs?: Prefabs;
  /** What becomes of components that the format does not know. */
  readonly unknown: "refuse" | "keep";
}

/** Gives prefabs their next form; nothing for those that stay as they are. Each is read once. */
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
    // One that was wrong before, and has nothing to do with the file.
    if (!isUsed) return undefined;
    throw error;
  }
}

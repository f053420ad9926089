/**
 * Every text of the editor, by key: a translation is another table with the same keys.
 */
import { actions } from "./texts/actions.ts";
import { panels } from "./texts/panels.ts";
import { shell } from "./texts/shell.ts";

/** The English texts. */
export const english = { ...panels, ...actions, ...shell } as const;

/** The key of a text of the editor. */
export type TextKey = keyof typeof english;

/** The text of a key, with `{name}` and the like filled in. */
export type Translate = (key: TextKey, values?: { readonly [name: string]: string | number }) => string;

/** Looks up texts of a language, or the English ones where it has none. */
export function translator(table: { readonly [key in TextKey]?: string } = english): Translate {
  return (key, values = {}) =>
    (table[key] ?? english[key]).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

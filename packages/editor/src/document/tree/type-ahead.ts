/**
 * Finding a row by typing the beginning of its name.
 */
import type { Entity } from "espalier";
import type { EditorDocument } from "../document.ts";
import type { Rows } from "./rows.ts";

/** Milliseconds after which a letter begins another word. */
const PAUSE = 900;

/** What was typed in a list, forgotten after a pause. */
export class TypeAhead {
  private text = "";
  private last = 0;

  /** Whether a word is being typed: a space belongs to it then. */
  isOn(now: number): boolean {
    return this.text !== "" && now - this.last < PAUSE;
  }

  /** The word so far, with another letter. Repeating one letter keeps the word at that letter, and goes from match to match. */
  type(letter: string, now: number): string {
    const before = this.isOn(now) ? this.text : "";
    this.last = now;
    this.text = before === letter ? letter : before + letter;
    return this.text;
  }
}

/**
 * The next entity whose name begins with the text: among the rows, starting at `from` and wrapping around, then among collapsed
 * entities. O(entities) when there is none.
 *
 * @param from - The focused row. It is tested first for a word of several letters, because it may still match.
 */
export function findAhead(
  document: EditorDocument,
  { entities }: Rows,
  from: number,
  text: string,
  branch?: Entity,
): Entity | undefined {
  const wanted = text.toLowerCase();
  const fits = (entity: Entity) => document.label(entity).toLowerCase().startsWith(wanted);
  const start = text.length > 1 ? Math.max(0, from) : from + 1;
  for (let k = 0; k < entities.length; k++) {
    const entity = entities[(start + k) % entities.length] as Entity;
    if (document.world.isAlive(entity) && fits(entity)) return entity;
  }
  const tops = branch === undefined ? document.tree.roots() : [branch];
  for (const top of tops) {
    for (const entity of document.tree.descendants(top, { includeSelf: true }))
      if (fits(entity)) return entity;
  }
  return undefined;
}

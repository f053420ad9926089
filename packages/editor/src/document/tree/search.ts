/**
 * Finding entities by name, component, tag or path.
 *
 * `tank` finds names that contain it, `c:Health` those that have the component or tag, `/level/tank*` a path with
 * wildcards. An entity must match all words.
 */
import type { Component, Entity, Schema } from "espalier";
import { findAll } from "espalier/hierarchy";
import type { EditorDocument } from "../document.ts";

export interface Found {
  /** In tree order. */
  readonly matches: readonly Entity[];
  /** The matches and everything above them. */
  readonly shown: ReadonlySet<Entity>;
}

/** All matches, in the whole tree or below `branch`; `undefined` for an empty text. O(entities). */
export function search(document: EditorDocument, text: string, branch?: Entity): Found | undefined {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return undefined;
  const tests = words.map((word) => testFor(document, word));
  const { tree } = document;
  const matches: Entity[] = [];
  const shown = new Set<Entity>();
  for (const root of branch === undefined ? tree.roots() : [branch]) {
    tree.forEachDescendant(
      root,
      (entity) => {
        if (!tests.every((test) => test(entity))) return;
        matches.push(entity);
        for (let up: Entity | null = entity; up !== null && !shown.has(up); up = tree.parentOf(up))
          shown.add(up);
      },
      { includeSelf: true },
    );
  }
  return { matches, shown };
}

function testFor(document: EditorDocument, word: string): (entity: Entity) => boolean {
  const { tree, world } = document;
  const prefix = /^(?:c|t|has|tag|component):(.*)$/i.exec(word);
  if (prefix !== null) {
    const wanted = (prefix[1] as string).toLowerCase();
    const components = document.format.components
      .filter((name) => name.toLowerCase().startsWith(wanted))
      .map((name) => document.format.component(name) as Component<Schema>);
    return (entity) => components.some((component) => world.has(entity, component));
  }
  if (word.includes("/")) {
    const found = new Set(findByPath(document, word));
    return (entity) => found.has(entity);
  }
  const wanted = word.toLowerCase();
  return (entity) => {
    const name = tree.nameOf(entity);
    if (name?.toLowerCase().includes(wanted)) return true;
    return document.scene?.idOf(entity)?.toLowerCase().includes(wanted) ?? false;
  };
}

function findByPath({ tree }: EditorDocument, path: string): readonly Entity[] {
  try {
    return findAll(tree, path);
  } catch {
    // Not a complete path yet.
    return [];
  }
}
